"""Keys of sentences: each kernel against a slow twin that says what it computes."""

import random
from collections import Counter
from typing import Any

import numpy as np
import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein
from tests.kernels.flat_lists import read_only
from tests.twins.documents import BASE, MASK, SEED, character_hashes, mix, token_spans, windows

from neardup.kernels import counters, sentence_keys
from neardup.methods.sentences.candidates import Texts, lists_of
from neardup.text import tokenise, unicode_table

TEXTS = st.lists(st.text("ab c.é漢1 ", max_size=30), min_size=1, max_size=6)
NUMBERS = st.lists(st.integers(0, MASK), max_size=12)


def given_texts(texts: list[str], scope: int = 0) -> Texts:
    return Texts.of(pa.array(texts, pa.string()), read_only(np.full(len(texts), scope, np.uint64)))


def writable(arrays: Any) -> Any:
    return map(np.copy, arrays)


def runs(text: str, scope: int) -> dict[int, int]:
    """Return the hashes of all runs of up to three words, with the place of the first of each."""
    hashes, starts = [int(h) for h in tokenise(text).hashes], [a for a, _ in token_spans(text)]
    found: dict[int, int] = {}
    for i in range(len(hashes)):
        state = scope
        for width, value in enumerate(hashes[i : i + 3]):
            state = (state * BASE + value) & MASK
            found.setdefault(mix(state ^ mix((SEED + width) & MASK)), starts[i])
    return found


@given(TEXTS, st.integers(0, 3))
def test_runs_of_words(texts: list[str], scope: int) -> None:
    found_runs = sentence_keys.runs_of_words(*given_texts(texts, scope), unicode_table())
    values, places, bounds, letters = found_runs
    for n, text in enumerate(texts):
        assert letters[n].sum() == len(text)
        own = slice(bounds[n], bounds[n + 1])
        found = dict(zip(values[own].tolist(), places[own].tolist(), strict=True))
        assert len(found) == bounds[n + 1] - bounds[n]
        assert found == runs(text, scope)


@given(st.lists(st.lists(st.integers(1, 40), unique=True, max_size=20), min_size=1), st.integers(1, 6))
def test_the_rarest_runs_that_others_have_too(sets: list[list[int]], most: int) -> None:
    values = np.array([mix(v) for s in sets for v in s], np.uint64)
    bounds = np.cumsum([0, *map(len, sets)])
    places = np.arange(len(values), dtype=np.int32)
    table = np.zeros(1 << 12, np.uint8)
    counters.count_values(table, values)
    extra = (values % np.uint64(3) == 0).astype(np.uint8)
    kept, kept_places, starts = sentence_keys.rarest_runs(values, places, bounds, extra, most, table)
    often = Counter(values.tolist())
    for n in range(len(sets)):
        own = range(bounds[n], bounds[n + 1])
        ranked = sorted((min(often[int(values[i])] + int(extra[i]), 15), int(values[i]), i) for i in own)
        wanted = [(value, i) for count, value, i in ranked if count > 1][:most]
        part = slice(starts[n], starts[n + 1])
        assert list(zip(kept[part].tolist(), kept_places[part].tolist(), strict=True)) == wanted


@settings(max_examples=30)
@given(TEXTS, st.integers(1, 5), st.integers(1, 64), st.integers(0, 9))
def test_signatures(texts: list[str], length: int, bits: int, seed: int) -> None:
    factors, terms = sentence_keys.hash_family(6, seed)
    assert all(int(f) % 2 for f in factors)
    found = sentence_keys.signatures(
        *given_texts(texts, 5), unicode_table(), length, 3, factors, terms, bits
    )
    for own, text in zip(found.tolist(), texts, strict=True):
        shingles = windows(character_hashes(text)[0], length)
        least = [
            min([MASK, *((int(f) * x + int(t) & MASK) >> (64 - bits) for x in shingles)])
            for f, t in zip(factors, terms, strict=True)
        ]
        for n, signature in enumerate(own):
            key = mix((5 + SEED + n) & MASK)
            for value in least[3 * n : 3 * n + 3]:
                key = mix(key ^ value)
            assert signature == key


def test_signatures_agree_as_often_as_the_sets_resemble_each_other() -> None:
    a = "one two three four five six seven eight nine ten eleven twelve"
    b = "one two three four five six seven eight nine zwei drei vier"
    grams = [{t[i : i + 4] for i in range(len(t) - 3)} for t in (a, b)]
    resemblance = len(grams[0] & grams[1]) / len(grams[0] | grams[1])
    family = sentence_keys.hash_family(4000, 1)
    found = sentence_keys.signatures(*given_texts([a, b]), unicode_table(), 4, 1, *family, 64)
    assert abs((found[0] == found[1]).mean() - resemblance) < 0.03


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 9), st.integers(0, 9)), max_size=30))
def test_near_pairs(rows: list[tuple[int, int, int]]) -> None:
    rows = list({(key, sentence): (key, sentence, place) for key, sentence, place in rows}.values())
    lengths = np.arange(10, 60, 5)
    letters = np.zeros((10, sentence_keys.LETTERS), np.uint8)
    sentences = read_only(np.array([s for _, s, _ in rows], np.int64))
    cap, hubs, limit = 4, 2, 0.25
    left, right = sentence_keys.near_pairs(
        *lists_of(np.array([key for key, _, _ in rows], np.int64)), sentences,
        read_only(np.array([p for _, _, p in rows], np.int32)), read_only(lengths[sentences]),
        letters[sentences],
        cap, hubs, limit,
    )  # fmt: skip
    wanted = []
    for key in range(6):
        own = sorted((s, p) for k, s, p in rows if k == key)
        for i, (a, place_a) in enumerate(own):
            for b, place_b in own[i + 1 :]:
                apart = max(abs(lengths[a] - lengths[b]), abs(place_a - place_b))
                paired = len(own) <= cap or i < hubs
                if paired and apart <= limit * max(lengths[a], lengths[b]):
                    wanted.append((a, b))
    assert list(zip(left.tolist(), right.tolist(), strict=True)) == wanted


@given(st.text("ab c.é漢1 ", max_size=30), st.text("ab c.é漢1 ", max_size=30))
def test_letters_never_rule_out_what_so_many_edits_can_do(one: str, other: str) -> None:
    distance = Levenshtein.distance(one, other)
    *_, letters = sentence_keys.runs_of_words(*given_texts([one, other]), unicode_table())
    assert sentence_keys.may_be_near(letters, 0, 1, distance)


@given(st.text("abc 1", max_size=30), st.text("abc 1", max_size=30))
def test_letters_that_are_told_apart_rule_out_fewer_edits(one: str, other: str) -> None:
    *_, letters = sentence_keys.runs_of_words(*given_texts([one, other]), unicode_table())
    apart = [Counter(one), Counter(other)]
    most = max((apart[0] - apart[1]).total(), (apart[1] - apart[0]).total())
    assert sentence_keys.may_be_near(letters, 0, 1, most)
    assert not sentence_keys.may_be_near(letters, 0, 1, most - 1)


def test_counts_of_letters_end_at_255() -> None:
    *_, letters = sentence_keys.runs_of_words(*given_texts(["a" * 300, "a" * 260]), unicode_table())
    assert letters.max(axis=1).tolist() == [255, 255]


def test_sentences_with_other_letters_are_no_pair() -> None:
    letters = np.zeros((3, sentence_keys.LETTERS), np.uint8)
    letters[:, 0] = 50, 40, 30
    letters[:, 1] = 0, 10, 20
    numbers, places, lengths = map(read_only, (np.arange(3), np.zeros(3, np.int32), np.full(3, 50)))
    found = sentence_keys.near_pairs(
        np.arange(3), np.array([0, 3]), numbers, places, lengths, letters, 10, 2, 0.25
    )
    assert [pair.tolist() for pair in found] == [[0, 1], [1, 2]]


@given(st.integers(0, 100), st.randoms(use_true_random=False))
def test_rows_are_sorted_by_their_values(count: int, rng: random.Random) -> None:
    values = read_only(np.array(rng.sample(range(1000), 200)))
    rows = np.array(rng.sample(range(200), count), np.int64)
    wanted = sorted(rows.tolist(), key=lambda row: values[row])
    sentence_keys.sort_rows(rows, values)
    assert rows.tolist() == wanted


@given(TEXTS, st.integers(0, 3), st.integers(0, 3))
def test_digests_tell_texts_and_scopes_apart(texts: list[str], one: int, other: int) -> None:
    first = sentence_keys.text_digests(*writable(given_texts(texts, one))).tolist()
    second = sentence_keys.text_digests(*writable(given_texts(texts, other))).tolist()
    for n, text in enumerate(texts):
        assert (first[n] == second[n]) == (one == other)
        assert all((first[n] == first[m]) == (text == texts[m]) for m in range(n))
