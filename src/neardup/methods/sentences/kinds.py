"""Kinds of change: what an editor would say of two similar sentences, and by which rules.

The words of both are aligned; what differs is a list of changes, each of a type: `number`, `date`,
`name`, `mark` (what numbers a clause, an item or a citation) or `other`. Then the first rule that fits
gives the kind:

1. identical: the texts are the same, character by character.
2. reference: both are citations, or stand under a heading of references.
3. other: so many words were exchanged that it is not the same sentence, or it is hardly one at all.
4. template: the same frame about something else. Rows of a list, close together in one text; the
   subject, two names, or several values differ; or each names what its own article is about; or one
   text says it twice, nearly; or, though a value differs, the sentences stand among others that are not
   alike. Some of this is drift after all between versions of one text (VERSIONED).
5. factual drift: a number, date or name differs, or a word and its opposite; a name was qualified; or a
   negation was added.
6. copy edit: all the rest: spelling, punctuation, marks, word order, words added, dropped or exchanged.

The rules are in `kernels.kinds`, and `vocabulary` has what these know of words. What a corpus knows of
frames and of names comes after that (`drift`).

A value that is only written in another way (`5` and `five`, `Sheth` and `Seth`, `U.S.` and `United
States`) does not count as different. Names are told by capital letters, so scripts without them have
none, and in German they say nothing. `lexicon` has the few words that depend on a language.
"""

import hashlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from neardup.arrays import Array
from neardup.methods.sentences.words import shown, words_of

if TYPE_CHECKING:
    from neardup.kernels.kinds import Sentences

IDENTICAL, COPY_EDIT, DRIFT = "identical", "copy edit", "factual drift"
TEMPLATE, REFERENCE, OTHER = "template", "reference", "other"
VERSIONED = "drift of versions"  # drift if both documents are versions of one text, else template
KINDS = (IDENTICAL, COPY_EDIT, DRIFT, TEMPLATE, REFERENCE, OTHER)  # in the order of the kernels
NOT_DESCRIBED = ""  # the kind of pairs that are beyond the distance
GAP = "…"
FILLED = " … "  # between the words that fill the gaps of a frame


def described(batch: pa.RecordBatch) -> list[pa.Array]:
    """Return the kinds of change of pairs of sentences, column by column: what differs, the frame."""
    from neardup.kernels.kinds import Pairs, judged
    from neardup.methods.sentences.vocabulary import (
        TYPES,
        Numbered,
        known_sentences,
        known_titles,
        known_words,
    )

    left, right, texts = numbered(batch["text_a"], batch["text_b"])
    holds = batch["holds"].to_numpy(zero_copy_only=False)
    right = np.where(holds, right, left)  # no difference: nothing to describe
    title_a, title_b, titles = numbered(batch["name_a"], batch["name_b"])
    apart, alike, cited, titled = (
        batch[name].to_numpy(zero_copy_only=False) for name in ("apart", "alike", "cited", "titled")
    )
    said = [words_of(text) for text in texts.to_pylist()]
    words, parts = Numbered(), Numbered()
    sentences = known_sentences(texts, said, words)
    spans, bounds = differing(left, right, sentences)
    pairs = Pairs(left, right, title_a, title_b, apart, alike, cited, titled, spans, bounds)
    abouts = known_titles(titles.to_pylist(), parts)
    table = known_words([*words], parts)
    kinds, confidence, framed, types, names = judged(pairs, sentences, abouts, table)
    owner = np.repeat(np.arange(len(left)), np.diff(bounds))
    sides = [
        [shown(said[s][i:j]) for s, i, j in zip(o.tolist(), *at.T.tolist(), strict=True)]
        for o, at in ((left[owner], spans[:, :2]), (right[owner], spans[:, 2:]))
    ]
    places_of = np.flatnonzero(framed).tolist()
    fillings = ([FILLED.join(side[bounds[p] : bounds[p + 1]]) for p in places_of] for side in sides)
    gaps = ((p, spans[bounds[p] : bounds[p + 1], :2].tolist()) for p in places_of)
    frames = [frame_of(said[left[p]], own) for p, own in gaps]
    styles = styles_of(names.reshape(-1, 3), [*parts])
    lists = (pa.array(np.array(TYPES)[types], pa.string()), *map(pa.array, sides))
    ends = pa.array(bounds, pa.int32())
    return [
        pa.array(np.array([*KINDS, VERSIONED, NOT_DESCRIBED])[np.where(holds, kinds, -1)], pa.string()),
        pa.array(confidence),
        *(pa.ListArray.from_arrays(ends, values.cast(pa.string())) for values in lists),
        scattered(places_of, frames, len(left), pa.int64()),
        scattered(list(styles), list(styles.values()), len(left), pa.int64()),
        *(scattered(places_of, filling, len(left), pa.string()) for filling in fillings),
    ]


def scattered(places: Sequence[int], values: Sequence[Any], size: int, kind: pa.DataType) -> pa.Array:
    """Return a column of values at some places, and nothing at the others."""
    rows = np.full(size, len(values))
    rows[places] = np.arange(len(values))
    return pa.array([*values, None], kind).take(pa.array(rows))


def numbered(a: pa.Array, b: pa.Array) -> tuple[Array, Array, pa.Array]:
    """Return the numbers of the texts on both sides, -1 for none, and the distinct texts."""
    encoded = pa.chunked_array([a, b]).combine_chunks().dictionary_encode()
    numbers = encoded.indices.fill_null(-1).to_numpy().astype(np.int64)
    return numbers[: len(a)], numbers[len(a) :], encoded.dictionary


def differing(left: Array, right: Array, sentences: "Sentences") -> tuple[Array, Array]:
    """Return where the words of pairs differ, and where the rows of each pair begin.

    Sentences of thousands of words are left to RapidFuzz, which needs less memory.
    """
    from rapidfuzz.distance import Levenshtein

    from neardup.kernels.word_blocks import alignments

    spans, bounds, large = alignments(left, right, sentences.tokens, sentences.bounds)
    if not large.any():
        return spans, bounds
    rows = np.split(spans, bounds[1:-1])
    for pair in np.flatnonzero(large).tolist():
        ends = (sentences.bounds[side[pair] : side[pair] + 2] for side in (left, right))
        own: list[tuple[int, int, int, int]] = []
        opcodes: Any = Levenshtein.opcodes(*(sentences.tokens[slice(*two)].tolist() for two in ends))
        for tag, i, j, k, m in opcodes.as_list():
            if own and tag != "equal" and own[-1][1] == i and own[-1][3] == k:
                i, _, k, _ = own.pop()
            own += [(i, j, k, m)] if tag != "equal" else []
        rows[pair] = np.array(own, np.int64)
    return np.concatenate(rows), np.cumsum([0, *map(len, rows)])


def hashed(words: Sequence[str]) -> int:
    """Return the hash of some words."""
    digest = hashlib.blake2b(" ".join(words).encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)


def frame_of(words: Sequence[str], spans: Sequence[Sequence[int]]) -> int:
    """Return the hash of what two sentences have in common, with gaps in place of what differs."""
    frame, at = list[str](), 0
    for i, j in spans:
        frame += [*words[at:i], GAP]
        at = j
    return hashed([*frame, *words[at:]])


def styles_of(names: Array, texts: Sequence[str]) -> dict[int, int]:
    """Return the hash of two names for each pair, of rows of a pair, a side and a word."""
    sides: dict[int, tuple[list[str], list[str]]] = {}
    for pair, side, text in names.tolist():
        sides.setdefault(pair, ([], []))[side].extend([texts[text]] if text >= 0 else [])
    return {pair: hashed(sorted(" ".join(own) for own in both)) for pair, both in sides.items()}
