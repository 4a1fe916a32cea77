"""The texts of a report: aligned, cut, and packed until its room is used up."""

import base64
import gzip
import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from neardup.arrays import Integers
from neardup.engines.base import Advance, Progress
from neardup.reports.reused import Placed, Reused, most_reused
from neardup.reports.texts import texts_of_docs
from neardup.showing.alignment import Piece, Span, align, pieces, united, without
from neardup.showing.kind import Kind

MOST_TEXTS = 10_000  # pairs
MOST_CHARACTERS = 200_000_000  # of texts that are held at once
LEAST_SHOWN = 4_000  # characters of a side, however many pairs there are
BLOCK = 1 << 18  # characters of texts that are packed together
LONGEST_REST = 1_000_000  # characters of a text that can be opened
PARTS = 32  # of a text, as strip.js has them
BATCH = 500  # pairs that are put in order, so that the same text comes again and again


class Packed(NamedTuple):
    """Blocks of texts and matches, and in which of them rows and documents are.

    A block has the texts of documents, in pieces, and the matches of rows. The texts of `cut` documents
    have only what lies around matches there, as one of a pair has more than `limit` characters; where
    there was room, other blocks have the rest.
    """

    blocks: list[str]
    rows: dict[int, int]
    docs: dict[int, list[int]]
    rests: dict[int, list[int]]
    remarks: list[str]
    limit: int
    cut: int
    reused: list[Reused]
    strips: dict[int, str]


class Seen(NamedTuple):
    """What pairs have shown so far: matches and shown spans of documents, and the strips of pairs."""

    matches: dict[int, list[Placed]]
    shown: dict[int, list[Span]]
    strips: dict[int, str]


class Block:
    """What is packed together: texts of documents, which may have some before, and matches of rows."""

    def __init__(self) -> None:
        self.docs: dict[int, list[Piece]] = {}
        self.rows: dict[int, list[Any]] = {}
        self.size = 0

    def add(self, doc: int, text: str, spans: Sequence[Span]) -> None:
        """Add what is shown of a text."""
        self.docs.setdefault(doc, []).extend(pieces(text, spans))
        self.size += sum(end - start for start, end in spans)

    def packed(self) -> str:
        """Return the block as it is in the page."""
        return packed({"docs": self.docs, "rows": self.rows})


def packed(content: object) -> str:
    """Return JSON, compressed, as base64: nothing in it can be taken for markup."""
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return base64.b64encode(gzip.compress(text.encode("utf-8", "replace"), 6, mtime=0)).decode()


def pack_texts(kind: Kind, worth: Integers, rows: Integers, room: int, progress: Progress) -> Packed:
    """Pack the texts of those pairs that are worth most; `rows` are all that the report has."""
    wanted = affordable(kind, worth[:MOST_TEXTS], room)
    room -= 16 * len(wanted)  # for their places
    docs = kind.docs(wanted).tolist()
    found = texts_of_docs(kind, docs)
    limit = longest(kind, room, len(docs))
    filled = Packed([], {}, {}, {}, found.remarks, limit, 0, [], {})
    number = {row: i for i, row in enumerate(rows.tolist())}
    seen = Seen({}, {}, {})
    with progress.step("texts", len(wanted), "pairs") as advance:
        for block in blocks_of(kind, wanted, found.by_doc, limit, seen, advance):
            block.rows = {number[row]: view for row, view in block.rows.items()}
            room = added(filled, block, filled.docs, room)
            if room < 0:
                break
    for block in rests_of(found.by_doc, seen.shown):
        room = added(filled, block, filled.rests, room)
        if room < 0:
            break
    cut = sum(is_cut(found.by_doc[doc], seen.shown[doc]) for doc in filled.docs)
    strips = {number[row]: strip for row, strip in seen.strips.items() if number[row] in filled.rows}
    return filled._replace(cut=cut, reused=most_reused(seen.matches, found.by_doc), strips=strips)


def added(filled: Packed, block: Block, docs: dict[int, list[int]], room: int) -> int:
    """Add a block if there is room for it; return what is left of that, below 0 if there was none."""
    text = block.packed()
    room -= len(text) + 60
    if room >= 0:
        filled.rows.update(dict.fromkeys(block.rows, len(filled.blocks)))
        for doc in block.docs:
            docs.setdefault(doc, []).append(len(filled.blocks))
        filled.blocks.append(text)
    return room


def affordable(kind: Kind, rows: Integers, room: int) -> Integers:
    """Return the first of some rows, as many as may have room by a guess at how texts compress."""
    lengths = kind.known["length"].to_numpy()
    docs = [kind.rows[name].take(pa.array(rows)).to_numpy() for name in ("doc_a", "doc_b")]
    both = lengths[docs[0]] + lengths[docs[1]]
    rows, docs = rows[both < MOST_CHARACTERS // 10], [d[both < MOST_CHARACTERS // 10] for d in docs]
    # a text is packed once, with the first row that has it
    order = np.column_stack(docs).ravel()
    new = np.zeros(len(order), bool)
    new[np.unique(order, return_index=True)[1]] = True
    held = np.cumsum((lengths[order] * new).reshape(-1, 2).sum(1))
    shown = np.minimum(lengths[order], longest(kind, room, int(new.sum()))) * new
    enough = (np.cumsum(shown.reshape(-1, 2).sum(1)) < 10 * room) & (held < MOST_CHARACTERS)
    return rows[enough]


def longest(kind: Kind, room: int, docs: int) -> int:
    """Return from how many characters on a text is cut, as all of them share the room."""
    return min(kind.longest_text, max(LEAST_SHOWN, 3 * room // max(docs, 1)))


def blocks_of(
    kind: Kind,
    rows: Integers,
    texts: dict[int, str],
    limit: int,
    seen: Seen,
    advance: Advance,
) -> Iterator[Block]:
    """Yield the texts and matches of pairs in blocks of some size, those of the first rows first.

    A text is in the block of the first row that has it; of one that is cut, more may come later. In
    batches, rows are in order, so that their texts are near each other.
    """
    block = Block()
    shown = seen.shown
    for start in range(0, len(rows), BATCH):
        for row in np.sort(rows[start : start + BATCH]).tolist():
            compared = kind.compared(row, texts)
            advance(1)
            if compared is None:
                continue
            docs = [kind.rows[name][row].as_py() for name in ("doc_a", "doc_b")]
            aligned = align(*compared, limit)
            own: list[Any] = [aligned.matches, kind.curve(row, texts)]
            both = (compared.text_a, compared.text_b)
            seen.strips[row] = strip_of(aligned.matches, *map(len, both))
            if [texts.get(doc) for doc in docs] == [*both]:
                for doc, text, spans in zip(docs, both, aligned[:2], strict=True):
                    new = remaining(united(spans), shown.get(doc, []))
                    shown[doc] = united([*shown.get(doc, []), *new])
                    block.add(doc, text, new)
                note_matches(seen.matches, docs, aligned.matches)
            else:  # sentences whose documents are not what they were
                own.append([pieces(text, spans) for text, spans in zip(both, aligned[:2], strict=True)])
            block.rows[row] = own if own[1] or own[2:] else own[:1]
            block.size += 20 * len(aligned.matches)
            if block.size > BLOCK:
                yield block
                block = Block()
    if block.rows:
        yield block


def rests_of(texts: dict[int, str], shown: dict[int, list[Span]]) -> Iterator[Block]:
    """Yield in blocks what cut texts have beside what is shown of them."""
    block = Block()
    for doc, spans in shown.items():
        text = texts[doc]
        if len(text) <= LONGEST_REST and (rest := remaining([(0, len(text))], spans)):
            block.add(doc, text, rest)
        if block.size > BLOCK:
            yield block
            block = Block()
    if block.docs:
        yield block


def is_cut(text: str, shown: Sequence[Span]) -> bool:
    """Return whether something of a text is not shown."""
    return bool(remaining([(0, len(text))], shown))


def remaining(spans: Iterable[Span], known: Sequence[Span]) -> list[Span]:
    """Return what of some spans is not in others, which are in order.

    >>> remaining([(0, 9)], [(2, 4)])
    [(0, 2), (4, 9)]
    """
    found: list[Span] = []
    for start, end in spans:
        inside = [(max(s, start), min(e, end)) for s, e in known if s < end and e > start]
        found += without((start, end), inside)
    return found


def strip_of(matches: Sequence[Any], length_a: int, length_b: int) -> str:
    """Return which parts of two texts match, as hexadecimal digits, those of the first text first.

    >>> strip_of([["edited", 0.9, 9, 0, 50, 75, 100, [0, 10, 0, 10, 30, 10, 5, 10]]], 100, 100)
    'f00f0000000000ff'
    """
    found = ""
    for side, length in ((0, length_a), (1, length_b)):
        bits = 0
        for match in matches if length else ():
            at, end, runs = match[3 + 2 * side], match[4 + 2 * side], match[7]
            gaps, sizes = runs[2 * side :: 4] or [0], runs[2 * side + 1 :: 4] or [end - at]
            for gap, size in zip(gaps, sizes, strict=True):
                first, at = at + gap, at + gap + size
                bits |= (1 << (PARTS - PARTS * first // length)) - (1 << (PARTS + -PARTS * at // length))
        found += f"{bits:0{PARTS // 4}x}"
    return found


def note_matches(matches: dict[int, list[Placed]], docs: Sequence[int], own: Sequence[Any]) -> None:
    """Remember where a pair of documents matches."""
    for _, _, _, start_a, end_a, start_b, end_b, *_ in own:
        matches.setdefault(docs[0], []).append((start_a, end_a, docs[1]))
        matches.setdefault(docs[1], []).append((start_b, end_b, docs[0]))
