"""Tasks that fail are tried again, and interrupted runs go on."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.corpora import stories
from tests.engines.spark.comparing import ALL_BY_SPARK, tables

import neardup
from neardup.engines.base import Silent
from neardup.engines.spark import small, tasks
from neardup.engines.spark.engine import SparkEngine
from neardup.engines.spark.summaries import Summaries


@pytest.mark.slow
def test_a_task_that_fails_twice_is_tried_again(spark: Any, tmp_path: Path) -> None:
    source = tmp_path / "texts.jsonl"
    source.write_text("\n".join(json.dumps({"text": text}) for text in stories(5, 5)))

    from neardup.methods.documents.units import MakeUnits

    class Failing(MakeUnits):
        def __call__(self, batch: Any, sides: Any) -> Any:
            from pyspark import TaskContext

            context = TaskContext.get()
            if context and context.attemptNumber() < 2:
                raise RuntimeError("out of order")
            return super().__call__(batch, sides)

    expected = tables(neardup.documents(str(source), threshold=0.2))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("neardup.methods.documents.plan.MakeUnits", Failing)
        found = tables(neardup.documents(str(source), threshold=0.2, engine=spark))
    assert found.keys() == expected.keys()
    assert all(found[name].equals(table) for name, table in expected.items())


@pytest.mark.slow
def test_an_interrupted_run_goes_on(spark: Any, tmp_path: Path) -> None:
    texts, out = stories(8, 6), tmp_path / "out"
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(small, "MOST_BYTES", ALL_BY_SPARK)
        patched.setattr("neardup.engines.spark.engine.clustered", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            neardup.documents(texts, threshold=0.1, engine=spark, output=out)
    written = tmp_path / "out.partial" / "steps" / "01-units" / "_SUCCESS"
    before = written.stat().st_mtime_ns
    times: list[int] = []
    noted: list[str] = []

    class Noting:
        def note(self, message: str) -> None:
            noted.append(message)
            times.append(written.stat().st_mtime_ns)

        def step(self, name: str, total: int | None, unit: str) -> Any:
            assert name not in ("units", "shared", "verified")
            return Silent().step(name, total, unit)

    result = neardup.documents(texts, threshold=0.1, engine=spark, output=out, progress=Noting())
    assert times == [before]
    assert "going on with an interrupted run" in noted[0]
    assert not (tmp_path / "out.partial").exists()
    assert tables(result)["pairs"].equals(tables(neardup.documents(texts, threshold=0.1))["pairs"])


@pytest.mark.parametrize("on_disk", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_what_was_counted_is_not_counted_again(spark: Any, on_disk: bool, tmp_path: Path) -> None:
    texts, out = stories(8, 6), tmp_path / "out"
    expected = tables(neardup.documents(texts, threshold=0.1, candidates="exact"))
    folded: list[int] = []
    folding = tasks.folding

    def counted(*given: Any) -> Any:
        folded.append(1)
        return folding(*given)

    get = Summaries.get

    def killed(*given: Any) -> Any:
        get(*given)
        raise ZeroDivisionError

    def run() -> Any:
        return neardup.documents(texts, threshold=0.1, candidates="exact", engine=spark, output=out)

    with pytest.MonkeyPatch.context() as patched:
        if not on_disk:
            patched.setattr(SparkEngine, "_disk", None)
        patched.setattr(tasks, "folding", counted)
        with pytest.MonkeyPatch.context() as broken:
            broken.setattr(Summaries, "get", killed)
            with pytest.raises(ZeroDivisionError):
                run()
        assert folded == [1]
        found = tables(run())
    assert folded == [1]
    assert all(found[name].equals(table) for name, table in expected.items())
