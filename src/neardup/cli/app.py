"""The command line's app: commands add themselves to it."""

import typer

app = typer.Typer(
    name="neardup",
    help="Finds near-duplicate text, proves it, and shows where.",
    no_args_is_help=True,
    invoke_without_command=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
