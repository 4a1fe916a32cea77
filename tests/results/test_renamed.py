"""Results of version 0.1.0 open, and their counts are found by the keys of today."""

import json
from pathlib import Path

import pytest

import neardup
from neardup.methods import METHODS, OTHERS, method_named
from neardup.results.renamed import NAMES, key_of, renamed

RECORDS = [
    {"id": "a", "text": "The lighthouse keeper lit the lamp at dusk, as every evening for forty years."},
    {"id": "b", "text": "The lighthouse keeper lit the lamp at dusk, as every evening for forty years."},
    {"id": "c", "text": ""},
]
OF_0_1_0 = {  # as its run.json had it
    "candidates": 0,
    "candidates left out of crowds": 0,
    "candidates verified": 0,
    "clusters": 1,
    "copies paired with the first only": 0,
    "documents": 2,
    "documents of crowds that stay": 0,
    "duplicates": 1,
    "identical copies": 1,
    "ids given twice": 0,
    "members that do not resemble their keeper": 0,
    "pairs": 1,
    "records": 3,
    "shingles too common to pair all": 0,
    "skipped: no words": 1,
}


@pytest.fixture
def old(tmp_path: Path) -> neardup.Result:
    """Return a result whose counts are named as those of 0.1.0 were."""
    result = neardup.documents(RECORDS, output=tmp_path / "out")
    path = tmp_path / "out" / "run.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"counts": OF_0_1_0}))
    assert result.counts == renamed(OF_0_1_0), "a run of today counts the same"
    return neardup.Result(tmp_path / "out", result.live_source)


def test_an_old_result_is_read_by_the_keys_of_today(old: neardup.Result) -> None:
    assert old.counts["identical_copies"] == old.counts["skipped.no words"] == 1
    assert old.run["counts"] == old.counts


def test_an_old_result_is_shown_and_reported(
    old: neardup.Result, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    old.own_method.show_summary(old)
    said = capsys.readouterr().out
    assert "skipped 1: no words" in said
    assert "1 document (50.0 %) could be removed" in said
    page = neardup.report(old, tmp_path / "report.html").path.read_text(encoding="utf-8")
    assert "records skipped: no words" in page
    assert "identical_copies" not in page
    assert old.rethreshold(0.9).counts["not_similar_to_keeper"] == 0


def test_every_name_of_0_1_0_leads_to_a_count_that_some_method_declares() -> None:
    declared = {str(count) for name in (*METHODS, *OTHERS) for count in method_named(name).counts}
    gone = {"boilerplate_left_out"}
    assert set(NAMES.values()) - declared == gone
    for name in ("pairs: identical", "skipped: no text", "test items not searched: short", "origin: x"):
        assert key_of(name).partition(".")[0] in declared, name
    assert renamed(renamed(OF_0_1_0)) == renamed(OF_0_1_0)
