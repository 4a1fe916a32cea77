"""The SQL that steps are written in: what DuckDB and Spark both have, and understand alike.

DIALECT has every function that statements may call, each with a statement and its value; FORBIDDEN has
what one of the engines lacks or reads otherwise. All statements of all methods keep to it. Types are
those of TYPES: 64-bit numbers are `bigint`, as Spark has no unsigned ones.
"""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.engines.counting import engine, rows_of

import neardup
from neardup.engines.spark.engine import SparkEngine
from neardup.engines.spark.folders import HadoopFolder
from neardup.methods import METHODS
from neardup.plan import Plan, Sql
from neardup.results import running

ROWS = pa.table(
    {
        "n": pa.array([3, 1, 2, None], pa.int64()),
        "part": pa.array([1, 1, 2, 2], pa.int64()),
        "word": ["b", "a", None, ""],
        "is_old": [True, False, False, None],
    }
)
DIALECT: dict[str, tuple[str, Any]] = {  # what follows `select`, and the value in the first row
    "bool_or": ("coalesce(bool_or(n > 2), false) from {t}", True),
    "cast": ("cast(n as bigint) from {t} where n = 3", 3),
    "coalesce": ("coalesce(n, 0) from {t} where n is null", 0),
    "concat": ("concat(word, '#', cast(n as varchar(20))) from {t} where n = 3", "b#3"),
    "count": ("count(n) from {t}", 3),
    "dense_rank": ("max(r) from (select dense_rank() over (order by part) as r from {t}) x", 2),
    "first_value": (
        "count(f) from (select first_value(word) over (partition by part order by n desc nulls last) "
        "as f from {t}) x",
        2,
    ),
    "floor": ("cast(floor(2.5) as bigint) from {t}", 2),
    "greatest": ("greatest(1, 2) from {t}", 2),
    "lag": (
        "max(l) from (select lag(n) over (partition by part order by n) as l from {t} "
        "where n is not null) x",
        1,
    ),
    "lead": ("max(l) from (select lead(n) over (partition by part order by n) as l from {t}) x", 3),
    "least": ("least(1, 2) from {t}", 1),
    "max": ("max(n) from {t}", 3),
    "min": ("min(word) from {t} where word <> ''", "a"),
    "nullif": ("count(nullif(word, '')) from {t}", 2),
    "regexp_extract": ("regexp_extract('a-12', '[0-9]+', 0) from {t}", "12"),
    "row_number": ("max(r) from (select row_number() over (order by n) as r from {t}) x", 4),
    "sum": ("cast(sum(n) as bigint) from {t}", 6),
    "try_cast": ("coalesce(try_cast('x' as double), 0.5) from {t}", 0.5),
}
OTHER: dict[str, tuple[str, Any]] = {  # what else they agree on
    "remainder": ("7 % 4 from {t}", 3),
    "case": ("case when n > 2 then 'many' else 'few' end from {t} where n = 3", "many"),
    "null sorts last if it is said": ("n from {t} order by n desc nulls last", 3),
    "distinct": ("count(distinct part) from {t}", 2),
    "a string": ("cast(n as string) from {t} where n = 3", "3"),
    "like": ("count(*) from {t} where word like '%b%'", 1),
    "not a flag": ("count(*) from {t} where not is_old", 2),
    "union is distinct": ("count(*) from (select part from {t} union select part from {t}) x", 2),
    "a running sum": (
        "max(s) from (select cast(sum(n) over (order by n rows between unbounded preceding and "
        "1 preceding) as bigint) as s from {t} where n is not null) x",
        3,
    ),
    "a common table": ("m from (with c as (select max(n) as m from {t}) select m from c) x", 3),
}
FORBIDDEN = r"//|<<|>>|::|\^|\b(qualify|div|xor|ilike|using)\b|\b(list|array_agg|struct|filter)\s*\("
WORDS = {
    "over",
    "in",
    "and",
    "or",
    "when",
    "then",
    "on",
    "as",
    "from",
    "values",
    "not",
    "join",
    "having",
}
TYPES = {"bigint", "double", "varchar", "string"}
TEXT = {"id": "a", "title": "one two three", "text": "One two three four five six seven. " * 8}
FIELDS = {"title": 0.5, "text": 0.5}
CALLS: dict[str, list[dict[str, Any]]] = {  # that between them have all steps
    "documents": [
        {},
        {"candidates": "minhash", "clusters": "components", "max_shared": 2},
        {"candidates": "sampled", "keep": "source:a>b,score", "columns": ["score"]},
        {"measure": "containment", "against": [TEXT]},
    ],
    "passages": [
        {},
        {"within": True},
        {"against": [TEXT]},
        {"signature": "imatch"},
        {"signature": "spotsigs"},
    ],
    "sentences": [{}, {"preset": "paper"}, {"against": [TEXT]}, {"revisions": True}],
    "threads": [{"fields": FIELDS}, {"fields": FIELDS, "index": "doc", "max_shared": 3}],
    "pages": [{}, {"measure": "cosine"}, {"measure": "simhash"}, {"rule": "paper"}, {"against": [TEXT]}],
    "decontaminate": [{}],
}


class PlannedError(Exception):
    """Ends a run when its plan is known."""


def plans(method: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Plan]:
    """Yield the plans of a method."""
    planned: list[Plan] = []

    def run_job(job: running.Job, *given: Any, **named: Any) -> None:
        planned.append(job.plan)
        raise PlannedError

    monkeypatch.setattr(running, "run_job", run_job)
    for chosen in CALLS.get(method, [{}]):
        more = ([{"question": TEXT["text"]}],) if method == "decontaminate" else ()
        with pytest.raises(PlannedError):
            getattr(neardup, method)([TEXT | {"score": 1}], *more, **chosen)
    return iter(planned)


@pytest.mark.parametrize("method", METHODS)
def test_all_statements_keep_to_the_dialect(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    statements = [s for plan in plans(method, monkeypatch) for s in plan.steps if isinstance(s, Sql)]
    assert statements
    for step in statements:
        text = re.sub(r"'[^']*'", "''", step.texts.lower())
        assert not re.search(FORBIDDEN, text), step.name
        called = set(re.findall(r"\b([a-z_]+)\s*\(", text))
        tables = set(re.findall(r"\b([a-z_]+) as \(", text))
        lengths = set(re.findall(r"\bas ([a-z]+)\(\d+\)", text))
        assert called - tables - lengths - WORDS <= set(DIALECT), step.name
        assert set(re.findall(r"\bcast\(.*? as ([a-z]+)[()]", text)) | lengths <= TYPES, step.name


@pytest.fixture(params=["local", "spark"])
def asked(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[dict[str, str]], dict[str, Any]]:
    """Return a function that runs statements on an engine, and returns the first value of each."""

    def run(texts: dict[str, str]) -> dict[str, Any]:
        steps = tuple(Sql(name, f"select {text}") for name, text in texts.items())
        plan = Plan("dialect", ("t",), steps, tuple(texts))
        if request.param == "local":
            found = engine(tmp_path, 2).run(plan, {}, {"t": ROWS})
            return {name: next(iter(rows_of(found[name])[0].values())) for name in texts}
        session = request.getfixturevalue("spark")
        runner: Any = SparkEngine(session, HadoopFolder(session, f"file://{tmp_path}"))
        runner.run(plan, {}, {"t": ROWS})
        where = {name: runner.folder_of(name).qualified().local_path() for name in texts}
        return {name: pq.read_table(path).column(0)[0].as_py() for name, path in where.items()}

    return run


def test_the_engines_understand_it_alike(asked: Callable[[dict[str, str]], dict[str, Any]]) -> None:
    known = [*DIALECT.values(), *OTHER.values()]
    values = asked({f"s{number}": text for number, (text, _) in enumerate(known)})
    for number, (text, value) in enumerate(known):
        assert values[f"s{number}"] == value, text
