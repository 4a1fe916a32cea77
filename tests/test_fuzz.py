"""The fuzzer: two hundred cases, all that once failed, and whether it would see what it looks for."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.fuzz import campaign, checks
from tests.fuzz.cases import Case, case_of
from tests.fuzz.samples import SAMPLES

from neardup.readers.records import ReaderSettings

PAST = sorted((Path(__file__).parent / "fuzz" / "past").iterdir())


def case_with(name: str, data: bytes, number: int = 0, is_whole: bool = False) -> Case:
    return Case("past", number, name, data, (), is_whole, False)


def test_spoilt_files_end_no_run_and_lose_nothing(tmp_path: Path) -> None:
    campaign.compile_all()
    tally = campaign.run("test", 200, tmp_path, workers=2)
    assert tally.failures == []
    assert tally.cases.total() == 200
    assert len(tally.cases) >= len(SAMPLES) // 2


@pytest.mark.parametrize("number", [0, 1])
@pytest.mark.parametrize("path", PAST, ids=lambda path: path.name)
def test_what_failed_once_holds(path: Path, number: int, tmp_path: Path) -> None:
    seen = checks.check(case_with(path.name, path.read_bytes(), number), tmp_path)
    assert seen["unforeseen"] == 0
    assert seen["records"] or seen["files refused"] or "nothing" in path.name


@pytest.mark.parametrize("name", ["Posts-numbers.xml.gz", "length.warc.gz", "wiki-address.xml.gz"])
def test_a_bad_record_leaves_the_others(name: str, tmp_path: Path) -> None:
    path = next(path for path in PAST if path.name == name)
    seen = checks.check(case_with(name, path.read_bytes(), is_whole=True), tmp_path)
    assert seen["dedup"] == 1
    assert seen["records"] > seen["bad records"]


def test_a_case_is_the_same_every_time() -> None:
    assert case_of("a", 7) == case_of("a", 7)
    assert case_of("a", 7) != case_of("b", 7)


def test_what_is_not_spoilt_is_read_without_a_problem(tmp_path: Path) -> None:
    from random import Random

    for name, make in SAMPLES.items():
        seen = checks.check(case_with(name, make(Random(1))), tmp_path / name)
        assert (seen["bad records"], seen["copies"]) == (0, 1), name


def test_a_copy_that_loses_something_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def lossy(file: Any, target: Path, decided: Any, settings: ReaderSettings) -> None:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(Path(file.path).read_bytes().partition(b"\n")[2])

    monkeypatch.setattr(checks, "rewrite", lossy)
    data = b'{"text": "one"}\n{"text": "two"}\n'
    with pytest.raises(checks.BrokenPromiseError, match="1 of 2 texts are lost"):
        checks.check(case_with("a.jsonl", data), tmp_path)


@pytest.mark.parametrize(
    ("code", "failure"),
    [
        ("raise SystemExit", "crash"),
        ("while True: pass", "hang"),
        ("import time; time.sleep(60)", "hang"),
    ],
)
def test_crashes_and_hangs_are_seen_and_the_rest_goes_on(
    code: str, failure: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = {"number": 0, "seen": {}, "failure": None, "seconds": 0, "peak": 0}
    script = f"""
import sys
for line in sys.stdin:
    if line.split()[1] == "3":
        {code}
    print({json.dumps(json.dumps(answer))}, flush=True)
"""
    monkeypatch.setattr(campaign, "START", [sys.executable, "-c", script])
    monkeypatch.setattr(campaign, "HANG", 0.2)
    monkeypatch.setattr(campaign, "PATIENCE", 5)
    told: list[str] = []
    tally = campaign.run("x", 6, tmp_path, 1, told.append)
    assert [(f["number"], f["failure"].partition(":")[0]) for f in tally.failures] == [(3, failure)]
    assert tally.cases.total() == 6
    assert any("--seed x --case 3" in line for line in told)


def test_a_campaign_goes_on_where_it_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    checked: list[int] = []

    def check(self: Any, case: Case) -> dict[str, Any]:
        checked.append(case.number)
        return {"number": case.number, "seen": {"records": 1}, "failure": None, "seconds": 0, "peak": 0}

    monkeypatch.setattr(campaign.Process, "check", check)
    monkeypatch.setattr(campaign, "BLOCK", 5)
    campaign.run("x", 10, tmp_path, 1)
    with (tmp_path / "x.jsonl").open("a") as log:
        log.write('{"block": 10, "ca')  # killed while it wrote
    tally = campaign.run("x", 20, tmp_path, 2)
    assert sorted(checked) == list(range(20))
    assert sum(seen["records"] for seen in tally.seen.values()) == 20
