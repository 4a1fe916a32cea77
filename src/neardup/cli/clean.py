"""`neardup clean`."""

from typing import Annotated, Any

import typer

from neardup.cleaning.recipe import DEFAULT, CleanSettings
from neardup.cli.app import app
from neardup.cli.options import Inputs
from neardup.cli.shared import FOUND, GOES_ON, SharedOfTexts, sharing


def print_recipe(asked: bool) -> None:
    """Print the recipe that is the default."""
    if asked:
        typer.echo(DEFAULT, nl=False)
        raise typer.Exit


@app.command()
@sharing(SharedOfTexts, CleanSettings)
def clean(
    inputs: Inputs,
    *,
    show_recipe: Annotated[
        bool,
        typer.Option(
            "--show-recipe", is_eager=True, callback=print_recipe, help="Print the default recipe."
        ),
    ] = False,
    chosen: dict[str, Any],
    shared: SharedOfTexts,
) -> None:
    """Clean a corpus: drop and cut what is repeated, stage by stage, and say why each thing went."""
    from dataclasses import replace

    from neardup.cleaning.clean import cleaned, opened
    from neardup.cleaning.declared import CHANGED, DROPPED
    from neardup.cleaning.plan import job
    from neardup.cleaning.view import show_cleaned
    from neardup.cli.endings import interruptible
    from neardup.cli.options import progress_for
    from neardup.readers.source import Named

    del show_recipe
    settings, paths = CleanSettings(**chosen), [Named(name) for name in inputs]
    if shared.explain_plan or shared.estimate:
        source = opened(paths, settings.chosen, shared)
        shared.only_told(job(source, settings.chosen, shared.run, settings.sample))
    options = replace(shared, progress=progress_for(shared.quiet or shared.as_json))
    with interruptible(GOES_ON):
        done = cleaned(paths, settings, options)
    show_cleaned(done, shared.quiet, shared.as_json)
    counts = done.result.counts
    if shared.fail_on_duplicates and counts[DROPPED] + counts[CHANGED]:
        raise typer.Exit(FOUND)
