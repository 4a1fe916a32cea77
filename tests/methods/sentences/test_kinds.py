"""Kinds of change: on pairs that were labelled by reading, and the rules one by one."""

from collections import Counter
from functools import cache
from pathlib import Path

import pytest
from tests.described import describe, described
from tests.kinds_read import figures, kinds_of, records
from tests.quality import DATA as REAL
from tests.twins import kinds as twin
from tests.twins.kinds import Place

import neardup
from neardup.methods.sentences.kinds import COPY_EDIT, DRIFT, KINDS, TEMPLATE

DATA = Path(__file__).parents[2] / "data"


@cache
def confusion(part: str) -> Counter[tuple[str, str]]:
    """Count the labels and what was said, for one part of the pairs."""
    found: Counter[tuple[str, str]] = Counter()
    for line in (DATA / f"kinds-{part}.tsv").read_text(encoding="utf-8").splitlines():
        label, a, b = line.split("\t")
        found[label, describe(a, b).kind] += 1
    return found


def accuracy(part: str) -> float:
    table = confusion(part)
    return sum(n for (label, said), n in table.items() if label == said) / table.total()


def test_the_labels_are_kinds_and_no_pair_is_in_both_parts() -> None:
    parts = [(DATA / f"kinds-{p}.tsv").read_text(encoding="utf-8") for p in ("tuning", "held-back")]
    lines = [line for part in parts for line in part.splitlines()]
    assert {line.split("\t")[0] for line in lines} <= set(KINDS)
    assert len({line.split("\t", 1)[1] for line in lines}) == len(lines) > 280


def test_kinds_of_pairs_that_were_held_back() -> None:
    table = confusion("held-back")
    assert accuracy("held-back") >= 0.9
    said = sum(n for (_, kind), n in table.items() if kind == DRIFT)
    meant = sum(n for (label, _), n in table.items() if label == DRIFT)
    assert table[DRIFT, DRIFT] / said >= 0.85
    assert table[DRIFT, DRIFT] / meant >= 0.9


def test_kinds_of_pairs_for_tuning() -> None:
    assert accuracy("tuning") >= 0.95


def test_kinds_of_real_pairs_that_were_read() -> None:
    dump = records("wiki", REAL)
    if not isinstance(dump, Path):
        pytest.skip(f"there is no dump of Wikipedia in {REAL}: set NEARDUP_DATA")
    assert figures(kinds_of(neardup.sentences(dump)), "wiki").right >= 0.87


def test_changes_are_aligned_and_typed() -> None:
    found = describe(
        "On 3 May 1874 Anna Smith sold 12 paintings in Rome.",
        "On 4 May 1874 Anna Jones sold 13 big paintings in Rome.",
    )
    assert [tuple(change) for change in found.changes] == [
        ("date", "3", "4"),
        ("name", "Smith", "Jones"),
        ("number", "12", "13 big"),
    ]


@pytest.mark.parametrize(
    ("said", "a", "b", "kind", "words_a", "words_b"),
    [
        ("You need {} points of reputation for that.", "500+", "2000+", "number", "500", "2000"),
        ("You need {} points of reputation for that.", "two", "2000", "number", "two", "2000"),
        ("She was born in {} and went to school there.", "1874", "1878", "date", "1874", "1878"),
        ("She was born in {} and taught.", "987", "May 1012", "date", "987", "May 1012"),
        ("See example.org/find?q=%22{}%22&n=5 for a list.", "2021", "2022", "date", "2021", "2022"),
        ("They paid %{} of that, and 50% of it was theirs.", "25", "30", "number", "25", "30"),
    ],
)
def test_types_of_numbers(said: str, a: str, b: str, kind: str, words_a: str, words_b: str) -> None:
    """A number like a year may be any; what is written in hexadecimal is none."""
    [change] = describe(said.format(a), said.format(b)).changes
    assert tuple(change) == (kind, words_a, words_b)


@pytest.mark.parametrize(
    ("a", "b", "kind"),
    [
        ("It was built in 1900.", "It was built in 1900.", "identical"),
        ("It was built, in 1900.", "It was built in 1900.", COPY_EDIT),
        ("He sold 1,200 cars.", "He sold 1200 cars.", COPY_EDIT),
        ("He sold twelve cars.", "He sold 12 cars.", COPY_EDIT),
        ("He sold twelve cars.", "He sold 13 cars.", DRIFT),
        ("He was never seen there again.", "He was seen there again.", DRIFT),
        ("", "", "identical"),
        ("…", "!", "other"),
    ],
)
def test_rules(a: str, b: str, kind: str) -> None:
    assert describe(a, b).kind == kind


def test_what_its_own_article_is_about_makes_a_template() -> None:
    a, b = "There are two schools in Bolton.", "There are two schools in Wigan."
    assert describe(a, b).kind == DRIFT
    assert describe(a, b, "Schools", "Schools").kind == DRIFT
    assert describe(a, b, "Bolton", "Wigan").kind == TEMPLATE


def test_labelled_pairs_are_described_as_the_slow_twin_does() -> None:
    for part in ("tuning", "held-back"):
        lines = (DATA / f"kinds-{part}.tsv").read_text(encoding="utf-8").splitlines()
        pairs = [tuple(line.split("\t")[1:]) for line in lines]
        near = [(a, b, None, None, Place()) for a, b in pairs]
        assert described(near) == [twin.describe(a, b) for a, b in pairs]


def test_a_pair_says_the_same_in_either_order() -> None:
    for part in ("tuning", "held-back"):
        for line in (DATA / f"kinds-{part}.tsv").read_text(encoding="utf-8").splitlines():
            _, a, b = line.split("\t")
            assert describe(a, b).kind == describe(b, a).kind, line


def test_the_initials_of_a_name_are_the_name_with_or_without_its_article() -> None:
    long = "He worked for the World Health Organization in Geneva for many years."
    assert describe(long, long.replace("the World Health Organization", "WHO")).kind == "copy edit"
    assert describe(long, long.replace("World Health Organization", "WHO")).kind == "copy edit"
    assert describe(long, long.replace("the World Health Organization", "NATO")).kind == "factual drift"


def test_what_only_numbers_a_clause_or_a_citation_is_no_fact() -> None:
    for a, b in (
        ("4. Neither the name of the owner nor those of others may be used.", "3. Neither"),
        ("(3) Otherwise the value of the field is set to the index.", "(9) Otherwise"),
        ("第三十七条 涉密人员出境应当经有关部门批准。", "第四十五条 涉密"),
    ):
        start = a.split(b.split()[-1], 1)[0] + b.split()[-1]
        assert describe(a, a.replace(start, b)).kind == COPY_EDIT
    cited = (
        "The signalling transport that is defined over IP {} uses multiple components, see Section {}."
    )
    assert describe(cited.format("[11]", 3), cited.format("[RFC2719]", 4)).kind == COPY_EDIT


def test_a_qualified_name_is_another_name() -> None:
    text = "You have received a copy of the GNU General Public License with this library."
    assert describe(text, text.replace("General", "Lesser General")).kind == DRIFT


def test_misread_print_is_no_fact() -> None:
    truth = "The witness said that Mary Powney of Wilmer Street had taken the child to the theatre."
    read = "The witnoss said that Mary Tourwney of Wilmer Street had takcn the child to the theatre."
    assert describe(truth, read).kind == COPY_EDIT


def test_a_value_drifts_only_between_texts_about_the_same() -> None:
    a, b = (
        "There were seven previous convictions of the man.".replace("seven", n) for n in ("six", "nine")
    )
    for place, kind in (
        (Place(), DRIFT),
        (Place(-1, 0.9), DRIFT),
        (Place(-1, 0.1), TEMPLATE),
        (Place(3, 0.9), TEMPLATE),
    ):
        assert describe(a, b, place=place).kind == kind
    assert (
        describe(a, b, place=Place(-1, 0.9)).confidence > describe(a, b, place=Place(-1, 0.5)).confidence
    )


def test_rows_that_stand_close_together_in_one_text_are_templates() -> None:
    rows = [
        ("Order Cheirolepidiformes", "Order Perleidiformes"),
        ("The members of the Supreme Court;", "The members of the Military Supreme Court;"),
        ("1,524 to 2,437 m: 12", "1,524 to 2,437 m: 32"),
    ]
    for a, b in rows:
        assert describe(a, b, place=Place(2, 0.5)).kind == TEMPLATE
    a, b = "He often walked to the theatre.", "He often walked to the theater."
    assert describe(a, b, place=Place(2, 0.5)).kind == COPY_EDIT
    a, b = "He was by far the best player of all.", "He was by far virtually the best player of all."
    assert describe(a, b, place=Place(300, 0.5)).kind == COPY_EDIT


def test_the_page_behind_leading_dots_is_no_fact() -> None:
    a, b = ("The form machine ............... " + page for page in ("7", "8"))
    assert describe(a, b, place=Place(-1, 0.9)).kind == TEMPLATE


def test_what_stands_under_a_heading_of_references_is_one() -> None:
    a, b = "Also published as a book in two volumes.", "Also published as a book in three volumes."
    assert describe(a, b, place=Place(cited=True)).kind == "reference"
    assert describe(a, b).kind == DRIFT


def test_a_name_that_is_cut_short_is_the_same() -> None:
    text = "Write to the owner at his house in 51 Franklin {} in Boston for another copy of it."
    assert describe(text.format("Street"), text.format("St")).kind == COPY_EDIT
    assert describe(text.format("Street"), text.format("Road")).kind == DRIFT


def test_what_is_denied_among_other_words_is_worded_otherwise() -> None:
    a = "The visitors had more data than ever before, but lacked the tools to read all of it."
    b = "The visitors had more data than ever before, but did not have the tools to read all of it."
    assert describe(a, b, place=Place(-1, 0.2)).kind == COPY_EDIT
    assert describe(a, b, place=Place(-1, 0.8)).kind == DRIFT


def test_the_nouns_of_german_are_no_names() -> None:
    text = "Das {} wird auf dem Platz vor der alten Kirche im Sommer oft gesehen, sagt der Wirt."
    assert describe(text.format("alte Pferd"), text.format("alte Ross")).kind == COPY_EDIT
    assert describe(text.format("Jahr 1874"), text.format("Jahr 1878")).kind == DRIFT


def test_what_a_title_names_is_its_subject_whatever_its_case() -> None:
    a, b = (f"This package has the development files for {name}." for name in ("libglvnd", "libxslt"))
    assert describe(a, b, "libglvnd-dev", "libxslt-dev").kind == TEMPLATE
    assert describe(a, b, "one", "two").kind == COPY_EDIT
