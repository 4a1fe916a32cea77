"""Makes labelled web pages that are hard to tell apart, from real texts: stories in templates of sites.

Each site has its own navigation, teasers, notes and footer around its stories; some mark them up so that
they are easily recognised, some do not. The pairs are: another story of the same site (0), the same
story on two sites (1), an update of a story (1), a thread of a forum with one more answer (1) or another
thread (0), a story with its paragraphs moved (1), a short story in a long template (1 or 0), a story
that quotes another one (0), the version of a page for printing (1), and two pages with the same long
note in the middle (0).
"""

import json
import random
import re
import xml.etree.ElementTree as ElementTree
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import escape, unescape
from pathlib import Path
from typing import NamedTuple

Paragraphs = list[str]
TAG = re.compile(r"<[^>]+>")
STORY = (1_500, 7_000)  # characters of a story
SHORT = (150, 450)  # characters of a short story
NEAR = {"two sites", "update", "one more answer", "moved", "short", "print"}  # what others are not


class Pair(NamedTuple):
    """Two pages, whether they are near-duplicates, and how they were made."""

    id_a: str
    id_b: str
    label: int
    kind: str


class Texts(NamedTuple):
    """What pages are made of: stories, threads of a forum, and lines for templates."""

    stories: list[Paragraphs]
    threads: list[Paragraphs]
    lines: list[str]


@dataclass
class Corpus:
    """Pages with their HTML and address, and the labelled pairs."""

    pages: list[dict[str, str]] = field(default_factory=list)
    pairs: list[Pair] = field(default_factory=list)

    def add(self, html: str, url: str) -> str:
        """Add a page and return its id."""
        self.pages.append({"id": f"p{len(self.pages):05}", "html": html, "url": url})
        return self.pages[-1]["id"]

    def pair(self, kind: str, id_a: str, id_b: str) -> None:
        """Add a labelled pair."""
        self.pairs.append(Pair(id_a, id_b, int(kind in NEAR), kind))


class Site:
    """A site: what stands around its stories, and how that is marked up."""

    def __init__(self, name: str, texts: Texts, dice: random.Random) -> None:
        self.name, self._lines, self._dice = name, texts.lines, dice
        self.menu, self.top = self._some(6, 20, 18), self._some(1, 3, 80)
        self.notes, self.footer = self._some(1, 4, 300), self._some(2, 8, 220)
        self.note = " ".join(self._some(4, 7, 260))
        self.marked_up = dice.random() < 0.5
        self.pages = 0

    def _some(self, least: int, most: int, size: int) -> list[str]:
        """Return some lines, each cut to a size."""
        chosen = self._dice.sample(self._lines, self._dice.randint(least, most))
        return [shortened(line, size) for line in chosen]

    def page(self, title: str, body: Paragraphs, note: bool = False) -> tuple[str, str]:
        """Return the HTML and the address of a new page."""
        self.pages += 1
        dice = self._dice
        if note:
            body = [*body[: len(body) // 2], self.note, *body[len(body) // 2 :]]
        teasers = self._some(3, 8, 60)
        when = f"{dice.randint(1, 28)} May 20{dice.randint(10, 26)}, {dice.randint(10, 23)}:30"
        side, nav, foot, main = ("aside", "nav", "footer", "article") if self.marked_up else ("div",) * 4
        html = "\n".join(
            [
                f"<html><head><title>{escape(title)} - {self.name}</title></head><body>",
                wrapped(nav, "".join(f"<li><a href='/x'>{escape(line)}</a></li>" for line in self.menu)),
                wrapped("div", *map(paragraph, self.top)),
                wrapped(main, f"<h1>{escape(title)}</h1><p>Published {when}</p>", *map(paragraph, body)),
                wrapped(
                    side, "<h3>Read on</h3>", *(f"<p><a href='/y'>{escape(t)}</a></p>" for t in teasers)
                ),
                wrapped("div", *map(paragraph, self.notes)),
                wrapped(foot, *map(paragraph, self.footer)),
                "</body></html>",
            ]
        )
        return html, f"https://www.{self.name}/story/{self.pages}"


def paragraph(text: str) -> str:
    """Return a paragraph in HTML."""
    return wrapped("p", escape(text))


def wrapped(tag: str, *content: str) -> str:
    """Put content between tags."""
    return f"<{tag}>{' '.join(content)}</{tag}>"


def shortened(line: str, size: int) -> str:
    """Return the first words of a line."""
    return line[:size].rpartition(" ")[0] or line[:size]


def make(texts: Texts, rounds: int, seed: int) -> Corpus:
    """Make a pair of each kind in each round, as long as there are texts for it."""
    dice = random.Random(seed)
    rounds = min(rounds, len(texts.stories) // 10, len(texts.threads) // 2)
    corpus = Corpus()
    stories, threads = (iter(dice.sample(own, len(own))) for own in (texts.stories, texts.threads))
    sites = [Site(f"site{n}.example", texts, dice) for n in range(max(rounds // 3, 2))]
    for _ in range(rounds):
        add_round(corpus, stories, threads, sites, dice)
    return corpus


def add_round(
    corpus: Corpus,
    stories: Iterator[Paragraphs],
    threads: Iterator[Paragraphs],
    sites: list[Site],
    dice: random.Random,
) -> None:
    """Add one pair of each kind."""
    site, other = dice.sample(sites, 2)

    def put(where: Site, body: Paragraphs, note: bool = False) -> str:
        return corpus.add(*where.page(shortened(body[0], 70), body, note))

    first, second, third = next(stories), next(stories), next(stories)
    one = put(site, first)
    corpus.pair("other story", one, put(site, second))
    corpus.pair("two sites", one, put(other, bylined(first, dice)))
    corpus.pair("update", one, put(site, updated(first, next(stories), dice)))
    moving = next(stories)
    corpus.pair("moved", put(site, moving), put(dice.choice(sites), moved(moving, dice)))
    quoted = [*third[: len(third) // 2], min(first, key=len), *third[len(third) // 2 :]]
    corpus.pair("quotation", one, put(dice.choice(sites), quoted))
    last = next(stories)
    head, url = f"<h1>{escape(shortened(last[0], 70))}</h1>", site.page("", last)[1]
    corpus.pair(
        "print",
        put(site, last),
        corpus.add(f"<html><body>{head}{''.join(map(paragraph, last))}</body></html>", url),
    )
    corpus.pair("same note", put(site, next(stories), True), put(site, next(stories), True))
    thread, another = next(threads), next(threads)
    page = put(site, thread[:-1])
    corpus.pair("one more answer", page, put(site, thread))
    corpus.pair("other thread", page, put(site, another))
    short, other_short = ([short_story(next(stories), dice)] for _ in range(2))
    page = put(site, short)
    corpus.pair("short", page, put(dice.choice(sites), short))
    corpus.pair("other short", page, put(site, other_short))


def bylined(body: Paragraphs, dice: random.Random) -> Paragraphs:
    """Return a story as another site prints it: with a line of its own, now and then cut at its end."""
    kept = body[: max(len(body) - dice.randint(0, 1), 2)]
    return [f"From our correspondent {dice.randint(100, 999)} by wire.", *kept]


def updated(body: Paragraphs, news: Paragraphs, dice: random.Random) -> Paragraphs:
    """Return a story with one or two new paragraphs and some words exchanged."""
    body = [exchanged(p, dice, 0.03) for p in body]
    for paragraph in news[: dice.randint(1, 2)]:
        body.insert(dice.randint(0, len(body)), shortened(paragraph, sum(map(len, body)) // 5))
    return body


def exchanged(paragraph: str, dice: random.Random, share: float) -> str:
    """Exchange some words of a paragraph."""
    words = paragraph.split(" ")
    return " ".join(dice.choice(words) if dice.random() < share else word for word in words)


def moved(body: Paragraphs, dice: random.Random) -> Paragraphs:
    """Return the paragraphs in another order."""
    cut = dice.randint(1, len(body) - 1)
    turned = body[cut:] + body[:cut]
    return turned if dice.random() < 0.5 else dice.sample(body, len(body))


def short_story(body: Paragraphs, dice: random.Random) -> str:
    """Return a story of a few sentences."""
    return shortened(" ".join(body), dice.randint(*SHORT)) + "."


def read_texts(data: Path) -> Texts:
    """Read the texts of a folder of data: documents of PAN 2013, posts of Stack Exchange."""
    stories: list[Paragraphs] = []
    lines: list[str] = []
    for path in sorted((data / "pan13-train" / "src").glob("*.txt")):
        found = [" ".join(line.split()) for line in path.read_text("utf-8", "replace").splitlines()]
        lines += [line for line in found if 60 < len(line) < 400][-3:]
        stories += stories_of([line for line in found if len(line) > 40])
    threads = [
        posts for path in sorted(data.glob("stackexchange/*/Posts.xml")) for posts in read_threads(path)
    ]
    return Texts(stories, threads, sorted(set(lines)))


def both_halves(data: Path) -> dict[str, Corpus]:
    """Make pages of two halves of the texts: one to choose settings on, one to report."""
    texts = read_texts(data)
    halves = [Texts(texts.stories[n::2], texts.threads[n::2], texts.lines[n::2]) for n in (0, 1)]
    return {
        name: make(half, 40, seed=number)
        for number, (name, half) in enumerate(zip(("choose", "report"), halves, strict=True), 1)
    }


def stories_of(lines: list[str], least: int = 200) -> Iterator[Paragraphs]:
    """Put short lines together until they make paragraphs, and those until they make a story."""
    story: Paragraphs = []
    size, waiting = STORY[0], ""
    for line in lines:
        waiting = f"{waiting} {line}".strip()[:1_500]
        if len(waiting) < least:
            continue
        story.append(waiting)
        waiting = ""
        if sum(map(len, story)) >= size and len(story) >= 4:
            yield story
            story, size = [], STORY[0] + 7 * size % (STORY[1] - STORY[0])


def read_threads(path: Path) -> Iterator[Paragraphs]:
    """Yield questions with at least two answers, a paragraph each."""
    questions: dict[str, str] = {}
    answers: defaultdict[str, Paragraphs] = defaultdict(list)
    for _, row in ElementTree.iterparse(path):
        text = " ".join(unescape(TAG.sub(" ", row.get("Body") or "")).split())
        if row.get("PostTypeId") == "1":
            questions[str(row.get("Id"))] = f"{row.get('Title')} {text}"
        elif row.get("PostTypeId") == "2":
            answers[str(row.get("ParentId"))].append(text[:1_500])
    for number, question in questions.items():
        own = sorted(answers[number], key=len, reverse=True)
        if len(own) >= 2 and len(question) > 200:
            yield [question, *own]


def write(corpus: Corpus, folder: Path) -> None:
    """Write pages.jsonl and pairs.jsonl."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "pages.jsonl").open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(page) + "\n" for page in corpus.pages)
    with (folder / "pairs.jsonl").open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(pair._asdict()) + "\n" for pair in corpus.pairs)
