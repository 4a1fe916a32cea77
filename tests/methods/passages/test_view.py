"""Results of passages: their tables, and how they are shown and explained."""

from pathlib import Path
from typing import Any

import pytest
from tests.command_line import Command
from tests.corpora import prose
from tests.methods.passages.records import COPIED, EDITED, RECORDS, written

import neardup
from neardup.methods.passages.view import show_common

# --- the result


def test_a_result_has_the_tables_of_its_method(result: neardup.Result) -> None:
    assert result.method == "passages"
    assert result.passages.num_rows == result.counts["passages"] == 6
    assert result.boilerplate.num_rows == 0
    assert repr(result) == f"<Result {str(result.folder)!r}: 5 documents, 6 pairs, 6 passages>"
    page = result._repr_html_()
    assert "<th>passages</th>" in page
    assert "near-duplicate" in page


@pytest.mark.parametrize("ask", [lambda r: r.clusters, lambda r: r.rethreshold(0.95)])
def test_there_are_no_clusters_and_the_error_says_what_to_do(ask: Any, result: neardup.Result) -> None:
    with pytest.raises(neardup.OutputError, match="a result of passages has no clusters") as caught:
        ask(result)
    assert "passages" in str(caught.value.hint)


def test_a_result_of_documents_has_no_passages() -> None:
    found = neardup.documents(["one two three four five six", "one two three four five six"])
    with pytest.raises(neardup.OutputError, match="has no passages") as caught:
        found.passages  # noqa: B018
    assert "explain" in str(caught.value.hint)
    with pytest.raises(neardup.OutputError, match="has no boilerplate"):
        found.boilerplate  # noqa: B018


# --- show


def test_show_pages_through_the_pairs_with_excerpts(
    result: neardup.Result, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    shown = command("show", str(result.folder), "--per-page", "2")
    assert shown.code == 0
    text = shown.out
    assert "6 pairs, page 1 of 3" in text
    assert "The harbour master rang the bell" in text
    assert "at the empty sea for a while." in text
    assert max(map(len, text.splitlines())) <= 80
    last = command("show", str(result.folder), "--per-page", "2", "--page", "3")
    assert last.out.splitlines()[0] != text.splitlines()[0]
    wrong = command("show", str(result.folder), "--page", "9")
    assert wrong.code and "there is no page 9" in wrong.said


def test_show_names_documents_by_their_titles(tmp_path: Path, command: Command) -> None:
    rows = [{"id": x, "text": COPIED, "title": f"Letter {x}" if x == "a" else None} for x in "ab"]
    neardup.passages(rows, output=tmp_path / "out", keep_texts=True)
    assert "\nLetter a (a)  b\n" in command("show", tmp_path / "out").out


@pytest.mark.parametrize("sort", ["similarity", "passages", "passage_similarity", "doc_a"])
def test_show_sorts_the_pairs(
    sort: str,
    result: neardup.Result,
    command: Command,
) -> None:
    shown = command("show", str(result.folder), "--sort", sort)
    assert shown.code == 0
    text = shown.out
    first = [line for line in text.splitlines() if line][1]
    if sort == "doc_a":
        assert first.split() == ["first", "second"]
    if sort == "passage_similarity":
        assert "edited" in first
    wrong = command("show", str(result.folder), "--sort", "size")
    assert wrong.code and "Its columns are: id_a, id_b, similarity" in wrong.said


def test_show_pages_through_boilerplate(tmp_path: Path, command: Command) -> None:
    own = [" ".join(f"w{number}x{i}" for i in range(40)) for number in range(6)]
    records = [{"id": f"d{n}", "text": f"{text}. {COPIED}"} for n, text in enumerate(own)]
    found = neardup.passages(
        written("jsonl", tmp_path, records), output=tmp_path / "out", max_documents=4
    )
    assert found.boilerplate.num_rows == 1
    shown = command("show", str(found.folder), "boilerplate")
    assert shown.code == 0
    text = shown.out
    assert "1 passage, page 1 of 1" in text
    assert "in 6 documents, such as d0" in text
    assert "The harbour master" in text


# --- explain


def test_explain_locates_the_passages_of_a_pair_in_either_order(result: neardup.Result) -> None:
    found = result.explain("first", "edited")
    [passage] = found.passages
    texts = {record["id"]: record["text"] for record in RECORDS}
    assert texts["first"][passage.start_a : passage.end_a] == COPIED
    assert texts["edited"][passage.start_b : passage.end_b] == EDITED
    assert (found.kind, passage.kind) == ("contained", "edited")
    assert "first and edited: contained" in str(found)
    turned = result.explain("edited", "first")
    assert turned.passages[0].start_a == passage.start_b
    assert (turned.containment_a, turned.containment_b) == (found.containment_b, found.containment_a)


def test_explain_marks_the_differences(
    result: neardup.Result, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    shown = command("explain", str(result.folder), "first", "edited")
    assert shown.code == 0
    text = shown.out
    assert "[- baker's cat -]{+ grocer's dog +}" in " ".join(text.split())
    assert max(map(len, text.splitlines())) <= 80
    [passage] = command("explain", str(result.folder), "first", "edited", "--json").json["passages"]
    assert passage["kind"] == "edited"
    assert len(passage["common"]) == 2
    text_a = RECORDS[0]["text"]
    assert text_a[passage["common"][0]["start_a"] :].startswith("The harbour master")


def test_explain_says_so_if_there_is_no_passage(result: neardup.Result, command: Command) -> None:
    assert result.explain("first", "alone").passages == ()
    shown = command("explain", str(result.folder), "first", "alone")
    assert shown.code == 0
    text = shown.out
    assert "No common passage of first and alone was found." in text
    wrong = command("explain", str(result.folder), "first", "nobody")
    assert wrong.code and "no document has the id or title 'nobody'" in wrong.said


def test_a_footer_that_makes_most_pairs_is_pointed_to(tmp_path: Path, command: Command) -> None:
    own = [" ".join(f"w{number}x{i}" for i in range(40)) for number in range(9)]
    texts = written(
        "jsonl", tmp_path, [{"id": f"d{n}", "text": f"{x}. {COPIED}"} for n, x in enumerate(own)]
    )
    said = command("passages", texts, "-o", tmp_path / "out").said
    assert "36 of the pairs share only one passage, which 9 documents have: --max-documents 8" in said
    less = command("passages", texts, "-o", tmp_path / "less", "--max-documents", 8).said
    assert "share only one passage" not in less


def test_pairs_without_families_have_no_footer(capsys: pytest.CaptureFixture[str]) -> None:
    found = neardup.passages([f"{COPIED} Only text {n} says this." for n in range(9)])
    found.__dict__["families"] = found.families.slice(0, 0)
    assert found.counts["pairs"] == 36
    show_common(found)
    assert capsys.readouterr().out == ""


def test_boilerplate_is_pointed_to_where_there_is_nothing_else(tmp_path: Path, command: Command) -> None:
    texts = [f"{COPIED} Only the {name} text says this of {name} matters." for name in ("a", "b", "c")]
    neardup.passages(texts, max_documents=2, output=tmp_path / "out")
    shown = command("show", tmp_path / "out").out
    assert "Nothing found" in shown
    assert "show OUT boilerplate: 1 passage that very many" in shown
    assert "try --max-documents 3: text that more documents share is boilerplate" in shown


def test_texts_that_may_hide_what_was_copied_are_named(command: Command, tmp_path: Path) -> None:
    essays = tmp_path / "essays"
    essays.mkdir()
    for number in range(9):
        text = prose(120, seed=number)
        (essays / f"e{number}.txt").write_text(text.replace("o", "о") if number > 1 else text, "utf-8")
    found = command("passages", essays, "-o", tmp_path / "out")
    said = " ".join((found.out + found.err).split())
    assert "7 texts may hide what was copied" in said
    assert "e2.txt, e3.txt, e4.txt, e5.txt, e6.txt and 2 more" in said
