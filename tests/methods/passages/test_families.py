"""passages: families, their witnesses in the order of dates, and from whom each has its text."""

from itertools import pairwise
from random import Random
from typing import Any

import pytest
from tests.corpora import prose, replaced
from tests.methods.passages.finding import run
from tests.twins import passages as twins

import neardup
from neardup.methods.passages.families import witnesses_of
from neardup.text import tokenise

QUOTED = prose(60, seed=1)


def document(name: str, text: str, date: str | None) -> dict[str, Any]:
    own = sum(map(ord, name))
    whole = f"{prose(30, seed=own)} {text} {prose(30, seed=own + 500)}"
    return {"id": name, "title": f"The {name}", "date": date, "text": whole}


def witnesses(result: neardup.Result, *names: str) -> list[Any]:
    return [tuple(row[name] for name in names) for row in result.witnesses.to_pylist()]


@pytest.mark.parametrize("signature", ["auto", "shingles:2"])
def test_witnesses_are_in_the_order_of_their_dates(signature: str) -> None:
    dates = {"c": "1 March 1850", "b": "1850-02", "a": "1850-01-05", "d": None}
    texts = [document(name, QUOTED, date) for name, date in dates.items()]
    result = run(texts, signature=signature)
    [family] = result.families.to_pylist()
    assert (family["documents"], family["witnesses"], family["first_id"]) == (4, 4, "a")
    assert (family["first_title"], family["last_date"]) == ("The a", "1 March 1850")
    assert witnesses(result, "id", "place", "via", "depth") == [
        ("a", 1, None, 0),
        ("b", 2, "a", 1),
        ("c", 3, "a", 1),
        ("d", 4, None, None),
    ]
    assert result.counts["families"] == 1
    if signature == "auto":
        by_id = {one["id"]: one["text"] for one in texts}
        found = {by_id[i][s:e].strip(" .") for i, s, e in witnesses(result, "id", "start", "end")}
        assert found == {QUOTED.strip(" .")}


def test_a_quotation_of_a_quotation_is_told_from_one_of_the_first() -> None:
    changed = replaced(QUOTED, 12)
    texts = [
        document("first", QUOTED, "1900"),
        document("second", changed, "1910"),
        document("third", changed, "1920"),
        document("fourth", QUOTED, "1930"),
    ]
    found = witnesses(run(texts), "id", "via", "depth")
    assert found == [
        ("first", None, 0),
        ("second", "first", 1),
        ("third", "second", 2),
        ("fourth", "first", 1),
    ]


def test_without_dates_nobody_is_first() -> None:
    result = run([document(name, QUOTED, None) for name in "abc"])
    assert result.families["first_id"].to_pylist() == [None]
    assert witnesses(result, "id", "via", "depth") == [(name, None, None) for name in "abc"]


@pytest.mark.parametrize("engine", ["local", pytest.param("spark", marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    ("dates", "order", "first"),
    [
        (["2024-03-05T18:00", "2024-03-05T09:00", "2024-03-05T06:00"], "cba", "c"),
        (["2024-03-05T01:00Z", "2024-03-05T08:00+09:00", "2024-03-04T22:00-05:00"], "bac", "b"),
        (["2024-03-05T06:00", "2024-03-05", "2024-03-06T00:00Z"], "bac", None),
        (["1611", "1611", "1599-04"], "cab", "c"),
        (["1611", "1611", "1623"], "abc", None),
        (["03/01/2024", "2024-02-02", "01/15/2024"], "cba", "c"),
        (["03/01/2024", "2024-02-02", "15/01/2024"], "acb", "a"),
        (["03/01/2024", "2024-02-02", "2024-02-03"], "bca", "b"),
    ],
)
def test_dates_are_moments(engine: Any, dates: list[str], order: str, first: str | None) -> None:
    result = run(
        [document(*given) for given in zip("abc", [QUOTED] * 3, dates, strict=True)], engine=engine
    )
    assert "".join(result.witnesses["id"].to_pylist()) == order
    [family] = result.families.to_pylist()
    assert (family["first_id"], family["first_date"]) == (
        first,
        dict(zip("abc", dates, strict=True))[order[0]],
    )


def test_of_one_day_nobody_has_it_from_the_other(command: Any, tmp_path: Any) -> None:
    dates = {"a": "1611", "b": "1611", "c": "1611-05-02", "d": "1612"}
    texts = [document(name, QUOTED, date) for name, date in dates.items()]
    result = run(texts, output=tmp_path / "out", keep_texts=True)
    found = witnesses(result, "id", "via", "depth")
    assert found == [("a", None, 0), ("b", None, 0), ("c", None, 0), ("d", "a", 1)]
    shown = " ".join(command("show", str(tmp_path / "out"), "families").out.split())
    assert "1. in 4 documents, first seen 1611: several are of the same time" in shown


def test_a_column_of_times_of_pandas_is_read() -> None:
    pandas = pytest.importorskip("pandas")
    times = ["2024-03-05 18:00", "2024-03-05 09:00", "2024-03-05 06:00", None]
    frame = pandas.DataFrame(
        [document(*given) for given in zip("abcd", [QUOTED] * 4, times, strict=True)]
    )
    for zone in (None, "Asia/Tokyo"):
        frame["date"] = pandas.to_datetime(pandas.Series(times)).dt.tz_localize(zone)
        assert witnesses(run(frame), "id") == [("c",), ("b",), ("a",), ("d",)]


def test_a_whole_copy_has_its_text_from_the_whole_though_others_have_a_part() -> None:
    whole = f"{QUOTED} {prose(60, seed=3)}"
    texts = [
        {"id": name, "date": f"2024-03-0{day}", "text": f"{text} {prose(9, seed=70 + day)}"}
        for day, (name, text) in enumerate(
            {"release": whole, "copy": whole, "s1": QUOTED, "s2": QUOTED, "s3": QUOTED}.items(), 1
        )
    ]
    found = witnesses(run(texts), "family", "id", "via", "depth")
    assert found == [
        (1, "release", None, 0),
        *((1, name, "release", 1) for name in ("copy", "s1", "s2", "s3")),
        (2, "release", None, 0),
        (2, "copy", "release", 1),
    ]


@pytest.mark.parametrize("engine", ["local", pytest.param("spark", marks=pytest.mark.slow)])
@pytest.mark.parametrize("signature", ["auto", "shingles:2"])
def test_each_has_its_text_from_the_earlier_one_that_is_most_like_it(
    signature: str, engine: str
) -> None:
    random = Random(7)
    whole = [prose(12, seed=n) + "." for n in range(12)]
    texts: list[dict[str, Any]] = []
    for n in range(24):
        kept = whole[random.randrange(3) : 12 - random.randrange(5)]
        own = " ".join(replaced(one, 5) if random.random() < 0.2 else one for one in kept)
        texts.append(document(f"d{n}", own, f"2024-03-{random.randrange(1, 20):02}"))
    result = run(texts, min_length=80, signature=signature, engine=engine)
    words = {one["id"]: tokenise(one["text"]) for one in texts}
    rows = result.witnesses.to_pylist()
    assert sum(row["via"] is not None for row in rows) > 20
    for row in rows:
        earlier = [
            (
                -twins.likeness(*(words_within(words[one["id"]], one) for one in (row, other))),
                other["date"],
            )
            for other in rows
            if other["family"] == row["family"] and other["date"] < row["date"]
        ]
        if not earlier:
            assert (row["via"], row["depth"]) == (None, 0)
            continue
        less, date = min(earlier)
        found = next(one for one in rows if (one["family"], one["id"]) == (row["family"], row["via"]))
        assert (row["via_similarity"], found["date"]) == (pytest.approx(-less), date)
        assert row["depth"] == found["depth"] + 1


def words_within(tokens: Any, span: dict[str, Any]) -> list[int]:
    inside = (tokens.starts >= span["start"]) & (tokens.ends <= span["end"])
    return [int(word) for word in tokens.hashes[inside]]


def test_strangers_are_not_chained_by_what_lies_beside_a_passage() -> None:
    parts = [prose(50, seed=seed) for seed in range(40, 46)]
    chained = [
        document(f"x{n}", f"{one} {other}", None) for n, (one, other) in enumerate(pairwise(parts))
    ]
    result = run(chained)
    assert result.families.num_rows == 4
    assert result.families["documents"].to_pylist() == [2] * 4


def test_a_part_that_others_quote_is_a_family_of_its_own() -> None:
    long = f"{QUOTED} {prose(120, seed=2)}"
    texts = [document("a", long, None), document("b", long, None), document("c", QUOTED, None)]
    families = run(texts).families
    assert sorted(families["documents"].to_pylist()) == [2, 3]


def test_nothing_depends_on_the_order_of_the_input() -> None:
    texts = [document(name, QUOTED, f"19{at}0") for at, name in enumerate("abcde", 1)]
    names = ("id", "place", "via", "depth", "start", "end")
    assert witnesses(run(texts), *names) == witnesses(run(texts[::-1]), *names)


def test_spans_that_nearly_coincide_are_one_witness() -> None:
    spans = [(0, 1000), (50, 1000), (0, 900), (100, 850), (800, 1800)]
    assert witnesses_of(spans) == {
        (0, 1000): (0, 1000),
        (50, 1000): (0, 1000),
        (0, 900): (0, 1000),
        (100, 850): (100, 850),
        (800, 1800): (800, 1800),
    }


def test_families_are_shown(command: Any, tmp_path: Any) -> None:
    texts = [document(name, QUOTED, f"1{at}00") for at, name in enumerate("abcdefg", 1)]
    run(texts, output=tmp_path / "out", keep_texts=True)
    shown = command("show", str(tmp_path / "out"), "families").out
    assert "1. in 7 documents, first seen in The a (a) (1100)" in " ".join(shown.split())
    assert "like a 1.000" in shown and "… and 2 more" in shown
