"""Generates corpora of any size with planted near-duplicates whose similarity is known.

Words are made up and Zipf-distributed, lengths log-normal, pages carry the header and footer of
their site, and copies are edited in five ways at five strengths. The truth file lists every pair
inside each planted family with its exact Jaccard similarity of 5-word shingles. Same seed, same
bytes.

    python -m benchmarks corpus OUT.jsonl --documents 100000 --seed 1
"""

import argparse
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import combinations, islice, product
from multiprocessing import Pool
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

Words = npt.NDArray[np.int64]  # a text as ranks in the vocabulary
Hashes = npt.NDArray[np.uint64]
Rng = np.random.Generator

SHINGLE = 5
VOCABULARY = 60_000
SHORTEST, LONGEST = 30, 30_000  # words in a body
BLOCK = 5_000  # documents that are shuffled together, so that a copy is rarely beside its original
SHARE = 0.2  # of documents with near-duplicates
MEDIAN_WORDS = 250  # of a body
FAMILY_SIZES = (2, 2, 2, 2, 2, 2, 2, 3, 3, 4, 5, 8, 12)
WORD_EDITS = (0.005, 0.01, 0.02, 0.03, 0.06)  # share of words edited; 0.035 is Jaccard 0.7
CUTS = (0.03, 0.1, 0.2, 0.28, 0.5)  # share of the text that truncation drops
MOVES = (1, 2, 4, 8, 16)  # pieces that change their place


@dataclass(frozen=True)
class Settings:
    """What a corpus should be like; equal settings give equal bytes."""

    documents: int
    seed: int = 1


@dataclass(frozen=True)
class Document:
    """A text with its id."""

    id: str
    words: Words


class Language:
    """Made-up words by rank, drawn as in natural text: a few very often, most of them rarely."""

    def __init__(self, rng: Rng) -> None:
        words = self._words(rng)
        # Each word in each form, already escaped for JSON: a text is one look-up and one join.
        forms = ("{} ", "{}, ", "{}. ", "{}.\\n\\n")
        lower = [form.format(word) for form in forms for word in words]
        self._forms = pa.array(lower + [text.capitalize() for text in lower])
        self._punctuation = np.repeat(np.arange(4), (217, 20, 16, 3))
        weights = 1 / (np.arange(VOCABULARY) + 2.7) ** 1.05  # Zipf-Mandelbrot
        shares = np.cumsum(weights) / weights.sum()
        # Looking up a fine table of quantiles is ten times as fast as a search for each draw.
        self._quantiles = np.searchsorted(shares, (np.arange(1 << 22) + 0.5) / (1 << 22))

    @staticmethod
    def _words(rng: Rng) -> list[str]:
        """Pronounceable words, short ones first, as frequent words are short."""
        onsets = (*"bdfghklmnprstvwz", "st", "tr", "pl", "br")
        syllables = [a + b + c for a, b, c in product(onsets, "aeiou", ("", "n", "r", "l"))]
        rng.shuffle(syllables)
        short = syllables[:150]
        middle = [a + b for a, b in islice(product(syllables[150:], syllables), 8_000)]
        long = [a + b + c for a, b, c in islice(product(*[syllables[150:190]] * 3), 60_000)]
        rng.shuffle(middle)
        rng.shuffle(long)
        return list(dict.fromkeys(short + middle + long))[:VOCABULARY]

    def draw(self, rng: Rng, count: int) -> Words:
        """Draw words independently of each other."""
        return self._quantiles[rng.integers(0, 1 << 22, count)]

    def render(self, rng: Rng, texts: Sequence[Words]) -> pa.Array:
        """Write words as sentences and paragraphs, escaped for JSON, many texts at once."""
        bounds = np.cumsum([0, *map(len, texts)])
        words = np.concatenate(texts)
        form = self._punctuation[rng.integers(0, 256, len(words))]
        form[bounds[1:] - 1] = 2
        starts = np.append(True, form[:-1] >= 2)  # the first word, and those after a stop
        forms = self._forms.take(pa.array((form + 4 * starts) * VOCABULARY + words))
        lists = pa.ListArray.from_arrays(pa.array(bounds, pa.int32()), forms)
        return pc.utf8_rtrim_whitespace(pc.binary_join(lists, ""))


class Writer:
    """Writes bodies: free words, stock phrases that many share, and the frame of a site."""

    def __init__(self, language: Language, rng: Rng, settings: Settings) -> None:
        self._language = language
        self._phrases = [language.draw(rng, n) for n in rng.integers(5, 15, 3_000)]
        self._sites = [
            (language.draw(rng, head), language.draw(rng, foot))
            for head, foot in rng.integers((4, 8), (25, 40), (max(20, settings.documents // 300), 2))
        ]

    def body(self, rng: Rng) -> Words:
        """Write a text of its own."""
        length = rng.lognormal(np.log(MEDIAN_WORDS), 0.9)
        words = self._language.draw(rng, int(np.clip(length, SHORTEST, LONGEST)))
        for at in rng.integers(0, len(words), len(words) // 80):
            # Squaring makes the first phrases common and the last ones rare.
            phrase = self._phrases[int(rng.random() ** 2 * len(self._phrases))]
            words[at : at + len(phrase)] = phrase[: len(words) - at]
        return words

    def site(self, rng: Rng) -> int:
        """Choose a site; the first ones have the most pages."""
        return int(rng.random() ** 2 * len(self._sites))

    def framed(self, body: Words, site: int) -> Words:
        """Put the site's header and footer around a body, unless they would outweigh it.

        At most a third of a text is frame, so no two strangers come near a threshold of 0.5.
        """
        head, foot = self._sites[site]
        if 2 * (len(head) + len(foot)) > len(body):
            return body
        return np.concatenate((head, body, foot))

    def substitute(self, rng: Rng, words: Words, strength: int) -> Words:
        """Replace single words."""
        at = self._places(rng, words, strength)
        edited = words.copy()
        edited[at] = self._language.draw(rng, len(at))
        return edited

    def insert(self, rng: Rng, words: Words, strength: int) -> Words:
        """Add single words."""
        at = self._places(rng, words, strength)
        return np.insert(words, at, self._language.draw(rng, len(at)))

    def delete(self, rng: Rng, words: Words, strength: int) -> Words:
        """Drop single words."""
        return np.delete(words, self._places(rng, words, strength))

    def move(self, rng: Rng, words: Words, strength: int) -> Words:
        """Cut the text in pieces and put some of them elsewhere."""
        pieces = np.array_split(words, min(2 * MOVES[strength - 1] + 1, len(words) // 10))
        return np.concatenate([pieces[i] for i in rng.permutation(len(pieces))])

    def truncate(self, rng: Rng, words: Words, strength: int) -> Words:
        """Drop the end."""
        share = CUTS[strength - 1] * rng.uniform(0.8, 1.2)
        return words[: len(words) - round(share * len(words))]

    @staticmethod
    def _places(rng: Rng, words: Words, strength: int) -> Words:
        count = max(1, round(WORD_EDITS[strength - 1] * len(words)))
        return rng.choice(len(words), count, replace=False)

    def family(self, rng: Rng, name: str, size: int) -> list[Document]:
        """Write an original and its edited copies, some of them on other sites."""
        body, home = self.body(rng), self.site(rng)
        members = [Document(f"{name}-0", self.framed(body, home))]
        edits: tuple[Callable[[Rng, Words, int], Words], ...] = (
            self.substitute,
            self.insert,
            self.delete,
            self.move,
            self.truncate,
        )
        for i in range(1, size):
            site = home if rng.random() < 0.6 else self.site(rng)
            words = body
            if rng.random() >= 0.1:  # else it is an exact copy
                words = edits[rng.integers(len(edits))](rng, body, int(rng.integers(1, 6)))
            members.append(Document(f"{name}-{i}", self.framed(words, site)))
        return members


def shingles(words: Words) -> Hashes:
    """Hash each run of five words and return the sorted set."""
    count = max(1, len(words) - SHINGLE + 1)
    hashes = np.zeros(count, dtype=np.uint64)
    for i in range(min(SHINGLE, len(words))):
        hashes = hashes * np.uint64(0x9E3779B97F4A7C15) + words[i : i + count].astype(np.uint64)
        hashes ^= hashes >> np.uint64(29)
    hashes.sort()
    first = np.append(True, hashes[1:] != hashes[:-1])
    return np.compress(first, hashes)


def jaccard(a: Hashes, b: Hashes) -> float:
    """Divide the size of the intersection of two sorted sets by that of their union."""
    shared = len(np.intersect1d(a, b, assume_unique=True))
    return shared / (len(a) + len(b) - shared)


def truth(family: list[Document]) -> Iterator[dict[str, object]]:
    """Measure every pair of a family."""
    sets = [shingles(member.words) for member in family]
    for i, j in combinations(range(len(family)), 2):
        similarity = round(jaccard(sets[i], sets[j]), 6)
        yield {"a": family[i].id, "b": family[j].id, "jaccard": similarity}


class Generator:
    """Makes a corpus in blocks, each from a seed of its own: any process can make any block."""

    def __init__(self, settings: Settings) -> None:
        rng = np.random.default_rng(settings.seed)
        self._language = Language(rng)
        self._writer = Writer(self._language, rng, settings)
        self._documents, self._seed = settings.documents, settings.seed
        # So many families of mean size make the wished share of documents with near-duplicates.
        mean = sum(FAMILY_SIZES) / len(FAMILY_SIZES)
        self._families = SHARE / (SHARE + (1 - SHARE) * mean)

    def block(self, number: int) -> tuple[str, str]:
        """Write the lines of one block, and those of the truth about it."""
        rng = np.random.default_rng((self._seed, number))
        start = number * BLOCK
        room = min(BLOCK, self._documents - start)
        documents: list[Document] = []
        planted: list[str] = []
        while len(documents) < room:
            planting = rng.random() < self._families
            size = FAMILY_SIZES[rng.integers(len(FAMILY_SIZES))] if planting else 1
            name = f"d{start + len(documents)}"
            family = self._writer.family(rng, name, min(size, room - len(documents)))
            documents += family
            if len(family) > 1:
                planted += [json.dumps(pair) + "\n" for pair in truth(family)]
        shuffled = [documents[i] for i in rng.permutation(len(documents))]
        texts = self._language.render(rng, [own.words for own in shuffled]).to_pylist()
        lines = (
            f'{{"id": "{own.id}", "text": "{text}"}}\n'
            for own, text in zip(shuffled, texts, strict=True)
        )
        return "".join(lines), "".join(planted)


@cache
def _generator(settings: Settings) -> Generator:
    return Generator(settings)


def block(settings: Settings, number: int) -> tuple[str, str]:
    """Make one block in whatever process this is; each process makes its vocabulary once."""
    return _generator(settings).block(number)


def truth_path(corpus: Path) -> Path:
    """Name the file that holds the truth about a generated corpus."""
    return corpus.with_suffix(".truth.jsonl")


def half(corpus: Path, path: Path) -> Path:
    """Write every second document of a corpus."""
    with corpus.open("rb") as lines, path.open("wb") as out:
        out.writelines(islice(lines, 0, None, 2))
    return path


def write_corpus(path: Path, settings: Settings) -> None:
    """Write a corpus and the truth about it, on all cores."""
    blocks = range(-(-settings.documents // BLOCK))
    with Pool() as pool, path.open("w") as corpus, truth_path(path).open("w") as planted:
        for lines, pairs in pool.imap(partial(block, settings), blocks):
            corpus.write(lines)
            planted.write(pairs)


def main() -> None:
    """Read the command line and generate."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("out", type=Path, metavar="OUT.jsonl")
    parser.add_argument("--documents", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    write_corpus(given.out, Settings(given.documents, given.seed))
