"""An index of threads against a twin that keeps a dictionary: any operations, in any order."""

import os
import random
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from tests.corpora import FIELDS, forum
from tests.twins import threads as twin

import neardup
from neardup.errors import TakenIdError, UnknownDocumentError
from neardup.index import adding, arrays, writing
from neardup.index.asked import ThreadIndex
from neardup.kernels.nearest import ROOT, SCALE, weigh
from neardup.methods.threads.nearest import SHARES, cells_of

OPERATIONS = int(os.environ.get("NEARDUP_OPERATIONS", "60"))  # a campaign: ten times a thousand
SEEDS = int(os.environ.get("NEARDUP_SEEDS", "2"))
Thread = dict[str, Any]


def fields_of(thread: Thread) -> Thread:
    return {name: thread.get(name) for name in FIELDS}


class Twin:
    """The index under test, and what it should hold, in the order in which it came."""

    def __init__(self, path: Path, chance: random.Random) -> None:
        self.path, self.chance, self.held = path, chance, dict[str, Thread]()
        self.waiting = forum(2000, seed=chance.randrange(1000))
        self.made = 0
        first = [self.thread() for _ in range(chance.choice((3, 40)))]
        self.held = {row["id"]: row for row in first}
        result = neardup.threads(first, output=path)
        self.index = ThreadIndex.build(result, writable=True)
        self.reader = ThreadIndex(path)

    def thread(self, given: str | None = None) -> Thread:
        self.made += 1
        return {"id": given or f"t{self.made}", **fields_of(self.waiting.pop())}

    def add(self) -> None:
        rows = [self.thread() for _ in range(self.chance.choice((1, 1, 2, 9, 30)))]
        assert self.index.add(rows).documents == len(rows)
        self.held |= {row["id"]: row for row in rows}

    def replace(self) -> None:
        given = self.chance.choice([*self.held, "unheard of"])
        rows = [self.thread(given), self.thread()]
        if given in self.held and self.chance.random() < 0.3:
            with pytest.raises(TakenIdError):
                self.index.add(rows)
            return
        self.index.add(rows, replace_ids=True)
        self.held.pop(given, None)
        self.held |= {row["id"]: row for row in rows}

    def remove(self) -> None:
        ids = self.chance.sample(list(self.held), min(len(self.held) - 1, self.chance.choice((1, 2, 9))))
        if self.chance.random() < 0.2:
            with pytest.raises(UnknownDocumentError):
                self.index.remove([*ids, "nobody"])
            return
        self.index.remove(ids)
        for given in ids:
            del self.held[given]

    def reopen(self) -> None:
        self.index.close()
        self.index = ThreadIndex(self.path, writable=True)

    def compact(self) -> None:
        self.index.compact()
        asked = self.question()
        whole = ThreadIndex.build(neardup.threads(list(self.held.values())))
        for top in (1, 7):
            assert self.index.ask(asked, top) == whole.ask(asked, top)
            assert self.index.suggest(asked, top) == whole.suggest(asked, top)

    def question(self) -> Thread:
        own = fields_of(self.chance.choice([*self.held.values(), self.waiting[-1]]))
        asked = {name: text for name, text in own.items() if text and self.chance.random() < 0.7}
        return asked or {"title": "How do I boil an egg?"}

    def ask(self) -> None:
        asked = self.question()
        own = [twin.winnowed(asked.get(name), 3, 1) for name in FIELDS]
        weights = [w if values else 0.0 for values, w in zip(own, (0.4, 0.2, 0.4), strict=True)]
        scores = {}
        for given, thread in self.held.items():
            other = [twin.winnowed(thread[name], 3, 1) for name in FIELDS]
            fields = [twin.jaccard(a, b) for a, b in zip(own, other, strict=True)]
            mean = twin.similarity(fields, weights, True)
            if mean >= 0.3:
                scores[given] = mean
        right = sorted(scores, key=lambda given: -scores[given])  # equal ones in the order they came
        for index in (self.index, self.reader):
            found = index.ask(asked, top=1000)
            assert {one.id: one.similarity for one in found} == pytest.approx(scores)
            assert all(one.title == self.held[one.id]["title"] for one in found)
            assert [one.similarity for one in index.ask(asked, top=2)] == pytest.approx(
                [scores[given] for given in right[:2]]
            )

    def suggest(self) -> None:
        """Sum up the products of weights, as rare as cells were when all was last written."""
        asked = self.question()
        self.index._writes.tidy()  # else a thread beside this one may count again meanwhile
        for index in (self.index, self.reader):
            rarity, _ = index._parts.of(index.contents.view)
            heavy = Counter[int]()
            for cell, weight in self.weights([asked], rarity)[0]:
                heavy[cell] += weight
            best = sum(SHARES[part] for part in range(2) if part == 0 or asked.get("title"))
            near = {}
            for given, own in zip(self.held, self.weights(self.held.values(), rarity), strict=True):
                total = sum(heavy[c] * int(np.sqrt(w / SCALE) * ROOT + 0.5) ** 2 for c, w in own)
                near[given] = min(total / (SCALE * ROOT * ROOT) / best, 1.0)
            found = index.suggest(asked, top=1000)
            right = {given: value for given, value in near.items() if value > 0}
            assert {one.id: one.nearness for one in found} == pytest.approx(right)
            values = [one.nearness for one in found]
            assert values == sorted(values, reverse=True)

    @staticmethod
    def weights(threads: Any, rarity: Any) -> list[list[tuple[int, int]]]:
        texts = {n: pa.array([t.get(n) for t in threads], pa.large_string()) for n in FIELDS}
        cells, counts, bounds = cells_of(texts)
        weights = np.empty(len(cells), np.uint16)
        weigh(cells, counts, bounds, SHARES, rarity.weights, weights)
        return [
            list(zip(cells[a:b].tolist(), weights[a:b].tolist(), strict=True))
            for a, b in zip(bounds[:-2:2], bounds[2::2], strict=True)
        ]

    def compare(self) -> None:
        for index in (self.index, self.reader):
            assert len(index) == len(self.held)
            for given in self.chance.sample(list(self.held), min(len(self.held), 5)):
                assert index.thread(given)[1] == fields_of(self.held[given])
        assert not self.index.damages()


@pytest.mark.parametrize("seed", range(SEEDS))
def test_any_operations_leave_what_the_twin_has(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(adding, "FEW", 20)
    monkeypatch.setattr(writing, "RECENT", 25)
    monkeypatch.setattr(writing, "LEFT", 9)
    monkeypatch.setattr(arrays, "TOGETHER", 7)
    chance = random.Random(seed)
    own = Twin(tmp_path / "out", chance)
    often = [own.add] * 4 + [own.replace, own.remove] * 2 + [own.ask, own.suggest] * 4
    for _ in range(OPERATIONS):
        chance.choice([*often, own.reopen, own.compact, own.compare])()
    own.compact()
    own.compare()
    own.index.close()
