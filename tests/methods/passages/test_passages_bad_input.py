"""passages: input that is odd, huge or broken is no trouble."""

import json
from pathlib import Path

import pytest
from tests.corpora import prose
from tests.methods.passages.finding import pair_ids, quoted, rows, run, sharing


def test_an_endless_sentence_is_compared() -> None:
    words = [f"w{at}" for at in range(200_000)]
    a, quote = " ".join(words), " ".join(words[150_000:150_100])
    b = f"{prose(50, seed=1)} {quote} {prose(50, seed=2)}"
    [row] = rows(run([a, b]))
    assert quoted(row, a, b) == (quote, quote)


def test_two_endless_sentences_are_compared() -> None:
    a = " ".join(f"w{at}" for at in range(200_000))
    b = " ".join(f"v{at}" if at % 4 == 3 else f"w{at}" for at in range(200_000))
    for row in rows(run([a, b])):
        assert row["end_a"] <= len(a)
        assert row["end_b"] <= len(b)


def test_a_million_empty_lines_are_no_trouble() -> None:
    passage = prose(60, seed=1)
    a, b = f"{prose(30, seed=2)}{chr(10) * 1_000_000}{passage}", f"{passage}{chr(10) * 1_000_000}"
    result = run([a, "\n" * 1_000_000, b])
    [row] = rows(result)
    assert quoted(row, a, b) == (passage, passage)
    assert result.counts["skipped.no words"] == 1


def test_a_file_of_very_many_empty_lines_is_no_trouble(tmp_path: Path) -> None:
    texts = sharing("a", "b")
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps(texts[0]) + "\n" * 100_000 + json.dumps(texts[1]))
    assert pair_ids(run(path)) == {("a", "b")}


REPEATED = (
    "The quick brown fox jumps over the lazy dog and then it sleeps until the sun goes down again. "
)


def test_a_sentence_repeated_very_often_alone_is_no_trouble() -> None:
    result = run([REPEATED * 100_000])
    assert (result.counts["documents"], rows(result)) == (1, [])


def test_a_sentence_repeated_very_often_inside_a_document_is_no_trouble() -> None:
    texts = [REPEATED * 100_000, f"{prose(30, seed=1)} {REPEATED * 2}"]
    result = run(texts, within=True)
    assert result.counts["pairs"] >= 1
    for row in rows(result):
        left, right = quoted(row, texts[row["doc_a"]], texts[row["doc_b"]])
        assert (len(left) >= 150, len(right) >= 150) == (True, True)


def test_passages_inside_a_document_do_not_overlap_their_copy() -> None:
    found = rows(run([REPEATED * 8, REPEATED * 3], within=True))
    assert [row for row in found if row["doc_a"] == row["doc_b"] and row["end_a"] > row["start_b"]] == []


@pytest.mark.parametrize("turned", [False, True])
def test_a_sentence_repeated_very_often_against_one_that_has_it_once(turned: bool) -> None:
    passage = f"{REPEATED}{prose(30, seed=1)}"
    texts = [
        REPEATED * 100_000 + prose(30, seed=1),
        f"{prose(40, seed=2)} {passage} {prose(40, seed=3)}",
    ]
    texts = texts[::-1] if turned else texts
    result = run(texts)
    assert result.counts["pairs"] == 1
    for row in rows(result):
        left, right = quoted(row, *texts)
        assert (len(left) >= 150, len(right) >= 150) == (True, True)


def test_two_copies_of_a_large_text_are_one_passage() -> None:
    text = prose(700_000, seed=1)
    assert len(text) > 5_000_000
    [row] = rows(run([text, text], memory="1GB"))
    assert (row["start_a"], row["end_a"], row["start_b"], row["end_b"]) == (0, len(text), 0, len(text))
    assert (row["similarity"], row["sentences"]) == (1, 70_000)


def test_texts_with_lone_surrogates_are_skipped_and_counted(tmp_path: Path) -> None:
    good = sharing("a", "b")
    bad = {"id": "c", "text": f"{chr(0xD800)} {good[0]['text']}"}
    path = tmp_path / "a.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in (good[0], bad, good[1])))
    for result in (run(path), run([good[0], bad, good[1]])):
        assert result.counts["skipped.invalid UTF-8"] == 1
        assert pair_ids(result) == {("a", "b")}
        assert [quoted(row, *(text["text"] for text in good)) for row in rows(result)] == [
            (prose(60, seed=1), prose(60, seed=1))
        ]


def test_escaped_surrogate_pairs_are_one_character(tmp_path: Path) -> None:
    texts = sharing("a", "b")
    texts[0]["text"] = f"🦊 {texts[0]['text']}"
    path = tmp_path / "a.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in texts))
    assert "\\ud83e" in path.read_text()
    [row] = rows(run(path))
    assert quoted(row, texts[0]["text"], texts[1]["text"]) == (prose(60, seed=1), prose(60, seed=1))


def test_a_document_of_marks_that_combine_with_nothing_is_no_trouble() -> None:
    passage = prose(60, seed=1)
    zalgo = "".join(f"{char}{chr(0x300 + at % 80) * 5}" for at, char in enumerate(passage))
    a, b = f"{chr(0x301) * 10_000} {passage}", f"{prose(30, seed=2)} {passage} {zalgo} {zalgo}"
    result = run([a, b])
    assert quoted(rows(result)[0], a, b) == (passage, passage)
