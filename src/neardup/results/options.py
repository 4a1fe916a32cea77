"""The options that every method takes, declared once for Python and the command line."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Self

from neardup.engines import engine_options, engine_settings
from neardup.engines.base import Progress
from neardup.settings.base import INPUT, RESULT, RUN, About, Setting, settings_of
from neardup.settings.run import RunSettings, parse_size

if TYPE_CHECKING:
    from neardup.readers.records import ReaderSettings
    from neardup.readers.source import Source
    from neardup.results.folder import ResultFolder
    from neardup.results.running import Job
    from neardup.steps.against import Against


@dataclass(frozen=True, kw_only=True)
class Options:
    """The options of every method."""

    output: Annotated[
        str | Path | None,
        About("The folder to write the result to.", flags="--output -o", heading=RESULT),
    ] = None
    id_column: Annotated[
        str | None, About("The column that holds the id of each document.", heading=INPUT)
    ] = None
    columns: Annotated[
        str | Iterable[str],
        About("Other columns to copy into the result, with commas between them.", heading=INPUT),
    ] = ()
    strict: Annotated[
        bool, About("Stop at the first bad record or file instead of skipping it.", heading=INPUT)
    ] = False
    max_record: Annotated[str | int, About("Skip records that are larger than this.", heading=INPUT)] = (
        "256MB"
    )
    encoding: Annotated[
        str,
        About(
            "The encoding of text, CSV, HTML and JSON that is not UTF-8, such as cp1252.", heading=INPUT
        ),
    ] = "auto"
    workers: Annotated[int | None, About("How many cores to use.", otherwise="all", heading=RUN)] = None
    memory: Annotated[
        str | int | None,
        About("How much memory to use, such as 4GB.", otherwise="half of the machine's", heading=RUN),
    ] = None
    engine: Annotated[Any, About("Where to run: on this machine, or on Apache Spark.", heading=RUN)] = (
        "local"
    )
    engine_options: Mapping[str, Any] = field(default_factory=dict)  # of all engines, by name
    overwrite: Annotated[
        bool, About("Replace the result if the folder holds one already.", heading=RESULT)
    ] = False
    keep_steps: Annotated[
        bool, About("Keep the table of every step in the folder of the result.", heading=RESULT)
    ] = False
    keep_texts: Annotated[
        bool,
        About(
            "Keep the texts of all documents in a pair, so that explain and report need no input.",
            heading=RESULT,
        ),
    ] = False
    progress: Progress | None = None  # in Python only

    @classmethod
    def given(cls, values: Mapping[str, Any]) -> Self:
        """Take the options of a call, those that engines have of their own among them."""
        own = engine_options()
        plain = {name: value for name, value in values.items() if name not in own}
        chosen = {name: value for name, value in values.items() if name in own}
        return cls(**plain, engine_options=chosen)

    @property
    def reader(self) -> "ReaderSettings":
        """Return how the input is read."""
        from neardup.readers.records import ReaderSettings

        return ReaderSettings(
            id_column=self.id_column,
            columns=(self.columns,) if isinstance(self.columns, str) else tuple(self.columns),
            strict=self.strict,
            max_record=parse_size(self.max_record),
            encoding=self.encoding,
        )

    @property
    def run(self) -> RunSettings:
        """Return where and with what the run works."""
        engine = engine_settings(self.engine, self.engine_options)
        made = RunSettings.make(self.workers, self.memory, self.keep_steps, engine=engine)
        return replace(made, keep_texts=self.keep_texts)

    def open_files(
        self, inputs: Sequence[str | Path], reader: "ReaderSettings | None" = None
    ) -> "Source":
        """Open the files that were named."""
        from neardup.results.sources import opened_files

        return opened_files(inputs, (), reader or self.reader, self.run)[0]

    def finished(self, job: "Job") -> "ResultFolder":
        """Run a job to its end."""
        from neardup.results.running import run_job

        return run_job(job, self.run, self.output, progress=self.progress, overwrite=self.overwrite)


@dataclass(frozen=True, kw_only=True)
class TextOptions(Options):
    """The options of methods that compare one text of each record."""

    text_column: Annotated[
        str | None,
        About(
            "The column that holds the text; write nested ones with dots, like meta.body.", heading=INPUT
        ),
    ] = None
    raw: Annotated[
        bool,
        About(
            "Take all text of HTML pages, not just the main content.",
            flags="--raw/--no-raw",
            heading=INPUT,
        ),
    ] = False
    lines: Annotated[bool, About("Text files: treat each line as a document.", heading=INPUT)] = False

    @property
    def reader(self) -> "ReaderSettings":
        """Return how the input is read."""
        return replace(super().reader, text_column=self.text_column, raw=self.raw, lines=self.lines)


@dataclass(frozen=True, kw_only=True)
class AgainstOptions(Options):
    """The options of methods that compare new documents with old ones."""

    against: Annotated[
        Any,
        About(
            "Compare the input with these old documents, or an index of them; may be given several "
            "times.",
            heading=INPUT,
        ),
    ] = None
    within: Annotated[
        bool,
        About(
            "against: compare the input with itself, too.", flags="--within/--no-within", heading=INPUT
        ),
    ] = True

    add: Annotated[
        bool,
        About(
            "documents, passages and threads, against an index: read only what is needed of it, and "
            "add the input to it.",
            flags="--add",
            heading=INPUT,
        ),
    ] = False

    def opened(self, source: object, reader: "ReaderSettings | None" = None) -> "tuple[Source, Against]":
        """Open what to compare: files or data; tell which of its documents are old."""
        from neardup.results.sources import opened_both

        self._check_index()
        return opened_both(source, self.against, reader or self.reader, self.run, self.within)

    def opened_files(
        self, inputs: Sequence[str], reader: "ReaderSettings | None" = None
    ) -> "tuple[Source, Against]":
        """Open the files that were named; tell which of their documents are old."""
        from neardup.results.sources import opened_named

        self._check_index()
        return opened_named(inputs, self.against or (), reader or self.reader, self.run, self.within)

    def _check_index(self) -> None:
        """Say how to make the index to add to, if it is not there."""
        from neardup.store.files import check_folder

        given = self.against if isinstance(self.against, list | tuple) else [self.against]
        for one in given if self.add else ():
            if isinstance(one, str | Path) and "://" not in str(one) and not Path(one).exists():
                check_folder(Path(one))


@dataclass(frozen=True, kw_only=True)
class AgainstTextOptions(TextOptions, AgainstOptions):
    """Both kinds of options."""


def options_of(kind: type[Options]) -> dict[str, Setting]:
    """Return the options of a class by name, those of engines in their place among them."""
    known = {option.name: option for option in settings_of(kind)}
    found: dict[str, Setting] = {}
    for each in fields(kind):
        if each.name == "engine_options":
            found |= engine_options()
        elif each.name in known:
            found[each.name] = known[each.name]
    return found
