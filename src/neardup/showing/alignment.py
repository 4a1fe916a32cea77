"""Two texts beside each other: what matches, word by word, and what of long texts is shown.

Offsets are characters as Python counts them. A browser counts otherwise, so nothing of this leaves as
offsets: texts are handed on in parts.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from neardup.kernels.alignment import matching_runs
from neardup.showing.explaining import common_passages
from neardup.text import Tokens, tokenise

GAP = 250  # characters between two common runs of words that still are one match
MOST_CELLS = 1 << 24  # words of one side times words of the other that are compared one by one
CONTEXT = 300  # characters that are shown around a match
NEAR = 80  # characters that are shown around a difference inside a match

Span = tuple[int, int]
Part = list[str | int] | int


class Match(NamedTuple):
    """A passage of two texts: characters, end excluded; how similar, if that is known already."""

    start_a: int
    end_a: int
    start_b: int
    end_b: int
    kind: str | None = None
    similarity: float | None = None


class Compared(NamedTuple):
    """A match with the characters of the words that are only in one of its sides."""

    match: Match
    kind: str
    similarity: float
    words: int
    only_a: list[Span]
    only_b: list[Span]


class Aligned(NamedTuple):
    """Two texts in parts, and the matches that the parts name."""

    parts_a: list[Part]
    parts_b: list[Part]
    matches: list[tuple[str, float, int]]


def align(text_a: str, text_b: str, matches: Iterable[Match], limit: int | None = None) -> Aligned:
    """Compare the matches of two texts word by word, and cut the texts into parts.

    A part is `[text]` outside of all matches, `[text, n]` in match n, `[text, n, 1]` for words of
    match n that its other side does not have, or a number: how many characters are left out. A text of
    more than `limit` characters is cut around the matches.
    """
    a, b = tokenise(text_a), tokenise(text_b)
    ordered = sorted(matches, key=lambda match: match[:4])
    compared = [compare_words(a, b, match) for match in ordered]
    shown_a, shown_b = shown_pieces(text_a, text_b, compared, limit)
    spans_a = [(c.match.start_a, c.match.end_a) for c in compared]
    spans_b = [(c.match.start_b, c.match.end_b) for c in compared]
    return Aligned(
        list(parts(text_a, spans_a, [s for c in compared for s in c.only_a], shown_a)),
        list(parts(text_b, spans_b, [s for c in compared for s in c.only_b], shown_b)),
        [(c.kind, round(c.similarity, 4), c.words) for c in compared],
    )


def common_matches(text_a: str, text_b: str, least: int) -> list[Match]:
    """Find what two texts share: runs of `least` equal words or more, joined where little is between.

    What is alike close to a match belongs to it, even if it is only two words long.
    """
    a, b = tokenise(text_a), tokenise(text_b)
    found: list[Match] = []
    for run in common_passages(a, b, least):
        last = found[-1] if found else None
        if last and 0 <= run.start_b - last.end_b <= GAP and run.start_a - last.end_a <= GAP:
            found[-1] = last._replace(end_a=run.end_a, end_b=run.end_b)
        else:
            found.append(Match(run.start_a, run.end_a, run.start_b, run.end_b))
    return [widened(a, b, match, *room) for match, room in zip(found, rooms(found), strict=True)]


def rooms(matches: Sequence[Match]) -> Iterator[tuple[Span, Span]]:
    """Yield how far each match may grow in both texts without meeting another one.

    The matches are in the order of the first text.
    """
    ends_b = sorted(match.end_b for match in matches)
    starts_b = sorted(match.start_b for match in matches)
    for number, m in enumerate(matches):
        before = matches[number - 1].end_a if number else 0
        behind = matches[number + 1].start_a if number + 1 < len(matches) else m.end_a + GAP
        at = bisect_right(ends_b, m.start_b)
        before_b = ends_b[at - 1] if at else 0
        at = bisect_left(starts_b, m.end_b)
        behind_b = starts_b[at] if at < len(starts_b) else m.end_b + GAP
        yield (
            (max(before, m.start_a - GAP), min(behind, m.end_a + GAP)),
            (max(before_b, m.start_b - GAP), min(behind_b, m.end_b + GAP)),
        )


def widened(a: Tokens, b: Tokens, own: Match, room_a: Span, room_b: Span) -> Match:
    """Take in what is alike just before and just behind a match."""
    head = near_words(inside(a, room_a[0], own.start_a), inside(b, room_b[0], own.start_b))
    tail = near_words(inside(a, own.end_a, room_a[1]), inside(b, own.end_b, room_b[1]))
    if head:
        own = own._replace(start_a=head[0][0], start_b=head[0][2])
    if tail:
        own = own._replace(end_a=tail[-1][1], end_b=tail[-1][3])
    return own


def near_words(a: Tokens, b: Tokens) -> list[tuple[int, int, int, int]]:
    """Return where runs of two equal words or more are in both, in order."""
    return [
        (int(a.starts[i]), int(a.ends[i + n - 1]), int(b.starts[j]), int(b.ends[j + n - 1]))
        for i, j, n in equal_blocks(a, b)
        if n > 1
    ]


def compare_words(a: Tokens, b: Tokens, match: Match) -> Compared:
    """Compare the two sides of a match word by word."""
    a, b = inside(a, match.start_a, match.end_a), inside(b, match.start_b, match.end_b)
    same_a, same_b = equal_words(a, b)
    common, both = int(same_a.sum()), len(same_a) + len(same_b)
    alike = common == len(same_a) == len(same_b)
    return Compared(
        match,
        match.kind or ("identical" if alike else "edited"),
        2 * common / max(both, 1) if match.similarity is None else match.similarity,
        common,
        list(runs_of(a, ~same_a)),
        list(runs_of(b, ~same_b)),
    )


def inside(tokens: Tokens, start: int, end: int) -> Tokens:
    """Return the tokens that lie in a span of the text."""
    kind = tokens.starts.dtype.type  # for a number of another type, all would be converted
    first = np.searchsorted(tokens.starts, kind(start))
    own = slice(first, np.searchsorted(tokens.ends, kind(end), "right"))
    return Tokens(tokens.hashes[own], tokens.starts[own], tokens.ends[own])


def equal_words(a: Tokens, b: Tokens) -> tuple[np.ndarray, np.ndarray]:
    """Say of each word of both whether the other has it at its place."""
    same_a, same_b = np.zeros(len(a.hashes), bool), np.zeros(len(b.hashes), bool)
    for i, j, count in equal_blocks(a, b):
        same_a[i : i + count] = True
        same_b[j : j + count] = True
    return same_a, same_b


def equal_blocks(a: Tokens, b: Tokens) -> Iterator[tuple[int, int, int]]:
    """Yield where the words of both are the same, and how many are; of very long texts runs of three."""
    if len(a.hashes) * len(b.hashes) > MOST_CELLS:
        yield from map(tuple, matching_runs(a.hashes, b.hashes, 3).tolist())
        return
    from rapidfuzz.distance import Indel

    for op in Indel.opcodes(a.hashes.tolist(), b.hashes.tolist()):
        if op.tag == "equal":
            yield op.src_start, op.dest_start, op.src_end - op.src_start


def runs_of(tokens: Tokens, chosen: np.ndarray) -> Iterator[Span]:
    """Yield the characters of each run of chosen words."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], chosen, [False]])))
    for first, behind in edges.reshape(-1, 2).tolist():
        yield int(tokens.starts[first]), int(tokens.ends[behind - 1])


def shown_pieces(
    text_a: str, text_b: str, compared: Sequence[Compared], limit: int | None
) -> tuple[list[Span], list[Span]]:
    """Choose what of two texts is shown: all, or what lies around their matches and differences.

    Matches are taken in the order of the first text until there is enough, so that a match is shown on
    both sides or on neither.
    """
    lengths = len(text_a), len(text_b)
    if limit is None or max(lengths) <= limit:
        return [(0, lengths[0])], [(0, lengths[1])]
    chosen: tuple[list[Span], list[Span]] = ([], [])
    used = [0, 0]
    for one in compared:
        m = one.match
        for side, (start, end, only) in enumerate(
            ((m.start_a, m.end_a, one.only_a), (m.start_b, m.end_b, one.only_b))
        ):
            pieces = [around(place, place, CONTEXT, lengths[side]) for place in (start, end)]
            pieces += [around(*span, NEAR, lengths[side]) for span in only]
            for piece in united(pieces):
                if used[side] < limit:
                    chosen[side].append((piece[0], min(piece[1], piece[0] + limit - used[side])))
                    used[side] += piece[1] - piece[0]
        if max(used) >= limit:
            break
    for side in (0, 1):
        if not chosen[side]:
            chosen[side].append((0, min(limit, lengths[side])))
    return united(chosen[0]), united(chosen[1])


def around(start: int, end: int, margin: int, length: int) -> Span:
    """Widen a span on both sides, within the text."""
    return max(start - margin, 0), min(end + margin, length)


def united(spans: Iterable[Span]) -> list[Span]:
    """Join spans that overlap or touch.

    >>> united([(5, 9), (0, 3), (2, 4)])
    [(0, 4), (5, 9)]
    """
    found: list[Span] = []
    for start, end in sorted(spans):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return found


def parts(
    text: str, matches: Sequence[Span], only: Iterable[Span], shown: Iterable[Span]
) -> Iterator[Part]:
    """Cut a text into parts; where matches overlap, the earlier one has the words.

    >>> list(parts("one two three", [(4, 13)], [(8, 13)], [(0, 13)]))
    [['one '], ['two ', 0], ['three', 0, 1]]
    """
    marks = list(unfolded(text, matches, united(only)))
    stops = [mark[1] for mark in marks]
    at = 0
    for begin, end in shown:
        if begin > at:
            yield begin - at
        for start, stop, look in marks[bisect_left(stops, begin) :]:
            if start >= end and (start, end) != (stop, len(text)):
                break
            piece = text[max(start, begin) : min(stop, end)]
            if piece or (start == stop and begin <= start):
                yield [piece, *look]
        at = end
    if at < len(text):
        yield len(text) - at


def unfolded(
    text: str, matches: Sequence[Span], only: Sequence[Span]
) -> Iterator[tuple[int, int, tuple[int, ...]]]:
    """Yield spans that follow one another over the whole text, and what they are.

    A match whose words all belong to earlier ones is an empty span at its place.
    """
    at = 0
    ends = [span[1] for span in only]
    for number, (start, end) in sorted(enumerate(matches), key=lambda item: (item[1], item[0])):
        start, end = max(start, at), max(end, at)
        if start > at:
            yield at, start, ()
        if start == end:
            yield start, end, (number,)
        at = start
        for first, behind in only[bisect_right(ends, start) :]:
            if first >= end:
                break
            first, behind = max(first, at), min(behind, end)
            if first > at:
                yield at, first, (number,)
            yield first, behind, (number, 1)
            at = behind
        if at < end:
            yield at, end, (number,)
        at = end
    if at < len(text):
        yield at, len(text), ()
