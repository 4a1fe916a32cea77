"""sentences --preset paper, held against a plain reading of the paper."""

import json
import random
from collections import defaultdict
from collections.abc import Sequence
from functools import cache, partial

import pytest
from tests.quality import DATA
from tests.twins import paper_sentences as paper
from tests.twins.documents import MASK, SEED, SPACE, mix, windows

import neardup
from neardup.kernels.sentence_keys import hash_family
from neardup.methods.sentences.settings import SentencePreset

PRINTED: dict[SentencePreset, tuple[int, int]] = {
    "paper": (8, 10),
    "paper-precision": (10, 12),
}  # K and L; N is 10


@cache
def hashed(shingle: str) -> int:
    characters = [SPACE if own == " " else mix(SEED ^ ord(own)) for own in shingle]
    [value] = windows(characters, len(shingle))
    return value


def multiply_shift(factor: int, term: int, shingle: str) -> int:
    """Return the high half of what multiplication makes of a shingle."""
    return (factor * hashed(shingle) + term & MASK) >> 32


def written(seed: int) -> list[str]:
    """Sentences, each with edited ones, of which the last has little in common with the first."""
    rng = random.Random(seed)
    vocabulary = ["".join(rng.choices("abcdefghij", k=rng.randrange(2, 10))) for _ in range(300)]
    made = []
    for _ in range(8):
        words = rng.choices(vocabulary, k=rng.randrange(8, 20))
        for _ in range(rng.randrange(1, 12)):
            made.append(" ".join(words).capitalize() + rng.choice([".", "!", " ."]))
            for _ in range(rng.randrange(3)):
                words[rng.randrange(len(words))] = rng.choice(vocabulary)
    rng.shuffle(made)
    return made


def check_as_printed(sentences: Sequence[str], preset: SentencePreset) -> tuple[int, int]:
    """Compare pairs, distances and clusters; return how many pairs, and how many share no signature."""
    rows, length = PRINTED[preset]
    factors, terms = (own.tolist() for own in hash_family(10 * rows, 1))
    family = [partial(multiply_shift, *own) for own in zip(factors, terms, strict=True)]
    signed = [paper.signatures(sentence, family, rows, length) for sentence in sentences]
    pairs = [sorted(paper.similar(sentences, own)) for own in paper.clusters(signed)]
    expected = {(a, b): distance for own in pairs for a, b, distance in own}
    result = neardup.sentences(
        list(sentences), split="records", min_length=1, max_copies=len(sentences), preset=preset
    )
    found = {(row["doc_a"], row["doc_b"]): row["distance"] for row in result.pairs.to_pylist()}
    assert found == pytest.approx(expected)
    members = defaultdict(set)
    for row in result.sentences.to_pylist():
        members[row["cluster"]].add(row["doc"])
    kept = [{number for pair in own for number in pair[:2]} for own in pairs if own]
    assert sorted(map(sorted, members.values())) == sorted(map(sorted, kept))
    return len(found), sum(not signed[a] & signed[b] for a, b in found)


@pytest.mark.parametrize("preset", PRINTED)
def test_pairs_and_clusters_are_those_of_the_paper(preset: SentencePreset) -> None:
    pairs, unsigned = check_as_printed(written(0), preset)
    assert pairs > 20
    assert unsigned > 0, "what others connect is compared, too"


@pytest.mark.skipif(not (DATA / "bible").is_dir(), reason="needs the Bible in NEARDUP_DATA")
@pytest.mark.parametrize("preset", PRINTED)
def test_pairs_of_real_verses_are_those_of_the_paper(preset: SentencePreset) -> None:
    verses = []
    for version in ("KJV", "ASV"):
        book = json.loads((DATA / "bible" / version / "Ruth.json").read_text())["Ruth"]
        verses += [verse for chapter in book.values() for verse in chapter.values()]
    assert check_as_printed(verses, preset)[0] > 20
