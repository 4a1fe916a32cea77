"""What of texts does not count: what stands in a base text, quotations, reference lists.

The words of the base text are runs of hashes (`base`), which a Fold brings to whatever reads records.
There each text is marked with the spans that do not count, which `excluded` lists.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from neardup.arrays import Array, Bools
from neardup.errors import InputError
from neardup.plan import Fold, Map, Sides, Sql, Step
from neardup.readers.records import ReaderSettings
from neardup.readers.source import FileSource, Source, open_source, paths_in
from neardup.settings.exclusions import ExclusionSettings
from neardup.signatures.shingles import utf8
from neardup.steps.columns import from_lists, list_column, schema_of
from neardup.steps.declared import EXCLUDED_KINDS
from neardup.text import unicode_table

RUN = 6  # words in a row that the base text has, too
SHORTEST_LINE = 4  # words of one of its lines that is looked for as a whole
LEAST = 16  # characters of what is left out: of scripts without spaces, six words are little
ONLY_EXCLUDED = "only excluded text"
BASE = schema_of("width key int64")
SPANS = pa.field("excluded", schema_of("excluded [int32]").field(0).type)
ROWS = schema_of("doc start_at end_at code int64")


class BaseRuns:
    """The runs of words of the base text, by their length: the state of a Fold."""

    def __init__(self) -> None:
        self.keys: dict[int, Array] = {}

    def add(self, batch: pa.RecordBatch) -> None:
        """Take in some runs."""
        widths, keys = batch["width"].to_numpy(), batch["key"].to_numpy().view(np.uint64)
        for width in np.unique(widths).tolist():
            known = self.keys.get(width, keys[:0])
            self.keys[width] = np.union1d(known, keys[widths == width])

    def merge(self, other: "BaseRuns") -> None:
        """Take in all that another one took in."""
        for width, keys in other.keys.items():
            self.keys[width] = np.union1d(self.keys.get(width, keys[:0]), keys)


class SplitWords(NamedTuple):
    """Texts as words: their hashes, where each begins and ends, and where each text's begin."""

    words: Array
    starts: Array
    ends: Array
    bounds: Array


class Spans(NamedTuple):
    """What does not count: of each word whether it does not, and a column of spans with their kinds."""

    covered: Bools
    column: pa.ListArray


@dataclass(frozen=True)
class Excluding:
    """Finds what of texts does not count."""

    base: bool
    quoted: bool
    bibliography: bool

    @classmethod
    def asked(cls, settings: ExclusionSettings) -> "Excluding | None":
        """Return what finds what these settings exclude, None if that is nothing."""
        given = settings.exclude is not None, settings.exclude_quoted, settings.exclude_bibliography
        return cls(*given) if any(given) else None

    @property
    def sides(self) -> tuple[str, ...]:
        """Return the Fold that a Map needs beside its records."""
        return ("base_runs",) if self.base else ()

    def before(self) -> list[Step]:
        """Return the steps before the one that reads records."""
        runs = Sql("base_keys", "select width, key from {base} order by width, key")
        return [runs, Fold("base_runs", "base_keys", BaseRuns)] if self.base else []

    def found(self, texts: pa.Array, split: SplitWords, sides: Sides) -> Spans:
        """Return what of some texts does not count."""
        based = self._based(split, sides) if self.base else np.zeros(len(split.words), np.bool_)
        covered = based.copy()
        spans: list[int] = []
        ends = [0]
        for text, (begin, end) in zip(texts, pairwise(split.bounds.tolist()), strict=True):
            starts = split.starts[begin:end]
            rows = list(runs_of(based[begin:end], starts, split.ends[begin:end]))
            for first, behind, code in self._seen(text.as_py() or ""):
                one, other = np.searchsorted(starts, (first, behind)).tolist()
                covered[begin + one : begin + other] = True
                if one < other:
                    rows.append((first, behind, code))
            spans += [number for row in sorted(rows) for number in row]
            ends.append(len(spans))
        return Spans(covered, list_column(np.array(spans, np.int32), np.array(ends, np.int64)))

    def _based(self, split: SplitWords, sides: Sides) -> Bools:
        from neardup.kernels.excluded import covered_words

        covered = np.zeros(len(split.words), np.bool_)
        for width, keys in sides["base_runs"].keys.items():
            covered |= covered_words(*split, keys, width, LEAST if width == RUN else 0)
        return covered

    def _seen(self, text: str) -> Iterator[tuple[int, int, int]]:
        from neardup.text.bibliography import reference_lists
        from neardup.text.quotations import quotations

        if self.quoted:
            yield from ((start, end, 1 + cited) for start, end, cited in quotations(text))
        if self.bibliography:
            yield from ((start, end, 3) for start, end in reference_lists(text))


def runs_of(covered: Array, starts: Array, ends: Array) -> Iterator[tuple[int, int, int]]:
    """Yield the spans of covered words of a text."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], covered, [False]]).astype(np.int8)))
    for first, behind in edges.reshape(-1, 2).tolist():
        yield int(starts[first]), int(ends[behind - 1]), 0


def counted_only(words: Array, bounds: Array) -> tuple[Array, Array]:
    """Return lists of words without those that do not count, and where each list begins or ends then."""
    from neardup.kernels.excluded import are_counted

    counted = are_counted(words.view(np.uint64))
    return words[counted], np.concatenate([[0], np.cumsum(counted)])[bounds]


def split_words(texts: pa.Array) -> tuple[SplitWords, Array, Array]:
    """Return the words of texts, and where lines and sentences begin, and each text's."""
    from neardup.kernels.texts import LINES, split_texts

    words, starts, ends, bounds, firsts, numbers, _ = split_texts(*utf8(texts), unicode_table(), LINES)
    return SplitWords(words, starts, ends, bounds), firsts, numbers


def cut(texts: pa.Array, spans: pa.ListArray) -> pa.Array:
    """Return texts without what does not count."""
    left = []
    for text, own in zip(texts.to_pylist(), spans.to_pylist(), strict=True):
        at, kept = 0, []
        for start, end in zip(own[::3], own[1::3], strict=True):
            kept.append((text or "")[at:start])
            at = max(at, end)
        left.append(text and " ".join([*kept, text[at:]]))
    return pa.array(left, texts.type)


def base_runs(texts: pa.Array) -> pa.Table:
    """Return the runs of words of base texts: all of six words; shorter lines and texts as a whole."""
    from neardup.kernels.shingles import roll

    split, firsts, numbers = split_words(texts)
    found: set[tuple[int, int]] = set()
    for text, (begin, end) in enumerate(pairwise(split.bounds.tolist())):
        words = split.words[begin:end]
        lines = np.append(firsts[numbers[text] : numbers[text + 1]], len(words)).tolist()
        parts = [(one, other) for one, other in pairwise(lines) if SHORTEST_LINE <= other - one < RUN]
        for one, other in [*parts, *([(0, len(words))] if len(words) else [])]:
            hashes = np.empty(other - one, np.uint64)
            width = min(other - one, RUN)
            count = roll(words[one:other], other - one, width, hashes)
            found |= {(width, key) for key in hashes[:count].view(np.int64).tolist()}
    columns = zip(*sorted(found), strict=True) if found else ([], [])
    return pa.table([pa.array(list(column), pa.int64()) for column in columns], schema=BASE)


def base_tables(settings: ExclusionSettings, source: Source) -> dict[str, pa.Table]:
    """Read what is excluded, as the input is read; return the table that a plan needs for it."""
    given = settings.exclude
    if given is None:
        return {}
    reader = source.settings if isinstance(source, FileSource) else ReaderSettings()
    reader = replace(reader, columns=(), id_column=None, fields=())
    paths = list(given) if isinstance(given, tuple) else paths_in(given)
    opened = FileSource.open(paths, reader) if paths else open_source(given, reader)
    texts: list[str] = []
    for split in opened.splits():
        for batch in opened.read(split):
            for row in batch.select(["text", "problem", "detail"]).to_pylist():
                if row["problem"] is not None:
                    why = f"{row['problem']} ({row['detail']})" if row["detail"] else row["problem"]
                    hint = (
                        "The text to exclude must be read completely: mend this file, or leave it out."
                    )
                    where = opened.names[split.file]
                    raise InputError(f"cannot be excluded: {why}", where=where, hint=hint)
                texts.append(row["text"])
    runs = base_runs(pa.array(texts, pa.large_string()))
    if not runs.num_rows:
        raise InputError("the text to exclude has no words", hint="Is it the right file?")
    return {"base": runs}


def steps(units: str, numbers: str = "numbers") -> list[Step]:
    """Return the steps from units, with their spans, and their numbers to `excluded`."""
    listed = Sql(
        "excluded",
        f"""
select d.id as id, s.start_at as start_at, s.end_at as end_at,
  case s.code {KIND} end as kind, d.doc as doc
from {{excluded_spans}} s join {{{numbers}}} n on n.doc = s.doc join {{documents}} d on d.doc = n.number
order by doc, start_at, end_at, kind
""",
    )
    return [Map("excluded_spans", units, list_spans, ROWS), listed]


def list_spans(batch: pa.RecordBatch, _: Sides) -> pa.RecordBatch:
    """List the spans of texts that do not count, a row each."""
    values, bounds = from_lists(batch["excluded"])
    values = values[bounds[0] : bounds[-1]].reshape(-1, 3).astype(np.int64)
    docs = np.repeat(batch["doc"].to_numpy(), np.diff(bounds) // 3)
    return pa.RecordBatch.from_arrays([docs, *values.T], schema=ROWS)


KIND = " ".join(f"when {code} then '{kind}'" for code, kind in enumerate(EXCLUDED_KINDS))
