"""Measures `neardup decontaminate`: python -m benchmarks decontaminate CORPUS.jsonl --data FOLDER.

Test items are made of real text (Bible verses, sentences of stories and of Wikipedia, titles of Stack
Exchange), some are planted in documents of the corpus in all the ways in which items leak, and beside
them what only looks like one. `--speed ITEMS` measures a run of that many items over the whole corpus;
`--absent ITEMS` counts what is found of that many items of each of six kinds which RFCs cannot contain;
`--rephrased` shows what is found of rephrased questions.
"""

import argparse
import bz2
import html
import json
import random
import re
import tempfile
import textwrap
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.measure import NEARDUP, Measurement, measure
from benchmarks.rephrased import measure_rephrased

from neardup import Result

SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z])")
NUMBER = re.compile(r"\b\d+\b")
WORD = re.compile(r"\w+")
WIKI_TEXT = re.compile(r"<text[^>]*>(.*?)</text>", re.S)
MARKUP = re.compile(r"\{\{[^{}]*\}\}|<[^>]*>|&[a-z]+;|'{2,}|\[\[(?:[^|\]]*\|)?([^\]]*)\]\]")
ASKED = "Choose the correct answer. Which book of the Bible says: "
NEXT = "Read the sentence, then choose the one that comes next. "
ALIKE = 0.3  # the share of runs of three words from which two texts may be the same
WAYS = ("verbatim", "line", "split", "numbers", "reordered", "near")
KIND = {"line": "verbatim"}  # how neardup calls it, if otherwise
NEGATIVES = ("boilerplate", "same topic", "same template")


class Planted(NamedTuple):
    """Something that was put into a document; without an item, it only looks like one."""

    way: str
    item: str | None
    text: str


def runs(text: str) -> set[tuple[str, ...]]:
    """Return the runs of three words of a text."""
    words = WORD.findall(text.lower())
    return set(zip(words, words[1:], words[2:], strict=False))


def apart(texts: Iterable[str]) -> list[str]:
    """Leave out texts that resemble an earlier one, so that every label is right."""
    kept: list[str] = []
    owners: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for text in dict.fromkeys(texts):
        own = runs(text)
        shared = Counter(at for run in own for at in owners[run][:200])
        if not own or (shared and shared.most_common(1)[0][1] > ALIKE * len(own)):
            continue
        for run in own:
            owners[run].append(len(kept))
        kept.append(text)
    return kept


def verses(data: Path) -> list[tuple[str, str]]:
    """Return verses of the King James version with their books."""
    return [
        (" ".join(text.split()), path.stem)
        for path in sorted((data / "bible" / "KJV").glob("*.json"))
        for chapter in json.loads(path.read_text("utf-8"))[path.stem].values()
        for text in chapter.values()
    ]


def stories(data: Path) -> Iterator[list[str]]:
    """Yield the sentences of each story."""
    for path in sorted((data / "pan13-train" / "src").glob("*.txt")):
        text = " ".join(path.read_text("utf-8", "replace").split())
        yield [one for one in SENTENCE_END.split(text) if 10 <= len(one.split()) <= 40]


def facts(data: Path) -> Iterator[list[str]]:
    """Yield the sentences with numbers of each article of Wikipedia."""
    [dump] = (data / "wiki").glob("*.bz2")
    for found in WIKI_TEXT.finditer(bz2.decompress(dump.read_bytes()).decode("utf-8", "replace")):
        text = html.unescape(found[1])
        for _ in range(3):
            text = MARKUP.sub(lambda m: m[1] or "", text)
        sentences = (one for line in text.split("\n") for one in SENTENCE_END.split(line))
        yield [
            one
            for one in sentences
            if 10 <= len(one.split()) <= 40
            and len(NUMBER.findall(one)) > 1
            and not re.search(r"[|=*{\[]", one)
        ]


def titles(data: Path) -> Iterator[str]:
    """Yield the titles of questions of Stack Exchange that have 8 words or more."""
    for path in sorted((data / "stackexchange").glob("*/Posts.xml")):
        for found in re.findall(r' Title="([^"]*)"', path.read_text("utf-8-sig")):
            title = html.unescape(found)
            if len(WORD.findall(title)) >= 8:
                yield title


class Suite(NamedTuple):
    """The items of all benchmarks, by name, and texts that are like them but are none."""

    items: dict[str, list[dict[str, Any]]]
    others: dict[str, list[str]]


def suite(data: Path, rng: random.Random, most: int) -> Suite:
    """Make benchmarks of real text; half of each pool stays outside of them."""
    others: dict[str, list[str]] = {"same topic": []}

    def chosen(texts: Iterable[str], share: int = 2) -> list[str]:
        """Choose items of a pool; what stays outside has the same topic."""
        pool = apart(texts)
        rng.shuffle(pool)
        cut = min(most, len(pool) // share)
        others["same topic"] += pool[cut:]
        return pool[:cut]

    books = dict(verses(data))
    names = sorted(set(books.values()))
    items: dict[str, list[dict[str, Any]]] = {"verses": [], "stories": []}
    for text in chosen(text for text in books if len(text.split()) >= 8):
        options = rng.sample([name for name in names if name != books[text]], 3)
        options.insert(rng.randrange(4), books[text])
        answer = options.index(books[text])
        items["verses"].append({"question": ASKED + text, "choices": options, "answer": answer})
    others["same template"], others["same topic"] = others["same topic"], []
    for text in chosen(islice((one for story in stories(data) for one in story), 12 * most), 6):
        endings = [others["same topic"].pop() for _ in range(4)]
        item = {"question": NEXT + text, "endings": endings, "label": rng.randrange(4)}
        items["stories"].append(item)
    told = (one for article in facts(data) for one in article)
    items["facts"] = [{"question": one} for one in chosen(told)]
    items["titles"] = [{"question": one} for one in chosen(titles(data))]
    for name, own in items.items():
        for number, item in enumerate(own):
            item["id"] = f"{name[0]}{number}"
    return Suite(items, others)


def near(text: str, words: list[str], rng: random.Random) -> str:
    """Change a few words: another one in place, one less, or one more."""
    own = text.split()
    for _ in range(max(round(len(own) * rng.uniform(0.04, 0.2)), 1)):
        at, other = rng.randrange(len(own)), rng.choice(words)
        own[at : at + 1] = rng.choice(([other], [other], [], [own[at], other]))
    return " ".join(own)


def rendered(item: dict[str, Any], rng: random.Random, shuffled: bool) -> str:
    """Write an item as people do: the question, and the options with letters."""
    options = list(item.get("choices") or item.get("endings") or ())
    while shuffled and options == (item.get("choices") or item.get("endings")):
        rng.shuffle(options)
    lines = [f"{letter}) {option}" for letter, option in zip("ABCD", options, strict=False)]
    return "\n".join([item["question"], *lines])


def planted(way: str, item: dict[str, Any], words: list[str], rng: random.Random) -> Planted:
    """Write an item in one of the ways in which items leak."""
    text = item["question"]
    if way == "split":
        text = "\n".join(textwrap.wrap(text, rng.randint(20, 40)))
    elif way == "numbers":
        text = NUMBER.sub(lambda m: str(int(m[0]) + rng.choice((1, 7, 35, 1200))), text)
    elif way == "near":
        text = near(text, words, rng)
    elif way == "reordered":
        text = rendered(item, rng, shuffled=True)
    elif way == "verbatim" and rng.random() < 0.5:
        text = rendered(item, rng, shuffled=False)
    return Planted(way, item["id"], text)


def looks_like(way: str, made: Suite, rng: random.Random) -> Planted:
    """Write something that looks like an item and is none."""
    if way == "boilerplate":
        return Planted(way, None, rng.choice((ASKED, NEXT)))
    text = made.others[way].pop()
    if way == "same template":
        options = rng.choice(made.items["verses"])["choices"]
        text = "\n".join([ASKED + text, *(f"{c}) {o}" for c, o in zip("ABCD", options, strict=True))])
    return Planted(way, None, text)


def placed(text: str, what: Planted, rng: random.Random) -> tuple[str, int]:
    """Put something into a document: into a line of its own, or between two words; tell where."""
    in_a_line = what.way in ("line", "split", "reordered") or "\n" in what.text
    gaps = [found.end() for found in re.finditer(r"\n" if in_a_line else r"(?<=\w) (?=\w)", text)]
    at = rng.choice(gaps) if gaps else len(text)
    return f"{text[:at]}{what.text}{chr(10) if in_a_line else ' '}{text[at:]}", at


def write_labelled(corpus: Path, data: Path, folder: Path, each: int, seed: int) -> dict[str, Any]:
    """Write benchmarks and training data with so many plants of each way; return what is where."""
    rng = random.Random(seed)
    made = suite(data, rng, 4 * each)
    words = sorted(
        {word for text in made.others["same topic"] for word in text.split() if word.isalpha()}
    )
    todo: list[Planted] = []
    unused = {name: list(own) for name, own in made.items.items()}
    for way in WAYS:
        fit = {"numbers": ("facts",), "reordered": ("verses", "stories")}
        for at in range(each):
            names = [name for name in fit.get(way, tuple(unused)) if unused[name]]
            todo.append(planted(way, unused[names[at % len(names)]].pop(), words, rng))
    for way in NEGATIVES:
        todo += [looks_like(way, made, rng) for _ in range(each)]
    rng.shuffle(todo)
    for name, own in made.items.items():
        lines = (json.dumps(item) for item in own)
        (folder / f"{name}.jsonl").write_text("\n".join(lines), encoding="utf-8")
    truth = {}
    with corpus.open(encoding="utf-8") as source, (folder / "train.jsonl").open("w") as out:
        documents = (json.loads(line) for line in source)
        for number, document in enumerate(islice(documents, len(todo) + each)):
            text = document["text"]
            if number < len(todo):
                text, at = placed(text, todo[number], rng)
                truth[document["id"]] = (todo[number], at)
            out.write(json.dumps({"id": document["id"], "text": text}) + "\n")
    return truth


def run(train: Path, benchmarks: list[Path], out: Path) -> Measurement:
    """Run neardup, and measure it."""
    named = [word for path in benchmarks for word in ("--benchmarks", path)]
    end = ("-o", out, "--quiet", "--overwrite", "--workers", "2")
    return measure([*NEARDUP, "decontaminate", train, *named, *end], log=out.with_suffix(".log"))


def quality(corpus: Path, data: Path, each: int, seed: int) -> None:
    """Print precision and recall by the ways of planting."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        truth = write_labelled(corpus, data, folder, each, seed)
        benchmarks = sorted(path for path in folder.glob("*.jsonl") if path.stem != "train")
        run(folder / "train.jsonl", benchmarks, folder / "out")
        pairs = Result(folder / "out").pairs.to_pylist()
        counts = Result(folder / "out").counts
    found = {(row["id_a"], row["id_b"].partition("#")[2]): row for row in pairs}
    print({name: value for name, value in counts.items() if "item" in name})
    print(f"{'way':15} {'planted':>8} {'found':>8} {'recall':>8} {'label':>8} {'located':>8}")
    right = set()
    for way in WAYS:
        own = {(doc, one.item): (one, at) for doc, (one, at) in truth.items() if one.way == way}
        hit = [key for key in own if key in found]
        right |= set(hit)
        label = sum(found[key]["kind"] == KIND.get(way, way) for key in hit)
        close = sum(is_close(found[key], *own[key]) for key in hit)
        shares = [len(hit) / len(own), label / max(len(hit), 1), close / max(len(hit), 1)]
        print(f"{way:15} {len(own):8} {len(hit):8}", *(f"{share:8.3f}" for share in shares))
    wrong: Counter[str] = Counter()
    for key, row in found.items():
        if key not in right:
            one = truth.get(row["id_a"], (None, 0))[0]
            wrong[one.way if one else "nothing"] += 1
    for way in (*NEGATIVES, "nothing"):
        print(f"{way:15} {each:8} {wrong.pop(way, 0):8}")
    print("other wrong pairs:", sum(wrong.values()), dict(wrong))
    total = sum(one.item is not None for one, _ in truth.values())
    print(f"recall {len(right) / total:.4f}, precision {len(right) / max(len(found), 1):.4f}")


def is_close(row: dict[str, Any], one: Planted, at: int) -> bool:
    """Return whether a place that was found is the one where something was planted, to a few characters.

    Boilerplate at its ends, and words that were changed there, may or may not be in it.
    """
    return bool(abs(row["start"] - at) <= 70 and abs(row["end"] - at - len(one.text)) <= 20)


def speed(corpus: Path, data: Path, items: int) -> None:
    """Print how long a run of so many items over a whole corpus takes."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        made = suite(data, random.Random(1), items // 2)
        everything = [item for own in made.items.values() for item in own]
        rest = (text for texts in made.others.values() for text in texts)
        everything += [{"id": f"o{n}", "question": text} for n, text in enumerate(rest)]
        chosen = everything[:items]
        (folder / "items.jsonl").write_text("\n".join(json.dumps(item) for item in chosen))
        for _ in range(2):  # the first one may compile
            cost = run(corpus, [folder / "items.jsonl"], folder / "out")
        print(
            f"{corpus.stat().st_size / 1e6:.0f} MB, {len(chosen):,} items: {cost.seconds:.1f} s",
            end=", ",
        )
        print(f"{cost.cpu_seconds:.1f} processor seconds, {cost.peak_bytes / 1e6:.0f} MB of memory")


def precision(corpus: Path, data: Path, each: int, seed: int) -> None:
    """Print what is found of items that the corpus cannot contain."""
    from benchmarks.absent import absent_items

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for kind, items in absent_items(data, each, seed).items():
            unique = dict.fromkeys(map(json.dumps, items))
            (folder / f"{kind}.jsonl").write_text("\n".join(unique), encoding="utf-8")
        run(corpus, sorted(folder.glob("*.jsonl")), folder / "out")
        result = Result(folder / "out")
        print(
            {name: value for name, value in result.counts.items() if "item" in name or name == "pairs"}
        )
        for row in result.pairs.to_pylist():
            print(row["id_b"], "in", row["id_a"], row["kind"], f"{row['similarity']:.3f}", row["fields"])


def main() -> None:
    """Measure what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--data", type=Path, required=True, help="the folder of real texts")
    parser.add_argument("--each", type=int, default=200, help="plants of each way")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--speed", type=int, metavar="ITEMS")
    parser.add_argument("--absent", type=int, metavar="ITEMS")
    parser.add_argument("--rephrased", action="store_true")
    given = parser.parse_args()
    if given.rephrased:
        measure_rephrased(given.corpus, given.seed)
    elif given.absent:
        precision(given.corpus, given.data, given.absent, given.seed)
    elif given.speed:
        speed(given.corpus, given.data, given.speed)
    else:
        quality(given.corpus, given.data, given.each, given.seed)
