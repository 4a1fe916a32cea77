"""The index against a twin that keeps a dictionary: any operations, in any order, by any process."""

import os
import random
from pathlib import Path

import pytest
from tests.corpora import prose, replaced

from neardup.errors import TakenIdError, UnknownDocumentError
from neardup.index import adding, writing
from neardup.index.online import Index
from neardup.index.settings import IndexSettings, QuerySettings
from neardup.store.manifest import About

OPERATIONS = int(os.environ.get("NEARDUP_OPERATIONS", "150"))  # a campaign: ten times a thousand
SEEDS = int(os.environ.get("NEARDUP_SEEDS", "2"))
ALL = QuerySettings(threshold=0.3, limit=None)


def shingles(text: str) -> set[tuple[str, ...]]:
    words = text.lower().replace(".", " ").split()
    return {tuple(words[at : at + 5]) for at in range(max(len(words) - 4, 1))}


class Twin:
    """The index under test, and what it should hold."""

    def __init__(self, path: Path, chance: random.Random, compact: bool) -> None:
        self.path, self.chance, self.may_miss = path, chance, compact
        self.held: dict[str, str] = {}
        settings = IndexSettings(signature="winnowing:3,1", soft=True, compact=compact)
        self.index = Index.build(path, None, settings)
        self.reader = Index(path, writable=False)
        self.made = 0

    def text(self) -> str:
        if self.held and self.chance.random() < 0.5:
            return replaced(self.chance.choice(list(self.held.values())), self.chance.choice((5, 9, 20)))
        return prose(self.chance.randint(8, 60), self.chance.randrange(10**6))

    def add(self) -> None:
        rows = {f"d{self.made + n}": self.text() for n in range(self.chance.choice((1, 1, 2, 7, 30)))}
        self.made += len(rows)
        self.index.add([{"id": given, "text": text, "title": text[:7]} for given, text in rows.items()])
        self.held |= rows

    def replace(self) -> None:
        given = self.chance.choice([*self.held, "unheard of"])
        with_others = {given: self.text(), f"d{self.made}": self.text()}
        self.made += 1
        rows = [{"id": name, "text": text, "title": text[:7]} for name, text in with_others.items()]
        if given in self.held and self.chance.random() < 0.3:
            with pytest.raises(TakenIdError):
                self.index.add(rows)
            return
        self.index.add(rows, replace_ids=True)
        self.held |= with_others

    def filter(self) -> None:
        texts = [self.text() for _ in range(self.chance.choice((1, 3, 12)))]
        rows = [{"id": f"d{self.made + n}", "text": text} for n, text in enumerate(texts)]
        self.made += len(rows)
        passed = list(self.index.filter(rows, 0.7))
        for row in rows:
            own = shingles(row["text"])
            others = map(shingles, self.held.values())
            is_new = all(10 * len(own & other) < 7 * len(own | other) for other in others)
            assert is_new or row not in passed or self.may_miss
            assert row in passed or not is_new
            if row in passed:
                self.held[row["id"]] = row["text"]

    def remove(self) -> None:
        ids = self.chance.sample(list(self.held), min(len(self.held), self.chance.choice((1, 2, 9))))
        if self.chance.random() < 0.2:
            with pytest.raises(UnknownDocumentError):
                self.index.remove([*ids, "nobody"])
            return
        self.index.remove(ids)
        for given in ids:
            del self.held[given]

    def reopen(self) -> None:
        self.index.close()
        self.index = Index(self.path)

    def compact(self) -> None:
        self.index.compact()

    def ask(self) -> None:
        text = self.text()
        own = shingles(text)
        expected = {}
        for given, other in self.held.items():
            shared, both = len(own & shingles(other)), min(len(own), len(shingles(other)))
            if shared >= 0.3 * both * (1 - 1e-9):
                expected[given] = shared / len(own | shingles(other))
        for index in (self.index, self.reader):
            matches = index.query(text, ALL).matches
            near = {m.id: m.resemblance for m in matches if m.id in expected}
            assert near == expected or (self.may_miss and near.items() <= expected.items())
            assert all(match.text == self.held[match.id] for match in matches)
            assert all(match.about.title in (None, match.text[:7]) for match in matches)

    def compare(self) -> None:
        for index in (self.index, self.reader):
            assert len(index) == len(self.held)
            for given in self.chance.sample(list(self.held), min(len(self.held), 5)):
                about, text = index.document(given)
                assert text == self.held[given] and about in (About(given), About(given, text[:7]))
        assert not self.index.damages()


@pytest.mark.parametrize(("seed", "compact"), [*((seed, False) for seed in range(SEEDS)), (SEEDS, True)])
def test_any_operations_leave_what_the_twin_has(
    seed: int, compact: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(adding, "FEW", 20)
    monkeypatch.setattr(writing, "RECENT", 25)
    monkeypatch.setattr(writing, "TOGETHER", 3)
    monkeypatch.setattr(writing, "LEAST_ROWS", 1 << 9)
    monkeypatch.setattr(writing, "SAFE", 5)
    chance = random.Random(seed)
    twin = Twin(tmp_path / "i.neardup", chance, compact)
    twin.add()
    steps = [twin.add] * 5 + [twin.ask] * 6 + [twin.replace] * 3 + [twin.remove] * 3
    steps += [twin.filter] * 2
    steps += [twin.reopen, twin.compact, twin.compare]
    for _ in range(OPERATIONS):
        chance.choice(steps)()
    twin.ask()
    twin.compare()
    whole = Index.build(
        tmp_path / "whole.neardup",
        [{"id": k, "text": t} for k, t in twin.held.items()],
        twin.index.settings,
    )
    for text in chance.sample(list(twin.held.values()), min(len(twin.held), 5)):  # passages, too
        found = [index.query(text, ALL).as_dict()["matches"] for index in (twin.index, whole)]
        for match in (*found[0], *found[1]):
            match.pop("title")
        assert sorted(found[0], key=lambda m: str(m["id"])) == sorted(
            found[1], key=lambda m: str(m["id"])
        )
    for index in (twin.index, twin.reader, whole):
        index.close()
