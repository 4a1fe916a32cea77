"""Labelled pairs of threads: checked against the threads there are, and all problems told at once."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from neardup.errors import InputError
from neardup.evaluation.gold import LABELS, ClusterGold, Row, read_gold, read_table
from neardup.showing.judged import Pair, ordered, read_text

MOST_SHOWN = 20
FIELD = "field"  # the column that says which field of the threads a row labels, if it is not the whole
LINKS = "PostLinks.xml"  # of Stack Exchange


class Labels(NamedTuple):
    """Pairs that are right, and those that are wrong (None, if all others are); ids of no thread."""

    right: frozenset[Pair]
    wrong: frozenset[Pair] | None
    unknown: frozenset[str] = frozenset()


def labelled_fields(paths: Iterable[str | Path], fields: Sequence[str]) -> list[str]:
    """Return the fields that have labels of their own, and "" if threads have any, in their order."""
    found = {}
    for path in files_of_labels(paths):
        for row in read_table(path, read_text(path)).rows:
            found[field_of(row)] = row.where
    if unknown := [name for name in found if name and name not in fields]:
        hint = f"Fields that are compared: {', '.join(fields)}."
        raise InputError(
            f"labels of an unknown field: {unknown[0]!r}", where=found[unknown[0]], hint=hint
        )
    return [name for name in (*fields, "") if name in found]


def field_of(row: Row) -> str:
    """Return the field that a row labels, "" for whole threads."""
    return str(row.values.get(FIELD) or "").strip()


def read_labels(paths: Iterable[str | Path], known: set[str], field: str = "") -> Labels:
    """Read pairs (id_a, id_b, perhaps label and field) or clusters (id, cluster) of threads."""
    rows: list[Row] = []
    right: set[Pair] = set()
    problems: list[str] = []
    unknown: set[str] = set()
    for path in files_of_labels(paths):
        table = read_table(path, read_text(path))
        if table.kind == "pairs":
            rows += [row for row in table.rows if field_of(row) == field]
        elif not field:
            gold = read_gold(path)
            if not isinstance(gold, ClusterGold):
                raise InputError("labels of threads are pairs or clusters", where=str(path))
            unknown |= gold.clusters.keys() - known
            right |= pairs_within(gold)
    labels = pair_labels(rows, problems)
    unknown |= {name for pair in labels for name in pair} - known
    labels = {pair: label for pair, label in labels.items() if known.issuperset(pair)}
    right = {pair for pair in right if known.issuperset(pair)}
    right |= {pair for pair, label in labels.items() if label}
    wrong = frozenset(labels) - right if any("label" in row.values for row in rows) else None
    if problems:
        more = len(problems) - MOST_SHOWN
        shown = [*problems[:MOST_SHOWN], *([f"… and {more:,} more"] if more > 0 else [])]
        raise InputError("\n  ".join([f"{len(problems):,} labels cannot be used:", *shown]))
    if not right or wrong == frozenset():
        what = "right" if not right else "wrong"
        hint = "Label pairs 1 and 0, or list right pairs only: then all others are wrong."
        if unknown:
            some = ", ".join(map(repr, sorted(unknown)[:3]))
            hint = f"No thread has these ids: {some}{', …' if len(unknown) > 3 else ''}"
        said = f" in {field!r}" if field else ""
        raise InputError(f"no pair of threads that are there is labelled {what}{said}", hint=hint)
    return Labels(frozenset(right), wrong, frozenset(unknown))


def files_of_labels(paths: Iterable[str | Path]) -> list[Path]:
    """Return files of labels; of the folder of a dump, the file with its links."""
    found = [path / LINKS if (path / LINKS).is_file() else path for path in map(Path, paths)]
    for path in found:
        if not path.is_file():
            what, hint = "no such file", "Check the spelling of labels=."
            if path.is_dir():
                what, hint = f"this folder has no {LINKS}", "Give a file with labels=."
            raise InputError(what, where=str(path), hint=hint)
    return found


def pair_labels(rows: Iterable[Row], problems: list[str]) -> dict[Pair, bool]:
    """Return the label of each pair; what is wrong is added to the problems."""
    found: dict[Pair, tuple[bool, str]] = {}
    for row in rows:
        one, other = (str(row.values.get(name) or "") for name in ("id_a", "id_b"))
        given = str(row.values.get("label", 1)).strip().lower()
        if one == other:
            problems.append(f"{row.where}: {one!r} is paired with itself")
        elif given not in LABELS:
            problems.append(f"{row.where}: the label must be 0 or 1, not {given!r}")
        else:
            before = found.setdefault(ordered(one, other), (LABELS[given], row.where))
            if before[0] != LABELS[given]:
                problems.append(
                    f"{row.where}: {one!r} and {other!r} are labelled otherwise in {before[1]}"
                )
    return {pair: label for pair, (label, _) in found.items()}


def pairs_within(gold: ClusterGold) -> set[Pair]:
    """Return all pairs of members of the same cluster."""
    members: dict[str, list[str]] = {}
    for name, cluster in gold.clusters.items():
        members.setdefault(cluster, []).append(name)
    return {ordered(a, b) for own in members.values() for at, a in enumerate(own) for b in own[at + 1 :]}
