"""Two texts beside each other: what matches, word by word, and what of long texts is shown.

Offsets are characters as Python counts them, code points; the viewer's scripts count like this, too.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from neardup.arrays import Hashes
from neardup.showing.explaining import common_passages
from neardup.text import Tokens, tokenise

GAP = 250  # characters between two common runs of words that still are one match
MOST_CELLS = 1 << 24  # words of one side times words of the other that are compared one by one
CONTEXT = 300  # characters that are shown around a match
NEAR = 15  # words that are shown before and behind a difference inside a match that is cut, too
LONG = 400  # equal words in a row, from which on some of a match can be left out
LONGEST_WORD = 40  # characters that are looked through for a space to cut at

SPACE = re.compile(r"\s+")

Span = tuple[int, int]
Quad = tuple[int, int, int, int]  # start and end in both texts
Block = tuple[int, int, int]  # the first word in both texts, and how many there are
Piece = tuple[int, str]  # where a part of a text begins, and what it says


class Match(NamedTuple):
    """A passage of two texts: characters, end excluded; how similar, if that is known already."""

    start_a: int
    end_a: int
    start_b: int
    end_b: int
    kind: str | None = None
    similarity: float | None = None
    page_a: str | None = None
    page_b: str | None = None


class MatchedWords(NamedTuple):
    """A match with the runs of words that are the same in both, and what of these can be left out."""

    match: Match
    kind: str
    similarity: float
    words: int
    runs: list[Quad]
    spare: list[Quad]

    def as_json(self) -> list[Any]:
        """Return the match for the viewer: kind, similarity, words, both spans, the equal runs, pages.

        Of each run, there is how far it is behind the last one and how long it is, in the first text
        and in the second. Where all is the same, no run is listed.
        """
        m = self.match
        flat: list[int] = []
        at_a, at_b = m.start_a, m.start_b
        for start_a, end_a, start_b, end_b in self.runs:
            flat += start_a - at_a, end_a - start_a, start_b - at_b, end_b - start_b
            at_a, at_b = end_a, end_b
        whole = [(m.start_a, m.end_a, m.start_b, m.end_b)]
        return [
            self.kind,
            round(self.similarity, 4),
            self.words,
            *m[:4],
            [] if self.runs == whole else flat,
            *([m[-2:]] if any(m[-2:]) else []),
        ]


class Aligned(NamedTuple):
    """What is shown of two texts, and their matches as the viewer takes them."""

    shown_a: list[Span]
    shown_b: list[Span]
    matches: list[list[Any]]


def align(text_a: str, text_b: str, matches: Iterable[Match], limit: int | None = None) -> Aligned:
    """Compare the matches of two texts word by word, and choose what is shown of the texts.

    A text of more than `limit` characters is cut around the matches; inside of very long ones, both are
    cut at the same words.
    """
    a, b = tokenise(text_a), tokenise(text_b)
    ordered = sorted(matches, key=lambda match: match[:4])
    compared = [compare_words(a, b, match) for match in ordered]
    return Aligned(*shown_pieces(text_a, text_b, compared, limit), [c.as_json() for c in compared])


def pieces(text: str, shown: Iterable[Span]) -> list[Piece]:
    """Return what is shown of a text.

    >>> pieces("one two three", [(0, 3), (8, 13)])
    [(0, 'one'), (8, 'three')]
    """
    return [(start, text[start:end]) for start, end in shown]


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


def compare_words(a: Tokens, b: Tokens, match: Match) -> MatchedWords:
    """Compare the two sides of a match word by word."""
    a, b = inside(a, match.start_a, match.end_a), inside(b, match.start_b, match.end_b)
    blocks = list(equal_blocks(a, b))
    common = sum(count for _, _, count in blocks)
    sizes = len(a.hashes), len(b.hashes)
    alike = common == sizes[0] == sizes[1]
    runs = [quad(a, b, *block) for block in blocks]
    if alike:  # what is around the words belongs to them
        runs = [(match.start_a, match.end_a, match.start_b, match.end_b)]
    return MatchedWords(
        match,
        match.kind or ("identical" if alike else "edited"),
        2 * common / max(sum(sizes), 1) if match.similarity is None else match.similarity,
        common,
        runs,
        [quad(a, b, i + NEAR, j + NEAR, n - 2 * NEAR) for i, j, n in blocks if n > LONG],
    )


def quad(a: Tokens, b: Tokens, first_a: int, first_b: int, count: int) -> Quad:
    """Return where some words of one text and as many of the other are."""
    last_a, last_b = first_a + count - 1, first_b + count - 1
    ends = int(a.ends[last_a]), int(b.ends[last_b])
    return int(a.starts[first_a]), ends[0], int(b.starts[first_b]), ends[1]


def inside(tokens: Tokens, start: int, end: int) -> Tokens:
    """Return the tokens that lie in a span of the text."""
    kind = tokens.starts.dtype.type  # for a number of another type, all would be converted
    first = np.searchsorted(tokens.starts, kind(start))
    own = slice(first, np.searchsorted(tokens.ends, kind(end), "right"))
    return Tokens(tokens.hashes[own], tokens.starts[own], tokens.ends[own])


def equal_blocks(a: Tokens, b: Tokens) -> Iterator[Block]:
    """Yield where the words of both are the same, in order, and how many are.

    Of very long texts, only what is between runs of three words or more is compared word by word.
    """
    from neardup.kernels.alignment import matching_runs

    one, other = a.hashes, b.hashes
    long = len(one) * len(other) > MOST_CELLS
    runs = in_order(map(tuple, matching_runs(one, other, 3).tolist())) if long else []
    at_a = at_b = 0
    for i, j, n in [*runs, (len(one), len(other), 0)]:
        if (i - at_a) * (j - at_b) <= MOST_CELLS:
            yield from equal_words(one[at_a:i], other[at_b:j], at_a, at_b)
        if n:
            yield i, j, n
        at_a, at_b = i + n, j + n


def equal_words(a: Hashes, b: Hashes, before_a: int, before_b: int) -> Iterator[Block]:
    """Yield where words are the same, as many as possible; `before` says how many words come before."""
    from rapidfuzz.distance import Indel

    for op in Indel.opcodes(a.tolist(), b.tolist()):
        if op.tag == "equal":
            yield before_a + op.src_start, before_b + op.dest_start, op.src_end - op.src_start


def in_order(runs: Iterable[Block]) -> list[Block]:
    """Return those of some runs, in the order of the first text, that are so in the second one, too.

    They have as many words as there can be.

    >>> in_order([(0, 9, 2), (2, 0, 5), (7, 4, 3), (10, 5, 4)])
    [(2, 0, 5), (10, 5, 4)]
    """
    ends, words, last = [0], [0], [-1]  # of chains: where they end in the second text, how many words
    known: list[tuple[Block, int]] = []  # each run, and the one before it
    for run in runs:
        _, start, count = run
        before = bisect_right(ends, start) - 1
        total = words[before] + count
        known.append((run, last[before]))
        at = bisect_left(ends, start + count)
        if words[at - 1] >= total:
            continue
        behind = at
        while behind < len(ends) and words[behind] <= total:
            behind += 1
        ends[at:behind], words[at:behind], last[at:behind] = [start + count], [total], [len(known) - 1]
    found: list[Block] = []
    place = last[-1]
    while place >= 0:
        run, place = known[place]
        found.append(run)
    return found[::-1]


def shown_pieces(
    text_a: str, text_b: str, compared: Sequence[MatchedWords], limit: int | None
) -> tuple[list[Span], list[Span]]:
    """Choose what of two texts is shown: all, or what lies around their matches and differences.

    Matches are taken in the order of the first text until there is enough, so that a match is shown on
    both sides or on neither.
    """
    texts = text_a, text_b
    if limit is None or max(map(len, texts)) <= limit:
        return [(0, len(text_a))], [(0, len(text_b))]
    chosen: tuple[list[Span], list[Span]] = ([], [])
    used = [0, 0]
    for one in compared:
        m = one.match
        both = ((m.start_a, m.end_a, 0), (m.start_b, m.end_b, 2))
        for side, (start, end, column) in enumerate(both):
            spare = [(s[column], s[column + 1]) for s in one.spare]
            for begin, stop in without(around(texts[side], start, end), spare):
                if used[side] < limit:
                    room = limit - used[side]
                    chosen[side].append((begin, cut(texts[side], begin, min(stop, begin + room))))
                    used[side] += stop - begin
        if max(used) >= limit:
            break
    for side in (0, 1):
        if not chosen[side]:
            chosen[side].append((0, cut(texts[side], 0, min(limit, len(texts[side])))))
    return united(chosen[0]), united(chosen[1])


def without(span: Span, spare: Iterable[Span]) -> Iterator[Span]:
    """Yield what remains of a span without some others, which are in order.

    >>> list(without((0, 9), [(2, 4), (6, 7)]))
    [(0, 2), (4, 6), (7, 9)]
    """
    at = span[0]
    for start, end in spare:
        if start > at:
            yield at, start
        at = max(at, end)
    if at < span[1]:
        yield at, span[1]


def around(text: str, start: int, end: int) -> Span:
    """Widen a span on both sides, within the text and to whole words.

    >>> around("word " * 200, 500, 504)
    (200, 804)
    """
    first = max(start - CONTEXT, 0)
    space = SPACE.search(text, first - 1, min(first + LONGEST_WORD, start)) if first else None
    return space.end() if space else first, max(end, cut(text, end, min(end + CONTEXT, len(text))))


def cut(text: str, start: int, end: int) -> int:
    """Return where a part of a text ends that has no half word, if there are spaces.

    >>> cut("one two three", 0, 5), cut("one two three", 0, 7), cut("one two three", 0, 13)
    (3, 7, 13)
    """
    if end >= len(text) or text[end].isspace():
        return end
    spaces = [found.start() for found in SPACE.finditer(text, max(start, end - LONGEST_WORD), end)]
    return spaces[-1] if spaces else end


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
