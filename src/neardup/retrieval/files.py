"""TREC's files: judgements (qrels) and topics, read with care and written again; lines of runs, too.

Lines are taken as trec_eval takes them: fields between white space. What trec_eval refuses is an error
here too, which names the lines; `lenient` leaves them out and says so.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv

from neardup.errors import InputError
from neardup.readers.files import find

CHUNK = 1 << 20
NAMED_LINES = 5  # lines that an error names
LENIENT = "Mend the file, or leave such lines out with lenient=True."


class Judgement(NamedTuple):
    """What an assessor said of a document, for a topic or one of its subtopics."""

    topic: str
    subtopic: str
    id: str
    relevance: int


@dataclass(frozen=True)
class Qrels:
    """Judgements in the order of their file."""

    rows: list[Judgement]
    name: str = "qrels"
    remarks: list[str] = field(default_factory=list)

    @cached_property
    def has_subtopics(self) -> bool:
        """Return whether documents are judged for subtopics."""
        return sum(map(len, self.grades.values())) < len(self.rows)

    @cached_property
    def grades(self) -> dict[str, dict[str, int]]:
        """Return the judgement of each document by topic, the highest one of its subtopics."""
        found: dict[str, dict[str, int]] = {}
        for name, _, own, relevance in self.rows:
            topic = found.setdefault(name, {})
            if topic.get(own, relevance - 1) < relevance:
                topic[own] = relevance
        return found


def quick_table(data: bytes, names: Sequence[str], kinds: Mapping[str, pa.DataType]) -> pa.Table | None:
    """Read lines of these fields, texts if no kind is given; None if any is not as it should be."""
    if b"\x0b" in data or b"\x0c" in data or data.count(b"\r") != data.count(b"\r\n"):
        return None
    if b"\t" in data or b"  " in data:
        data = re.sub(rb"[ \t]+", b" ", data)
    types = {name: kinds.get(name, pa.string()) for name in names}
    try:
        table = csv.read_csv(
            pa.BufferReader(data),
            csv.ReadOptions(column_names=names, use_threads=False),
            csv.ParseOptions(delimiter=" ", quote_char=False, double_quote=False),
            csv.ConvertOptions(column_types=types, null_values=[], strings_can_be_null=False),
        )
    except pa.ArrowInvalid:
        return None
    return table if len(table) and not pc.any(pc.equal(table[0], "")).as_py() else None


def read_qrels(path: str | Path, lenient: bool = False) -> Qrels:
    """Read judgements: topic, iteration or subtopic, document and relevance a line."""
    data = content(path)
    broken: list[str] = []
    rows = quick_judgements(data) or careful_judgements(data, broken)
    remarks = refuse(broken, path, lenient)
    if not rows:
        raise InputError("there are no judgements", where=str(path), hint="Is it the right file?")
    return Qrels(rows, Path(str(path)).name, remarks)


def quick_judgements(data: bytes) -> list[Judgement] | None:
    """Read judgements that are all as they should be; None if any is not."""
    table = quick_table(data, Judgement._fields, {"relevance": pa.int64()})
    if table is None:
        return None
    columns = [column.to_pylist() for column in table.columns]
    judged = set(zip(*columns[:3], strict=True))
    return list(map(Judgement, *columns)) if len(judged) == len(table) else None


def careful_judgements(data: bytes, broken: list[str]) -> list[Judgement]:
    """Read line by line, and say what is wrong with which."""
    rows: list[Judgement] = []
    seen: set[tuple[str, str, str]] = set()
    for number, line in lines_in(data):
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
    return rows


def refuse(broken: Sequence[str], where: str | Path, lenient: bool, done: str = "left out") -> list[str]:
    """Raise an error that lists what is broken, or return it as a remark if that is wanted."""
    if not broken:
        return []
    more = f" and {len(broken) - NAMED_LINES:,} more" if len(broken) > NAMED_LINES else ""
    listed = "; ".join(broken[:NAMED_LINES]) + more
    if not lenient:
        raise InputError(listed, where=str(where), hint=LENIENT)
    return [f"{listed}: {done}"]


def content(path: str | Path) -> bytes:
    """Return what is in a file, compressed or not."""
    file, *others = find([path])
    if others:
        raise InputError("one file is needed here, not several", where=str(path))
    with file.open_stream() as stream:
        data = b"".join(iter(lambda: stream.read(CHUNK), b""))
        if stream.failure:
            problem, detail = stream.failure
            raise InputError(f"{problem}: {detail}", where=str(path))
    return data.removeprefix(b"\xef\xbb\xbf")


def lines_in(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield the lines that are not blank, with their numbers."""
    for number, line in enumerate(data.split(b"\n"), 1):
        if not line.isspace() and line:
            yield number, line


def read_topics(path: str | Path) -> dict[str, str]:
    """Read the queries of topics: the Web track's XML, TREC's classic tags, or lines `number:query`."""
    text = content(path).decode("utf-8", "replace")
    topics = [*tagged_topics(text)] or [*listed_topics(text)]
    if not topics:
        hint = "Topics are <topic> or <top> elements, or lines such as 151:query."
        raise InputError("there are no topics", where=str(path), hint=hint)
    found: dict[str, str] = {}
    for place, number, query in topics:
        if number in found:
            line = text.count("\n", 0, place) + 1
            raise InputError(f"line {line}: topic {number} is there already", where=str(path))
        found[number] = query
    return found


def tagged_topics(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield where a topic between tags begins, its number and its query."""
    text = re.sub(r"<!--.*?-->", lambda found: re.sub(r"[^\n]", " ", found[0]), text, flags=re.S)
    for topic in re.finditer(r"<topic\s[^>]*?number=[\"'](.*?)[\"'].*?>(.*?)</topic>", text, re.S):
        query = re.search(r"<(?:query|title)>(.*?)</", topic[2], re.S)
        yield topic.start(), topic[1].strip(), plain(query[1] if query else "")
    for topic in re.finditer(r"<top>(.*?)</top>", text, re.S | re.I):
        number = re.search(r"<num>\s*(?:Number:)?\s*([^\s<]+)", topic[1], re.I)
        title = re.search(r"<title>\s*(?:Topic:)?(.*?)(?=<|$)", topic[1], re.S | re.I)
        if number:
            yield topic.start(), number[1], plain(title[1] if title else "")


def listed_topics(text: str) -> Iterator[tuple[int, str, str]]:
    """Yield where the line of a topic begins, its number and its query."""
    for line in re.finditer(r"^[ \t]*([^\s:]+)[:\t ][ \t]*(\S.*)$", text, re.M):
        yield line.start(), line[1].rpartition("-")[2], line[2].strip()


def plain(markup: str) -> str:
    """Return text without its tags."""
    from neardup.text.references import unescaped

    return " ".join(unescaped(re.sub(r"<[^>]*>", " ", markup)).split())


def write_qrels(path: Path, rows: Iterable[Judgement]) -> None:
    """Write judgements in TREC's format."""
    with path.open("w", encoding="utf-8", newline="\n") as out:
        out.writelines(f"{r.topic} {r.subtopic} {r.id} {r.relevance}\n" for r in rows)
