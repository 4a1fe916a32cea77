"""The wait before a first run: compiling, which is said, and done on all cores."""

from neardup.engines.base import Progress
from neardup.kernels.ahead import FEW, Wanted, compile_ahead, missing
from neardup.kernels.cache_folder import folder, tell_wait


def lacking(purpose: str, source: object = None) -> list[Wanted]:
    """Return what a method, or another purpose with a list of kernels, needs and does not have.

    For reading files of some formats, a source has lists of its own; these have what takes longest.
    """
    return missing(*getattr(source, "kernels", ()), purpose)


def compile_for(purpose: str, progress: Progress, source: object = None) -> None:
    """Compile what a purpose needs, and does not have, on this source."""
    wanted = lacking(purpose, source)
    if folder() is None or len(wanted) > FEW:
        tell_wait()
    if len(wanted) > FEW:
        with progress.step("compiling", len(wanted), "parts") as advance:
            compile_ahead(wanted, advance)
