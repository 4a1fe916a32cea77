"""An index of threads says whether a question was asked before."""

import random
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tests.corpora import EGG, FIELDS, TEA, forum, write
from tests.twins import threads as twin

import neardup
from neardup.errors import OutputError, SettingsError
from neardup.methods.threads.settings import Missing


@pytest.mark.parametrize(
    ("most", "missing", "containment"),
    [(0, "ignore", False), (4, "zero", False), (0, "ignore", True), (4, "zero", True)],
)
def test_an_index_finds_what_brute_force_finds(most: int, missing: Missing, containment: bool) -> None:
    threads = forum(120, seed=3)
    result = neardup.threads(threads, max_shared=most, missing=missing, answer_containment=containment)
    index = neardup.ThreadIndex.build(result)
    measures = (twin.jaccard, twin.jaccard, twin.containment if containment else twin.jaccard)
    sets = [[twin.winnowed(thread[name], 3, 1) for name in FIELDS] for thread in threads]
    gone = twin.boilerplate(sets, most)
    sets = twin.without(sets, gone)
    dice = random.Random(5)
    for thread in dice.sample(threads, 25):
        asked = {n: text for n, text in thread.items() if text and dice.random() < 0.7}
        if not asked:
            continue
        own = twin.without([[twin.winnowed(asked.get(name), 3, 1) for name in FIELDS]], gone)[0]
        weights = [w if asked else 0.0 for asked, w in zip(own, (0.4, 0.2, 0.4), strict=True)]
        scores = {}
        for number, other in enumerate(sets):
            fields = [of(a, b) for of, a, b in zip(measures, own, other, strict=True)]
            mean = twin.similarity(fields, weights, missing == "ignore")
            if mean >= 0.3:
                scores[f"memory#{number + 1}"] = mean
        found = {one.id: one.similarity for one in index.ask(asked, top=1000)}
        assert found == pytest.approx(scores)
        best = index.ask(asked, top=2)
        assert [one.similarity for one in best] == sorted(scores.values(), reverse=True)[:2]


def test_records_that_cannot_be_used_are_no_threads_of_an_index() -> None:
    threads = [{"id": "none"}, {"id": "egg", **EGG}, {"id": "empty"}, {"id": "tea", **TEA}]
    index = neardup.ThreadIndex.build(neardup.threads(threads))
    assert [one.id for one in index.ask(TEA)] == ["tea"]
    assert index.suggest(EGG)[0].id == "egg"


def test_fields_that_are_not_asked_do_not_count_and_are_shown_as_none() -> None:
    threads = [{"id": "egg", **EGG}, {"id": "tea", **TEA}]
    index = neardup.ThreadIndex.build(neardup.threads(threads))
    assert len(index) == 2
    found = index.ask({"title": "how do I boil an egg?"})
    assert [one.as_dict() for one in found] == [
        {
            "id": "egg",
            "similarity": 1.0,
            "fields": {"title": 1.0, "body": None, "answer": None},
            "title": EGG["title"],
            "url": None,
            "date": None,
        }
    ]
    assert index.ask({"title": "something quite different from it all"}) == []


def test_a_question_without_an_answer_is_worth_what_the_paper_prints() -> None:
    threads = [{"id": "egg", **EGG}, {"id": "tea", **TEA}]
    index = neardup.ThreadIndex.build(neardup.threads(threads, preset="paper"))
    assert [one.similarity for one in index.ask({"title": EGG["title"]})] == [pytest.approx(0.4)]
    assert index.ask({"title": EGG["title"]}, least=0.5) == []


def test_several_may_ask_at_a_time() -> None:
    threads = forum(200, seed=5)
    index = neardup.ThreadIndex.build(neardup.threads(threads))
    questions = [{name: thread.get(name) for name in FIELDS} for thread in threads[:60]]
    alone = [index.ask(question) for question in questions]
    assert any(alone)
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(index.ask, questions * 5)) == alone * 5


def test_an_index_knows_the_words_that_its_signatures_need(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", [{"id": "egg", **EGG}, {"id": "tea", **TEA}])
    chosen = ["title=imatch:0,1", "body=spotsigs:2"]
    result = neardup.threads(str(path), output=tmp_path / "out", signature=chosen)
    neardup.ThreadIndex.build(result)
    again = neardup.ThreadIndex(tmp_path / "out")
    assert [one.id for one in again.ask({"title": "an egg how do I boil"})] == ["egg"]


def test_bad_questions_are_refused_with_all_that_is_wrong(tmp_path: Path) -> None:
    index = neardup.ThreadIndex.build(neardup.threads([EGG]))
    with pytest.raises(SettingsError) as caught:
        index.ask({"question": "x"}, top=0, least=2)
    for part in ("no field 'question'", "top must be", "least must be", "has no text"):
        assert part in str(caught.value)
    with pytest.raises(OutputError, match="no index of threads"):
        neardup.ThreadIndex(tmp_path)
    with pytest.raises(OutputError, match="no threads that can be asked"):
        neardup.ThreadIndex.build(neardup.documents(["one two three four five"]))


def test_what_is_near_in_other_words_is_suggested(tmp_path: Path) -> None:
    threads = [{"id": "egg", **EGG}, {"id": "tea", **TEA}, *forum(200, seed=9)]
    result = neardup.threads(threads, output=tmp_path / "out")
    index = neardup.ThreadIndex.build(result)
    assert index.ask({"title": "an egg: boiling it?"}) == []
    [first, *_] = index.suggest({"title": "an egg: boiling it?"})
    assert first.id == "egg" and "egg" in first.words and 0 < first.nearness < 1
    [same] = index.suggest(EGG, top=1)
    assert same.id == "egg" and same.nearness == pytest.approx(1, abs=0.01)
    longer = index.suggest({"title": "an egg: boiling it?", "body": "I want one, and I have a kettle."})
    assert "egg" in [one.id for one in longer], "more text does not hide what less text finds"
    again = neardup.ThreadIndex(tmp_path / "out")
    assert again.suggest({"title": "an egg: boiling it?"})[0] == first
    with pytest.raises(SettingsError, match="top must be"):
        index.suggest(EGG, top=0)


def test_suggestions_of_one_field_and_of_no_words() -> None:
    result = neardup.threads([{"id": "egg", "title": "How do I boil an egg?"}], fields="title=1")
    index = neardup.ThreadIndex.build(result)
    assert index.suggest({"title": "boiling"})[0].id == "egg"
    assert index.suggest({"title": "¿?"}) == []
