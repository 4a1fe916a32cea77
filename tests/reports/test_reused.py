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


def test_what_is_mostly_in_a_passage_that_is_shown_is_not_shown_again() -> None:
    quoted = "In the beginning was the word, and everybody quotes it from somebody else"
    longer = f"{quoted}, as it was said."
    other = "Nothing is as practical as a good theory that many people have heard of."
    texts = {1: f"{longer} {other}", 2: f"So it goes: {quoted}", 3: quoted}
    behind = len(texts[1])
    matches = {
        1: [
            (0, len(longer), 2),
            (0, len(longer), 3),
            (behind - len(other), behind, 4),
            (behind - len(other), behind, 5),
        ],
        2: [(12, len(texts[2]), 1), (12, len(texts[2]), 3)],
        3: [(0, len(quoted), 1), (0, len(quoted), 2)],
    }
    assert [one.text for one in most_reused(matches, texts)] == [longer, other]
