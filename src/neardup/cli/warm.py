"""`neardup warm`: compiling ahead of the first run."""

from neardup.cli.app import app
from neardup.cli.options import Quiet, progress_for


@app.command()
def warm(quiet: Quiet = False) -> None:
    """Compile everything ahead, for images, clusters and demonstrations."""
    from neardup.engines.base import Silent
    from neardup.kernels.ahead import compile_ahead, missing, purposes
    from neardup.kernels.cache_folder import folder
    from neardup.showing.console import OUT

    wanted = missing(*purposes())
    with (progress_for(quiet) or Silent()).step("compiling", len(wanted), "parts") as advance:
        compile_ahead(wanted, advance)
    if not quiet:
        OUT.print(
            f"Compiled kernels are in {folder()}" if folder() else "There is no place to keep them."
        )
