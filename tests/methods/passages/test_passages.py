"""passages: what documents share is found, located to the character, and told apart by kind."""

import random
import unicodedata
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.command_line import Command
from tests.corpora import VOCABULARY, prose, replaced, whole_runs
from tests.methods.passages.finding import named, pair_ids, quoted, rows, run, words_found

import neardup
from neardup.text import tokenise


def test_a_verbatim_passage_is_found_to_the_character() -> None:
    passage = prose(60, seed=1)
    a = f"{prose(100, seed=2)} {passage} {prose(80, seed=3)}"
    b = f"{prose(10, seed=4)}\n\n{passage}\n\n{prose(200, seed=5)}"
    [row] = rows(run([a, b]))
    assert quoted(row, a, b) == (passage, passage)
    assert (row["similarity"], row["kind"], row["sentences"], row["words"]) == (1, "identical", 6, 60)


def test_case_and_punctuation_make_no_difference() -> None:
    passage = prose(60, seed=1)
    other = f"“{passage.upper().replace('. ', ' – ').removesuffix('.')}!”"
    a, b = f"{prose(50, seed=2)} {passage} {prose(50, seed=3)}", f"{prose(40, seed=4)} {other}"
    [row] = rows(run([a, b]))
    assert quoted(row, a, b) == (passage, other[1:])
    assert row["similarity"] == 1


def test_blocks_that_were_moved_are_two_passages() -> None:
    first, second = prose(60, seed=1), prose(60, seed=2)
    a, b = f"{first} {prose(40, seed=3)} {second}", f"{second} {prose(50, seed=4)} {first}"
    found = rows(run([a, b]))
    assert [quoted(row, a, b) for row in found] == [(first, first), (second, second)]


def test_blocks_that_changed_places_are_two_passages() -> None:
    first, second = prose(60, seed=1), prose(60, seed=2)
    a, b = f"{first} {second}", f"{second} {first}"
    found = rows(run([a, b]))
    assert [quoted(row, a, b) for row in found] == [(first, first), (second, second)]


def test_an_edited_passage_is_one() -> None:
    passage = prose(120, seed=1)
    other = replaced(passage, 9)
    a, b = f"{prose(50, seed=2)} {passage} {prose(50, seed=3)}", f"{prose(70, seed=4)} {other}"
    [row] = rows(run([a, b]))
    assert 0.8 < row["similarity"] < 1
    assert row["kind"] == "edited"
    assert row["end_a"] - row["start_a"] > 0.9 * len(passage)
    assert row["start_a"] >= a.index(passage)


@pytest.mark.parametrize("signature", ["auto", "imatch"])
def test_repeats_inside_a_document_are_found_beside_sources(signature: str) -> None:
    own, other = prose(60, seed=1), prose(60, seed=2)
    twice = f"{own} {prose(50, seed=3)} {own}"
    found = rows(run([twice], against=[other], within=True, signature=signature))
    assert [quoted(row, twice, twice) for row in found] == [(own, own)]


def test_of_listed_pairs_only_their_documents_are_compared_with_themselves() -> None:
    own = prose(60, seed=1)
    texts = [
        {"id": name, "text": f"{own} {prose(50, seed=seed)} {own}"} for seed, name in enumerate("abc")
    ]
    assert pair_ids(run(texts, pairs=[("a", "b")], within=True)) == {("a", "a"), ("a", "b"), ("b", "b")}


def test_a_result_tells_the_settings_that_were_left_open() -> None:
    settings = run([prose(30, seed=1), prose(30, seed=2)]).run["settings"]
    assert (settings["signature"], settings["soft"]) == ("winnowing:3,1", True)
    assert (settings["min_sentences"], settings["max_gap"]) == (1, 4)
    settings = run([prose(30, seed=1)], signature="imatch").run["settings"]
    assert (settings["min_sentences"], settings["max_gap"]) == (3, 1)


def test_the_same_words_in_another_order_are_not_identical() -> None:
    first, second, third = prose(60, seed=1), "Late ships wait here.", "Here wait late ships."
    a, b = f"{first} {second} {prose(60, seed=2)}", f"{first} {third} {prose(60, seed=2)}"
    [row] = rows(run([a, b]))
    assert (row["similarity"], row["kind"]) == (1, "edited")


def test_a_passage_with_a_sentence_put_in_is_one() -> None:
    first, second = prose(60, seed=1), prose(60, seed=2)
    a, b = f"{first} {second}", f"{first} {prose(10, seed=3)} {second}"
    [row] = rows(run([a, b]))
    assert quoted(row, a, b) == (a, b)
    assert row["similarity"] == pytest.approx(240 / 250)


def test_a_rewritten_passage_is_found_by_soft_evidence_only() -> None:
    passage = prose(200, seed=1)
    other = replaced(passage, 4)
    a, b = f"{prose(100, seed=2)} {passage} {prose(100, seed=3)}", f"{prose(90, seed=4)} {other}"
    [row] = rows(run([a, b]))
    assert row["kind"] == "rewritten"
    assert row["end_a"] - row["start_a"] > 0.8 * len(passage)
    assert rows(run([a, b], soft=False)) == []


def test_a_formula_is_no_passage_however_long_the_texts_around_it_are() -> None:
    """Ten words that both have among others, in texts that share runs of three words throughout."""
    dice = random.Random(5)
    runs, formula = (
        [[made_up(dice) for _ in range(3)] for _ in range(100)],
        [made_up(dice) for _ in range(10)],
    )

    def written(own: random.Random, runs: list[list[str]], formula: list[str]) -> str:
        lines = [
            [*(made_up(own) for _ in range(5)), *run, *(made_up(own) for _ in range(5))] for run in runs
        ]
        said = [word for at in range(0, 10, 3) for word in (*formula[at : at + 3], made_up(own))]
        lines.insert(len(lines) // 2, said)
        return " ".join(f"{' '.join(line).capitalize()}." for line in lines)

    texts = {name: written(random.Random(name), runs, formula) for name in "ab"}
    for name in "cdef":  # in which words are as rare
        other = random.Random(name)
        texts[name] = written(other, [[made_up(other)] for _ in runs], [made_up(other) for _ in formula])
    assert rows(run(named(**texts))) == []


def made_up(dice: random.Random) -> str:
    return (
        "".join(dice.choices("bdfgklmnprstvz", k=5))
        + "ou"
        + "".join(dice.choices("bdfgklmnprstvz", k=5))
    )


def test_texts_with_nothing_in_common_have_no_passages() -> None:
    result = run([prose(300, seed=seed) for seed in range(6)])
    assert (rows(result), result.pairs.num_rows, result.counts["passages"]) == ([], 0, 0)


def test_short_passages_are_left_out_and_min_length_says_how_short() -> None:
    passage = prose(30, seed=1)
    a, b = f"{prose(50, seed=2)} {passage}", f"{passage} {prose(50, seed=3)}"
    assert len(rows(run([a, b], min_length=len(passage)))) == 1
    assert rows(run([a, b], min_length=len(passage) + 1)) == []


def test_min_sentences_leaves_out_passages_of_fewer() -> None:
    passage = prose(50, seed=1)
    a, b = f"{prose(50, seed=2)} {passage}", f"{passage} {prose(50, seed=3)}"
    assert len(rows(run([a, b], min_sentences=5))) == 1
    assert rows(run([a, b], min_sentences=6)) == []


def letters(first: int, last: int) -> list[str]:
    """Return words of the letters of a range, and of the marks that follow them."""
    rng = random.Random(first)
    known = [chr(c) for c in range(first, last) if unicodedata.category(chr(c))[0] == "L"]
    marks = [chr(c) for c in range(first, last) if unicodedata.category(chr(c))[0] == "M"]
    word = [
        rng.choice(known) + (rng.choice(marks) if marks and rng.random() < 0.3 else "")
        for _ in range(9000)
    ]
    return ["".join(word[at : at + 3]) for at in range(0, len(word), 3)]


SCRIPTS = {
    "arabic": letters(0x620, 0x653),
    "hebrew": letters(0x591, 0x5EB),
    "hindi": letters(0x901, 0x94E),
    "thai": letters(0xE01, 0xE3A),
    "chinese": [chr(c) for c in range(0x4E00, 0x6000)],
    "astral": letters(0x1D400, 0x1D6A4),
    "gothic": letters(0x10330, 0x1034A),
    "rare-chinese": [chr(c) for c in range(0x20000, 0x21000)],
    "decomposed": [unicodedata.normalize("NFD", word) for word in letters(0x1EA0, 0x1EFA)],
    "emoji": [f"{word}🦊👩\u200d🚀" for word in VOCABULARY],
}


@pytest.mark.parametrize("script", SCRIPTS)
def test_places_are_right_in_every_script(script: str) -> None:
    words = SCRIPTS[script]
    passage = prose(150, seed=1, vocabulary=words).removesuffix(".")
    while unicodedata.category(passage[-1])[0] not in "LM":
        passage = passage[:-1]  # what stands behind the last word is no part of it
    before, behind, other = (prose(60, seed=seed, vocabulary=words) for seed in (2, 3, 4))
    a, b = f"🦊 e\u0301 {before} {passage}\n\n{behind}", f"{other} {passage}"
    [row] = rows(run([a, b]))
    assert quoted(row, a, b) == (passage, passage)
    assert row["similarity"] == 1


def test_composed_and_decomposed_characters_are_the_same() -> None:
    words = [unicodedata.normalize("NFC", word) for word in letters(0x1EA0, 0x1EFA)]
    a = prose(80, seed=1, vocabulary=words)
    b = f"{prose(30, seed=2)} {unicodedata.normalize('NFD', a)}"
    [row] = rows(run([a, b]))
    assert unicodedata.normalize("NFC", quoted(row, a, b)[1]) == quoted(row, a, b)[0] == a


def test_texts_without_any_sentence_mark_are_compared() -> None:
    passage = prose(80, seed=1).replace(".", "")
    a, b = (f"{prose(60, seed=seed).replace('.', '')} {passage}" for seed in (2, 3))
    [row] = rows(run([a, b]))
    assert quoted(row, a, b) == (passage, passage)
    assert row["sentences"] == 1


def test_sentences_of_a_language_are_counted_by_its_rules() -> None:
    passage = f"{prose(40, seed=1).removesuffix('.')} with Dr. Smith. {prose(20, seed=2)}"
    a, b = f"{passage} {prose(50, seed=3)}", f"{prose(50, seed=4)} {passage}"
    assert [row["sentences"] for row in rows(run([a, b], language="en"))] == [6]
    assert [quoted(row, a, b) for row in rows(run([a, b], language="en"))] == [(passage, passage)]


BETWEEN = [" ", "\n\n", " – ", "’\u0301 "]
PARTS = st.lists(
    st.tuples(st.integers(0, 12), st.sampled_from([1, 1, 1, 4, 9]), st.sampled_from(BETWEEN)),
    min_size=1,
    max_size=5,
)


@whole_runs(8)
@given(st.lists(PARTS, min_size=2, max_size=6))
def test_what_a_passage_says_of_itself_is_true(drawn: list[list[tuple[int, int, str]]]) -> None:
    def block(number: int, every: int, behind: str) -> str:
        text = prose(40, seed=number)
        return (text if every == 1 else replaced(text, every)) + behind

    texts = ["".join(block(*part) for part in parts) for parts in drawn]
    result = run(texts, within=True)
    by_name = dict(zip(result.documents["id"].to_pylist(), texts, strict=True))
    found = rows(result)
    order = [(row["doc_a"], row["doc_b"], row["start_a"], row["start_b"]) for row in found]
    assert order == sorted(order)
    for row in found:
        a, b = texts[row["doc_a"]], texts[row["doc_b"]]
        assert 0 <= row["start_a"] < row["end_a"] <= len(a)
        assert 0 <= row["start_b"] < row["end_b"] <= len(b)
        left, right = (tokenise(text).hashes.tolist() for text in quoted(row, a, b))
        assert row["words"] == (Counter(left) & Counter(right)).total()
        assert row["similarity"] == 2 * row["words"] / (len(left) + len(right))
        assert min(row["end_a"] - row["start_a"], row["end_b"] - row["start_b"]) >= 150
        if row["doc_a"] == row["doc_b"]:
            assert row["end_a"] <= row["start_b"]
    for pair in result.pairs.to_pylist():
        own = [r for r in found if (r["doc_a"], r["doc_b"]) == (pair["doc_a"], pair["doc_b"])]
        assert len(own) == pair["passages"]
        for side, other in ("ab", "ba"):
            name = pair[f"id_{side}"]
            words = words_found(result, by_name)[side, name, pair[f"id_{other}"]]
            size = len(tokenise(by_name[name]).hashes)
            assert pair[f"containment_{side}"] == len(words["verbatim"]) / size
            rewritten = words["all"] - words["verbatim"]
            assert pair[f"rewritten_{side}"] == len(rewritten) / size


QUOTED = "And the light shineth in darkness, and the darkness comprehended it not; so it was."
AROUND = (
    "Our harbour has had {} lamps since the war, which is more than any other one on this coast has. ",
    " Whoever walks there at night, the mayor of {} said yesterday, will now find every step of it.",
)


@pytest.mark.parametrize("soft", [True, False])
def test_a_short_quotation_is_found_if_it_is_as_long_as_asked_for(soft: bool) -> None:
    essay = AROUND[0].format("seven") + QUOTED + AROUND[1].format("Skerry")
    found = neardup.passages([essay], against=[QUOTED], min_length=60, soft=soft)
    [row] = found.passages.to_pylist()
    assert essay[row["start_a"] : row["end_a"]].strip(".") == QUOTED.strip(".")
    assert neardup.passages([essay], against=[QUOTED], soft=soft).counts["passages"] == 0


def test_a_run_over_texts_that_are_too_short_says_what_to_try(tmp_path: Path, command: Command) -> None:
    verses = tmp_path / "verses.jsonl"
    lines = [f'{{"text": "{QUOTED} It was day {n}."}}' for n in range(9)]
    verses.write_text("\n".join(lines))
    said = command("passages", verses, "-o", tmp_path / "out").said
    assert (
        "9 of 9 documents are shorter than a passage may be (--min-length 150): try --min-length" in said
    )
    value = said.partition("try --min-length ")[2].split()[0]
    assert said.count("try --min-length") == said.count(f"try --min-length {value}") == 2
    again = command("passages", verses, "-o", tmp_path / "out", "--overwrite", "--min-length", value)
    assert "36 pairs" in again.said
    assert "shorter than a passage" not in again.said
