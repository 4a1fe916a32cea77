"""Write docs/cli.md: every command with its own help, as plain text of a fixed width.

With --check nothing is written; the exit code is 1 if the file is not what it should be. The help is
taken from the commands' own parameters, not from what Typer prints, which differs by version.
"""

import inspect
import sys
import textwrap
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Union, get_args, get_origin

import typer
from typer.models import ArgumentInfo, CommandInfo, OptionInfo, ParameterInfo

from neardup.cli import HEADINGS, whole_app
from neardup.cli.app import NEEDED

REFERENCE = Path(__file__).parent.parent / "docs" / "cli.md"
WIDTH = 100
COLUMN = 32  # where the explanations begin
INTRODUCTION = """\
# The command line

This page is written by `make docs` from the commands' own help (`neardup COMMAND --help`).

Exit codes: 0 done, 1 error, 2 wrong usage, 3 something was found and `--fail-on-duplicates` given, 130
interrupted (143 by SIGTERM, 129 by SIGHUP). Results go to standard output; progress and errors go to
standard error. [json.md](json.md) says what `--json` prints. Set `NEARDUP_DEBUG=1` to see the traceback
of an error of the operating system. `neardup --install-completion` lets TAB complete commands, options
and choices in bash, zsh and fish.

For a method, `--help` explains what most people need and names the rest; `--help-all` explains
everything. The advanced options here are constants of algorithms and limits of work. You can give any
setting as an option, by its name (`--set max_pairs=500`), in a file (`--settings`), or in Python. The
command line overrides a file, and a file overrides a preset.
"""


def reference() -> str:
    """Return the whole page."""
    app = whole_app()
    commands = [described(command) for command in app.registered_commands]
    for group in app.registered_groups:
        for command in group.typer_instance.registered_commands if group.typer_instance else []:
            name, callback, text = described(command)
            commands.append((name.replace("neardup", f"neardup {group.name}", 1), callback, text))
    order = " ".join(HEADINGS.values()).split()
    commands.sort(key=lambda command: order.index(command[0].split()[1]))
    if own := app.registered_callback:
        commands.insert(0, (str(app.info.name), own.callback, str(app.info.help)))
    return "\n".join([INTRODUCTION, *("\n".join(section(*command)) for command in commands)])


def described(command: CommandInfo) -> tuple[str, Callable[..., Any] | None, str]:
    """Return a command's name, its function and what it does."""
    callback = command.callback
    name = command.name or (callback.__name__.replace("_", "-") if callback else "")
    return f"neardup {name}", callback, inspect.cleandoc(command.help or callback.__doc__ or "")


def section(name: str, callback: Callable[..., Any] | None, text: str) -> Iterator[str]:
    """Yield the lines of one command, or of the options that stand before any."""
    if callback is None:
        return
    given = inspect.signature(callback).parameters.values()
    parameters = [unpacked(p) for p in given if p.annotation is not typer.Context]
    arguments = [p for p in parameters if isinstance(p[2], ArgumentInfo)]
    options = [(p, kind, info) for p, kind, info in parameters if isinstance(info, OptionInfo)]
    yield f"## {name}\n"
    yield f"{text}\n"
    yield "```text"
    words = [name, *(metavar(p, info) for p, _, info in arguments)]
    words += [shortest(p, info) for p, _, info in options if needed(p) or homeless(p, info)]
    words += ["[OPTIONS]"] if options else []
    words += ["COMMAND …"] if name == "neardup" else []
    yield " ".join(words)
    if parameters:
        yield ""
    for parameter, _, info in arguments:
        yield from entry(metavar(parameter, info), info.help or "")
    for hidden, heading in ((False, ""), (True, "Advanced:")):
        some = [(p, info) for p, _, info in options if info.hidden == hidden]
        yield from [f"\n  {heading}"] if some and heading else []
        for parameter, info in some:
            yield from entry(option_names(parameter, info), option_help(parameter, info))
    yield "```\n"


def unpacked(parameter: inspect.Parameter) -> tuple[inspect.Parameter, Any, ParameterInfo]:
    """Return a parameter with its plain type and what Typer knows of it."""
    kind, *notes = get_args(parameter.annotation)
    return parameter, plain(kind), next(note for note in notes if isinstance(note, ParameterInfo))


def plain(kind: Any) -> Any:
    """Return the type that a value has if one is given: str for `str | None`."""
    if get_origin(kind) in (Union, types.UnionType):
        return next(k for k in get_args(kind) if k is not type(None))
    return kind


def needed(parameter: inspect.Parameter) -> bool:
    """Return whether a parameter must be given."""
    return parameter.default is inspect.Parameter.empty


def homeless(parameter: inspect.Parameter, info: ParameterInfo) -> bool:
    """Return whether an option is the folder to write to, and there is no other."""
    return parameter.name == "output" and info.metavar == NEEDED


def shortest(parameter: inspect.Parameter, info: OptionInfo) -> str:
    """Return the shortest way to write an option, with what it takes."""
    return f"{names_of(parameter, info)[0]} {info.metavar}"


def metavar(parameter: inspect.Parameter, info: ParameterInfo) -> str:
    """Return the word that stands for an argument."""
    return str(info.metavar or parameter.name.upper())


def names_of(parameter: inspect.Parameter, info: OptionInfo) -> list[str]:
    """Return how an option may be written, short form first."""
    # inside Annotated, Typer takes the first name for the default
    given = [info.default, *(info.param_decls or [])] if isinstance(info.default, str) else []
    long = f"--{parameter.name.replace('_', '-')}"
    return sorted(given or [long], key=lambda name: name.startswith("--"))


def option_names(parameter: inspect.Parameter, info: OptionInfo) -> str:
    """Return how an option is written, with what it takes."""
    return " ".join(filter(None, [", ".join(names_of(parameter, info)), info.metavar]))


def option_help(parameter: inspect.Parameter, info: ParameterInfo) -> str:
    """Return what an option does, and its default where that says something."""
    text = " ".join((info.help or "").split())
    if needed(parameter):
        return f"{text}  [required]"
    default = parameter.default
    if isinstance(info.show_default, str):
        default = info.show_default
    if default is None or isinstance(default, bool) or default == "":
        return text
    return f"{text}  [default: {default}]"


def entry(names: str, text: str) -> Iterator[str]:
    """Yield the lines of one argument or option."""
    first = f"  {names}"
    if len(first) > COLUMN - 2:
        yield first
        first = ""
    indent = " " * COLUMN
    lines = textwrap.wrap(text, WIDTH - COLUMN, break_long_words=False, break_on_hyphens=False)
    for line in lines or [""]:
        yield f"{first:{COLUMN}}{line}".rstrip()
        first = indent


def main(check: bool = False) -> None:
    """Write the page, or check it."""
    page = reference()
    current = REFERENCE.read_text(encoding="utf-8") if REFERENCE.exists() else ""
    if check and page != current:
        print(f"{REFERENCE.name} is stale: run `make docs`", file=sys.stderr)
        raise typer.Exit(1)
    if not check:
        REFERENCE.parent.mkdir(exist_ok=True)
        REFERENCE.write_text(page, encoding="utf-8")
        print(f"{REFERENCE.name} written")


if __name__ == "__main__":
    typer.run(main)
