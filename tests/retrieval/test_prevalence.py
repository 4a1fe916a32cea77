"""How much is duplicated."""

from tests.retrieval.collection import ranking

from neardup.retrieval.duplicates import Groups
from neardup.retrieval.prevalence import cumulative, prevalence, run_topics
from neardup.retrieval.runs import Catalogue, Run


def test_prevalence() -> None:
    catalogue = Catalogue()
    sets = {"10": catalogue.numbers("ab"), "9": catalogue.numbers("cx")}
    near = Groups([["a", "b", "c"]]).near(catalogue)
    together, first, second = prevalence("pool", sets, near)
    assert together[1:] == (None, None, 4, 3, 2)
    assert (first.topic, first.near_duplicates) == ("9", 0)
    assert (second.topic, second.redundant) == ("10", 1)


def test_both_near_duplicates_must_be_among_the_top() -> None:
    catalogue = Catalogue()
    topics = {"1": ranking(catalogue, *"xabyc"), "2": ranking(catalogue, "x")}
    runs = [Run("r", topics, catalogue)]
    near = Groups([["a", "b", "c"]]).near(catalogue)
    rows = list(run_topics(runs, [2, 4, 9], near))
    assert [row[1:2] + row[3:] for row in rows] == [
        ("1", 2, 2, 0, 0), ("1", 4, 4, 2, 1), ("1", 9, 5, 3, 2),
        ("2", 2, 1, 0, 0), ("2", 4, 1, 0, 0), ("2", 9, 1, 0, 0),
    ]  # fmt: skip


def test_table_4_1_has_run_topics_with_more_than_a_share() -> None:
    catalogue = Catalogue()
    copies = [f"c{number}" for number in range(10)]
    topics = {
        "1": ranking(catalogue, *copies),  # ten copies of one page
        "2": ranking(catalogue, *copies[:2], *"abcdefgh"),
        "3": ranking(catalogue, *"abcdefghij"),
        "4": ranking(catalogue, *copies[:4], *"abcdef"),
    }
    near = Groups([copies]).near(catalogue)
    rows = list(run_topics([Run("r", topics, catalogue)], [10], near))
    cells = {round(100 * cell.more_than): cell for cell in cumulative(rows)}
    assert list(cells) == list(range(10, 100, 5)), "5 % of ten is no whole document"
    shares = {at: cell.near_duplicates for at, cell in cells.items()}
    assert (shares[10], shares[20], shares[40], shares[95]) == (0.75, 0.5, 0.25, 0.25)
    assert all(shares[at] == shares[at + 5] for at in range(10, 100, 10)), "as in the thesis"
    redundant = {at: cell.redundant for at, cell in cells.items()}
    assert (redundant[10], redundant[25], redundant[85], redundant[90]) == (0.5, 0.5, 0.25, 0)
