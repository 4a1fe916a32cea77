"""How much is duplicated."""

from neardup.retrieval.duplicates import Groups
from neardup.retrieval.files import (
    Ranking,
    Run,
)
from neardup.retrieval.prevalence import cumulative, prevalence, run_topics


def test_prevalence_and_table() -> None:
    near = Groups([["a", "b", "c"]])
    [together, first, second] = prevalence("pool", {"10": ["a", "b"], "9": ["c", "x"]}, near)
    assert (together.topic, together.documents, together.near_duplicates, together.redundant) == (
        None,
        4,
        3,
        2,
    )
    assert (first.topic, first.near_duplicates) == ("9", 0)
    assert (second.topic, second.redundant) == ("10", 1)
    runs = [Run("r", {"1": Ranking(list("xabyz"), [5, 4, 3, 2, 1]), "2": Ranking(["x"], [1.0])})]
    rows = list(run_topics(runs, [2, 4], near))
    assert [(r.topic, r.n, r.documents, r.redundant) for r in rows] == [
        ("1", 2, 2, 0), ("1", 4, 4, 1), ("2", 2, 1, 0), ("2", 4, 1, 0),
    ]  # fmt: skip
    cells = {(cell.n, cell.least): cell.share for cell in cumulative(rows)}
    assert cells[4, 0.25] == 0.5
    assert cells[4, 0.3] == 0
    assert (2, 0.45) not in cells and (2, 0.5) in cells, "no part of a document"
