"""`neardup pages`."""

from typing import TYPE_CHECKING, Any

from neardup.cli.app import app
from neardup.cli.options import Inputs
from neardup.cli.shared import SharedOfTexts, explaining, sharing
from neardup.page_settings import PageSettings

if TYPE_CHECKING:
    from neardup.result import Result


@app.command()
@sharing(SharedOfTexts, PageSettings)
def pages(
    inputs: Inputs,
    chosen: dict[str, Any],
    shared: SharedOfTexts,
) -> None:
    """Find near-duplicate web pages, whatever the templates of their sites."""
    from neardup.api import opened_files
    from neardup.jobs import pages_job
    from neardup.views.pages import show_pages_summary

    settings = PageSettings(**chosen)
    run = shared.run
    source = opened_files(inputs, shared.reader, run.spark)
    result = shared.finish(pages_job(source, settings, run), run)
    shared.tell(result, show_pages_summary, to_look_at)


def to_look_at(result: "Result", folder: str) -> list[str]:
    """Return commands that show more of a result."""
    sites = [f"show {folder} --sites"] if result.counts["sites"] else []
    return sites + explaining(result, folder)
