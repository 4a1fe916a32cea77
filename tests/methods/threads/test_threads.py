"""threads: every pair that brute force finds, field by field, with either index."""

import functools
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.command_line import Command
from tests.corpora import FIELDS, forum, whole_runs
from tests.twins import documents as twins
from tests.twins import threads as twin

import neardup
from neardup.errors import InputError, SettingsError
from neardup.methods.threads import candidates
from neardup.methods.threads.settings import Missing, ThreadSettings

WORDS = ["ash", "beech", "cedar", "elm", "fir", "hazel", "larch", "maple", "oak", "pine"]
TEXT = st.none() | st.lists(st.sampled_from(WORDS), max_size=9).map(" ".join)
WEIGHTS = st.sampled_from([(0.4, 0.2, 0.4), (0.6, 0.0, 0.4), (0.1, 0.8, 0.1), (0.0, 0.0, 1.0)])
THRESHOLDS = st.sampled_from([0.1, 0.3, 0.5, 0.7, 0.9, 1.0])


@st.composite
def forums(draw: st.DrawFn) -> list[dict[str, str | None]]:
    """Draw threads with fields that may be missing, and copies of some with a word or field changed."""
    own = st.fixed_dictionaries(dict.fromkeys(FIELDS, TEXT))
    threads = draw(st.lists(own, min_size=1, max_size=14))
    for _ in range(draw(st.integers(0, 18))):
        copy = dict(draw(st.sampled_from(threads)))
        name = draw(st.sampled_from(FIELDS))
        words = (copy[name] or "").split()
        at = draw(st.integers(0, 20))
        if words and at < 15:
            words[at % len(words)] = draw(st.sampled_from(WORDS))
            copy[name] = " ".join(words)
        else:
            copy[name] = draw(TEXT)
        threads.append(copy)
    return threads


def sets_of(threads: Sequence[twin.Thread], width: int, window: int = 1) -> list[twin.Sets]:
    return [[twin.winnowed(thread.get(name), width, window) for name in FIELDS] for thread in threads]


def run(threads: Sequence[Any], **chosen: Any) -> neardup.Result:
    return neardup.threads(threads, workers=1, memory="64MB", **chosen)


def found_pairs(result: neardup.Result) -> dict[tuple[int, int], tuple[float, tuple[float | None, ...]]]:
    numbers = result.documents["position"].to_pylist()
    rows = result.pairs.to_pylist()
    return {
        (numbers[r["doc_a"]] - 1, numbers[r["doc_b"]] - 1): (
            r["similarity"],
            tuple(r[name] for name in FIELDS),
        )
        for r in rows
    }


@whole_runs(12)
@given(
    threads=forums(),
    weights=WEIGHTS,
    threshold=THRESHOLDS,
    shape=st.sampled_from([(1, 1), (2, 1), (2, 2)]),
    most=st.sampled_from([0, 0, 2, 3]),
    missing=st.sampled_from(["ignore", "zero"]),
    containment=st.booleans(),
)
def test_both_indexes_find_what_brute_force_finds(
    threads: list[dict[str, str | None]],
    weights: tuple[float, ...],
    threshold: float,
    shape: tuple[int, int],
    most: int,
    missing: str,
    containment: bool,
) -> None:
    sets = sets_of(threads, *shape)
    sets = twin.without(sets, twin.boilerplate(sets, most))
    if not any(own for thread in sets for own, weight in zip(thread, weights, strict=True) if weight):
        return
    contained = (False, False, containment)
    expected = twin.brute_force(sets, weights, threshold, contained, missing == "ignore")
    signature = f"winnowing:{shape[0]},{shape[1]}" if shape[1] > 1 else f"shingles:{shape[0]}"
    chosen: dict[str, Any] = {
        "fields": dict(zip(FIELDS, weights, strict=True)),
        "signature": signature,
        "missing": missing,
        "answer_containment": containment,
    }
    for index in ("term", "doc"):
        found = run(threads, index=index, threshold=threshold, max_shared=most, max_postings=0, **chosen)
        assert found_pairs(found) == expected, index


@functools.cache
def generated() -> tuple[list[dict[str, str | None]], dict[tuple[int, int], Any]]:
    threads = forum(240, seed=7)
    return threads, twin.brute_force(sets_of(threads, 3), (0.4, 0.2, 0.4), 0.5)


@pytest.mark.parametrize("index", ["term", "doc"])
def test_generated_threads_with_default_settings(index: Any) -> None:
    threads, expected = generated()
    assert len(expected) > 60
    assert found_pairs(run(threads, index=index)) == expected


def test_blocks_of_threads_miss_no_pair_between_them(monkeypatch: pytest.MonkeyPatch) -> None:
    threads, expected = generated()
    monkeypatch.setattr(candidates, "BLOCK", 17)
    assert found_pairs(run(threads, index="doc")) == expected


def test_a_cap_loses_pairs_counts_them_and_reports_only_true_ones() -> None:
    threads = [{"title": "alpha beta gamma delta", "body": f"n{i // 2} m{i // 2}"} for i in range(40)]
    chosen: dict[str, Any] = {
        "fields": "title=0.7,body=0.3",
        "signature": "shingles:1",
        "threshold": 0.6,
    }
    whole = neardup.threads(threads, **chosen)
    capped = neardup.threads(threads, max_postings=5, **chosen)
    assert whole.counts["keys_too_common"] == 0
    assert capped.counts["keys_too_common"] > 0
    pairs = [
        set(map(tuple, r.pairs.select(["id_a", "id_b"]).to_pandas().values)) for r in (whole, capped)
    ]
    assert pairs[1] < pairs[0]


def test_what_many_threads_share_does_not_count() -> None:
    template = "we all love this site and want to see it grow in the coming year"
    threads = [{"id": f"t{i}", "body": f"{template} n{i} m{i} k{i}"} for i in range(6)]
    threads += [{"id": "edited", "body": f"{template} n0 m0 k0 l0"}, {"id": "bare", "body": template}]
    chosen: dict[str, Any] = {"fields": "body=1", "signature": "shingles:1"}
    assert run(threads, **chosen).counts["pairs"] == 28
    result = run(threads, max_shared=3, **chosen)
    assert [(r["id_a"], r["id_b"], r["similarity"]) for r in result.pairs.to_pylist()] == [
        ("t0", "edited", 0.75)
    ]
    assert result.counts["skipped.only boilerplate"] == 1
    assert result.explain("t0", "t1").fields[0].similarity is None


@settings(max_examples=60)
@given(
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=12),
    *[st.lists(st.sampled_from(WORDS), max_size=6) for _ in range(4)],
    st.integers(1, 4),
    st.integers(1, 5),
)
def test_two_texts_that_share_enough_words_in_a_row_share_a_winnowed_run(
    shared: list[str],
    before_a: list[str],
    after_a: list[str],
    before_b: list[str],
    after_b: list[str],
    width: int,
    window: int,
) -> None:
    from neardup.kernels.threads import field_sets
    from neardup.text import unicode_table

    texts = [" ".join([*before_a, *shared, *after_a]), " ".join([*before_b, *shared, *after_b])]
    data = np.frombuffer(bytearray("".join(texts).encode()), np.uint8)
    offsets = np.cumsum([0, *(len(text.encode()) for text in texts)])
    values, bounds, sizes, _ = field_sets(data, offsets, width, window, np.uint64(5), unicode_table())
    a, b = (set(values[bounds[t] : bounds[t + 1]].tolist()) for t in (0, 1))
    for own, text in ((a, texts[0]), (b, texts[1])):
        kept = twin.winnowed(text, width, window)
        assert own == {twins.mix(twin.fingerprint(run) ^ 5) for run in kept}
    assert sizes.tolist() == [len(text) for text in texts]
    if len(shared) >= width + window - 1:
        assert a & b


def test_imatch_and_spotsigs_of_fields() -> None:
    same = {"title": "the old mill by the river", "body": "how the mill by the river was built"}
    moved = {"title": "by the river the old mill", "body": "how the mill by the river was built"}
    other = {"title": "a quite different thing", "body": "nothing of the kind was said here"}
    fields = {"title": 0.5, "body": 0.5}
    chosen = {"title": "imatch:0,1", "body": "spotsigs:3"}
    rows = neardup.threads([same, moved, other], fields=fields, signature=chosen).pairs.to_pylist()
    assert [(r["doc_a"], r["doc_b"], r["title"], r["body"]) for r in rows] == [(0, 1, 1.0, 1.0)]


@pytest.mark.parametrize("signature", ["imatch:0,1", "shingles:1", "winnowing:1,9"])
@pytest.mark.parametrize("missing", ["ignore", "zero"])
def test_threads_of_other_words_are_never_identical(signature: str, missing: Missing) -> None:
    texts = [
        f"{said} again again again"
        for said in ("the man bites the dog", "the dog bites the man", "The man, bites the dog!")
    ]
    found = neardup.threads([{"title": t} for t in texts], fields="title=1", signature=signature,
                            missing=missing, threshold=0.1)  # fmt: skip
    kinds = {(r["doc_a"], r["doc_b"]): r["kind"] for r in found.pairs.to_pylist()}
    assert kinds.pop((0, 2)) == "identical"
    assert set(kinds.values()) <= {"near-duplicate"}
    assert found.documents["same_as"].to_pylist() == [0, 1, 0]


def test_a_field_missing_in_both_does_not_count_and_one_missing_in_one_scores_nothing() -> None:
    threads = [
        {"title": "one two three four", "answer": "five six seven"},
        {"title": "one two three four", "answer": "five six seven eight"},
        {"title": "one two three four"},
    ]
    result = run([{**thread, "body": None} for thread in threads], threshold=0.4)
    found = {(r["doc_a"], r["doc_b"]): r for r in result.pairs.to_pylist()}
    assert found[0, 1]["body"] is None
    assert found[0, 1]["similarity"] == pytest.approx((0.4 + 0.4 * 0.5) / 0.8)
    assert (found[0, 2]["answer"], found[0, 2]["similarity"]) == (0.0, pytest.approx(0.5))


def test_a_missing_description_counts_as_printed_in_equation_4_of_the_paper() -> None:
    asked = {"title": "When is the birthday of Jay?", "body": None}
    threads = [
        {**asked, "answer": "January 18th, 1979"},
        {**asked, "answer": "ask his manager"},
    ]
    assert run(threads).pairs["similarity"].to_pylist() == pytest.approx([0.5])
    printed = run(threads, preset="paper")
    assert (printed.counts["pairs"], printed.rejected.num_rows) == (0, 0)
    assert run(threads, missing="zero", threshold=0.4).pairs["similarity"].to_pylist() == [0.4]
    assert (printed.settings["preset"], printed.settings["missing"]) == ("paper", "zero")
    overridden = run(threads, preset="paper", missing="ignore").settings
    assert (overridden["preset"], overridden["missing"]) == ("paper", "ignore")


def test_identical_threads_that_lack_too_much_are_no_pair_as_printed() -> None:
    title = {"title": "When is the birthday of Jay?", "body": None, "answer": None}
    answered = {**title, "answer": "January 18th, 1979"}
    result = run([title, title, answered, answered], missing="zero")
    row = result.pairs.to_pylist()
    assert [(r["doc_a"], r["doc_b"], r["similarity"], r["kind"]) for r in row] == [
        (2, 3, 0.8, "identical")
    ]
    assert result.counts["duplicates"] == 1


def test_an_answer_that_another_one_continues_as_in_definition_1_of_the_paper() -> None:
    asked = {"title": "When is the birthday of Jay?", "body": None}
    answer = "January 18th, 1979"
    more = f"{answer}, in a town near the capital, where he went to school and began to play the piano"
    threads = [{**asked, "answer": answer}, {**asked, "answer": more}]
    assert run(threads).pairs["answer"].to_pylist()[0] < 0.1
    result = run(threads, answer_containment=True)
    pair = result.pairs.to_pylist()[0]
    assert (pair["similarity"], pair["answer"], pair["kind"]) == (1.0, 1.0, "near-duplicate")
    assert ThreadSettings.make("question=0.5,best=0.5", answer_containment=True).contained == (
        False,
        True,
    )


def test_the_paper_says_that_examples_1_and_2_are_near_duplicates_and_its_method_does_not() -> None:
    first = {
        "title": "When is the birthday of Jay?",
        "body": "The birthday of Jay.",
        "answer": "January 18th, 1979",
    }
    second = {
        "title": "Who can tell me what's the Jay's birthday?",
        "body": 'Jay "male, top R&B singer", I want to know when he was born.',
        "answer": "18/1/1979",
    }
    assert run([first, second], preset="paper", threshold=0.1).counts["pairs"] == 0


def test_the_best_thread_of_a_cluster_is_kept() -> None:
    text = {"title": "how do I boil an egg", "body": "please tell me how"}
    threads = [
        {"id": "old", **text, "date": "2011-01-01", "score": 3, "answers": 1},
        {"id": "best", **text, "date": "2012-01-01", "score": 9, "answers": 1},
        {"id": "answered", **text, "date": "2013-01-01", "score": 9, "answers": 4},
        {"id": "long", "title": text["title"], "body": text["body"] + " now", "score": 1, "answers": 0},
    ]
    fields = {"title": 0.5, "body": 0.5}
    for keep, kept in [
        ("score,answers", "answered"),
        ("score", "answered"),
        ("oldest", "old"),
        ("newest", "answered"),
        ("longest", "long"),
        ("first", "old"),
    ]:
        result = neardup.threads(threads, fields=fields, keep=keep)
        assert set(result.clusters["keeper_id"].to_pylist()) == {kept}, keep


def test_rethreshold_is_the_same_as_a_new_run() -> None:
    threads, _ = generated()
    loose, strict = run(threads, threshold=0.4), run(threads, threshold=0.7)
    again = loose.rethreshold(0.7)
    assert again.pairs.equals(strict.pairs)
    assert again.clusters.equals(strict.clusters)


def test_any_names_of_fields_in_any_format(tmp_path: Path) -> None:
    rows = [
        {"no": i, "question": f"what is the answer to {i // 2}", "best": "forty two"} for i in range(4)
    ]
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    lines = [
        "no,question,best",
        *(f"c{r['no']},{r['question']},{r['best']}" for r in rows),
        "c9,,forty two",
    ]
    (tmp_path / "a.csv").write_text("\n".join(lines))
    chosen: dict[str, Any] = {"fields": "question=0.9,best=0.1", "id_column": "no", "threshold": 0.95}
    pairs = neardup.threads(str(tmp_path), **chosen).pairs.select(["id_a", "id_b"]).to_pylist()
    found = {(r["id_a"], r["id_b"]) for r in pairs}
    assert {("0", "1"), ("2", "3"), ("c0", "c1"), ("c0", "0")} <= found
    assert len(found) == 12


def test_all_that_is_wrong_with_settings_is_said_at_once() -> None:
    with pytest.raises(SettingsError) as caught:
        ThreadSettings.make(
            "title=0.7,body=-0.2,answer=x",
            ["nonsense", "tags=imatch", "imatch:0.9,0.1"],
            threshold=2.0,
            max_shared=1,
        )
    said = str(caught.value)
    for part in ("'answer=x' has no weight", "weight of body", "sum to 1: got 0.5", "'nonsense'",
                 "no field 'tags'", "'imatch:0.9,0.1'", "threshold",
                 "max_shared must be 0 or at least 2"):  # fmt: skip
        assert part in said


@pytest.mark.parametrize(
    "fields", ["", "title=1,title=0", "similarity=1", {"a": 0.5, "b": 0.6}, {"a": "x", "b": None}]
)
def test_fields_that_cannot_be_are_refused(fields: Any) -> None:
    with pytest.raises(SettingsError):
        ThreadSettings.make(fields)


def test_unknown_fields_are_all_named() -> None:
    with pytest.raises(InputError, match="no fields 'question', 'best'") as caught:
        neardup.threads([{"title": "a b c"}], fields="title=0.2,question=0.4,best=0.4")
    assert "Its columns are: title" in str(caught.value)


def test_the_command_says_which_fields_could_be_compared(tmp_path: Path, command: Command) -> None:
    (tmp_path / "a.jsonl").write_text('{"title": "a b c", "body": "d e f"}')
    said = command("threads", tmp_path / "a.jsonl", "-o", tmp_path / "out").said
    assert "Name one with --fields, such as 'title=0.5,body=0.5'." in said


def test_threads_without_any_text_are_skipped_and_counted() -> None:
    threads = [
        {"title": "one two three", "body": "four"},
        {"title": None, "body": ""},
        {"title": "?!", "body": None},
        {"title": None, "body": "four"},
    ]
    result = neardup.threads(threads, fields="title=1,body=0")
    assert result.counts["skipped.no words"] == 3
    assert result.counts["documents"] == 1
    with pytest.raises(InputError, match="none of 1 records"):
        neardup.threads([{"title": "", "body": None}], fields="title=0.5,body=0.5")


def test_a_thread_of_very_many_words_is_a_thread_like_others() -> None:
    words = " ".join(f"w{i * 7919 % 50_021}" for i in range(100_000))
    threads = [
        {"title": "a long story", "body": words},
        {"title": "a long story", "body": words + " end"},
    ]
    row = neardup.threads(threads, fields="title=0.1,body=0.9").pairs.to_pylist()[0]
    assert row["title"] == 1.0
    assert 0.9999 < row["body"] < 1
