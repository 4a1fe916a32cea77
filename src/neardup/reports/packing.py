"""The texts of a report: aligned, cut, and packed until its room is used up."""

import base64
import gzip
import json
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from neardup.engines.base import Advance, Progress
from neardup.reports.texts import texts_of_docs
from neardup.showing.alignment import align
from neardup.showing.kind import Integers, Kind

MOST_TEXTS = 5_000  # pairs
MOST_CHARACTERS = 200_000_000  # of texts that are held at once
LEAST_SHOWN = 4_000  # characters of a side, however many pairs there are
BLOCK = 1 << 18  # characters of texts that are packed together
BATCH = 500  # pairs that are put in order, so that the same text comes again and again


class Packed(NamedTuple):
    """Blocks of texts, the block of each of the report's rows, and what is to be said of it.

    Texts of more than `limit` characters, those of `cut` pairs, are cut around their matches.
    """

    blocks: list[str]
    places: dict[int, int]
    remarks: list[str]
    limit: int
    cut: int


def packed(content: Any) -> str:
    """Return JSON, compressed, as base64: nothing in it can be taken for markup."""
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return base64.b64encode(gzip.compress(text.encode("utf-8", "replace"), 6, mtime=0)).decode()


def pack_texts(kind: Kind, worth: Integers, rows: Integers, room: int, progress: Progress) -> Packed:
    """Pack the texts of those pairs that are worth most; `rows` are all that the report has."""
    wanted = affordable(kind, worth[:MOST_TEXTS], room)
    room -= 16 * len(wanted)  # for their places
    found = texts_of_docs(kind, kind.docs(wanted).tolist())
    limit = min(kind.longest_text, max(LEAST_SHOWN, 3 * room // max(len(wanted), 1)))
    blocks: list[str] = []
    place: dict[int, int] = {}
    cut = 0
    number = {row: i for i, row in enumerate(rows.tolist())}
    with progress.step("texts", len(wanted), "pairs") as advance:
        for block in blocks_of(kind, wanted, found.by_doc, limit, advance):
            text = packed({str(number[row]): view for row, view in block.items()})
            room -= len(text) + 60
            if room < 0:
                break
            place |= {number[row]: len(blocks) for row in block}
            cut += sum(any(isinstance(p, int) for p in (*v[0], *v[1])) for v in block.values())
            blocks.append(text)
    return Packed(blocks, place, found.remarks, limit, cut)


def affordable(kind: Kind, rows: Integers, room: int) -> Integers:
    """Return the first of some rows, as many as may have room by a guess at how texts compress."""
    lengths = kind.result.documents["length"].to_numpy()
    both = [lengths[kind.rows[name].take(pa.array(rows)).to_numpy()] for name in ("doc_a", "doc_b")]
    rows = rows[(both[0] + both[1]) < MOST_CHARACTERS // 10]
    both = [lengths[kind.rows[name].take(pa.array(rows)).to_numpy()] for name in ("doc_a", "doc_b")]
    shown = sum(np.minimum(side, kind.longest_text) for side in both)
    enough = (np.cumsum(shown) < 10 * room) & (np.cumsum(both[0] + both[1]) < MOST_CHARACTERS)
    return rows[enough]


def blocks_of(
    kind: Kind, rows: Integers, texts: dict[int, str], limit: int, advance: Advance
) -> Iterator[dict[int, Any]]:
    """Yield the views of pairs in blocks of some size, those of the first rows first.

    Inside of a block, rows are in order: the same text comes again and again, which compresses well.
    """
    block: dict[int, Any] = {}
    size = 0
    for start in range(0, len(rows), BATCH):
        for row in np.sort(rows[start : start + BATCH]).tolist():
            compared = kind.compared(row, texts)
            advance(1)
            if compared is None:
                continue
            aligned = align(*compared, limit)
            curve = kind.curve(row, texts)
            block[row] = (*aligned, curve) if curve else aligned
            size += min(len(compared.text_a), limit) + min(len(compared.text_b), limit)
            if size > BLOCK:
                yield block
                block, size = {}, 0
    if block:
        yield block
