"""A sixth method that exists here only: to add one takes a room and a line in METHODS, nothing else."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import pyarrow as pa
import pyarrow.compute as pc
import pytest
from pyspark.cloudpickle import register_pickle_by_value
from typer.testing import CliRunner

import neardup
from neardup.cli import whole_app
from neardup.engines import engine_settings
from neardup.evaluation import PairGold, evaluate
from neardup.methods import METHODS, method_named
from neardup.methods.method import Method
from neardup.plan import Map, Plan, Sql
from neardup.readers.records import ReaderSettings
from neardup.readers.source import Source, open_source
from neardup.results.running import Job, run_job
from neardup.server.result_part import ResultPart
from neardup.settings.base import About, Settings
from neardup.settings.run import RunSettings
from neardup.steps import declared, facts, naming
from neardup.steps.columns import carrying, schema_of, with_carried
from neardup.tables import Column

# --- the method


@dataclass(frozen=True)
class OpeningSettings(Settings):
    """How documents that begin alike are found."""

    characters: Annotated[int, About("How many first characters count.", 1)] = 20


OPENING = schema_of("doc size length int64, opening string")


@dataclass(frozen=True)
class TakeOpenings:
    """Takes the first characters of each text."""

    characters: int
    schema: pa.Schema

    def __call__(self, batch: pa.RecordBatch, sides: Mapping[str, Any]) -> pa.RecordBatch:
        length = pc.fill_null(pc.utf8_length(batch["text"]), 0)
        opening = pc.utf8_slice_codeunits(batch["text"], 0, self.characters).cast(pa.string())
        own = {"size": pc.min_element_wise(length, 1), "length": length, "opening": opening}
        return carrying(self.schema, own, batch)


PAIRS = """
select a.id as id_a, b.id as id_b, cast(1 as double) as similarity, a.doc as doc_a, b.doc as doc_b
from {numbers} x join {numbers} y on x.opening = y.opening and x.number < y.number
join {documents} a on a.doc = x.number join {documents} b on b.doc = y.number order by 4, 5
"""


class Openings(Method):
    """Documents that begin with the same characters."""

    name = "openings"
    settings = OpeningSettings

    def job(self, source: Source, settings: OpeningSettings, run: RunSettings) -> Job:
        schema = with_carried(OPENING, source.schema)
        numbers = naming.numbered("openings", ", u.opening as opening")
        steps = (
            Map("openings", "records", TakeOpenings(settings.characters, schema), schema),
            naming.parts("openings"),
            Sql("numbers", numbers),
            *naming.steps("openings", "numbers", source.schema),
            Sql("pairs", PAIRS),
            facts.step(declared.DOCUMENTS.of("documents"), declared.PAIRS),
        )
        plan = Plan(self.name, ("records", "files"), steps, (*self.tables, "facts"))
        return Job(plan, source, settings.as_dict(), naming.users_names(source.schema))


# --- by a room and a line


def test_a_room_and_a_line_are_all_that_it_takes(tmp_path: Path) -> None:
    """Copies the package, adds the method of tests/plugin, and runs our own tests of methods on it."""
    tests, package = Path(__file__).parent.parent, tmp_path / "neardup"
    shutil.copytree(Path(neardup.__file__).parent, package, ignore=shutil.ignore_patterns("*.pyc"))
    room = package / "methods" / "openings"
    room.mkdir()
    shutil.copy(tests / "plugin" / "neardup_openings" / "method.py", room / "__init__.py")
    shutil.copy(tests / "plugin" / "neardup_openings" / "plan.py", room)
    listed = package / "methods" / "__init__.py"
    line = 'METHODS = {\n    "openings": "neardup.methods.openings:Openings",'
    listed.write_text(listed.read_text(encoding="utf-8").replace("METHODS = {", line), encoding="utf-8")
    asked = ["test_verbs.py", "test_tables.py", "methods/test_methods.py", "cli/test_options.py"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-k", "openings", *(str(tests / name) for name in asked)],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        cwd=tests.parent,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stdout[-5000:]
    assert done.stdout.count(".") > len(VERBS)


# --- through every verb

VERBS = ("show", "explain", "report", "dedup", "evaluate", "serve", "export")

RECORDS = [
    {"id": "a", "title": "One", "text": "Once upon a time there was a king who had three sons."},
    {"id": "b", "title": "Two", "text": "Once upon a time there lived a miller by the river, alone."},
    {"id": "c", "title": "Three", "text": "The ferry stays in harbour because of the storm today."},
]


@pytest.fixture(autouse=True)
def listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(METHODS, "openings", f"{__name__}:Openings")


@pytest.fixture(params=["local", "spark"])
def engine(request: pytest.FixtureRequest) -> Any:
    if request.param == "local":
        return "local"
    register_pickle_by_value(sys.modules[__name__])  # type: ignore[no-untyped-call]
    return request.getfixturevalue("spark")


def run(folder: Path, engine: Any = "local", **chosen: Any) -> neardup.Result:
    """Run the method on three records in a file."""
    corpus = folder / "corpus.jsonl"
    corpus.write_text("".join(f"{json.dumps(record)}\n" for record in RECORDS))
    settings = RunSettings.make(2, "64MB", engine=engine_settings(engine))
    method = method_named("openings")
    job = method.job(open_source(corpus, ReaderSettings()), OpeningSettings(**chosen), settings)
    return neardup.Result.of(run_job(job, settings, folder / "out")).local()


def command(*words: object) -> str:
    done = CliRunner().invoke(whole_app(), [str(word) for word in words], catch_exceptions=False)
    assert not done.exit_code
    return done.output


def test_it_runs_on_both_engines(engine: Any, tmp_path: Path) -> None:
    result = run(tmp_path, engine)
    assert result.method == "openings"
    assert result.pairs.select(["id_a", "id_b", "similarity"]).to_pylist() == [
        {"id_a": "a", "id_b": "b", "similarity": 1.0}
    ]
    assert result.counts == {"records": 3, "ids_given_twice": 0, "documents": 3, "pairs": 1}


@pytest.mark.parametrize(
    ("declared_as", "wrong"),
    [
        ([declared.SIMILARITY._replace(type="int64")], "similarity is double, not int64"),
        ([declared.SIMILARITY, declared.KIND], "kind is missing"),
        ([], "similarity is not declared"),
    ],
)
def test_what_is_not_as_declared_is_not_delivered(
    declared_as: list[Column], wrong: str, engine: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    documents, _, skipped = Openings.tables
    monkeypatch.setattr(Openings, "tables", (documents, declared.pairs_table(*declared_as), skipped))
    with pytest.raises(ValueError, match=f"table 'pairs' is not as declared: {wrong}"):
        run(tmp_path, engine)
    assert not (tmp_path / "out").exists()


@pytest.fixture
def result(tmp_path: Path) -> neardup.Result:
    return run(tmp_path)


def test_it_is_shown(result: neardup.Result, capsys: pytest.CaptureFixture[str]) -> None:
    assert "1.000" in (shown := command("show", result.folder))
    assert shown.index("a") < shown.index("b")
    result.own_method.show_summary(result)
    assert "1 pair" in capsys.readouterr().out
    assert "1.000" in result._repr_html_()


def test_where_it_finds_nothing_it_says_so(tmp_path: Path) -> None:
    nothing = run(tmp_path, characters=40)
    assert "Nothing found" in command("show", nothing.folder)


def test_it_is_explained(result: neardup.Result) -> None:
    assert result.explain("a", "b").passages[0][:4] == (0, 22, 0, 22)
    assert "Once upon a time there" in command("explain", result.folder, "a", "b")
    assert json.loads(command("explain", result.folder, "a", "b", "--json"))["passages"]


def test_it_is_reported(result: neardup.Result, tmp_path: Path) -> None:
    made = neardup.report(result, tmp_path / "report.html")
    assert (made.pairs, made.texts, made.left_out) == (1, 1, [])
    assert "Similar openings" in made.path.read_text(encoding="utf-8")


@pytest.mark.parametrize("mode", ["list", "annotate", "remove"])
def test_it_is_deduplicated(result: neardup.Result, tmp_path: Path, mode: Any) -> None:
    done = neardup.dedup(result, tmp_path / "clean", mode=mode)
    assert (done.removed, done.kept) == (1, 2)
    assert (done.tables / "neardup-removed.txt").read_text() == "a\n"  # b is longer
    if mode == "remove":
        lines = (tmp_path / "clean" / "corpus.jsonl").read_text().splitlines()
        assert [json.loads(line)["id"] for line in lines] == ["b", "c"]


def test_it_is_evaluated(result: neardup.Result) -> None:
    scores = evaluate(result, PairGold(where="", right=frozenset({("a", "b")})))
    assert scores.pairs is not None
    assert scores.pairs.f1 == 1


def test_it_is_served(result: neardup.Result) -> None:
    part = ResultPart(result)
    assert part.health() == {"method": "openings", "documents": 3, "pairs": 1}
    pair = part.pair("a", "b")
    assert pair is not None
    assert [side["id"] for side in (pair["a"], pair["b"])] == ["a", "b"]
    assert part.clusters(0, 10) is None


def test_what_it_lacks_is_refused_kindly(result: neardup.Result) -> None:
    asked: list[Callable[[], Any]] = [
        lambda: result.clusters,
        lambda: result.threshold,
        lambda: result.rethreshold(0.9),
        lambda: result.check("sites"),
    ]
    for ask in asked:
        with pytest.raises(neardup.OutputError, match="a result of openings has no") as caught:
            ask()
        assert caught.value.hint


def test_its_result_is_replaced_with_all_its_tables(result: neardup.Result, tmp_path: Path) -> None:
    settings = RunSettings.make(2, "64MB")
    source = open_source(tmp_path / "corpus.jsonl", ReaderSettings())
    job = result.own_method.job(source, OpeningSettings(), settings)
    again = run_job(job, settings, result.folder, overwrite=True)
    assert again.pairs.equals(result.pairs)
