"""The local engine: what fails, and which tables are kept."""

import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from tests.engines.counting import NUMBERS, Counting, Total, Watched, engine, made, rows_of, same

from neardup.engines.base import Advance
from neardup.engines.local.engine import LocalEngine
from neardup.engines.local.store import StoredTable
from neardup.errors import StepError
from neardup.plan import Fold, Map, Plan, Sql
from neardup.readers.numbers import Split
from neardup.settings.run import RunSettings

# --- what fails


def broken(batch: pa.RecordBatch, sides: Mapping[str, Any]) -> pa.RecordBatch:
    if 6 in batch["number"].to_pylist():
        raise ValueError("seven is missing")
    return batch


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_an_error_in_a_function_comes_out_and_leaves_no_half_table(workers: int, tmp_path: Path) -> None:
    plan = made(Map("good", "source", same, NUMBERS), Map("bad", "good", broken, NUMBERS))
    with pytest.raises(ValueError, match="seven is missing"):
        engine(tmp_path, workers).run(plan, {"source": Counting(40)}, {})
    assert [path.name for path in tmp_path.glob("steps/*") if path.suffix != ".unfinished"] == [
        "01-good"
    ]


@pytest.mark.parametrize("workers", [1, 2])
def test_what_follows_an_error_goes_on_after_the_last_whole_step(workers: int, tmp_path: Path) -> None:
    calls = []

    def once(batch: pa.RecordBatch, sides: Mapping[str, Any]) -> pa.RecordBatch:
        calls.append(batch.num_rows)
        return batch

    def plan(second: Any) -> Plan:
        return made(Map("first", "source", once, NUMBERS), Map("second", "first", second, NUMBERS))

    with pytest.raises(ValueError, match="seven"):
        engine(tmp_path, workers).run(plan(broken), {"source": Counting(10)}, {})
    assert sum(calls) == 10
    again = engine(tmp_path, workers).run(plan(same), {"source": Counting(10)}, {})
    assert [row["number"] for row in rows_of(again["second"])] == [*range(10)]
    assert sum(calls) == 10, "the first step was done again"


def test_an_error_of_a_source_comes_out(tmp_path: Path) -> None:
    class Damaged(Counting):
        def read(self, split: Split) -> Iterator[pa.RecordBatch]:
            yield from super().read(split)
            raise OSError("the cable was cut")

    with pytest.raises(OSError, match="the cable was cut"):
        engine(tmp_path).run(made(Map("numbers", "source", same, NUMBERS)), {"source": Damaged(20)}, {})


def test_an_error_stops_the_other_workers(tmp_path: Path) -> None:
    threads = threading.active_count()
    seen = []

    def first_only(batch: pa.RecordBatch, sides: Mapping[str, Any]) -> pa.RecordBatch:
        seen.append(batch["number"][0].as_py())
        if len(seen) > 3:
            raise ValueError("enough")
        return batch

    plan = made(Map("numbers", "source", first_only, NUMBERS))
    with pytest.raises(ValueError, match="enough"):
        engine(tmp_path).run(plan, {"source": Counting(10_000)}, {})
    assert len(seen) < 100
    assert threading.active_count() <= threads


@pytest.mark.parametrize(
    "text",
    ["select nonsense from {numbers}", "selekt number from {numbers}", "select 1 from {numbers} x y"],
)
def test_bad_sql_names_the_step_and_shows_the_sql(text: str, tmp_path: Path) -> None:
    plan = made(Map("numbers", "source", same, NUMBERS), Sql("wrong", text))
    with pytest.raises(StepError) as caught:
        engine(tmp_path).run(plan, {"source": Counting(10)}, {})
    assert "step 'wrong'" in str(caught.value)
    assert text in str(caught.value)
    assert not (tmp_path / "steps" / "02-wrong").exists()


def test_sql_that_fails_on_its_rows_is_an_error_of_the_step(tmp_path: Path) -> None:
    text = "select cast(concat('x', cast(number as varchar(9))) as bigint) as n from {numbers}"
    plan = made(Map("numbers", "source", same, NUMBERS), Sql("wrong", text))
    with pytest.raises(StepError, match="step 'wrong'"):
        engine(tmp_path).run(plan, {"source": Counting(10)}, {})
    assert not (tmp_path / "steps" / "02-wrong").exists()


# --- what is kept


def chain() -> Plan:
    return made(
        Map("first", "source", same, NUMBERS),
        Sql("second", "select number from {first}"),
        Fold("total", "second", Total),
        Map("third", "first", same, NUMBERS, sides=("total",)),
        Map("fourth", "third", same, NUMBERS),
        Map("fifth", "fourth", same, NUMBERS),
    )


def test_tables_are_dropped_after_their_last_use(tmp_path: Path) -> None:
    expected = {
        "first": set(),
        "second": {"first"},
        "total": {"first", "second"},
        "third": {"first", "second"},  # the fold's input is needed as long as its summary
        "fourth": {"third"},
        "fifth": {"fourth"},
    }
    seen: dict[str, set[str]] = {}

    def there() -> set[str]:
        """Return the tables by their folders' names alone: one may be deleted at this moment."""
        return {path.name[3:] for path in (tmp_path / "steps").iterdir() if not path.suffix}

    class Looking(Watched):
        @contextmanager
        def step(self, name: str, total: int | None, unit: str) -> Iterator[Advance]:
            until = time.monotonic() + 30  # they are deleted while the run goes on
            while there() != expected[name] and time.monotonic() < until:
                time.sleep(0.01)
            seen[name] = there()
            with super().step(name, total, unit) as advance:
                yield advance

    engine(tmp_path, progress=Looking()).run(chain(), {"source": Counting(10)}, {})
    assert seen == expected
    assert {path.parent.name for path in tmp_path.glob("steps/*/*.arrow")} == {"06-fifth"}


def test_all_tables_are_kept_when_asked_for(tmp_path: Path) -> None:
    engine(tmp_path, keep_steps=True).run(chain(), {"source": Counting(10)}, {})
    kept = sorted({path.parent for path in tmp_path.glob("steps/*/*.arrow")})
    assert [path.name for path in kept] == ["01-first", "02-second", "04-third", "05-fourth", "06-fifth"]
    assert all(StoredTable(path).rows() == 10 for path in kept)


def test_a_run_that_is_done_does_nothing_when_run_again(tmp_path: Path) -> None:
    engine(tmp_path).run(chain(), {"source": Counting(10)}, {})
    progress = Watched()
    again = engine(tmp_path, progress=progress).run(chain(), {"source": Counting(10)}, {})
    assert [row["number"] for row in rows_of(again["fifth"])] == [*range(10)]
    assert progress.done == {}


def test_progress_adds_up(tmp_path: Path) -> None:
    progress = Watched()
    engine(tmp_path, progress=progress).run(chain(), {"source": Counting(10)}, {})
    assert list(progress.done) == ["first", "second", "total", "third", "fourth", "fifth"]
    assert all(total in (None, done) for total, done in progress.done.values())


@pytest.mark.parametrize("workers", [1, 2, 3, 5, 8])
def test_the_summaries_of_all_workers_are_merged(workers: int, tmp_path: Path) -> None:
    started = []

    class Waiting(Total):
        def __init__(self) -> None:
            super().__init__()
            started.append(self)

        def add(self, batch: pa.RecordBatch) -> None:
            super().add(batch)
            together.wait(timeout=10)

    together = threading.Barrier(workers)
    plan = made(
        Map("numbers", "source", same, NUMBERS),
        Fold("total", "numbers", Waiting),
        Map("out", "numbers", with_total, NUMBERS, sides=("total",)),
    )
    running = LocalEngine(tmp_path, RunSettings(workers, 1 << 30))
    found = running.run(plan, {"source": Counting(2 * workers, a_split=2)}, {})
    assert len(started) == workers
    total = sum(range(2 * workers))
    assert [row["number"] for row in rows_of(found["out"])] == [total] * (2 * workers)


def with_total(batch: pa.RecordBatch, sides: Mapping[str, Any]) -> pa.RecordBatch:
    return pa.record_batch([pa.array([sides["total"].value] * batch.num_rows, pa.int64())], NUMBERS)


@pytest.mark.parametrize(("rows", "largest"), [(16, 2), (64, 8), (200, 16)])
def test_few_rows_make_small_tasks(rows: int, largest: int, tmp_path: Path) -> None:
    sizes = []

    def watched(batch: pa.RecordBatch, sides: Mapping[str, Any]) -> pa.RecordBatch:
        sizes.append(batch.num_rows)
        return batch

    plan = made(
        Map("numbers", "source", same, NUMBERS),
        Sql("table", "select number from {numbers} order by 1"),
        Map("out", "table", watched, NUMBERS, task_rows=16),
    )
    found = engine(tmp_path, 2).run(plan, {"source": Counting(rows)}, {})
    assert [row["number"] for row in rows_of(found["out"])] == [*range(rows)]
    assert max(sizes) == largest
