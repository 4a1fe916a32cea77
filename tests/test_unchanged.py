"""Results stay what they were: digests of every table of every method, on three corpora.

A digest that differs is a change of results. If it is meant, say so in the changelog under "Results
change" and write the digests anew: python -m tests.test_unchanged
"""

import hashlib
import json
import random
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

import neardup

KNOWN = Path(__file__).parent / "digests.json"
FIELDS = {"title": 0.4, "text": 0.6}
RUNS: dict[str, tuple[str, dict[str, Any]]] = {
    "documents": ("documents", {"threshold": 0.5}),
    "documents-sampled": ("documents", {"candidates": "sampled", "shingle": "char:8"}),
    "documents-minhash": ("documents", {"candidates": "minhash", "clusters": "components"}),
    "documents-containment": ("documents", {"measure": "containment", "keep": "newest"}),
    "documents-capped": (
        "documents",
        {"max_postings": 2, "max_copies": 1, "max_pairs": 3, "columns": ["score"], "keep": "score"},
    ),
    "passages": ("passages", {"min_length": 60}),
    "passages-verbatim": ("passages", {"min_length": 60, "soft": False, "within": True}),
    "passages-imatch": ("passages", {"signature": "imatch", "min_sentences": 1}),
    "passages-shingles": ("passages", {"signature": "shingles:3", "max_documents": 3}),
    "passages-spotsigs": ("passages", {"signature": "spotsigs", "min_sentences": 1}),
    "sentences": ("sentences", {}),
    "sentences-paper": ("sentences", {"preset": "paper", "max_distance": 0.4}),
    "threads": ("threads", {"fields": FIELDS}),
    "threads-doc": ("threads", {"fields": FIELDS, "index": "doc", "threshold": 0.3}),
    "threads-signatures": (
        "threads",
        {"fields": FIELDS, "signature": ["imatch", "text=winnowing:4,3"], "max_shared": 5},
    ),
    "decontaminate": ("decontaminate", {}),
    "decontaminate-short": ("decontaminate", {"min_words": 5, "threshold": 0.6, "max_items": 3}),
    "pages": ("pages", {}),
    "pages-cosine": ("pages", {"measure": "cosine", "cosine": 0.8}),
    "pages-simhash": ("pages", {"measure": "simhash", "clusters": "components"}),
}


def sentence(chance: random.Random, vocabulary: list[str]) -> str:
    """Make a sentence of 6 to 17 words, some of them numbers."""
    words = [chance.choice(vocabulary) for _ in range(6 + int(chance.random() * 12))]
    if chance.random() < 0.3:
        words[2] = str(int(chance.random() * 2000))
    return " ".join(words).capitalize() + "."


def edited(chance: random.Random, text: str, share: float) -> str:
    """Exchange a share of the words of a text for other ones of it."""
    words = text.split(" ")
    return " ".join(chance.choice(words) if chance.random() < share else word for word in words)


def records(seed: int, syllables: list[str], documents: int) -> Iterator[dict[str, Any]]:
    """Make documents, of which many are copies, edited copies, or quote others, on a few sites."""
    chance = random.Random(seed)
    vocabulary = ["".join(chance.choices(syllables, k=2 + i % 3)) for i in range(600)]
    templates = [[sentence(chance, vocabulary) for _ in range(3)] for _ in range(4)]
    texts: list[str] = []
    for number in range(documents):
        sentences = [sentence(chance, vocabulary) for _ in range(5 + int(chance.random() * 25))]
        kind = chance.random() if texts else 1.0
        if kind < 0.15:
            text = chance.choice(texts)
        elif kind < 0.4:
            text = edited(chance, chance.choice(texts), chance.random() * 0.15)
        elif kind < 0.6:
            quoted = chance.choice(texts).split(". ")
            text = " ".join(
                [*sentences[:4], ". ".join(quoted[: 3 + len(quoted) // 2]) + ".", *sentences[4:]]
            )
        else:
            text = " ".join(sentences)
        texts.append(text)
        site = number % len(templates)
        yield {
            "id": f"d{number}",
            "title": edited(chance, text[:60], 0.2),
            "text": " ".join([*templates[site], text, templates[site][0]]) if number % 3 else text,
            "url": f"https://site{site}.example/{number}",
            "score": number * 7 % 10,
            "date": f"20{10 + number % 15}-0{1 + number % 9}-17",
        }
    yield {"id": "d1", "title": "An id given twice", "text": texts[0], "url": "https://other.example/"}
    yield {"id": "empty", "title": "", "text": " … ", "url": None}
    yield {"title": "No text", "url": "nowhere"}


def write(path: Path, rows: Iterator[dict[str, Any]]) -> None:
    """Write a corpus with a line that is no record."""
    lines = [json.dumps(row, ensure_ascii=False) for row in rows]
    path.write_text("\n".join([*lines[:7], "{broken", *lines[7:]]) + "\n", encoding="utf-8")


LATIN = ["ba", "de", "fi", "go", "lu", "ma", "ne", "pi", "ro", "su", "ta", "ve", "wo", "xa", "zé"]
MIXED = ["да", "ло", "ни", "水", "山", "川", "ga", "ré", "ñu", "ὁδ", "אב", "كت", "かな", "가나"]


def make_corpora(folder: Path) -> dict[str, Path]:
    """Write the demo corpus and two generated ones."""
    found = {name: folder / f"{name}.jsonl" for name in ("demo", "latin", "mixed")}
    demo = (files("neardup") / "data" / "demo.jsonl").read_text(encoding="utf-8").splitlines()
    rows = (json.loads(line) | {"score": len(line) % 7} for line in demo)
    found["demo"].write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    write(found["latin"], records(1, LATIN, 150))
    write(found["mixed"], records(2, MIXED, 80))
    return found


def quiz(corpus: Path) -> list[dict[str, Any]]:
    """Make test items of some documents: as they are, with other numbers, words or order."""
    chance = random.Random(3)
    lines = [line for line in corpus.read_text(encoding="utf-8").splitlines() if line.endswith("}")]
    texts = [text for line in lines if (text := json.loads(line).get("text"))]
    items = []
    for number, text in enumerate(texts[::4]):
        words = text.split()[number % 9 :]
        asked = " ".join(words[: 4 + number % 14])
        options = [" ".join(words[at : at + 3]) for at in range(4 + number % 14, 30, 3)]
        match number % 4:
            case 1:
                asked = "".join("7" if letter.isdigit() else letter for letter in asked)
            case 2:
                asked = edited(chance, asked, 0.15)
            case 3:
                options.reverse()
        boilerplate = "Choose the best of these answers: " if number % 3 == 0 else ""
        items.append({"question": boilerplate + asked, "choices": options[:4], "answer": "B"})
    return items


def digests(result: neardup.Result) -> dict[str, str]:
    """Return a digest of each table of a result, its names and types included, and of its counts."""
    found = {"counts": digest(result.counts)}
    for path in sorted(result.folder.glob("*.parquet")):
        table = result.table(path.stem)
        columns = [[str(field), rounded(table[field.name].to_pylist())] for field in table.schema]
        found[path.stem] = digest(columns)
    return found


def digest(content: Any) -> str:
    """Return a digest of what JSON can say."""
    return hashlib.sha256(json.dumps(content, ensure_ascii=False).encode()).hexdigest()[:16]


def rounded(value: Any) -> Any:
    """Leave out the last digits of numbers, which differ from processor to processor."""
    if isinstance(value, list):
        return [rounded(part) for part in value]
    return round(value, 12) if isinstance(value, float) else value


def run(corpus: Path, name: str, output: Path) -> dict[str, str]:
    """Run a method with the settings of a name and return the digests of its tables."""
    method, settings = RUNS[name]
    if method == "decontaminate":
        path = output.with_name(f"quiz-{corpus.name}")
        path.write_text("".join(f"{json.dumps(item)}\n" for item in quiz(corpus)))
        settings = settings | {"benchmarks": path}
    return digests(getattr(neardup, method)(corpus, output=output, **settings))


@pytest.fixture(scope="module")
def corpora(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return make_corpora(tmp_path_factory.mktemp("corpora"))


@pytest.mark.parametrize("corpus", ["demo", "latin", "mixed"])
@pytest.mark.parametrize("name", RUNS)
def test_tables_are_what_they_were(
    corpora: dict[str, Path], corpus: str, name: str, tmp_path: Path
) -> None:
    known = json.loads(KNOWN.read_text())
    assert run(corpora[corpus], name, tmp_path / "out") == known[corpus][name]


def main() -> None:
    """Write the digests anew."""
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as folder:
        corpora = make_corpora(Path(folder))
        found = {
            corpus: {name: run(path, name, Path(folder) / f"{corpus}-{name}") for name in RUNS}
            for corpus, path in corpora.items()
        }
    KNOWN.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
