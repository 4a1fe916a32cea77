"""Texts that are too short to be like others: what holds their words is found, and how is said."""

from pathlib import Path

import pytest
from tests.corpora import prose
from tests.index.building import built

from neardup.index import phrases

TEXTS = [
    f"{prose(60, 1)} On Community Promotion: Ads - 2012. {prose(60, 2)}",
    f"{prose(60, 3)} ads of the community; promotion",
    "community promotion ads",
    "The end is community promotion",
    "ads. A new text begins with them.",
    f"\u00fcber \u6570\u5b66\u6a21\u578b {prose(30, 4)} community promotion ads",
]


@pytest.mark.parametrize("shingle", ["word:5", "char:64"])
@pytest.mark.parametrize("portion", [1, 1 << 20])
def test_documents_that_hold_the_words_in_a_row_are_found(
    tmp_path: Path, shingle: str, portion: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(phrases, "PORTION", portion)
    with built(tmp_path / "i.neardup", TEXTS, shingle=shingle) as index:
        index.remove(["d5"])
        answer = index.query("\u201cCommunity promotion ads\u201d")
        assert [(match.id, match.kind) for match in answer.matches] == [
            ("d2", "identical"),
            ("d0", "contained"),
        ]
        assert answer.total == 2
        assert answer.note and "The text is short" in answer.note
        [passage] = answer.matches[1].as_dict()["passages"]
        start, end = passage["start_document"], passage["end_document"]
        assert TEXTS[0][start:end] == "Community Promotion: Ads"
        assert (passage["start_query"], passage["end_query"]) == (1, 25)  # with the end of a sentence
        nothing = index.query("promotion community")
        assert not nothing.matches and nothing.note == nothing.as_dict()["note"]
        long = index.query(prose(80, 9))
        assert long.note is None and "note" not in long.as_dict()


def test_words_that_are_written_without_spaces_are_found(tmp_path: Path) -> None:
    with built(tmp_path / "i.neardup", TEXTS) as index:
        assert [match.id for match in index.query("\u6570\u5b66").matches] == ["d5"]


def test_a_word_that_comes_often_is_found_in_its_first_places(tmp_path: Path) -> None:
    with built(tmp_path / "i.neardup", ["again and " * 200, prose(30, 1)]) as index:
        [match] = index.query("again").matches
        assert len(match.rows) == phrases.MOST_PLACES
