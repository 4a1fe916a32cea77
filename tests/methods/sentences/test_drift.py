"""Frames with many fillings are templates; of the others, what most sentences say is suggested."""

from pathlib import Path
from typing import Any

import pytest
from tests.command_line import Command
from tests.twins.word_blocks import aligned, sentence_of

import neardup
from neardup.methods.sentences.drift import COPIES, MANY_FILLINGS
from neardup.methods.sentences.kinds import frame_of

TOWER = "The tower of the old church in the village is {} metres high."


def kinds(texts: list[Any], **chosen: Any) -> set[str]:
    return set(neardup.sentences(texts, split="records", **chosen).pairs["kind"].to_pylist())


def test_a_frame_with_five_fillings_is_a_template_and_one_with_fewer_is_drift() -> None:
    for count, kind in ((MANY_FILLINGS, "template"), (MANY_FILLINGS - 1, "factual drift")):
        assert kinds([TOWER.format(80 + number) for number in range(count)]) == {kind}


def test_three_fillings_make_a_template_under_titles_of_their_own() -> None:
    def texts(fillings: Any, titles: str) -> list[Any]:
        return [{"text": TOWER.format(f), "title": t} for f, t in zip(fillings, titles, strict=True)]

    assert kinds(texts((80, 81, 82), "abc")) == {"template"}
    assert kinds(texts((80, 81, 82), "aab")) == kinds(texts((80, 82), "ab")) == {"factual drift"}


def around(text: str, subject: str) -> str:
    """Put a text among sentences that no other subject has."""
    return f"What {subject} wanted was {subject[::-1]}. {text} Every {subject} knew {subject[1:]} then."


LONG_ONE = "The church was given to the monks of the abbey by the widow of a knight in {} with its land."


@pytest.mark.parametrize(
    ("form", "fillings", "kind"),
    [
        (LONG_ONE, ("1166", "1168"), "factual drift"),
        (LONG_ONE, ("1166", "1168", "1171"), "template"),  # each is like more than one other
        (LONG_ONE.replace("a knight", "{}").format("{}", 1166), ("Odo", "Guy"), "template"),
        ("The church was given to the monks in {}.", ("1166", "1168"), "template"),
    ],
)
def test_a_long_sentence_drifts_among_others_if_only_one_other_is_like_it(
    form: str, fillings: tuple[str, ...], kind: str
) -> None:
    subjects = ("weather", "harvesting", "sculpture")
    texts = [around(form.format(*[f]), s) for f, s in zip(fillings, subjects, strict=False)]
    assert set(neardup.sentences(texts, split="sentences").pairs["kind"].to_pylist()) == {kind}


@pytest.mark.parametrize(
    ("titles", "kind"),
    [
        (("Angola", "Politics of Angola"), "factual drift"),
        (("Politics of Gabon", "Politics of Angola"), "template"),
    ],
)
def test_articles_about_the_same_thing_drift_whatever_stands_around(
    titles: tuple[str, str], kind: str
) -> None:
    form = "The head of the government is the {}."
    rows = [
        {"id": title, "title": title, "text": around(form.format(head), subject)}
        for title, head, subject in zip(
            titles, ("Prime Minister", "Vice-President"), ("weather", "harvesting"), strict=True
        )
    ]
    assert set(neardup.sentences(rows, split="sentences").pairs["kind"].to_pylist()) == {kind}


@pytest.mark.parametrize("ids", [("page-1", "page-1-10"), ("notes.txt", "notes-old.txt")])
def test_ids_are_no_titles_and_do_not_say_that_two_articles_are_about_the_same(
    ids: tuple[str, str],
) -> None:
    form = "The head of the government is the {}."
    rows = [
        {"id": own, "text": around(form.format(head), subject)}
        for own, head, subject in zip(
            ids, ("Prime Minister", "Vice-President"), ("weather", "harvesting"), strict=True
        )
    ]
    assert set(neardup.sentences(rows, split="sentences").pairs["kind"].to_pylist()) == {"template"}


def test_phrases_that_are_passed_on_drift_if_they_seldom_stand_together() -> None:
    phrase = "No part of this text may be sold unless the {} allows it in writing."
    names = ("Guild", "Mayor", "Sodality", "Bishop", "Weaver", "Chapter")
    for copies, expected in ((COPIES, {"identical", "factual drift"}), (1, {"template"})):
        texts = [phrase.format(name) for name in names for _ in range(copies)]
        apart = [{"id": f"d{n}", "text": text} for n, text in enumerate(texts)]
        assert kinds(apart) == expected
    stamped = [TOWER.format(height) for height in (70, 75, 80, 81, 82, 90) for _ in range(COPIES)]
    assert kinds(stamped) == {"identical", "template"}


def test_headings_of_pages_that_documents_repeat_are_templates() -> None:
    def texts(repeated: int) -> list[str]:
        own = "It is not known when that was, nor who had asked them to do so. " * 8
        return [
            " ".join([own.replace("It", said), TOWER.format(when)] * repeated)
            for when, said in ((80, "It then"), (82, "It now"))
        ]

    once, twice = (
        {
            pair["kind"]
            for pair in neardup.sentences(texts(n), split="sentences").pairs.to_pylist()
            if pair["doc_a"] != pair["doc_b"] and pair["types"]
        }
        for n in (1, 2)
    )
    assert "factual drift" in once and "factual drift" not in twice


def test_a_number_of_the_document_itself_is_no_drift() -> None:
    around = "It was read at the meeting of the parish. {} Nobody of them had asked for another word."
    text = around.format("The report of the committee has the number {} and is not to be sold.")
    for names, kind in ((("note12", "note17"), "template"), (("first", "second"), "factual drift")):
        rows = [
            {"id": name, "text": text.format(number)}
            for name, number in zip(names, (12, 17), strict=True)
        ]
        found = neardup.sentences(rows, split="sentences").pairs["kind"].to_pylist()
        assert set(found) - {"identical"} == {kind}


def test_names_that_two_documents_exchange_more_than_once_are_their_subjects() -> None:
    rule = "If a client breaks this rule, then all that {} does afterwards is left to chance."
    own = "The number of the version is for future changes of {} that may become necessary."
    for other, kind in (("Xag", "template"), ("Xevi", "factual drift")):
        texts = [
            f"{rule.format(one)} {own.format(two)}" for one, two in (("Xevi", "Xevi"), ("Xag", other))
        ]
        found = neardup.sentences(texts, split="sentences").pairs["kind"].to_pylist()
        assert set(found) - {"identical"} == {kind}


SHARED = (
    "The market is held in the square on every Saturday of the year.",
    "An inn stands beside the mill, and both are kept by the same family.",
)
SWAPPED = (
    "Whoever comes late to the meeting has to ask {} for a key and to wait outside.",
    "The mill needs {} and {} sacks of grain to run for a day and for a whole night.",
    "In the end the parish paid {} for all of it, as nobody else had the money.",
)


@pytest.mark.parametrize(("shared", "kind"), [(SHARED, "factual drift"), ((), "template")])
def test_between_versions_of_one_text_all_values_drift(shared: tuple[str, ...], kind: str) -> None:
    values = ("Margery", "12", "30", "Margery"), ("Winifred", "14", "33", "Winifred")
    texts = []
    alone = "Snow fell for days, and no road was open.", "A gale twice took the roof off the old barn."
    for own, (key, some, many, payer) in zip(alone, values, strict=True):
        fillings = ((key,), (some, many), (payer,))
        rows = [form.format(*filling) for form, filling in zip(SWAPPED, fillings, strict=True)]
        texts.append(" ".join([*(shared[:1] or [own]), *rows, *shared[1:]]))
    pairs = neardup.sentences(texts, split="sentences").pairs.to_pylist()
    found = {pair["kind"] for pair in pairs if pair["types"]}
    assert found == {kind}


def test_copies_of_few_fillings_make_no_template() -> None:
    assert kinds([TOWER.format(80 + number % 2) for number in range(12)]) == {
        "identical",
        "factual drift",
    }


def test_page_headings_are_templates() -> None:
    pages = [
        f"Walden [Page {number}] RFC 62 A System for Interprocess Communication" for number in range(9)
    ]
    assert kinds(pages) == {"template"}


def frame(a: str, b: str) -> int:
    one = sentence_of(a)
    blocks = aligned(one, sentence_of(b))
    return frame_of(one.words, [(k.at_a, k.at_a + len(k.a)) for k in blocks])


def test_a_frame_does_not_depend_on_what_fills_it() -> None:
    frames = {frame(TOWER.format(a), TOWER.format(b)) for a, b in ((1, 2), (2, 1), (80, 82), (7, 200))}
    assert len(frames) == 1
    assert frame("page 1 of 1", "page 1 of 2") != frame("page 1 of 1", "page 2 of 1")


@pytest.fixture(scope="module")
def dated() -> neardup.Result:
    heights = [(80, "2001"), (80, "2019"), (82, "2010"), (80, None)]
    rows = [
        {"id": f"d{n}", "text": TOWER.format(height), "date": date}
        for n, (height, date) in enumerate(heights)
    ]
    return neardup.sentences(rows, split="records")


def test_what_differs_from_the_majority_is_suggested(dated: neardup.Result) -> None:
    [row] = dated.suggestions.to_pylist()
    assert (row["id"], row["words"], row["most_have"], row["agreeing"]) == ("d2", "82", "80", 3)
    assert row["text"] == TOWER.format(82)
    assert (row["stale"], row["most_date"], row["first_id"], row["first_date"]) == (
        True,
        "2019",
        "d0",
        "2001",
    )
    assert dated.counts["suggestions"] == 1


@pytest.mark.parametrize("engine", ["local", pytest.param("spark", marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    ("dates", "first", "stale"),
    [
        (["12 April 2024", "3 May 2024", "5 March 2024"], "d2", True),
        (["2024-03-05T01:00Z", "2024-03-05T08:00+09:00", "2024-03-05T02:00Z"], "d1", False),
        (["2024-03-05", "2024-03-06", "2024-03-05"], None, True),
        (["2024-03-05", "2024-03-05", "2024-03-05"], None, False),
    ],
)
def test_dates_of_suggestions_are_moments(
    dates: list[str], first: str | None, stale: bool, engine: Any
) -> None:
    rows = [
        {"id": f"d{n}", "text": TOWER.format(height), "date": date}
        for n, (height, date) in enumerate(zip((80, 80, 82), dates, strict=True))
    ]
    [row] = neardup.sentences(rows, split="records", engine=engine).suggestions.to_pylist()
    assert (row["first_id"], row["stale"], row["date"]) == (first, stale, dates[2])
    assert row["most_date"] == dates[0 if first == "d1" else 1]


def test_without_a_majority_nothing_is_suggested(tmp_path: Path, command: Command) -> None:
    texts = [TOWER.format(80), TOWER.format(82)]
    result = neardup.sentences(texts, split="records", output=tmp_path / "out")
    assert (result.counts["pairs.factual drift"], result.counts["suggestions"]) == (1, 0)
    said = command("show", tmp_path / "out", "suggestions").said
    assert "has such a majority" in said
    assert "pairs --where \"kind = 'factual drift'\"" in said
    neardup.sentences(texts[:1] * 2, split="records", output=tmp_path / "none")
    assert "majority" not in command("show", tmp_path / "none", "suggestions").said


def test_a_text_is_suggested_once_the_surest_first(tmp_path: Path, command: Command) -> None:
    school = "The parish has a school for {} boys and an inn that is kept by the miller."
    bell = "The bell was cast in {} by a founder from the next town and hangs there still."
    drifts = [(school, (40, 40, 41)), (bell, (1710, 1710, 1710, 1712, 1712))]
    texts = [form.format(value) for form, values in drifts for value in values]
    rows = [{"id": f"d{n}", "text": text} for n, text in enumerate(texts)]
    found = neardup.sentences(rows, split="records").suggestions
    told = found.select(["id", "words", "agreeing", "places"]).to_pylist()
    assert told == [
        {"id": "d6", "words": "1712", "agreeing": 3, "places": 2},
        {"id": "d2", "words": "41", "agreeing": 2, "places": 1},
    ]
    neardup.sentences(rows, split="records", output=tmp_path / "out")
    command("report", tmp_path / "out")
    page = (tmp_path / "out" / "report.html").read_text()
    assert "1712 → 1710" in page and "the next town and hangs there still." in page
    sure = found["confidence"].to_pylist()
    assert sure == sorted(sure, reverse=True) and 0 < sure[-1] <= 1


def test_what_says_the_same_in_other_words_is_not_suggested() -> None:
    form = "He was found guilty and sentenced to {} months of hard labour in that very prison."
    texts = [form.format(months) for months in ("12", "12", "12", "twelve", "nine")]
    found = neardup.sentences(texts, split="records").suggestions
    assert found["words"].to_pylist() == ["nine"] and found["most_have"].to_pylist() == ["12"]


def test_what_differs_in_several_places_is_another_version() -> None:
    form = "The division takes {} forms, which was decided when the {} mayor took office in the town."
    for other, count in ((("4", "old"), 1), (("4", "new"), 0)):
        texts = [form.format(*values) for values in (("3", "old"), ("3", "old"), other)]
        result = neardup.sentences(texts, split="records")
        assert result.counts["pairs.factual drift"] == 2
        assert result.counts["suggestions"] == count


def test_of_revisions_the_newest_is_held_against_those_of_its_page(tmp_path: Path) -> None:
    page = "<page><title>{0}</title><ns>0</ns><id>{0}</id>{1}</page>"
    revision = (
        "<revision><id>{0}</id><timestamp>20{0}-01-01T00:00:00Z</timestamp><text>{1}</text></revision>"
    )
    span = "The central span of the bridge measures {} metres and carries two lanes."
    pages = {1: [(80, 214), (82, 214), (80, 214), (80, 241)], 2: [(80, 214), (82, 214)]}
    texts = [
        page.format(
            number,
            "".join(
                revision.format(at, f"{TOWER.format(tower)} {span.format(metres)}")
                for at, (tower, metres) in enumerate(own, 10 * number)
            ),
        )
        for number, own in pages.items()
    ]
    path = tmp_path / "dump.xml"
    path.write_text(f"<mediawiki>{''.join(texts)}</mediawiki>")
    [row] = neardup.sentences(path, revisions=True).suggestions.to_pylist()
    assert (row["id"], row["words"], row["most_have"], row["agreeing"]) == ("1@13", "241", "214", 3)
    assert (row["first_id"], row["stale"]) == ("1@10", False)


def test_documents_that_shared_sentences_connect_are_a_chain() -> None:
    shared = [TOWER.format(80), "A market is held in the square on every Saturday of the year."]
    own = "Nothing in this sentence can be found in any of the other documents."
    texts = [shared[0], " ".join(shared), shared[1], own]
    rows = [{"id": f"d{n}", "text": text} for n, text in enumerate(texts)]
    result = neardup.sentences(rows, split="sentences")
    found = [(r["id"], r["others"], r["sentences"], r["size"]) for r in result.chains.to_pylist()]
    assert found == [("d0", 1, 1, 3), ("d1", 2, 2, 3), ("d2", 1, 1, 3)]
    assert result.counts["chains"] == 1


def test_units_of_several_sentences() -> None:
    both = f"{TOWER.format(80)} A market is held in the square on every Saturday."
    other = f"Nobody knows who built it. {both}"
    result = neardup.sentences([both, other], split="sentences", unit=2)
    [pair] = result.pairs.to_pylist()
    assert (pair["sentence_a"], pair["sentence_b"], pair["kind"]) == (0, 1, "identical")
    assert result.sentences["text"].to_pylist() == [both, both]
    assert neardup.sentences([both], split="sentences", unit=9).counts["sentences"] == 1


def test_the_counts_of_the_paper(dated: neardup.Result) -> None:
    counts = dated.counts
    assert counts["different_in_clusters"] == 2
    assert counts["documents_in_clusters"] == 4
    assert counts["document_pairs_over_50"] == 0


def test_a_pair_of_which_one_has_a_nearer_counterpart_is_no_drift() -> None:
    around = "The parish has a school and an inn. {} The river is crossed by an old bridge of stone."
    rows = [TOWER.format(80), TOWER.format(90).replace("tower", "great tower")]
    texts = [
        around.format(" ".join(rows)),
        around.format(" ".join([rows[0], rows[1].replace("90", "91")])),
    ]
    pairs = neardup.sentences(texts, split="sentences").pairs.to_pylist()
    found = {(p["sentence_a"], p["sentence_b"]): p["kind"] for p in pairs if p["doc_a"] != p["doc_b"]}
    assert found[2, 2] == "factual drift"
    assert found[1, 2] == found[2, 1] == "template"


def test_names_that_are_exchanged_everywhere_are_a_matter_of_style() -> None:
    nouns = [
        f"{one}{two}"
        for one in ("bar", "cor", "del", "fen", "gal", "hor")
        for two in ("ton", "nick", "man", "ley", "sel")
    ]
    text = "And {0} went up to the {1} of the {0} with the Lord before the evening of that day."
    old = [text.format(f"the {noun}", noun[::-1]) for noun in nouns]
    found = kinds(old + [sentence.replace("the Lord", "Jehovah") for sentence in old], max_distance=0.12)
    assert found == {"copy edit"}
