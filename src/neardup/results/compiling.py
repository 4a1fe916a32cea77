"""The wait before a first run: compiling, which is said, and done on all cores."""

from neardup.engines.base import Progress
from neardup.kernels.ahead import FEW, compile_ahead, missing
from neardup.kernels.compiled import folder, tell_wait


def compile_for(purpose: str, progress: Progress) -> None:
    """Compile what a method, or another purpose with a list of kernels, needs and does not have."""
    wanted = missing(purpose)
    if folder() is None or len(wanted) > FEW:
        tell_wait()
    if len(wanted) > FEW:
        with progress.step("compiling", len(wanted), "parts") as advance:
            compile_ahead(wanted, advance)
