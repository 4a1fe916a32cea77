"""passages: what is excluded is no evidence and in no percentage, as if texts were without it."""

import random
from pathlib import Path
from typing import Any

import pytest
from tests.corpora import prose
from tests.methods.passages.finding import named, run

import neardup
from neardup.errors import InputError

TASK = prose(70, seed=700)
OTHER_TASK = prose(20, seed=701)
QUOTED = f"“{prose(40, seed=702)}” (Hale 1998)"
LIST = """

References

Hale, M. (1998). Iron bridges of Wales. Leeds: Orme.
Jones, P., & Smith, K. L. (2003). On repair. Journal of Bridges, 12(3), 3-19.
Adams, R. (2011). Bridges and tides. London: Carr, pp. 12-30.
"""


def figures(result: neardup.Result) -> Any:
    names = ("similarity", "containment_a", "containment_b", "rewritten_a", "rewritten_b", "kind")
    return {
        (row["id_a"], row["id_b"]): tuple(row[name] for name in names)
        for row in result.pairs.to_pylist()
    }


def shares(result: neardup.Result) -> Any:
    names = ("share", "verbatim", "rewritten", "words", "sources")
    return {row["id"]: tuple(row[name] for name in names) for row in result.shares.to_pylist()}


def essays(*common: str) -> list[dict[str, str]]:
    """Return 12 essays of which two share a part, with common text before, between and behind."""
    own = {f"e{n}": [prose(60, seed=n), prose(60, seed=100 + n)] for n in range(12)}
    for name in ("e3", "e7"):
        own[name][1] = prose(80, seed=777)
    chance = random.Random(5)
    texts = {}
    for name, (one, other) in own.items():
        parts = [one, other]
        for text in common:
            parts.insert(len(parts) if text == LIST else chance.randint(0, len(parts)), text)
        texts[name] = "\n\n".join(part.strip("\n") for part in parts)
    return named(**texts)


@pytest.mark.parametrize(
    ("common", "chosen", "kinds"),
    [
        ((TASK,), {"exclude": [TASK]}, {"excluded text"}),
        ((TASK, OTHER_TASK), {"exclude": [TASK, OTHER_TASK]}, {"excluded text"}),
        (
            (QUOTED,),
            {"exclude_quoted": True, "exclude": ["Hale 1998"]},
            {"excluded text", "quotation, cited"},
        ),
        ((LIST,), {"exclude_bibliography": True}, {"references"}),
        (
            (TASK, LIST),
            {"exclude": [TASK], "exclude_bibliography": True},
            {"excluded text", "references"},
        ),
    ],
)
@pytest.mark.parametrize("signature", ["auto", "shingles:2"])
def test_figures_are_those_of_texts_without_it(
    common: tuple[str, ...], chosen: dict[str, Any], kinds: set[str], signature: str
) -> None:
    bare = run(essays(), signature=signature)
    assert list(figures(bare)) == [("e3", "e7")]
    result = run(essays(*common), signature=signature, **chosen)
    assert figures(result) == figures(bare)
    assert shares(result) == shares(bare)
    assert set(result.excluded["kind"].to_pylist()) == kinds
    counted = run(essays(*common), signature=signature)
    assert shares(counted) != shares(bare)


def test_a_passage_does_not_reach_into_what_is_excluded() -> None:
    texts = essays(TASK)
    result = run(texts, exclude=[TASK])
    by_id = {one["id"]: one["text"] for one in texts}
    [row] = result.passages.to_pylist()
    for side in "ab":
        found = by_id[row[f"id_{side}"]][row[f"start_{side}"] : row[f"end_{side}"]]
        assert found.strip(" .") == prose(80, seed=777).strip(" .")
    spans = [(row["start"], row["end"]) for row in result.excluded.to_pylist()]
    assert [by_id[f"e{n}"][slice(*span)].rstrip(".") for n, span in enumerate(spans)] == [
        TASK.rstrip(".")
    ] * 12


def test_short_quotations_inside_a_passage_do_not_count_and_do_not_break_it() -> None:
    copied = [prose(26, seed=710), '"and so he said at last"', prose(26, seed=711)]
    texts = named(
        x=f"{prose(40, seed=712)} {' '.join(copied)}", y=f"{' '.join(copied)} {prose(50, seed=713)}"
    )
    bare = named(**{one["id"]: one["text"].replace(copied[1], "") for one in texts})
    result = run(texts, exclude_quoted=True)
    assert figures(result) == figures(run(bare))
    assert result.passages["similarity"].to_pylist() == [1.0]
    assert result.excluded["kind"].to_pylist() == ["quotation"] * 2


def test_different_quotations_are_not_bridged_and_do_not_count_as_length() -> None:
    frame = (
        "Thus runs what that textbook so admirably puts upon record: “{}” "
        "(Whitcombe 2019, p. 280). Newspapers seldom knew anything about these."
    )
    own = {f"e{n}": prose(300, seed=3000 + n) for n in range(30)}
    for number in (2, 9):
        quoted = frame.format(prose(49, seed=730 + number).replace(".", ""))
        own[f"e{number}"] = f"{prose(80, seed=number)}\n\n{quoted}\n\n{prose(80, seed=90 + number)}"
    assert run(named(**own), exclude_quoted=True).pairs.num_rows == 0


def test_what_is_rewritten_on_both_sides_of_a_quotation_is_found_without_it() -> None:
    chance = random.Random(8)

    def rewritten(text: str) -> str:
        return " ".join(word for word in text.split() if chance.random() > 0.2)

    before, behind = prose(60, seed=740), prose(60, seed=741)
    texts = essays()
    texts[2]["text"] = f"{prose(40, seed=2)}\n\n{before} {QUOTED} {behind}"
    other = f"“{prose(30, seed=742)}” (Hale 1999)"
    texts[9]["text"] = f"{rewritten(before)} {other} {rewritten(behind)}\n\n{prose(40, seed=9)}"
    result = run(texts, exclude_quoted=True)
    spans = [
        (row["start_a"], row["end_a"]) for row in result.passages.to_pylist() if row["id_a"] == "e2"
    ]
    assert len(spans) == 2
    at = texts[2]["text"].index("“")
    assert spans[0][1] <= at and spans[1][0] >= at + len(QUOTED) - 15


def test_to_exclude_what_no_text_has_changes_nothing() -> None:
    """Boilerplate, too, makes no passage long enough, with such an option or without."""
    formula = (
        "the committee has met in the hall and has resolved as follows on this very day in the town"
    )
    texts = [f"{prose(120, seed=n)} {formula}. {prose(60, seed=500 + n)}" for n in range(12)]
    for n in (3, 8):
        around = prose(12, seed=900).rstrip("."), prose(9, seed=901)
        texts[n] = f"{prose(100, seed=n)} {around[0]} {formula} {around[1]} {prose(60, seed=600 + n)}"
    for n in (4, 9):
        texts[n] = f"{prose(100, seed=n)} {prose(40, seed=902)} {formula}. {prose(60, seed=600 + n)}"
    rows = named(**{f"e{n}": text for n, text in enumerate(texts)})
    first = run(rows, max_documents=5)
    again = run(rows, max_documents=5, exclude=[prose(40, seed=999)])
    assert {(row["id_a"], row["id_b"]) for row in first.passages.to_pylist()} == {("e4", "e9")}
    assert first.passages == again.passages


def test_files_are_excluded_and_named(tmp_path: Path) -> None:
    task = tmp_path / "task"
    task.mkdir()
    (task / "one.txt").write_text(TASK, "utf-8")
    (task / "two.md").write_text(OTHER_TASK, "utf-8")
    texts = essays(TASK, OTHER_TASK)
    result = run(texts, exclude=task)
    assert shares(result) == shares(run(essays()))
    assert result.settings["exclude"] == [str(task)]
    assert 12 < result.counts["excluded"] == result.excluded.num_rows <= 24
    only = [*texts, {"id": "task", "text": TASK}]
    skipped = run(only, exclude=task).skipped
    assert skipped.select(["id", "problem"]).to_pylist() == [
        {"id": "task", "problem": "only excluded text"}
    ]


def test_what_cannot_be_excluded_is_refused(tmp_path: Path) -> None:
    (tmp_path / "empty.txt").write_text(" ", "utf-8")
    with pytest.raises(InputError, match="has no words"):
        run(essays(), exclude=tmp_path / "empty.txt")
    with pytest.raises(InputError):
        run(essays(), exclude=tmp_path / "none.txt")
    (tmp_path / "bad.jsonl").write_text('{"text": 1}\n{"text": "fine words here"', "utf-8")
    with pytest.raises(InputError, match="cannot be excluded"):
        run(essays(), exclude=tmp_path / "bad.jsonl")


def test_the_same_author_is_not_compared() -> None:
    texts = [
        {"id": f"d{n}", "text": prose(60, seed=1), "author": author, "url": f"https://{site}/{n}"}
        for n, (author, site) in enumerate(
            [("A", "x.org"), ("A", "y.org"), ("B", "x.org"), (None, "z.org")]
        )
    ]
    assert set(figures(run(texts))) == {(f"d{a}", f"d{b}") for a in range(4) for b in range(a + 1, 4)}
    for signature in ("auto", "shingles:2"):
        result = run(texts, exclude_same="author", signature=signature, min_sentences=1)
        assert ("d0", "d1") not in figures(result) and len(figures(result)) == 5
        assert result.counts["pairs_kept_apart"] == 1
    assert ("d0", "d2") not in figures(run(texts, exclude_same="site"))


def test_only_what_is_near_in_time_is_compared() -> None:
    dates = ["1850-03-01", "1 March 1850", "1850-03-20", "some day", None]
    texts = [{"id": f"d{n}", "text": prose(60, seed=1), "date": d} for n, d in enumerate(dates)]
    result = run(texts, within_days=5)
    assert {("d0", "d2"), ("d1", "d2")}.isdisjoint(figures(result))
    assert len(figures(result)) == 8
    assert (result.counts["pairs_kept_apart"], result.counts["undated"]) == (2, 2)
    assert len(figures(run(texts, within_days=19))) == 10
