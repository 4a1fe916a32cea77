"""The wait before a first run: compiling, which is said, and done on all cores."""

from neardup.engines.base import Progress
from neardup.kernels.ahead import FEW, compile_ahead, missing
from neardup.kernels.compiled import folder


def compile_for(purpose: str, progress: Progress) -> None:
    """Compile what a method, or another purpose with a list of kernels, needs and does not have."""
    if folder() is None:
        hint = "set NUMBA_CACHE_DIR to a folder that can be written to"
        progress.note(f"compiling, as in every run here, which may take a minute: {hint}")
    wanted = missing(purpose)
    if len(wanted) > FEW:
        progress.note(
            f"first run of {purpose} on this machine: compiling, which takes up to a minute once"
        )
        with progress.step("compiling", len(wanted), "kernels") as advance:
            compile_ahead(wanted, advance)
