"""The passages that most documents have."""

from neardup.reports.reused import heights, most_reused


def test_where_matches_lie_on_each_other_most_documents_have_it() -> None:
    text = "a" * 40 + "b" * 40 + "c" * 40
    matches = {7: [(0, 80, 1), (40, 120, 2), (40, 80, 3)], 8: [(0, 120, 7)]}
    [first, *rest] = most_reused(matches, {7: text, 8: text})
    assert (first.doc, first.start, first.end, first.others, first.text) == (7, 40, 80, 3, "b" * 40)
    assert all(one.others > 1 for one in rest)


def test_a_document_that_matches_twice_counts_once() -> None:
    assert list(heights([(0, 10, 1), (5, 10, 1), (8, 12, 2)])) == [
        (0, 5, 1),
        (5, 8, 1),
        (8, 10, 2),
        (10, 12, 1),
    ]
