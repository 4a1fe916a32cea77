"""`neardup pages`."""

from typing import Any

from neardup.cli.app import app
from neardup.cli.options import Inputs
from neardup.cli.shared import SharedOfTexts, sharing
from neardup.methods.pages import Pages
from neardup.methods.pages.settings import PageSettings


@app.command()
@sharing(SharedOfTexts, PageSettings)
def pages(
    inputs: Inputs,
    chosen: dict[str, Any],
    shared: SharedOfTexts,
) -> None:
    """Find web pages with nearly the same content, whatever the templates of their sites."""
    settings = PageSettings(**chosen)
    source = shared.open_files(inputs)
    result = shared.finish(Pages().job(source, settings, shared.run))
    shared.tell(result)
