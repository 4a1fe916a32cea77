"""passages: figures that say what was matched, whatever the order of the input and the boilerplate."""

import random
from typing import Any

import pytest
from tests.corpora import prose, replaced
from tests.methods.passages.finding import named, run

import neardup

FIGURES = ("containment", "rewritten")


def figures(result: neardup.Result) -> dict[frozenset[str], Any]:
    """Return the kind of each pair, how many passages it has, and what they are of each document."""
    return {
        frozenset((row["id_a"], row["id_b"])): (
            row["kind"],
            row["passages"],
            row["similarity"],
            {row[f"id_{side}"]: [row[f"{name}_{side}"] for name in FIGURES] for side in "ab"},
        )
        for row in result.pairs.to_pylist()
    }


def shares(result: neardup.Result) -> dict[str, tuple[float, ...]]:
    names = ("share", "verbatim", "rewritten", "words", "sources")
    return {row["id"]: tuple(row[name] for name in names) for row in result.shares.to_pylist()}


def places(result: neardup.Result) -> set[Any]:
    """Return the passages: where each is in both documents, the first by name first."""
    return {
        tuple(sorted((row[f"id_{s}"], row[f"start_{s}"], row[f"end_{s}"]) for s in "ab"))
        for row in result.passages.to_pylist()
    }


def repeating(seed: int) -> dict[str, str]:
    """Return texts that repeat parts of themselves and of each other, some of them changed."""
    chance = random.Random(seed)
    parts = [prose(40, seed=100 * seed + n) for n in range(5)]
    changed = [replaced(part, 6) for part in parts] + [replaced(part, 3) for part in parts]
    return {
        f"d{n}": " ".join(chance.choices([*parts, *changed], k=chance.randint(2, 6))) for n in range(5)
    }


def test_a_text_that_one_document_has_twice_is_found_twice_in_any_order() -> None:
    own, twice, other = (prose(60, seed=seed) for seed in (1, 2, 3))
    texts = named(x=f"{twice} {own} {twice}", y=f"{other} {twice}")
    for given in (texts, texts[::-1]):
        result = run(given)
        assert shares(result) == {"x": (2 / 3, 2 / 3, 0, 120, 1), "y": (1 / 2, 1 / 2, 0, 60, 1)}
        assert result.passages.num_rows == 2
    for given, against in ((texts[:1], texts[1:]), (texts[1:], texts[:1])):
        assert shares(run(given, against=against)) == shares(run(texts))


@pytest.mark.parametrize("seed", range(12))
def test_nothing_depends_on_the_order_of_the_input(seed: int) -> None:
    texts = named(**repeating(seed))
    expected = run(texts, min_length=100)
    assert expected.pairs.num_rows
    for given in (texts[::-1], random.Random(seed).sample(texts, len(texts))):
        result = run(given, min_length=100)
        assert places(result) == places(expected)
        assert figures(result) == figures(expected)
        assert shares(result) == shares(expected)


def essays(assignment: str, bibliography: str) -> list[dict[str, str]]:
    """Return 30 essays, of which two share a half, between the same two texts."""
    copied = prose(100, seed=900)
    own = {f"e{n:02d}": prose(100, seed=n) for n in range(30)}
    for name in ("e03", "e17"):
        own[name] = f"{own[name]} {copied}"
    return named(**{n: " ".join(filter(None, (assignment, t, bibliography))) for n, t in own.items()})


def test_boilerplate_is_in_no_passage_and_in_no_percentage() -> None:
    assignment, bibliography = prose(80, seed=801), prose(60, seed=802)
    bare = run(essays("", ""), max_documents=20)
    result = run(essays(assignment, bibliography), max_documents=20)
    assert result.boilerplate.num_rows == 2
    assert shares(result) == shares(bare)
    assert list(figures(result)) == [frozenset(("e03", "e17"))]
    [row] = result.passages.to_pylist()
    texts = {record["id"]: record["text"] for record in essays(assignment, bibliography)}
    copied = texts["e03"][row["start_a"] : row["end_a"]]
    assert copied.strip(" .") == prose(100, seed=900).strip(" .")


def test_equally_long_texts_are_told_apart_by_what_is_no_boilerplate() -> None:
    task, once, other, third = (prose(50, seed=seed) for seed in (811, 812, 813, 814))
    texts = named(x=f"{task} {once} {other} {once}", y=f"{task} {third} {once} {third}")
    texts += named(**{f"e{n}": f"{task} {prose(30, seed=820 + n)}" for n in range(4)})
    expected = run(texts, max_documents=5)
    assert expected.boilerplate.num_rows == 1 and len(figures(expected)) == 1
    result = run(texts[::-1], max_documents=5)
    assert places(result) == places(expected)
    assert (figures(result), shares(result)) == (figures(expected), shares(expected))


def test_what_is_rewritten_makes_no_document_contained() -> None:
    text = prose(240, seed=5)
    spun = replaced(text, 4)
    result = run(named(source=text, spun=spun))
    [pair] = result.pairs.to_pylist()
    assert pair["kind"] == "rewritten"
    assert pair["containment_a"] == pair["containment_b"] == 0
    assert 0.7 < pair["rewritten_a"] <= 0.75
    assert run(named(source=text, spun=spun), soft=False).pairs.num_rows == 0


def test_an_identical_document_is_found_elsewhere_to_the_last_mark() -> None:
    text = f"“{prose(60, seed=8)}”!"
    result = run(named(one=text, other=text))
    assert [row["share"] for row in result.shares.to_pylist()] == [1, 1]
