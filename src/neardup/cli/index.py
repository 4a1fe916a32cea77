"""`neardup index` and `neardup query`: documents that are kept, and texts looked up among them."""

import sys
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated

import typer

from neardup.cli.app import App, Group, app
from neardup.cli.options import (
    Inputs,
    Json,
    Overwrite,
    Quiet,
    ReadDocuments,
    ReadRecords,
    needed_output,
    progress_for,
)
from neardup.errors import InputError, SettingsError
from neardup.methods.documents.settings import Measure

if TYPE_CHECKING:
    from neardup.index.adding import Added
    from neardup.index.online import Index
    from neardup.index.settings import QuerySettings
    from neardup.readers.records import ReaderSettings

index = App(
    cls=Group, help="Keep documents in an index, a folder to look up texts in.", no_args_is_help=True
)
app.add_typer(index, name="index")

USUAL_LIMIT = 20  # documents that are like a text, if no other number is asked for
IndexFile = Annotated[Path, typer.Argument(metavar="INDEX", help="The folder of an index.")]


@index.command()
def build(
    path: Annotated[Path, typer.Argument(metavar="INDEX", help="The folder of the index to write.")],
    inputs: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[INPUT…]",
            help="Files or folders of documents, as for neardup documents; none: an empty index.",
            show_default=False,
        ),
    ] = None,
    *,
    shingle: Annotated[
        str,
        typer.Option(help="Compare whole documents by runs of words (word:N) or characters (char:N)."),
    ] = "word:5",
    signature: Annotated[
        str, typer.Option(help="What proposes passages: one in W runs of N words (winnowing:N,W); auto.")
    ] = "auto",
    min_length: Annotated[int, typer.Option(help="The fewest characters of a passage.")] = 150,
    soft: Annotated[bool, typer.Option("--soft/--no-soft", help="Find rewritten passages too.")] = True,
    max_documents: Annotated[
        int, typer.Option(help="Treat text that more documents than this share as boilerplate.")
    ] = 100,
    compact: Annotated[
        bool,
        typer.Option("--compact", help="Take half of the room, and miss a little: see docs/lookup.md."),
    ] = False,
    read: ReadRecords,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace the index if there is one already.")
    ] = False,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Make an index of documents, or an empty one to add documents to."""
    from neardup.index.online import Index
    from neardup.index.settings import IndexSettings
    from neardup.readers.source import FileSource

    settings = IndexSettings(shingle, signature, min_length, None, soft, max_documents, compact)
    source = FileSource.open(inputs, read.reader) if inputs else None
    with Index.build(
        path, source, settings, overwrite=overwrite, progress=progress_for(quiet or as_json)
    ) as made:
        report_added(made, made.built, quiet, as_json)


@index.command()
def add(
    path: IndexFile,
    inputs: Inputs,
    *,
    replace: Annotated[
        bool, typer.Option("--replace", help="Replace documents of the index that have the same id.")
    ] = False,
    read: ReadRecords,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Add documents to an index: all of them or, if that fails, none."""
    from neardup.index.online import Index
    from neardup.readers.source import FileSource

    source = FileSource.open(inputs, read.reader)
    with Index(path) as opened:
        progress = progress_for(quiet or as_json)
        added = opened.add_source(source, replace_ids=replace, progress=progress)
        report_added(opened, added, quiet, as_json)


def report_added(opened: "Index", added: "Added | None", quiet: bool, as_json: bool) -> None:
    """Print what was added, and what the index holds now."""
    from neardup.showing.console import OUT, number

    if as_json:
        done = {} if added is None else added._asdict()
        OUT.print_json(data={"added": done, "index": opened.info()})
    elif not quiet:
        if added is not None:
            again = f", {added.replaced:,} of them in place of others" if added.replaced else ""
            OUT.print(f"[bold]{number(added.documents, 'document')}[/bold] added{again}")
            for problem, count in added.skipped.items():
                OUT.print(f"  skipped {count:,}: {problem}", style="yellow", markup=False)
        OUT.print(
            f"{number(len(opened), 'document')} in {opened.path}; look a text up with:", markup=False
        )
        OUT.print(f"  neardup query {quote(str(opened.path))} FILE", markup=False)
        OUT.print(f"  neardup serve {quote(str(opened.path))}", markup=False)


@index.command()
def remove(
    path: IndexFile,
    ids: Annotated[list[str], typer.Argument(metavar="ID…", help="The ids of the documents to remove.")],
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Remove documents from an index by their ids: all of them or, if that fails, none."""
    from neardup.index.online import Index
    from neardup.showing.console import OUT, number

    with Index(path) as opened:
        removed = opened.remove(ids)
        if as_json:
            OUT.print_json(data={"removed": removed, "index": opened.info()})
        elif not quiet:
            OUT.print(f"{number(removed, 'document')} removed, {len(opened):,} left")


@index.command()
def info(path: IndexFile, as_json: Json = False) -> None:
    """Show what an index holds, and how it was built."""
    from neardup.index.asked import opened as open_index
    from neardup.showing.console import OUT, number, size_text

    with open_index(path, writable=False) as opened:
        found = opened.info()
    if as_json:
        OUT.print_json(data=found)
        return
    OUT.print(f"[bold]{number(found['documents'], 'document')}[/bold], {size_text(found['bytes'])}")
    for name, value in found["settings"].items():
        OUT.print(f"  {name.replace('_', '-')} {value}", markup=False)


@index.command()
def compact(path: IndexFile, quiet: Quiet = False) -> None:
    """Rewrite an index as one segment, to free the space of removed documents."""
    from neardup.index.asked import opened as open_index
    from neardup.showing.console import OUT, size_text

    with open_index(path) as opened:
        before = opened.info()["bytes"]
        opened.compact()
    with open_index(path, writable=False) as opened:
        if not quiet:
            after = opened.info()["bytes"]
            OUT.print(f"{size_text(after)}, before {size_text(before)}", markup=False)


@index.command()
def check(
    path: IndexFile,
    save: Annotated[
        Path | None,
        typer.Option(metavar="NEW", help="Write an index of all documents that can be read."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Read all of an index, and say what is damaged (exit code 1) and what can be saved."""
    from neardup.index.saving import Checked
    from neardup.showing.console import ERR, OUT, number

    found = Checked.of(path)
    if as_json:
        OUT.print_json(data=found.as_dict())
    elif not found.damages:
        OUT.print(f"{path} is whole: {number(found.documents, 'document')}", markup=False)
    else:
        for line in found.damages:
            ERR.print(f"{path}: {line}", style="red", markup=False)
        OUT.print(f"{found.readable:,} of {number(found.documents, 'document')} can be read")
        if save is None:
            OUT.print(f"  neardup index check {quote(str(path))} --save NEW", markup=False)
    if save is not None:
        saved = found.save(save)
        OUT.print(f"{number(saved, 'document')} in {save}", markup=False)
    if found.damages:
        raise typer.Exit(1)


@index.command()
def copy(
    path: IndexFile,
    new: Annotated[Path, typer.Argument(metavar="NEW", help="The folder of the copy, on this machine.")],
    quiet: Quiet = False,
) -> None:
    """Write a copy of an index as it is now, even while others read and write it."""
    from neardup.index.taking_out import copy_index
    from neardup.showing.console import OUT, number

    documents = copy_index(path, new)
    if not quiet:
        OUT.print(f"{number(documents, 'document')} in {new}", markup=False)


@index.command()
def export(
    path: IndexFile,
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="Ends in .jsonl, .jsonl.gz, .jsonl.zst or .parquet.")
    ],
    quiet: Quiet = False,
) -> None:
    """Write all documents of an index to a file: their ids, texts, titles, URLs and dates."""
    from neardup.index.taking_out import export_index
    from neardup.showing.console import OUT, number

    documents = export_index(path, file)
    if not quiet:
        OUT.print(f"{number(documents, 'document')} in {file}", markup=False)


@index.command()
def upgrade(
    old: Annotated[Path, typer.Argument(metavar="OLD", help="The file of an earlier version's index.")],
    new: Annotated[Path, typer.Argument(metavar="NEW", help="The folder of the index to write.")],
    quiet: Quiet = False,
) -> None:
    """Make an index of this version from one of an earlier version of neardup."""
    from neardup.index.upgrading import upgrade as upgraded
    from neardup.showing.console import OUT, number

    with upgraded(old, new) as made:
        if not quiet:
            OUT.print(f"{number(len(made), 'document')} in {made.path}", markup=False)


@app.command()
def query(
    path: IndexFile,
    texts: Annotated[
        list[str],
        typer.Argument(
            metavar="TEXT|FILE|-",
            help="The text to look up, a file that holds it, or - for standard input.",
        ),
    ],
    *,
    corpus: Annotated[
        bool,
        typer.Option("--corpus", help="Look up every document of these files; write a result to -o."),
    ] = False,
    output: Annotated[
        str | None,
        typer.Option("--output", "-o", metavar="FOLDER", help="--corpus: the folder for the result."),
    ] = None,
    threshold: Annotated[
        float, typer.Option(help="The lowest similarity of a whole document: above 0, at most 1.")
    ] = 0.7,
    measure: Annotated[
        Measure,
        typer.Option(help="resemblance compares whole documents, containment finds one inside another."),
    ] = "containment",
    limit: Annotated[
        int | None,
        typer.Option(
            help="The most documents to show, best first.",
            show_default=f"{USUAL_LIMIT}; with --corpus all",
        ),
    ] = None,
    full: Annotated[
        bool, typer.Option("--full", help="Show long texts in full, not just around differences.")
    ] = False,
    read: ReadDocuments,
    overwrite: Overwrite = False,
    quiet: Quiet = False,
    as_json: Json = False,
) -> None:
    """Look up a text in an index, and show where it, or a part of it, is already."""
    from neardup.engines.base import Silent
    from neardup.index.online import Index
    from neardup.index.settings import QuerySettings
    from neardup.index.view import show_answer
    from neardup.results.compiling import compile_for
    from neardup.showing.console import OUT

    settings = QuerySettings(threshold, measure, USUAL_LIMIT if limit is None and not corpus else limit)
    if corpus:
        check_corpus(
            path, texts, read.reader, settings, needed_output(output), overwrite, quiet, as_json
        )
        return
    if len(texts) != 1:
        hint = "Put a text in quotes; --corpus looks up all documents of several files."
        raise SettingsError(f"one text is looked up at a time: got {len(texts)}", hint=hint)
    text = text_to_find(texts[0], read.reader)
    with Index(path, writable=False) as opened:
        compile_for("index", progress_for(quiet or as_json) or Silent())
        answer = opened.query(text, settings)
    if as_json:
        OUT.print_json(data=answer.as_dict())
    else:
        show_answer(answer, full)


def text_to_find(given: str, reader: "ReaderSettings") -> str:
    """Return the text of a query: what was given, or the one document of a file or of standard input."""
    if given == "-":
        return sys.stdin.buffer.read().decode("utf-8", "replace")
    from neardup.index.asking import is_file, is_name

    if is_file(given):
        return only_text(given, reader)
    if is_name(given):
        hint = "If this is the text to look up, give it through standard input: neardup query INDEX -"
        raise InputError("no such file", where=given, hint=hint)
    return given


def only_text(path: str, reader: "ReaderSettings") -> str:
    """Return the text of the only document in a file."""
    from neardup.readers.source import FileSource

    source = FileSource.open([path], reader)
    texts = []
    for split in source.splits():
        for batch in source.read(split):
            texts += [text for text in batch["text"].to_pylist() if text is not None]
            if len(texts) > 1:
                hint = "Add --corpus and -o OUT to look up each of them."
                raise InputError("this file holds several documents", where=path, hint=hint)
    return str(texts[0]) if texts else ""


def check_corpus(
    path: Path,
    inputs: list[str],
    reader: "ReaderSettings",
    settings: "QuerySettings",
    output: str,
    overwrite: bool,
    quiet: bool,
    as_json: bool,
) -> None:
    """Look up all documents of some files, and say what was found."""
    from neardup.index.corpus import DOCUMENTS_FOUND, check
    from neardup.index.online import Index
    from neardup.readers.source import FileSource
    from neardup.showing.console import OUT, new_in, number
    from neardup.steps.declared import PAIRS, PASSAGES

    source = FileSource.open(inputs, reader)
    with Index(path, writable=False) as opened:
        progress = progress_for(quiet or as_json)
        result = check(opened, source, settings, Path(output), overwrite=overwrite, progress=progress)
    if as_json:
        OUT.print_json(data={"output": str(result.where), **result.run})
    elif not quiet:
        counts = result.counts
        OUT.print(
            f"[bold]{counts[DOCUMENTS_FOUND]:,}[/bold] of {number(new_in(counts), 'document')} "
            f"share text with the index: {number(counts[PAIRS], 'pair')}, "
            f"{number(counts[PASSAGES], 'passage')}"
        )
        OUT.print(f"Result in {result.where}", markup=False)
