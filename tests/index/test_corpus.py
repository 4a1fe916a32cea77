"""A new corpus against an old one."""

import json
from pathlib import Path

import pytest
from tests.corpora import prose, replaced
from tests.index.building import built

import neardup
from neardup.errors import OutputError
from neardup.index.corpus import check
from neardup.index.online import Index
from neardup.index.settings import QuerySettings
from neardup.readers.records import ReaderSettings
from neardup.readers.source import open_source
from neardup.reports.pairs import pair_view


def test_a_corpus_is_checked_against_an_index(index: Index, tmp_path: Path) -> None:
    new = [
        {"id": "copy", "text": replaced(prose(80, 2), 30)},
        {"id": "other", "text": prose(80, 5)},
        {"id": "empty", "text": "…"},
        {"id": "copy", "text": f"{prose(60, 6)} {prose(80, 1)} {prose(70, 7)}"},  # an id again
    ]
    source = open_source(new, ReaderSettings())
    result = check(index, source, QuerySettings(), tmp_path / "out")
    assert result.method == "query"
    assert result.documents["found"].to_pylist() == [1, 0, 1, None, None]
    assert result.documents["old"].to_pylist() == [False, False, False, True, True]
    pairs = result.pairs.to_pylist()
    assert [(p["id_a"], p["id_b"]) for p in pairs] == [("copy", "d1"), ("memory#4", "d0")]
    assert pairs[0]["similarity"] == index.query(new[0]["text"]).matches[0].resemblance
    assert [result.documents["id"][p["doc_b"]].as_py() for p in pairs] == ["d1", "d0"]
    [_, row] = result.table("passages").to_pylist()
    assert new[3]["text"][row["start_a"] : row["end_a"]] == prose(80, 1)
    assert result.counts["documents_found"] == 2
    assert result.counts["skipped.no words"] == 1
    with pytest.raises(OutputError, match="already"):
        check(index, source, QuerySettings(), tmp_path / "out")


def test_all_that_is_found_for_a_corpus_is_kept_or_counted(tmp_path: Path) -> None:
    index = built(tmp_path / "many.neardup", [prose(80, 1)] * 25)
    source = open_source([prose(80, 1)], ReaderSettings())
    whole = check(index, source, QuerySettings(limit=None), tmp_path / "whole")
    best = check(index, source, QuerySettings(limit=20), tmp_path / "best")
    assert [(r.counts["pairs"], r.counts["pairs_beyond_limit"]) for r in (whole, best)] == [
        (25, 0),
        (20, 5),
    ]


def test_a_report_shows_texts_of_both_sides(tmp_path: Path) -> None:
    known, new = tmp_path / "known.jsonl", tmp_path / "new.jsonl"
    texts = [prose(80, number) for number in range(4)]
    known.write_text("\n".join(json.dumps({"id": f"d{n}", "text": t}) for n, t in enumerate(texts)))
    others = [{"id": "new", "text": prose(80, 7)}, {"id": "d3", "text": f"Once {texts[3]}"}]
    new.write_text("\n".join(map(json.dumps, others)))
    with Index.build(tmp_path / "store", known) as index:
        index.remove(["d1"])  # numbers of documents are no positions any more
    result = neardup.query(tmp_path / "store", new, output=tmp_path / "out")
    made = neardup.report(tmp_path / "out")
    assert (made.pairs, made.texts, made.left_out) == (1, 1, [])
    view = pair_view(result, 0)
    assert [view[side]["id"] for side in "ab"] == ["d3", "d3"]
    assert [view[side]["text"][0][1] for side in "ab"] == [f"Once {texts[3]}", texts[3]]
    with Index(tmp_path / "store") as index:
        index.remove(["d0"])
    assert "not shown" in neardup.report(tmp_path / "out").left_out[-1]
