"""Runs and judgements as DataFrames, with the column names of ir_measures or of PyTerrier."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from neardup.errors import InputError, SettingsError
from neardup.readers.files import find
from neardup.retrieval.duplicates import Duplicates, Groups, Pairs, read_groups
from neardup.retrieval.files import Judgement, Qrels, read_qrels
from neardup.retrieval.policies import without
from neardup.retrieval.runs import Catalogue, Columns, Run, ranked, read_run, read_runs

if TYPE_CHECKING:
    import pandas

Names = Literal["ir_measures", "pyterrier"]
OURS = ("query_id", "doc_id", "score", "rank", "relevance", "iteration")
COLUMNS: dict[str, dict[str, str]] = {
    "ir_measures": {name: name for name in OURS},
    "pyterrier": dict(zip(OURS, ("qid", "docno", "score", "rank", "label", "iteration"), strict=True)),
}


def runs_of(given: Any, catalogue: Catalogue, lenient: bool = False) -> list[Run]:
    """Take runs: files, folders or patterns; or DataFrames (or lists of named tuples) by name."""
    if isinstance(given, Mapping):
        runs = [run_of(name, data, catalogue, lenient) for name, data in given.items()]
    elif hasattr(given, "columns"):
        runs = [run_of(str(name), data, catalogue, lenient) for name, data in _by_name(given)]
    else:
        paths = [given] if isinstance(given, str | Path) else list(given)
        runs = list(read_runs([file.path for file in find(paths)], lenient, catalogue))
    names = [run.name for run in runs]
    if again := sorted({name for name in names if names.count(name) > 1}):
        hint = "Give them other file names: a run is called by its own."
        raise InputError(f"two runs are called {again[0]}", hint=hint)
    if not runs:
        raise InputError("there are no runs")
    if odd := next((name for name in names if not name.strip(".") or "/" in name or "\0" in name), None):
        raise InputError(f"{odd!r} cannot be the name of a run", hint="A file of that name is written.")
    return sorted(runs, key=lambda run: run.name)


def _by_name(frame: Any) -> Iterable[tuple[Any, Any]]:
    """Cut a frame of several runs by their name, as PyTerrier's experiments keep it."""
    column = next((name for name in ("name", "run", "tag") if name in frame.columns), None)
    return [("run", frame)] if column is None else frame.groupby(column, sort=False)


def run_of(name: str, data: Any, catalogue: Catalogue, lenient: bool = False) -> Run:
    """Take one run from a file, a DataFrame, or named tuples."""
    if isinstance(data, str | Path):
        return replace(read_run(data, lenient, catalogue), name=name)
    where = f"run {name}"
    rows = list(columns_of(data, ("query_id", "doc_id", "score"), where))
    if not rows:
        raise InputError("this run is empty", where=where)
    names: dict[str, int] = {}
    topics = [names.setdefault(checked(row[0], where), len(names)) for row in rows]
    columns = Columns(
        np.array(topics, np.int64),
        list(names),
        catalogue.numbers(checked(row[1], where) for row in rows),
        np.array([score_of(row[2], where) for row in rows], np.float64),
        np.full(len(rows), -1),
        name,
    )
    return replace(ranked(name, columns, catalogue, where, lenient), misplaced=0)


def score_of(given: Any, where: str) -> float:
    """Return a score; what is not a number is an error."""
    try:
        score = float(given)
    except (TypeError, ValueError):
        score = float("nan")
    if np.isnan(score):
        raise InputError(f"the score {given} is not a number", where=where)
    return score


def qrels_of(given: Any, lenient: bool = False) -> Qrels:
    """Take judgements from a file, a DataFrame, or named tuples."""
    if isinstance(given, Qrels):
        return given
    if isinstance(given, str | Path):
        return read_qrels(given, lenient)
    wanted = ("query_id", "iteration", "doc_id", "relevance")
    found = columns_of(given, wanted, "qrels", {"iteration": "0"})
    rows = [
        Judgement(checked(topic, "qrels"), str(part), checked(own, "qrels"), int(grade))
        for topic, part, own, grade in found
    ]
    if not rows:
        raise InputError("there are no judgements")
    if len({row[:3] for row in rows}) < len(rows):
        raise InputError("a document is judged twice for a topic", where="qrels")
    return Qrels(rows)


def columns_of(
    data: Any, wanted: Iterable[str], where: str, defaults: Mapping[str, str] | None = None
) -> Iterable[tuple[Any, ...]]:
    """Return the values of some columns, row by row, whichever of the known names they have."""
    wanted, defaults = list(wanted), defaults or {}
    if not hasattr(data, "columns"):
        rows = list(data)
        data = {n: [getattr(row, n) for row in rows] for n in wanted if rows and hasattr(rows[0], n)}
        names = set(data) if rows else set(wanted)
        length = len(rows)
        data = data if rows else {name: [] for name in wanted}
    else:
        names, length = set(data.columns), len(data)
    values = []
    for name in wanted:
        known = [n for n in dict.fromkeys((name, COLUMNS["pyterrier"][name])) if n in names]
        if not known and name not in defaults:
            hint = (
                f"Call it {name} as ir_measures does, or {COLUMNS['pyterrier'][name]} as PyTerrier does."
            )
            raise InputError(f"there is no column {name}", where=where, hint=hint)
        values.append(list(data[known[0]]) if known else [defaults[name]] * length)
    return zip(*values, strict=True)


def checked(name: Any, where: str) -> str:
    """Return the text of an id; white space cannot be in it, as TREC's files have none."""
    text = str(name)
    if not text or len(text.split()) != 1 or text != text.strip():
        raise InputError(f"white space in the id {text!r}", where=where)
    return text


def duplicates_of(given: Any, lenient: bool = False) -> Duplicates:
    """Take near-duplicates: a file of groups, a list of lists of ids, or a DataFrame of pairs."""
    if isinstance(given, Duplicates):
        return given
    if isinstance(given, str | Path):
        return read_groups(given, lenient)
    if hasattr(given, "columns"):
        missing = {"id_a", "id_b", "similarity"} - set(given.columns)
        if missing:
            raise InputError(f"pairs need the columns id_a, id_b and similarity, not {sorted(missing)}")
        least = float(min(given["similarity"], default=1.0))
        return Pairs(zip(given["id_a"], given["id_b"], given["similarity"], strict=True), least)
    return Groups(given)


def run_frame(run: Run, names: Names = "ir_measures") -> "pandas.DataFrame":
    """Return a run as a DataFrame; ranks begin at 1, in PyTerrier at 0."""
    import pandas

    first = 0 if columns_named(names)["doc_id"] == "docno" else 1
    rows = [
        (topic, own_id, score, rank)
        for topic, ranking in run.as_lists().items()
        for rank, (own_id, score) in enumerate(zip(*ranking, strict=True), first)
    ]
    columns = [columns_named(names)[name] for name in ("query_id", "doc_id", "score", "rank")]
    return pandas.DataFrame(rows, columns=columns)


def deduplicated(run: "pandas.DataFrame", duplicates: Any) -> "pandas.DataFrame":
    """Return the rows of a run without near-duplicates of better ranked documents.

    Other columns stay as they are; ranks, if there are any, are made new.

    >>> import pandas
    >>> run = pandas.DataFrame({"qid": "1", "docno": ["a", "a2", "b"], "score": [3, 2, 1]})
    >>> deduplicated(run, [["a", "a2"]])["docno"].tolist()
    ['a', 'b']
    """
    names = next(
        (own for own in COLUMNS.values() if own["doc_id"] in run.columns), COLUMNS["ir_measures"]
    )
    catalogue = Catalogue()
    given = run_of("run", run, catalogue)
    kept, _ = without(given, duplicates_of(duplicates).near(catalogue), "first", {})
    first = 0 if names["doc_id"] == "docno" else 1
    ranks = {
        (topic, own): rank
        for topic, (ids, _) in kept.as_lists().items()
        for rank, own in enumerate(ids, first)
    }
    keys = zip(run[names["query_id"]].astype(str), run[names["doc_id"]].astype(str), strict=True)
    places = [ranks.get(key, -1) for key in keys]
    found = run[[place >= 0 for place in places]]
    return found.assign(rank=[p for p in places if p >= 0]) if "rank" in run.columns else found


def qrels_frame(qrels: Qrels, names: Names = "ir_measures") -> "pandas.DataFrame":
    """Return judgements as a DataFrame."""
    import pandas

    columns = [columns_named(names)[n] for n in ("query_id", "iteration", "doc_id", "relevance")]
    return pandas.DataFrame(qrels.rows, columns=columns)


def columns_named(names: str) -> dict[str, str]:
    """Return the names of columns in one of the two ways."""
    if names not in COLUMNS:
        raise SettingsError(f"{names!r} is not one of {', '.join(COLUMNS)}")
    return COLUMNS[names]
