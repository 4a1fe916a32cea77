"""TREC's files: runs, judgements (qrels) and topics, read with care and written again.

Lines are taken as trec_eval takes them: fields between white space, a run in the order of its scores
(as 32-bit numbers), of equal ones the later id first, whatever ranks the file has. What trec_eval
refuses is an error here too, which names the lines; `lenient` leaves them out and says so.
"""

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np

from neardup.errors import InputError
from neardup.readers.files import find

CHUNK = 1 << 20
NAMED_LINES = 5  # lines that an error names
LENIENT = "Mend the file, or leave such lines out with lenient=True."


class Ranking(NamedTuple):
    """The documents of one run for one topic, best first."""

    ids: list[str]
    scores: list[float]


class Judgement(NamedTuple):
    """What an assessor said of a document, for a topic or one of its subtopics."""

    topic: str
    subtopic: str
    id: str
    relevance: int


@dataclass(frozen=True)
class Run:
    """What one system found for each topic, and what was odd about its file.

    In `tied` topics some scores were equal; in `misplaced` ones the ranks said something else.
    """

    name: str
    topics: dict[str, Ranking]
    tag: str = "neardup"
    remarks: list[str] = field(default_factory=list)
    tied: int = 0
    misplaced: int = 0


@dataclass(frozen=True)
class Qrels:
    """Judgements in the order of their file."""

    rows: list[Judgement]
    name: str = "qrels"
    remarks: list[str] = field(default_factory=list)

    @cached_property
    def has_subtopics(self) -> bool:
        """Say whether documents are judged for subtopics."""
        return len({(row.topic, row.id) for row in self.rows}) < len(self.rows)

    @cached_property
    def grades(self) -> dict[str, dict[str, int]]:
        """Return the judgement of each document by topic, the highest one of its subtopics."""
        found: dict[str, dict[str, int]] = {}
        for row in self.rows:
            topic = found.setdefault(row.topic, {})
            topic[row.id] = max(row.relevance, topic.get(row.id, row.relevance))
        return found


def read_run(path: str | Path, lenient: bool = False) -> Run:
    """Read a run: topic, Q0, document, rank, score and tag a line."""
    rows: defaultdict[str, list[tuple[str, float, bytes]]] = defaultdict(list)
    broken: list[str] = []
    names = Names()
    tag = b""
    for number, line in lines_of(path):
        fields = line.split()
        if len(fields) != 6:
            broken.append(f"line {number}: {len(fields)} fields instead of 6")
            continue
        try:
            topic, own_id, score = names[fields[0]], names[fields[2]], float(fields[4])
        except UnicodeDecodeError:
            broken.append(f"line {number}: invalid UTF-8")
            continue
        except ValueError:
            score = math.nan
        if math.isnan(score):
            given = fields[4].decode("utf-8", "replace")
            broken.append(f"line {number}: the score {given} is not a number")
            continue
        rows[topic].append((own_id, score, fields[3]))
        tag = fields[5]
    remarks = refuse(broken, path, lenient)
    if not rows:
        raise InputError("this run is empty", where=str(path), hint="Is it the right file?")
    run = ranked(run_name(path), rows, str(path), lenient)
    return replace(run, tag=tag.decode("utf-8", "replace"), remarks=remarks + run.remarks)


class Names(dict[bytes, str]):
    """Ids as text, each decoded and kept once."""

    def __missing__(self, raw: bytes) -> str:
        self[raw] = name = raw.decode()
        return name


def run_name(path: str | Path) -> str:
    """Return the name of a run: that of its file, without compression."""
    return re.sub(r"\.(gz|bz2|zst|xz|lz4)$", "", str(path).rpartition("/")[2])


def ranked(name: str, rows: dict[str, list[tuple[str, float, bytes]]], where: str, lenient: bool) -> Run:
    """Put the documents of each topic into trec_eval's order; rows are ids, scores and ranks."""
    topics: dict[str, Ranking] = {}
    twice: list[str] = []
    tied = misplaced = 0
    for topic, found in rows.items():
        with np.errstate(over="ignore"):
            scores = np.array([row[1] for row in found], np.float32).tolist()
        order = sorted(range(len(found)), key=lambda i: (scores[i], found[i][0]), reverse=True)
        seen: set[str] = set()
        once = [i for i in order if not (found[i][0] in seen or seen.add(found[i][0]))]  # type: ignore[func-returns-value]
        if len(once) < len(order):
            twice.append(f"topic {topic}: {len(order) - len(once)} documents given again")
        steps = list(pairwise(order))
        tied += any(scores[i] == scores[j] for i, j in steps)
        places = [int(row[2]) if row[2].isdigit() else -1 for row in found]
        misplaced += any(places[i] >= places[j] and scores[i] > scores[j] for i, j in steps)
        topics[topic] = Ranking([found[i][0] for i in once], [found[i][1] for i in once])
    remarks = refuse(twice, where, lenient, "only the best of each is kept")
    return Run(name, topics, remarks=remarks, tied=tied, misplaced=misplaced)


def read_qrels(path: str | Path, lenient: bool = False) -> Qrels:
    """Read judgements: topic, iteration or subtopic, document and relevance a line."""
    rows: list[Judgement] = []
    broken: list[str] = []
    seen: set[tuple[str, str, str]] = set()
    for number, line in lines_of(path):
        fields = line.split()
        if len(fields) != 4:
            broken.append(f"line {number}: {len(fields)} fields instead of 4")
            continue
        try:
            topic, subtopic, own_id = (f.decode() for f in fields[:3])
            relevance = int(fields[3])
        except ValueError as error:
            what = "invalid UTF-8" if isinstance(error, UnicodeDecodeError) else "no whole number"
            broken.append(f"line {number}: {what}")
            continue
        if (topic, subtopic, own_id) in seen:
            broken.append(f"line {number}: {own_id} is judged for topic {topic} a second time")
            continue
        seen.add((topic, subtopic, own_id))
        rows.append(Judgement(topic, subtopic, own_id, relevance))
    remarks = refuse(broken, path, lenient)
    if not rows:
        raise InputError("there are no judgements", where=str(path), hint="Is it the right file?")
    return Qrels(rows, Path(str(path)).name, remarks)


def refuse(broken: Sequence[str], where: str | Path, lenient: bool, done: str = "left out") -> list[str]:
    """Raise an error that lists what is broken, or return it as a remark if that is wanted."""
    if not broken:
        return []
    more = f" and {len(broken) - NAMED_LINES:,} more" if len(broken) > NAMED_LINES else ""
    listed = "; ".join(broken[:NAMED_LINES]) + more
    if not lenient:
        raise InputError(listed, where=str(where), hint=LENIENT)
    return [f"{listed}: {done}"]


def lines_of(path: str | Path) -> Iterator[tuple[int, bytes]]:
    """Yield the lines of a file, compressed or not, that are not blank, with their numbers."""
    file, *others = find([path])
    if others:
        raise InputError("one file is needed here, not several", where=str(path))
    with file.open_stream() as stream:
        data = b"".join(iter(lambda: stream.read(CHUNK), b""))
        if stream.failure:
            problem, detail = stream.failure
            raise InputError(f"{problem}: {detail}", where=str(path))
    for number, line in enumerate(data.removeprefix(b"\xef\xbb\xbf").split(b"\n"), 1):
        if not line.isspace() and line:
            yield number, line


def read_topics(path: str | Path) -> dict[str, str]:
    """Read the queries of topics: the Web track's XML, TREC's classic tags, or lines `number:query`."""
    text = b"\n".join(line for _, line in lines_of(path)).decode("utf-8", "replace")
    found = {n: q for n, q in _tagged_topics(text) if n}
    if not found:
        lines = (re.match(r"([^\s:]+)[:\t ]\s*(\S.*)", line.strip()) for line in text.splitlines())
        found = {line[1].rpartition("-")[2]: line[2].strip() for line in lines if line}
    if not found:
        hint = "Topics are <topic> or <top> elements, or lines such as 151:query."
        raise InputError("there are no topics", where=str(path), hint=hint)
    return found


def _tagged_topics(text: str) -> Iterator[tuple[str, str]]:
    text = re.sub(r"<!--.*?-->", "", text, flags=re.S)
    for number, body in re.findall(r"<topic\s[^>]*?number=[\"'](.*?)[\"'].*?>(.*?)</topic>", text, re.S):
        query = re.search(r"<(?:query|title)>(.*?)</", body, re.S)
        yield number.strip(), _plain(query[1] if query else "")
    for body in re.findall(r"<top>(.*?)</top>", text, re.S | re.I):
        number = re.search(r"<num>\s*(?:Number:)?\s*(\S+)", body, re.I)
        title = re.search(r"<title>\s*(?:Topic:)?(.*?)(?=<|$)", body, re.S | re.I)
        yield (number[1].partition("<")[0] if number else ""), _plain(title[1] if title else "")


def _plain(markup: str) -> str:
    from html import unescape

    return " ".join(unescape(re.sub(r"<[^>]*>", " ", markup)).split())


def write_run(path: Path, run: Run) -> None:
    """Write a run in TREC's format, ranks from 1."""
    with path.open("w", encoding="utf-8", newline="\n") as out:
        for topic, ranking in run.topics.items():
            for rank, (own_id, score) in enumerate(zip(*ranking, strict=True), 1):
                out.write(f"{topic} Q0 {own_id} {rank} {score!r} {run.tag}\n")


def write_qrels(path: Path, rows: Iterable[Judgement]) -> None:
    """Write judgements in TREC's format."""
    with path.open("w", encoding="utf-8", newline="\n") as out:
        out.writelines(f"{r.topic} {r.subtopic} {r.id} {r.relevance}\n" for r in rows)
