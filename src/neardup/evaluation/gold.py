"""Gold: the labels that a result is compared with, read from tables, JSON Lines or PAN's XML.

A folder is PAN's; a file is told by how it begins, and what it labels by its columns.
"""

import csv
import io
import json
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from neardup.errors import InputError
from neardup.evaluation.measures import Passage
from neardup.showing.judged import Pair, ordered, read_text

Rename = Callable[[str], str]
Kind = Literal["pairs", "clusters", "passages", "answers"]

PAIRS = "pairs"  # PAN's list of the pairs to be scored, a file in each of its folders
COLUMNS: dict[Kind, tuple[str, ...]] = {
    "passages": ("id_a", "start_a", "end_a", "id_b", "start_b", "end_b"),
    "pairs": ("id_a", "id_b"),
    "clusters": ("id", "cluster"),
    "answers": ("id",),
}
FORMATS = (
    "Gold has the columns id_a, id_b and perhaps label for pairs; id, cluster for clusters; "
    "id_a, start_a, end_a, id_b, start_b, end_b for passages; id and correct or prediction for "
    "a model's answers to test items. Or it is a folder of PAN's XML files, or "
    "PostLinks.xml of Stack Exchange, with links of kind 3 for duplicates."
)
POST_LINKS = re.compile(r"<postlinks\b")  # of a dump of Stack Exchange
HEAD = 1 << 10  # characters by which a file is told
ATTRIBUTE = re.compile(r'(\w+)="([^"]*)"')
DUPLICATE = "3"  # the kind of a link
LABELS = {"1": True, "true": True, "1.0": True, "0": False, "false": False, "0.0": False}


@dataclass(frozen=True, kw_only=True)
class Gold:
    """Labels: where they come from, and how many were given more than once."""

    where: str
    duplicates: int = 0


@dataclass(frozen=True, kw_only=True)
class PairGold(Gold):
    """Pairs that are right and, if pairs are labelled, pairs that are wrong."""

    right: frozenset[Pair]
    wrong: frozenset[Pair] | None = None

    def names(self) -> set[str]:
        """Return the documents that are named."""
        return {name for pair in self.right | (self.wrong or frozenset()) for name in pair}


@dataclass(frozen=True, kw_only=True)
class ClusterGold(Gold):
    """The cluster of each document that is in one."""

    clusters: Mapping[str, str]

    def names(self) -> set[str]:
        """Return the documents that are named."""
        return set(self.clusters)


@dataclass(frozen=True, kw_only=True)
class CaseGroup:
    """Cases of reuse that are scored together.

    Passages found in other pairs than `pairs` are left out. Without `pairs`, those are that are not in
    any of the documents `about` which the gold speaks; without either, all count.
    """

    name: str
    cases: tuple[Passage, ...]
    pairs: frozenset[Pair] | None = None
    about: frozenset[str] | None = None
    without_source: int = 0
    unlisted: int = 0
    duplicates: int = 0

    def names(self) -> set[str]:
        """Return the documents that are named."""
        pairs = {case.pair for case in self.cases} | (self.pairs or frozenset())
        return {name for pair in pairs for name in pair} | (self.about or frozenset())


@dataclass(frozen=True, kw_only=True)
class PassageGold(Gold):
    """Cases of reuse, in one group or several."""

    groups: tuple[CaseGroup, ...]

    def names(self) -> set[str]:
        """Return the documents that are named."""
        return set().union(*(group.names() for group in self.groups))


@dataclass(frozen=True)
class AnswerGold:
    """A model's answers to test items, a row each."""

    rows: "tuple[Row, ...]"


@dataclass(frozen=True)
class Row:
    """One row of a table and where it stands."""

    where: str
    values: Mapping[str, Any]

    def name(self, column: str) -> str:
        """Return a document's or cluster's name."""
        return checked_name(self.value(column), column, self.where)

    def number(self, column: str) -> int:
        """Return a place in a text."""
        return checked_number(self.value(column), column, self.where)

    def value(self, column: str) -> Any:
        """Return what stands in a column that must be there."""
        if self.values.get(column) is None:
            raise InputError(f"there is no value for {column!r}", where=self.where, hint=FORMATS)
        return self.values[column]


@dataclass(frozen=True)
class Table:
    """A table of labels of one kind."""

    path: Path
    kind: Kind
    rows: list[Row]


def read_gold(paths: str | Path | Iterable[str | Path]) -> PairGold | ClusterGold | PassageGold:
    """Read gold from files and folders, which must all label the same kind of thing."""
    found = read_labels(paths)
    if isinstance(found, AnswerGold):
        raise InputError("these are answers to test items", hint="Take evaluation.answer_scores.")
    return found


def read_labels(
    paths: str | Path | Iterable[str | Path],
) -> PairGold | ClusterGold | PassageGold | AnswerGold:
    """Read gold, or a model's answers to test items."""
    given = [Path(p) for p in ([paths] if isinstance(paths, str | Path) else paths)]
    if not given:
        raise InputError("there is no gold", hint="Name a file or folder with gold=.")
    groups, tables = [], []
    for path in given:
        if path.is_dir():
            groups += [read_folder(folder) for folder in gold_folders(path)]
        elif not path.exists():
            raise InputError("no such file", where=str(path), hint="Check the spelling of gold=.")
        elif (text := read_text(path)).lstrip()[:1] == "<" and not POST_LINKS.search(text, 0, HEAD):
            groups.append(group_of(path.name, [path], None))
        else:
            tables.append(read_table(path, text))
    kinds: set[Kind] = {table.kind for table in tables} | ({"passages"} if groups else set())
    where = ", ".join(map(str, given))
    if len(kinds) > 1:
        hint = "Evaluate them one after the other."
        raise InputError(f"gold of several kinds: {', '.join(sorted(kinds))}", where=where, hint=hint)
    rows = [row for table in tables for row in table.rows]
    kind = kinds.pop()
    if kind == "pairs":
        return pair_gold(rows, where)
    if kind == "clusters":
        return cluster_gold(tables, where)
    if kind == "answers":
        return AnswerGold(tuple(rows))
    if rows:
        groups.append(case_group(rows, tables[0].path.name if len(tables) == 1 else "tables"))
    return PassageGold(
        where=where,
        groups=tuple(with_own_names(groups)),
        duplicates=sum(group.duplicates for group in groups),
    )


def with_own_names(groups: list[CaseGroup]) -> Iterator[CaseGroup]:
    """Refuse two groups of one name: their scores could not be told apart."""
    seen: set[str] = set()
    for group in groups:
        if group.name in seen:
            hint = "Give their parent folder, or rename one."
            raise InputError("two parts of the gold have this name", where=group.name, hint=hint)
        seen.add(group.name)
        yield group


# Tables and JSON Lines


def read_table(path: Path, text: str) -> Table:
    """Return the rows of a CSV, TSV or JSONL file, or of PostLinks.xml, and what they label."""
    read = json_rows if text.lstrip()[:1] == "{" else csv_rows
    rows = list((link_rows if POST_LINKS.search(text, 0, HEAD) else read)(path, text))
    if not rows:
        raise InputError("this gold holds no labels", where=str(path), hint=FORMATS)
    return Table(path, kind_of(rows[0]), rows)


def link_rows(path: Path, text: str) -> Iterator[Row]:
    """Yield the pairs of questions that Stack Exchange links as duplicates."""
    for number, line in enumerate(text.split("\n"), start=1):
        values = dict(ATTRIBUTE.findall(line))
        one, other = (values.get(name) for name in ("PostId", "RelatedPostId"))
        if values.get("LinkTypeId") == DUPLICATE and one and other and one != other:
            yield Row(f"{path}, line {number}", {"id_a": one, "id_b": other})


def json_rows(path: Path, text: str) -> Iterator[Row]:
    """Yield the objects of a JSONL file."""
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        where = f"{path}, line {number}"
        try:
            values = json.loads(line)
        except ValueError as error:
            raise InputError(f"this is not JSON: {error}", where=where) from None
        if not isinstance(values, dict):
            raise InputError("this line is not an object", where=where, hint=FORMATS)
        yield Row(where, values)


def csv_rows(path: Path, text: str) -> Iterator[Row]:
    """Yield the rows of a table, with commas, tabs or semicolons between its columns."""
    head = text.lstrip("\r\n").partition("\n")[0]
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=max(",\t;", key=head.count))
    columns: list[str] = []
    try:
        for values in rows:
            where = f"{path}, line {rows.line_num}"
            if not any(value.strip() for value in values):
                continue
            if not columns:
                columns = [name.strip() for name in values]
                kind_of(Row(where, dict.fromkeys(columns)))
                continue
            if len(values) != len(columns):
                what = f"this row has {len(values)} values, the first line {len(columns)}"
                raise InputError(what, where=where)
            yield Row(where, dict(zip(columns, values, strict=True)))
    except csv.Error as error:
        raise InputError(f"this table is damaged: {error}", where=str(path)) from None


def kind_of(row: Row) -> Kind:
    """Tell from its columns what a row labels."""
    columns = row.values.keys()
    if "ids" in columns:
        return "clusters"
    kind: Kind
    if columns & {"start_a", "end_a", "start_b", "end_b"}:
        kind = "passages"
    elif columns & {"id_a", "id_b"}:
        kind = "pairs"
    elif columns & {"correct", "prediction"}:
        kind = "answers"
    elif columns & {"id", "cluster"}:
        kind = "clusters"
    else:
        names = ", ".join(map(str, columns))
        raise InputError(f"no column of labels among: {names}", where=row.where, hint=FORMATS)
    if missing := [name for name in COLUMNS[kind] if name not in columns]:
        what = f"gold for {kind} lacks the column {', '.join(missing)}"
        raise InputError(what, where=row.where, hint=FORMATS)
    return kind


def pair_gold(rows: list[Row], where: str) -> PairGold:
    """Make pairs of rows; a pair labelled both ways is refused."""
    labelled = any("label" in row.values for row in rows)
    labels: dict[Pair, tuple[bool, str]] = {}
    duplicates = 0
    for row in rows:
        one, other = row.name("id_a"), row.name("id_b")
        if one == other:
            raise InputError(f"{one!r} is paired with itself", where=row.where)
        label = checked_label(row.value("label"), row.where) if labelled else True
        pair = ordered(one, other)
        duplicates += pair in labels
        before = labels.setdefault(pair, (label, row.where))
        if before[0] != label:
            what = f"{one!r} and {other!r} are labelled {int(label)} here and {int(not label)} before"
            raise InputError(what, where=row.where, hint=f"The other label: {before[1]}.")
    right = frozenset(pair for pair, (label, _) in labels.items() if label)
    wrong = frozenset(labels) - right if labelled else None
    return PairGold(where=where, right=right, wrong=wrong, duplicates=duplicates)


def cluster_gold(tables: list[Table], where: str) -> ClusterGold:
    """Make clusters of rows; a document in two of them is refused."""
    clusters: dict[str, tuple[str, str]] = {}
    duplicates = 0
    for file, table in enumerate(tables):  # the same name in another file is another cluster
        for number, row in enumerate(table.rows):
            cluster, members = members_of(row, number)
            for name in members:
                duplicates += name in clusters
                before = clusters.setdefault(name, (f"{file}:{cluster}", row.where))
                if before[0] != f"{file}:{cluster}":
                    what = f"{name!r} is in another cluster, too"
                    raise InputError(what, where=row.where, hint=f"The other cluster: {before[1]}.")
    named = {name: cluster for name, (cluster, _) in clusters.items()}
    return ClusterGold(where=where, clusters=named, duplicates=duplicates)


def members_of(row: Row, number: int) -> tuple[str, list[str]]:
    """Return the cluster that a row speaks of, and its members there."""
    if "ids" not in row.values:
        return f"={row.name('cluster')}", [row.name("id")]
    ids = row.value("ids")
    if not isinstance(ids, list):
        raise InputError("'ids' is not a list", where=row.where, hint=FORMATS)
    column = next((name for name in ("cluster", "hash") if name in row.values), None)
    cluster = f"={row.name(column)}" if column else f"#{number}"
    return cluster, [checked_name(name, "ids", row.where) for name in ids]


def case_group(rows: list[Row], name: str) -> CaseGroup:
    """Make cases of reuse of rows."""
    cases = []
    for row in rows:
        spans = [(row.number(f"start_{side}"), row.number(f"end_{side}")) for side in "ab"]
        for start, end in spans:
            if end <= start:
                raise InputError(f"a passage from {start} to {end} is empty", where=row.where)
        cases.append(Passage(row.name("id_a"), *spans[0], row.name("id_b"), *spans[1]))
    unique = tuple(dict.fromkeys(cases))
    return CaseGroup(name=name, cases=unique, duplicates=len(cases) - len(unique))


def checked_name(value: object, what: str, where: str) -> str:
    """Return a name, which may be a number in JSON."""
    if isinstance(value, bool) or not isinstance(value, str | int) or not str(value).strip():
        raise InputError(f"{what!r} must be a name, not {value!r}", where=where)
    return str(value)


def checked_number(value: Any, what: str, where: str) -> int:
    """Return a whole number that is not negative."""
    if isinstance(value, bool) or not re.fullmatch(r"\s*[+-]?[0-9]+\s*", str(value)):
        raise InputError(f"{what!r} must be a whole number, not {value!r}", where=where)
    if int(value) < 0:
        raise InputError(f"{what!r} must not be negative: {value}", where=where)
    return int(value)


def checked_label(value: object, where: str) -> bool:
    """Return whether a label says that a pair is right."""
    label = LABELS.get(str(value).strip().lower())
    if label is None:
        raise InputError(f"'label' must be 0, 1, true or false, not {value!r}", where=where)
    return label


def gold_folders(folder: Path) -> list[Path]:
    """Return a folder with PAN's files, or those below it."""
    if any(folder.glob("*.xml")):
        return [folder]
    below = sorted(path for path in folder.iterdir() if path.is_dir())
    if found := [path for path in below if any(path.glob("*.xml")) or (path / PAIRS).is_file()]:
        return found
    if (folder / PAIRS).is_file():
        return [folder]
    hint = "A folder of gold has PAN's XML files, and perhaps their list, in a file named pairs."
    raise InputError("this folder holds no gold", where=str(folder), hint=hint)


def read_folder(folder: Path) -> CaseGroup:
    """Return the cases in one of PAN's folders."""
    listed = folder / PAIRS
    pairs = read_pairs(listed) if listed.is_file() else None
    return group_of(folder.resolve().name, sorted(folder.glob("*.xml")), pairs)


def read_pairs(path: Path) -> frozenset[Pair]:
    """Return the pairs that a list of PAN's names, one a line."""
    pairs = []
    for number, line in enumerate(read_text(path).splitlines(), start=1):
        names = line.split()
        if len(names) not in (0, 2):
            where = f"{path}, line {number}"
            raise InputError("this line does not name two documents", where=where)
        pairs += [(names[0], names[1])] if names else []
    return frozenset(pairs)


def group_of(name: str, files: list[Path], pairs: frozenset[Pair] | None) -> CaseGroup:
    """Return the cases in some of PAN's XML files, if they are in listed pairs."""
    cases: list[Passage] = []
    about: set[str] = set()
    without_source = 0
    for path in files:
        document, found, sourceless = read_xml(path)
        about.add(document)
        cases += found
        without_source += sourceless
    unique = tuple(dict.fromkeys(cases))
    listed = tuple(case for case in unique if pairs is None or case.pair in pairs)
    return CaseGroup(
        name=name,
        cases=listed,
        pairs=pairs,
        about=frozenset(about) if pairs is None else None,
        without_source=without_source,
        unlisted=len(unique) - len(listed),
        duplicates=len(cases) - len(unique),
    )


def read_xml(path: Path) -> tuple[str, list[Passage], int]:
    """Return the document that a file is about, its cases, and how many had no source."""
    try:
        root = ElementTree.parse(path).getroot()
    except (ElementTree.ParseError, LookupError, ValueError) as error:
        raise InputError(f"this is not well-formed XML: {error}", where=str(path)) from None
    document = root.get("reference")
    if not document:
        hint = 'PAN\'s files begin with <document reference="…">.'
        raise InputError("this XML does not name a document", where=str(path), hint=hint)
    cases, without_source = [], 0
    for number, feature in enumerate(root.iter("feature"), start=1):
        if feature.get("this_offset") is None:
            continue  # it is about the document as a whole: its language, its author
        if feature.get("source_offset") is None:
            without_source += 1
        else:
            cases.append(case_of(document, feature, f"{path}, feature {number}"))
    return document, cases, without_source


def case_of(document: str, feature: ElementTree.Element, where: str) -> Passage:
    """Return the case that a feature describes."""
    spans = []
    for side in ("this", "source"):
        start, length = (
            checked_number(feature.get(f"{side}_{what}"), f"{side}_{what}", where)
            for what in ("offset", "length")
        )
        if not length:
            raise InputError(f"'{side}_length' must not be 0", where=where)
        spans.append((start, start + length))
    source = checked_name(feature.get("source_reference"), "source_reference", where)
    return Passage(document, *spans[0], source, *spans[1])
