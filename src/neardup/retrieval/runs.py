"""TREC's runs: what systems found for each topic, in trec_eval's order.

A run is in the order of its scores (as 32-bit numbers), of equal ones the later id first, whatever ranks
the file has. Documents are numbers; a catalogue knows their ids.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from neardup.arrays import Bools, Floats, Integers
from neardup.errors import InputError
from neardup.retrieval.files import content, lines_in, quick_table, refuse
from neardup.settings.run import available_cores

TOGETHER = 16  # runs that are read at once
FIELDS = ("topic", "q0", "id", "rank", "score", "tag")


class Catalogue(dict[str, int]):
    """The numbers of all documents that files name, given as they come.

    >>> catalogue = Catalogue()
    >>> catalogue.numbers(["b", "a", "b"]).tolist(), catalogue.names
    ([0, 1, 0], ['b', 'a'])
    """

    def __init__(self) -> None:
        super().__init__()
        self.names: list[str] = []
        self._array = pa.array([], pa.large_string())

    def __missing__(self, own_id: str) -> int:
        self[own_id] = number = len(self.names)
        self.names.append(own_id)
        return number

    def numbers(self, ids: Iterable[str]) -> Integers:
        """Return the numbers of documents; who has none yet gets one."""
        asked = list(ids)
        fresh = [own for own in dict.fromkeys(asked) if own not in self]
        self.update(zip(fresh, range(len(self.names), len(self.names) + len(fresh)), strict=True))
        self.names += fresh
        return np.fromiter(map(self.__getitem__, asked), np.int64, len(asked))

    def numbers_of(self, columns: Sequence[pa.ChunkedArray]) -> Iterator[Integers]:
        """Return the numbers of the documents in each column, looking every document up once."""
        chunks = [chunk for column in columns for chunk in column.chunks]
        encoded = pa.chunked_array(chunks, pa.string()).dictionary_encode()
        known = self.numbers(encoded.chunk(0).dictionary.to_pylist() if chunks else [])
        places = iter([chunk.indices.to_numpy() for chunk in encoded.chunks])
        for column in columns:
            yield known[np.concatenate([next(places) for _ in column.chunks])]

    @property
    def array(self) -> pa.Array:
        """Return the ids of all numbers as an array."""
        if len(self._array) < len(self.names):
            self._array = pa.array(self.names, pa.large_string())
        return self._array

    def ids(self, docs: Integers) -> list[str]:
        """Return the ids of numbers."""
        return [self.names[doc] for doc in docs.tolist()]


class Ranking(NamedTuple):
    """The documents of one run for one topic by number, best first; ranks as the file has them."""

    docs: Integers
    scores: Floats
    ranks: Integers

    def chosen(self, which: Any) -> "Ranking":
        """Return some of the documents."""
        return Ranking(*(column[which] for column in self))


@dataclass(frozen=True)
class Run:
    """What one system found for each topic, and what was odd about its file.

    In `tied` topics some scores were equal; in `misplaced` ones the ranks said something else.
    """

    name: str
    topics: dict[str, Ranking]
    catalogue: Catalogue
    tag: str = "neardup"
    remarks: list[str] = field(default_factory=list)
    tied: int = 0
    misplaced: int = 0
    where: str = ""

    def as_lists(self) -> dict[str, tuple[list[str], list[float]]]:
        """Return ids and scores by topic."""
        return {
            topic: (self.catalogue.ids(docs), scores.tolist())
            for topic, (docs, scores, _) in self.topics.items()
        }


class Columns(NamedTuple):
    """The lines of a run: the number of the topic, the document, the score, the rank (-1: none).

    `lines` returns the numbers of the lines in their file, if there is one.
    """

    topics: Integers
    names: list[str]
    docs: Integers
    scores: Floats
    ranks: Integers
    tag: str
    lines: Callable[[], list[int]] | None = None


def read_run(path: str | Path, lenient: bool = False, catalogue: Catalogue | None = None) -> Run:
    """Read a run: topic, Q0, document, rank, score and tag a line."""
    [run] = read_runs([path], lenient, Catalogue() if catalogue is None else catalogue)
    return run


def read_runs(paths: Sequence[str | Path], lenient: bool, catalogue: Catalogue) -> Iterator[Run]:
    """Read runs, several at once."""
    with ThreadPoolExecutor(available_cores()) as pool:
        for begin in range(0, len(paths), TOGETHER):
            some = paths[begin : begin + TOGETHER]
            files = list(pool.map(run_file, some))
            docs = catalogue.numbers_of([table["id"] for _, table in files if table is not None])
            for path, (data, table) in zip(some, files, strict=True):
                broken: list[str] = []
                if table is None:
                    columns = careful_columns(data, catalogue, broken)
                else:
                    columns = quick_columns(data, table, next(docs))
                remarks = refuse(broken, path, lenient)
                if not columns.names:
                    raise InputError("this run is empty", where=str(path), hint="Is it the right file?")
                name = re.sub(r"\.(gz|bz2|zst|xz|lz4)$", "", Path(path).name)
                run = ranked(name, columns, catalogue, str(path), lenient)
                yield replace(run, remarks=remarks + run.remarks)


def run_file(path: str | Path) -> tuple[bytes, pa.Table | None]:
    """Read the file of a run."""
    data = content(path)
    return data, quick_run(data)


def quick_run(data: bytes) -> pa.Table | None:
    """Read the lines of a run; None if any is not as it should be."""
    table = quick_table(data, FIELDS, {"rank": pa.int64(), "score": pa.float64()})
    return None if table is None or pc.any(pc.is_nan(table["score"])).as_py() else table


def quick_columns(data: bytes, table: pa.Table, docs: Integers) -> Columns:
    """Take lines that are all as they should be."""
    topics = table["topic"].combine_chunks().dictionary_encode()
    return Columns(
        topics.indices.to_numpy().astype(np.int64),
        topics.dictionary.to_pylist(),
        docs,
        table["score"].to_numpy(),
        table["rank"].to_numpy(),
        table["tag"][-1].as_py(),
        lambda: [number for number, _ in lines_in(data)],
    )


def careful_columns(data: bytes, catalogue: Catalogue, broken: list[str]) -> Columns:
    """Read line by line, and say what is wrong with which."""
    names: dict[str, int] = {}
    rows: list[tuple[int, int, float, int, int]] = []
    tag = b""
    for number, line in lines_in(data):
        fields = line.split()
        if len(fields) != len(FIELDS):
            broken.append(f"line {number}: {len(fields)} fields instead of {len(FIELDS)}")
            continue
        try:
            topic, own_id = fields[0].decode(), fields[2].decode()
        except UnicodeDecodeError:
            broken.append(f"line {number}: invalid UTF-8")
            continue
        score = number_in(fields[4])
        if np.isnan(score):
            given = fields[4].decode("utf-8", "replace")
            broken.append(f"line {number}: the score {given} is not a number")
            continue
        rank = int(fields[3]) if fields[3].isdigit() else -1
        rows.append((names.setdefault(topic, len(names)), catalogue[own_id], score, rank, number))
        tag = fields[5]
    topics, docs, scores, ranks, lines = zip(*rows, strict=True) if rows else ((),) * 5
    return Columns(
        np.array(topics, np.int64),
        list(names),
        np.array(docs, np.int64),
        np.array(scores, np.float64),
        np.array([min(rank, 1 << 62) for rank in ranks], np.int64),
        tag.decode("utf-8", "replace"),
        lambda: list(lines),
    )


def number_in(text: bytes) -> float:
    """Return the number that a field is, nan if it is none."""
    try:
        return float(text)
    except ValueError:
        return float("nan")


def ranked(name: str, columns: Columns, catalogue: Catalogue, where: str, lenient: bool) -> Run:
    """Put the documents of each topic into trec_eval's order."""
    with np.errstate(over="ignore"):
        scores = columns.scores.astype(np.float32)
    order = np.lexsort((-scores, columns.topics))
    same = pairwise_same(order, columns.topics)
    tied = same & pairwise_same(order, scores)
    if tied.any():
        order = np.lexsort((later_first(columns.docs, order, tied, catalogue), -scores, columns.topics))
    better, worse = order[:-1], order[1:]
    misplaced = same & ~tied & (columns.ranks[better] >= columns.ranks[worse])
    keys = columns.topics[order] * len(catalogue) + columns.docs[order]
    _, firsts = np.unique(keys, return_index=True)
    remarks = []
    if len(firsts) < len(order):
        again = list(given_again(columns, catalogue))
        remarks = refuse(again, where, lenient, "only the best of each is kept")
    once = order[np.sort(firsts)]
    bounds = np.searchsorted(columns.topics[once], np.arange(len(columns.names) + 1))
    ordered = Ranking(columns.docs, columns.scores, columns.ranks).chosen(once)
    topics = {
        topic: ordered.chosen(slice(begin, end))
        for topic, begin, end in zip(columns.names, bounds, bounds[1:], strict=False)
    }
    ties, ranks = (len(np.unique(columns.topics[better[odd]])) for odd in (tied, misplaced))
    return Run(name, topics, catalogue, columns.tag, remarks, ties, ranks, where)


def pairwise_same(order: Integers, values: npt.NDArray[Any]) -> Bools:
    """Say of each but the last whether the next one has the same value."""
    found: Bools = values[order[:-1]] == values[order[1:]]
    return found


def later_first(docs: Integers, order: Integers, tied: Bools, catalogue: Catalogue) -> Integers:
    """Return what rows with equal scores are sorted by: of ids, the later first."""
    rows = np.unique(np.concatenate([order[:-1][tied], order[1:][tied]]))
    ids = catalogue.ids(docs[rows])
    places = {own: place for place, own in enumerate(sorted(set(ids), reverse=True))}
    keys = np.zeros(len(docs), np.int64)
    keys[rows] = [places[own] for own in ids]
    return keys


def given_again(columns: Columns, catalogue: Catalogue) -> Iterator[str]:
    """Name the lines with a document that its topic has already."""
    lines = columns.lines() if columns.lines else None
    seen: set[tuple[int, int]] = set()
    for row, key in enumerate(zip(columns.topics.tolist(), columns.docs.tolist(), strict=True)):
        if key in seen:
            line = f"line {lines[row]}: " if lines else ""
            yield f"{line}{catalogue.names[key[1]]} is given for topic {columns.names[key[0]]} again"
        seen.add(key)


def write_run(path: Path, run: Run) -> None:
    """Write a run in TREC's format, ranks from 1."""
    end, space = (pa.scalar(text, pa.large_string()) for text in (f"{run.tag}\n", " "))
    starts = pa.array([f"{topic} Q0" for topic in run.topics], pa.large_string())
    lengths = [len(docs) for docs, _, _ in run.topics.values()]
    docs, scores, _ = (np.concatenate(column) for column in zip(*run.topics.values(), strict=True))
    lines = pc.binary_join_element_wise(
        starts.take(pa.array(np.repeat(np.arange(len(lengths)), lengths))),
        run.catalogue.array.take(pa.array(docs)),
        pa.array(np.concatenate([np.arange(1, n + 1) for n in lengths])).cast(pa.large_string()),
        pa.array(scores).cast(pa.large_string()),
        end,
        space,
    )
    path.write_bytes(lines.buffers()[2] or b"")
