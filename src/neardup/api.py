"""The commands' Python twins: one function a method, with the same words and defaults."""

import functools
import inspect
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields as fields_of
from dataclasses import replace
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, TypeVar, Unpack, cast

from neardup.engines.base import Progress
from neardup.errors import SettingsError
from neardup.methods import METHODS, method_named
from neardup.methods.decontaminate import Decontaminate
from neardup.methods.decontaminate.items import read_items
from neardup.methods.decontaminate.settings import DecontaminateSettings
from neardup.methods.documents import Documents
from neardup.methods.documents.settings import Candidates, DocumentRule, DocumentSettings, Measure
from neardup.methods.method import Method
from neardup.methods.pages import Pages
from neardup.methods.pages.settings import PageMeasure, PageRule, PageSettings, PageUnit
from neardup.methods.passages import Passages
from neardup.methods.passages.settings import PassageSettings
from neardup.methods.sentences import Sentences
from neardup.methods.sentences.settings import (
    Grouping,
    SentenceCandidates,
    SentencePreset,
    SentenceSettings,
    Splitting,
)
from neardup.methods.threads import Threads
from neardup.methods.threads.plan import thread_reader
from neardup.methods.threads.settings import IndexOfThreads, Missing, ThreadSettings
from neardup.readers.listed import listed_pairs
from neardup.readers.records import ReaderSettings
from neardup.readers.source import FileSource
from neardup.result import Result
from neardup.results.options import (
    AgainstOptions,
    AgainstTextOptions,
    Options,
    TextOptions,
    options_of,
)
from neardup.results.sources import opened_both, opened_source
from neardup.settings.arguments import checked_arguments
from neardup.settings.base import Clustering, Listing, Preset, Settings, settings_of
from neardup.showing.progress import shown

if TYPE_CHECKING:
    from neardup.results.estimating import Estimate

Function = TypeVar("Function", bound=Callable[..., Any])


class Keywords(TypedDict, total=False):
    """The types of what all methods take beside their own settings; `Options` says what each is."""

    output: str | Path | None
    id_column: str | None
    columns: str | Iterable[str]
    strict: bool
    max_record: str | int
    encoding: str
    workers: int | None
    memory: str | int | None
    engine: Any
    master: str
    conf: Mapping[str, str] | None
    overwrite: bool
    keep_steps: bool
    keep_texts: bool
    progress: Progress | bool | None


class TextKeywords(Keywords, total=False):
    """The types of what methods take that compare one text of each record."""

    text_column: str | None
    raw: bool
    lines: bool


class AgainstKeywords(Keywords, total=False):
    """The types of what methods take that compare new documents with old ones."""

    against: Any
    within: bool
    add: bool


class AgainstTextKeywords(TextKeywords, AgainstKeywords, total=False):
    """Both kinds."""


def with_options(kind: type[Options], settings: type[Settings]) -> Callable[[Function], Function]:
    """Refuse options that a function does not have; show and explain in its help those that it has.

    Settings that are not given are those of the preset, if one is.
    """
    declared = list(options_of(kind).values())
    shared = [
        *(keyword(o.name, o.type | None if o.optional else o.type, o.default) for o in declared),
        keyword("progress", Progress | bool | None, None),
    ]

    def decorated(function: Function) -> Function:
        own = inspect.signature(function)
        *first, _ = own.parameters.values()
        complete = own.replace(parameters=[*first, *shared])

        @functools.wraps(function)
        def checked(*positional: Any, **named: Any) -> Any:
            check_names(function.__name__, named, complete)
            complete.bind(*positional, **named)
            if "progress" in named:
                named["progress"] = shown(named["progress"])
            given = checked_arguments(named, complete.parameters)
            return function(*positional, **settings.filled(given))

        checked.__doc__ = f"{inspect.cleandoc(function.__doc__ or '')}\n\n{explained(kind, settings)}"
        checked.__signature__ = complete  # type: ignore[attr-defined]
        return cast("Function", checked)

    return decorated


def check_names(function: str, given: Iterable[str], known: inspect.Signature) -> None:
    """Refuse an argument that a function does not have, and say which may be meant."""
    for name in given:
        if name not in known.parameters:
            close = get_close_matches(name, known.parameters, n=1)
            meant = f": did you mean {close[0]!r}?" if close else ""
            raise TypeError(f"{function}() got an unexpected keyword argument {name!r}{meant}")


def explained(kind: type[Options], settings: type[Settings]) -> str:
    """Explain all settings and options of a function, by the words of the command line's help."""
    found: dict[str, list[str]] = {"Settings": [], "Options": []}
    for heading, known in (("Settings", settings_of(settings)), ("Options", options_of(kind).values())):
        for setting in known:
            default = setting.about.otherwise or repr(setting.default)
            text = f"    {setting.name} ({default}): {setting.about.help}"
            found[heading] += textwrap.wrap(text, 100, subsequent_indent="        ")
    found["Options"].append("    progress (None): True for bars, or an object that shows progress.")
    return "\n\n".join("\n".join([f"{heading}:", *lines]) for heading, lines in found.items())


def keyword(name: str, annotation: Any, default: Any) -> inspect.Parameter:
    """Return a parameter that is given by its name."""
    return inspect.Parameter(
        name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation
    )


def named_in(kind: type[Settings], arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return those arguments of a call that are settings."""
    return {field.name: arguments[field.name] for field in fields_of(kind) if field.name in arguments}


def compared(
    method: Method,
    source: Any,
    settings: Settings,
    shared: Options,
    reader: ReaderSettings | None = None,
) -> Result:
    """Run a method on a source, with the old documents to compare it with if there are any."""
    reading = method.reader(settings, reader or shared.reader)
    if isinstance(shared, AgainstOptions):
        if shared.add:
            from neardup.index.growing import result_of

            return result_of(method, settings, shared, shared.opened(source, reading))
        opened, *old = shared.opened(source, reading)
    else:
        opened, old = opened_source(source, reading, shared.run), []
    return Result.of(shared.finished(method.job(opened, settings, shared.run, *old)))


@cache
def function_of(name: str) -> Callable[..., Result]:
    """Make the function of a method that has none here: its arguments follow from its settings."""
    method = method_named(name)
    kind = AgainstTextOptions if method.has_old else TextOptions
    known = settings_of(method.settings)

    def function(source: Any, **given: Any) -> Result:
        chosen = {own.name: given.pop(own.name) for own in known if own.name in given}
        return compared(method, source, method.settings(**chosen), kind.given(given))

    own = [keyword(s.name, s.type | None if s.optional else s.type, s.default) for s in known]
    first, last = inspect.signature(function).parameters.values()
    function.__name__ = function.__qualname__ = name
    function.__doc__ = type(method).__doc__
    function.__signature__ = inspect.Signature([first, *own, last], return_annotation=Result)  # type: ignore[attr-defined]
    return with_options(kind, method.settings)(function)


@with_options(AgainstTextOptions, DocumentSettings)
def documents(
    source: Any,
    *,
    threshold: float = 0.7,
    measure: Measure = "resemblance",
    candidates: Candidates = "exact",
    shingle: str = "word:5",
    mask: str | None = None,
    pairs: Listing | None = None,
    clusters: Clustering = "star",
    keep: str = "longest",
    sample: int = 16,
    bands: int = 14,
    rows: int = 8,
    max_shared: int = 0,
    max_postings: int = 10_000,
    max_copies: int = 1_000,
    max_pairs: int | None = None,
    exclude: Any = None,
    exclude_quoted: bool = False,
    exclude_bibliography: bool = False,
    rule: DocumentRule = "rest",
    preset: Preset | None = None,
    **options: Unpack[AgainstTextKeywords],
) -> Result:
    """Find near-duplicate documents, verify them, and group them into clusters.

    `source` is a path or pattern, a list of `Path`s, or data: a list of strings or dicts, a pandas or
    Polars DataFrame, or anything of Arrow. Without `output` the result lives as long as the object.
    `engine` is "local", "spark" (at a `master`, with Spark's own settings in `conf`), or a session of
    Spark's; then `source` may be a DataFrame, and the result's tables are DataFrames.

    `against` are old documents: the source is compared with them and, if `within`, with itself. They
    are not compared with each other, and `dedup` removes none of them. Text that is in `exclude`, which
    may be anything that `source` may be, does not count.

    >>> result = neardup.documents(["To be or not to be, that is the question.",
    ...                             "To be, or not to be: that is the question!"])
    >>> result.pairs["similarity"].to_pylist()
    [1.0]
    """
    settings = DocumentSettings(**named_in(DocumentSettings, locals()))
    return compared(Documents(), source, settings, AgainstTextOptions.given(options))


@with_options(TextOptions, PassageSettings)
def passages(
    source: Any,
    *,
    against: Any = None,
    pairs: Any = None,
    add: bool = False,
    signature: str = "auto",
    min_length: int = 150,
    min_sentences: int | None = None,
    max_gap: int | None = None,
    soft: bool = True,
    within: bool = False,
    max_documents: int = 100,
    threshold: float = 0.9,
    idf_low: float = 0.1,
    idf_high: float = 1.0,
    antecedents: int | None = None,
    spot_distance: int = 1,
    spot_chain: int = 2,
    spot_words: str | None = None,
    language: str = "auto",
    min_words: int = 3,
    repeats: int = 4,
    idf_documents: int = 10,
    exclude: Any = None,
    exclude_quoted: bool = False,
    exclude_bibliography: bool = False,
    exclude_same: str | None = None,
    within_days: int | None = None,
    preset: Preset | None = None,
    **options: Unpack[TextKeywords],
) -> Result:
    """Find the passages that documents share, and locate them in both.

    `source`, `against` and `exclude` are as for `documents`. With `against`, the source is compared only
    with those documents; with `add`, they are an index, and the source is added to it. `pairs`, a file
    or a list of pairs of ids, compares just these. Text that is in `exclude` does not count.
    """
    settings = PassageSettings(**named_in(PassageSettings, locals()))
    shared = TextOptions.given(options)
    reader = Passages().reader(settings, shared.reader)
    opened, old = opened_both(source, against, reader, shared.run, within=False)
    if add:
        from neardup.index.growing import result_of

        return result_of(Passages(), settings, shared, (opened, old), pairs)
    listed = None if pairs is None else listed_pairs(pairs)
    return Result.of(shared.finished(Passages().job(opened, settings, shared.run, old, listed)))


@with_options(AgainstTextOptions, SentenceSettings)
def sentences(
    source: Any,
    *,
    max_distance: float = 0.25,
    min_length: int = 20,
    max_length: int = 1_000,
    max_depth: float = 1.0,
    max_level: int | None = None,
    split: Splitting = "auto",
    unit: int = 1,
    language: str = "auto",
    candidates: SentenceCandidates = "rare",
    keys: int = 12,
    shingle: int = 10,
    signatures: int = 10,
    rows: int = 8,
    hash_bits: int = 32,
    seed: int = 1,
    max_bucket: int = 100,
    max_copies: int = 20,
    clusters: Clustering = "star",
    revisions: bool = False,
    grouping: Grouping = "verified",
    preset: SentencePreset | None = None,
    namespaces: str = "0",
    redirects: bool = False,
    **options: Unpack[AgainstTextKeywords],
) -> Result:
    """Find similar sentences, what differs in them, and the kind of change.

    `source` is as for `documents`. For a wiki, `namespaces` are the numbers of those to read, with
    commas, or "all"; `redirects` reads these, too.

    >>> result = neardup.sentences(["The bridge was opened in 1874 by the mayor of the town.",
    ...                             "The bridge was opened in 1878 by the mayor of the town."])
    >>> result.pairs["kind"].to_pylist()
    ['factual drift']
    """
    settings = SentenceSettings(**named_in(SentenceSettings, locals()))
    shared = AgainstTextOptions.given(options)
    reader = replace(shared.reader, namespaces=namespaces, redirects=redirects)
    return compared(Sentences(), source, settings, shared, reader)


@with_options(AgainstOptions, ThreadSettings)
def threads(
    source: Any,
    *,
    fields: str | Mapping[str, float] | None = None,
    signature: str | Iterable[str] | Mapping[str, str] | None = None,
    threshold: float | None = None,
    max_shared: int | None = None,
    index: IndexOfThreads | None = None,
    clusters: Clustering | None = None,
    keep: str | None = None,
    max_postings: int | None = None,
    max_copies: int | None = None,
    missing: Missing | None = None,
    answer_containment: bool = False,
    preset: Preset | None = None,
    revisions: bool = False,
    **options: Unpack[AgainstKeywords],
) -> Result:
    """Find near-duplicate threads: records of several texts, compared field by field.

    `source` is as for `documents`, with a column for each of the `fields`: names with weights that sum
    to 1. Settings that are None have the default of `ThreadSettings`. From a folder with a dump of Stack
    Exchange, it reads the posts, or their `revisions`.

    >>> asked = {"title": "How do I boil an egg?", "answer": "Put it in boiling water for six minutes."}
    >>> again = {"title": "How do I boil an egg??", "answer": "Put it in boiling water for six minutes!"}
    >>> result = neardup.threads([asked, again], fields={"title": 0.5, "answer": 0.5})
    >>> result.pairs.select(["similarity", "title", "answer"]).to_pylist()
    [{'similarity': 1.0, 'title': 1.0, 'answer': 1.0}]
    """
    chosen = named_in(ThreadSettings, locals())
    settings = ThreadSettings.make(chosen.pop("fields"), signature, **chosen)
    shared = AgainstOptions.given(options)
    reader = thread_reader(settings, replace(shared.reader, revisions=revisions))
    return compared(Threads(), source, settings, shared, reader)


@with_options(AgainstTextOptions, PageSettings)
def pages(
    source: Any,
    *,
    measure: PageMeasure = "tlcs",
    resemblance: float = 0.28,
    containment: float = 0.7,
    slope: float = 0.1,
    rounds: int = 8,
    window: int = 16,
    limit: int = 10_000,
    subsets: int = 7,
    turns: int = 16,
    chosen: int = 2,
    shortest: int = 16,
    site_pages: int = 3,
    max_pages: int = 10_000,
    max_site_pages: int = 400,
    cosine: float = 0.95,
    bits: int = 64,
    distance: int = 5,
    max_list: int = 100,
    max_copies: int = 1_000,
    weight_column: str | None = None,
    topic_pages_only: bool = False,
    clusters: Clustering = "star",
    keep: str = "longest",
    rule: PageRule = "templates",
    unit: PageUnit = "word",
    preset: Preset | None = None,
    **options: Unpack[AgainstTextKeywords],
) -> Result:
    """Find near-duplicate web pages, whatever the templates of their sites, and where they match.

    `source` is as for `documents`; a column `html` is reduced to its text, a column `url` gives the
    site. The settings are those of `PageSettings`.

    >>> story = "The ferry to the islands stays in harbour because of the storm. " * 3
    >>> result = neardup.pages([{"text": "Home News Sport. " + story, "url": "https://a.example/1"},
    ...                         {"text": story + "All rights reserved.", "url": "https://b.example/2"}])
    >>> result.pairs["same_site"].to_pylist()
    [False]
    """
    settings = PageSettings(**named_in(PageSettings, locals()))
    return compared(Pages(), source, settings, AgainstTextOptions.given(options))


@with_options(TextOptions, DecontaminateSettings)
def decontaminate(
    source: Any,
    benchmarks: Any,
    *,
    threshold: float = 0.75,
    min_words: int = 8,
    max_items: int = 10,
    fields: str | None = None,
    **options: Unpack[TextKeywords],
) -> Result:
    """Find the test items of benchmarks in training data, and locate them.

    `source` and `benchmarks` are as the source of `documents`; each file is a benchmark.

    >>> asked = "Which planet of the solar system has the most known moons?"
    >>> text = f"Quiz night! {asked} It is Saturn, of course."
    >>> result = neardup.decontaminate([text], [{"question": asked, "answer": "Saturn"}])
    >>> result.pairs.select(["fields", "kind", "start", "end"]).to_pylist()
    [{'fields': 'question, answer', 'kind': 'verbatim', 'start': 12, 'end': 83}]
    """
    settings = DecontaminateSettings(**named_in(DecontaminateSettings, locals()))
    shared = TextOptions.given(options)
    opened = opened_source(source, shared.reader, shared.run)
    items = read_items(benchmarks, settings.columns, shared.encoding)
    return Result.of(shared.finished(Decontaminate().job(opened, settings, shared.run, items)))


def deduplicate(data: Any, column: str | None = None, **options: Any) -> Any:
    """Return data without near-duplicate rows, of the same kind and with the same index.

    `data` is a DataFrame of pandas or Polars, an Arrow table, a dataset of Hugging Face or a list;
    `column` names its texts. The options are those of `documents`, whose result says why a row is gone.

    >>> import pandas as pd
    >>> frame = pd.DataFrame({"text": ["To be or not to be.", "To be, or not to be!", "Another."]})
    >>> neardup.deduplicate(frame, keep="first").index.tolist()
    [0, 2]
    """
    if isinstance(data, Iterator):
        data = list(data)
    found = documents(data, text_column=column, **options)
    return found.deduplicated(data)


def estimate(
    source: str | Path | Iterable[str | Path], method: str = "documents", **options: Any
) -> "Estimate":
    """Run a method on a sample of files, and estimate what a run over all will take, need and find.

    The options are those of the method: its settings, how files are read, `workers`, `memory`. With the
    `engine` spark, `cluster` of the estimate proposes executors, memory and partitions.

    >>> found = neardup.estimate(str(Path(neardup.__file__).parent / "data" / "demo.jsonl"))
    >>> found.documents, found.take_cluster
    (41, False)
    """
    from neardup.results.estimating import estimate as estimated

    if method not in METHODS:
        raise SettingsError(f"no method {method!r}", hint=f"There are: {', '.join(METHODS)}.")
    own = method_named(method)
    settings, others = inspect.signature(own.settings), inspect.signature(TextOptions)
    known = settings.replace(parameters=[*settings.parameters.values(), *others.parameters.values()])
    check_names("estimate", options, known)
    chosen = own.settings(**{n: options.pop(n) for n in settings.parameters if n in options})
    shared = TextOptions.given(options)
    paths = [source] if isinstance(source, str | Path) else list(source)
    opened = FileSource.open(paths, own.reader(chosen, shared.reader))
    return estimated(own.job(opened, chosen, shared.run), shared.run)
