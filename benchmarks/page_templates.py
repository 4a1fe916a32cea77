"""More labelled pages that are hard to tell apart: each pair alone in templates as people write them.

Independent of `hard_pages`: blogs with a menu, breadcrumbs, a tag cloud, an archive, a word about the
author, a form for comments and legal notes, of which many sites have the same ones. The stories are
other texts. No setting was chosen on these pages.
"""

import random
from collections.abc import Iterator
from html import escape
from pathlib import Path

from benchmarks import hard_pages
from benchmarks.hard_pages import Corpus, Pair, Paragraphs, paragraph, shortened, wrapped

MENU = (
    "Home News World Politics Business Science Health Sport Culture Travel Video Weather Education "
    "Events Jobs Contact Archive Newsletter Subscribe Forum Members Search Shop"
)
TAGS = (
    "garden books history travel cooking walking music films letters winter summer birds trees rivers "
    "maps trains cheese bread poems diary"
)
AUTHORS = (
    "{name} writes about gardens, weather and the people who work outdoors. Before that, {name} was a "
    "teacher for {number} years.",
    "{name} joined us in {year}. When not at the desk, {name} can be found on a bicycle somewhere "
    "between the river and the hills.",
    "Posted by {name}, who has been editing this blog since {year} and answers every letter.",
)
NOTES = (
    "The information on this page is provided for general purposes only and does not constitute advice "
    "of any kind. We make no representations or warranties about its accuracy.",
    "This site takes part in affiliate programmes: we may earn a commission if you buy something "
    "through links on this page, at no extra cost for you.",
    "Images are used under licence or are believed to be in the public domain; please write to us if "
    "you think that your rights have been infringed.",
    "Powered by free software. Hosted in Iceland on renewable energy since {year}.",
    "All prices include taxes and exclude delivery. Orders placed before noon on working days are sent "
    "the same day; returns are accepted within {number} days.",
)
REPLY = (
    "<div><h4>Leave a reply</h4><p>Your email address will not be published. Required fields are marked "
    "with a star.</p><label>Name</label><label>Email</label><button>Post comment</button></div>"
)
LABELS = {
    "other story": 0,
    "other short": 0,
    "other thread": 0,
    "quotation": 0,
    "short": 1,
    "short, two sites": 1,
    "two sites": 1,
    "two sites, cut": 1,
    "update": 1,
    "paragraph replaced": 1,
    "moved": 1,
    "one more answer": 1,
    "another day": 1,
}


class Blog:
    """A site, and what stands around its stories."""

    def __init__(self, name: str, dice: random.Random, teasers: list[str]) -> None:
        self.name, self._dice, self.pages = name, dice, 0
        own = {
            "name": dice.choice(["Marta", "Jonas", "Ivy", "Pavel", "Noor"]),
            "number": dice.randint(3, 30),
            "year": dice.randint(1990, 2022),
        }
        self.author = dice.choice(AUTHORS).format(**own)
        self.notes = [note.format(**own) for note in dice.sample(NOTES, dice.randint(1, 4))]
        self.tags, self.menu = (
            dice.sample(TAGS.split(), dice.randint(8, 16)),
            dice.sample(MENU.split(), 7),
        )
        self.recent = dice.sample(teasers, dice.randint(3, 7))
        self.marked_up, self.replies, self.on_top = (dice.random() < 0.5 for _ in range(3))

    def page(self, title: str, body: Paragraphs) -> tuple[str, str]:
        """Return the HTML and the address of a new page."""
        self.pages += 1
        dice = self._dice
        main, side, foot = ("main", "aside", "footer") if self.marked_up else ("div",) * 3
        day = f"{dice.randint(1, 28)}.{dice.randint(1, 12)}.20{dice.randint(10, 26)}"
        menu = " | ".join(f"<a href='/{entry}'>{entry}</a>" for entry in self.menu)
        tags = " ".join(f"<a href='/{tag}'>{tag} ({dice.randint(1, 99)})</a>" for tag in self.tags)
        recent = "".join(f"<li><a href='/x'>{escape(line)}</a></li>" for line in self.recent)
        parts = [
            f"<html><head><title>{escape(title)} at {self.name}</title></head><body>",
            wrapped("div", self.name, "<br>", menu),
            paragraph(self.notes[0]) if self.on_top else "",
            f"<div><a href='/'>Home</a> &raquo; <a href='/blog'>Blog</a> &raquo; {escape(title)}</div>",
            wrapped(
                main,
                f"<h2>{escape(title)}</h2><p>Posted on {day} in {dice.choice(self.tags)}</p>",
                *map(paragraph, body),
                paragraph(self.author),
            ),
            REPLY if self.replies else "",
            wrapped(side, f"<h4>Recent posts</h4><ul>{recent}</ul><h4>Tags</h4><div>{tags}</div>"),
            wrapped(foot, *map(paragraph, self.notes), menu),
            "</body></html>",
        ]
        return "\n".join(parts), f"https://{self.name}/{self.pages}"


class Maker:
    """Makes pairs, each with its own site or sites."""

    def __init__(self, stories: list[Paragraphs], threads: list[Paragraphs], seed: int) -> None:
        self._dice = random.Random(seed)
        stories, threads = (hard_pages.shuffled(texts, self._dice) for texts in (stories, threads))
        self._teasers = [shortened(story[-1], 60) for story in stories[1::2]]
        self._stories, self._threads = stories[0::2], threads
        self._sites = 0
        self.corpus = Corpus()

    def make(self, rounds: int) -> Corpus:
        """Make a pair of each kind in each round, as long as there are texts for it."""
        rounds = min(rounds, len(self._stories) // 6, len(self._threads) // 2)
        for number in range(rounds):
            self._add_stories(self._stories[6 * number : 6 * number + 6])
            thread, another = self._threads[2 * number : 2 * number + 2]
            self._add("one more answer", thread[:-1], thread, title=self._title(thread))
            self._add("other thread", thread, another)
        return self.corpus

    def _add_stories(self, stories: list[Paragraphs]) -> None:
        a, b, c, d, e, f = stories
        dice = self._dice
        one, other, short = ([hard_pages.short_story(story, dice)] for story in (a, b, d))
        self._add("other story", a, b)
        self._add("other short", one, other)
        self._add("short", short, short, title=self._title(short))
        self._add("short, two sites", short, short, True, self._title(short))
        self._add("two sites", a, a, True, self._title(a))
        self._add("two sites, cut", a, a[: max(2, len(a) * 7 // 10)], True)
        self._add("update", b, hard_pages.updated(b, c, dice))
        at = dice.randrange(len(d))
        self._add("paragraph replaced", d, [*d[:at], e[0], *d[at + 1 :]], title=self._title(d))
        self._add("moved", e, hard_pages.moved(e, dice), dice.random() < 0.5, self._title(e))
        quoting = [*f[: len(f) // 2], min(a, key=len), *f[len(f) // 2 :]]
        self._add("quotation", a, quoting, dice.random() < 0.5)
        self._add("another day", c, c, title=self._title(c))

    def _title(self, body: Paragraphs) -> str:
        return shortened(body[0], self._dice.randint(40, 80))

    def _add(
        self, kind: str, a: Paragraphs, b: Paragraphs, apart: bool = False, title: str | None = None
    ) -> None:
        sites = list(self._new_sites(2 if apart else 1))
        ids = [
            self.corpus.add(*site.page(title or self._title(body), body))
            for site, body in ((sites[0], a), (sites[-1], b))
        ]
        self.corpus.pairs.append(Pair(ids[0], ids[1], LABELS[kind], kind))

    def _new_sites(self, count: int) -> Iterator[Blog]:
        for _ in range(count):
            self._sites += 1
            yield Blog(f"blog{self._sites}.example", self._dice, self._teasers)


def make(data: Path, rounds: int, seed: int = 77) -> Corpus:
    """Make pairs from the suspicious documents of PAN 2013 and posts of Stack Exchange."""
    stories: list[Paragraphs] = []
    for path in sorted((data / "pan13-train" / "susp").glob("*.txt"))[:120]:
        lines = (" ".join(line.split()) for line in path.read_text("utf-8", "replace").splitlines())
        stories += hard_pages.stories_of([line for line in lines if len(line) > 40])
    paths = sorted(data.glob("stackexchange/*/Posts.xml"))
    threads = [posts for path in paths for posts in hard_pages.read_threads(path)]
    return Maker(stories, threads, seed).make(rounds)
