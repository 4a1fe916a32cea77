"""`neardup pages`."""

from typing import TYPE_CHECKING, Any

from neardup.cli.app import app
from neardup.cli.options import Inputs
from neardup.cli.shared import SharedOfTexts, explaining, sharing
from neardup.methods.pages.settings import PageSettings

if TYPE_CHECKING:
    from neardup.results.folder import Result


@app.command()
@sharing(SharedOfTexts, PageSettings)
def pages(
    inputs: Inputs,
    chosen: dict[str, Any],
    shared: SharedOfTexts,
) -> None:
    """Find near-duplicate web pages, whatever the templates of their sites."""
    from neardup.methods.pages.plan import pages_job
    from neardup.methods.pages.view import show_pages_summary
    from neardup.results.sources import opened_files

    settings = PageSettings(**chosen)
    run = shared.run
    source = opened_files(inputs, shared.reader, run.spark)
    result = shared.finish(pages_job(source, settings, run), run)
    shared.tell(result, show_pages_summary, to_look_at)


def to_look_at(result: "Result", folder: str) -> list[str]:
    """Return commands that show more of a result."""
    sites = [f"show {folder} --sites"] if result.counts["sites"] else []
    return sites + explaining(result, folder)
