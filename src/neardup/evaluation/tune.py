"""Tuning: the weights, the threshold and the signatures of threads that agree best with labels.

As in the paper, by climbing hills from many random starts. Some threads are held out: what is found on
the others is measured on those.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from neardup.arrays import Array
from neardup.engines.base import Progress
from neardup.errors import SettingsError
from neardup.evaluation.labelled import files_of_labels, read_labels
from neardup.evaluation.learned import FOLDS, Learned, feature_names, features, fitted, likely
from neardup.evaluation.quality import Goal, Quality
from neardup.evaluation.scored import ScoredPairs, score_pairs
from neardup.methods.threads.settings import SIGNATURE, Missing, ThreadSettings
from neardup.readers.records import ReaderSettings
from neardup.results.files import write_json
from neardup.settings.run import RunSettings
from neardup.tables import Count

GRID = 100  # weights and thresholds are multiples of 1 / GRID
COARSE, FINE = 5, 1
FEW = 10  # right pairs held out, below which nothing can be said
SHOWN_ROWS = 12  # rows of the table of settings
# weights, threshold, the signature of each field by number, and which of the max_shared
State = tuple[tuple[int, ...], int, tuple[int, ...], int]
THREADS = Count("threads", "threads")
UNKNOWN_THREADS = Count("unknown_threads", "labelled threads that are not there")
STARTS = Count("starts", "starts")
RIGHT_FOR_TUNING = Count("right_for_tuning", "right pairs for tuning")
OTHER_FOR_TUNING = Count("other_for_tuning", "other pairs for tuning")
RIGHT_HELD_OUT = Count("right_held_out", "right pairs held out")
OTHER_HELD_OUT = Count("other_held_out", "other pairs held out")
COUNTS = (
    *(THREADS, UNKNOWN_THREADS, STARTS),
    *(RIGHT_FOR_TUNING, OTHER_FOR_TUNING, RIGHT_HELD_OUT, OTHER_HELD_OUT),
)
MAX_SHARED = (0, 2, 3, 5, 8, 20)  # that are tried, unless others are given


@dataclass(frozen=True)
class Tried:
    """Settings that were tried, and their quality on the threads for tuning and on those held out."""

    fields: dict[str, float]
    signature: dict[str, str]
    threshold: float
    max_shared: int
    tuning: Quality
    held_out: Quality
    missing: Missing = "ignore"
    answer_containment: bool = False

    @property
    def settings(self) -> dict[str, Any]:
        """Return what `ThreadSettings.make` takes."""
        names = ("fields", "signature", "threshold", "max_shared", "missing", "answer_containment")
        return {name: getattr(self, name) for name in names}

    def as_dict(self) -> dict[str, Any]:
        """Return all of it, for JSON."""
        return self.settings | {"tuning": self.tuning.as_dict(), "held_out": self.held_out.as_dict()}


@dataclass(frozen=True)
class Tuning:
    """What tuning found: the best settings, the paper's two tables, and what they were measured on.

    `defaults` are the settings of who does not tune, to compare with; `learned` is what another way to
    combine fields reaches, None with too few labels.
    """

    best: Tried
    defaults: Tried
    signatures: tuple[Tried, ...]
    settings: tuple[Tried, ...]
    counts: dict[str, int]
    goal: Goal
    learned: Learned | None = None

    @property
    def warnings(self) -> tuple[str, ...]:
        """Return why the settings are not to be trusted, if so; nothing where nothing was held out."""
        held = self.counts[RIGHT_HELD_OUT]
        if not held + self.counts[OTHER_HELD_OUT]:
            return ()
        if not held:
            return ("No right pair is held out, so nothing says how good they are: label more pairs.",)
        best, usual = self.best.held_out, self.defaults.held_out
        found = []
        if held < FEW:
            what = "right pair" if held == 1 else "right pairs"
            found.append(f"Only {held} {what} held out, too few to judge by: label more pairs.")
        if 2 * best.f1 < self.best.tuning.f1:
            found.append(
                f"The best settings fail on the threads held out: F1 {best.f1:.4f}, "
                f"after {self.best.tuning.f1:.4f} in tuning."
            )
        if self.goal.worth(usual) > self.goal.worth(best):
            found.append(f"The default settings do better there: F1 {usual.f1:.4f}. Keep to those.")
        return tuple(found)

    def write(self, path: str | Path) -> None:
        """Write a file of settings that `neardup threads --settings` takes."""
        given = self.best.as_dict()
        tables = {
            "signatures": [tried.as_dict() for tried in self.signatures],
            "settings": [tried.as_dict() for tried in self.settings],
        }
        content = {
            "method": "threads",
            "settings": self.best.settings,
            "quality": {name: given[name] for name in ("tuning", "held_out")},
            "defaults": self.defaults.as_dict(),
            "warnings": list(self.warnings),
            "counts": self.counts,
            "learned": self.learned and self.learned.as_dict(),
            "tables": tables,
        }
        write_json(Path(path), content)


def tune(
    source: Any,
    labels: str | Path | Iterable[str | Path],
    *,
    fields: str | Sequence[str] = ("title", "body", "answer"),
    signatures: Sequence[str] = ("shingles:3",),
    max_shared: Sequence[int] = MAX_SHARED,
    missing: Missing = "ignore",
    answer_containment: bool = False,
    precision: float | None = None,
    recall: float | None = None,
    starts: int = 100,
    held_out: float = 0.3,
    seed: int = 1,
    id_column: str | None = None,
    workers: int | None = None,
    memory: str | int | None = None,
    progress: Progress | None = None,
) -> Tuning:
    """Find the settings of `threads` that agree best with labelled pairs.

    The best have the highest F1; with `precision`, the highest recall at that precision; with `recall`,
    the highest precision at that recall. With more than one of the `signatures`, each field gets the
    one that is best for it; of the `max_shared`, the one that is best for all is taken. `missing` and
    `answer_containment` mean what they mean for `threads`. If only right pairs are labelled, all others
    count as wrong.
    """
    names = [name.strip() for name in fields.split(",")] if isinstance(fields, str) else list(fields)
    shared = tuple(dict.fromkeys(max_shared))
    check(starts, held_out, precision, recall, shared)
    weights = dict.fromkeys(names, 1 / len(names))
    measured = {"missing": missing, "answer_containment": answer_containment}
    equal = ThreadSettings.make(weights, signatures[0], **measured)
    paths = files_of_labels([labels] if isinstance(labels, str | Path) else labels)
    scored = score_pairs(
        source,
        equal,
        tuple(dict.fromkeys(signatures)),
        shared,
        lambda known: read_labels(paths, known),
        ReaderSettings(id_column=id_column),
        RunSettings.make(workers, memory),
        progress,
    )
    kinds = list(dict.fromkeys(signatures))
    goal = Goal(precision, recall)
    dice = np.random.default_rng(seed)
    tuner = Tuner(scored, equal, kinds, shared, goal, split(scored, held_out, dice), dice)
    return replace(tuner.tuning(starts), learned=learned(tuner, max(starts // FOLDS, 1)))


def check(
    starts: int,
    held_out: float,
    precision: float | None,
    recall: float | None,
    max_shared: tuple[int, ...],
) -> None:
    """Refuse what cannot be followed, all at once."""
    problems = [
        f"max_shared must be 0 or at least 2: got {most}" for most in max_shared if most < 2 and most
    ]
    if not max_shared:
        problems.append("there must be a max_shared to try")
    if starts < 1:
        problems.append(f"starts must be at least 1: got {starts}")
    if not 0 <= held_out < 1:
        problems.append(f"held_out must be at least 0 and below 1: got {held_out}")
    for name, value in (("precision", precision), ("recall", recall)):
        if value is not None and not 0 < value <= 1:
            problems.append(f"{name} must be above 0 and at most 1: got {value}")
    if precision is not None and recall is not None:
        problems.append("give a precision or a recall, not both")
    if problems:
        raise SettingsError("; ".join(problems))


class Tuner:
    """Climbs hills over the scores of labelled pairs."""

    def __init__(
        self,
        scored: ScoredPairs,
        settings: ThreadSettings,
        signatures: list[str],
        max_shared: tuple[int, ...],
        goal: Goal,
        parts: tuple[Array, Array],
        dice: np.random.Generator,
    ) -> None:
        self.scored = scored
        self._settings = settings
        self.fields = settings.fields
        self._signatures = signatures
        self._max_shared = max_shared
        self._goal = goal
        self._dice = dice
        self._parts = parts
        self._best: dict[tuple[tuple[int, ...], tuple[int, ...], int], State] = {}
        self._known: dict[tuple[tuple[int, ...], tuple[int, ...], int], tuple[Array, Array]] = {}

    def of(self, parts: tuple[Array, Array]) -> "Tuner":
        """Return the same tuner for other parts of the pairs."""
        own = (self.scored, self._settings, self._signatures, self._max_shared, self._goal)
        return Tuner(*own, parts, self._dice)

    def tops(self, starts: int) -> tuple[State, list[State]]:
        """Climb from all the starts, then make finer steps from the best place: the best of all."""
        tops = [self.climbed(self._start(), COARSE) for _ in range(starts)]
        ranked = sorted(dict.fromkeys(tops), key=self._rank)
        return self.centred(self.climbed(ranked[0], FINE)), ranked

    def tuning(self, starts: int) -> Tuning:
        """Describe the best settings, and others."""
        best, ranked = self.tops(starts)
        single = [self._single(s, f) for s in range(len(self._signatures)) for f in self.numbers]
        tried = [self.tried(state) for state in dict.fromkeys([best, *ranked])][:SHOWN_ROWS]
        parts = self._parts
        counts: dict[str, int] = {
            THREADS: self.scored.threads,
            UNKNOWN_THREADS: self.scored.unknown,
            STARTS: starts,
            RIGHT_FOR_TUNING: int(self.scored.right[parts[0]].sum()),
            OTHER_FOR_TUNING: int((~self.scored.right[parts[0]]).sum()),
            RIGHT_HELD_OUT: int(self.scored.right[parts[1]].sum()),
            OTHER_HELD_OUT: int((~self.scored.right[parts[1]]).sum()),
        }
        signed = tuple(self.tried(state) for state in single)
        usual = self.tried(self._usual())
        return Tuning(self.tried(best), usual, signed, tuple(tried), counts, self._goal)

    def _usual(self) -> State:
        """Return the default settings; of other fields than the default ones, all count the same."""
        usual = ThreadSettings()
        weights = usual.weights
        if self.fields != usual.fields:
            weights = (1 / len(self.fields),) * len(self.fields)
        kinds = self._signatures
        signature = kinds.index(SIGNATURE) if SIGNATURE in kinds else 0
        shared = self._max_shared.index(0) if 0 in self._max_shared else 0
        whole = tuple(round(GRID * weight) for weight in weights)
        return whole, round(GRID * usual.threshold), (signature,) * len(self.fields), shared

    def _rank(self, state: State) -> tuple[Any, ...]:
        """Return what to sort by: the best first, and of equals the one that leaves nothing out."""
        return *map(_minus, self.worth(state)), self._max_shared[state[3]], state

    @cached_property
    def numbers(self) -> range:
        """Return the numbers of the fields."""
        return range(len(self.fields))

    def _start(self) -> State:
        parts = self._dice.multinomial(GRID // COARSE, self._dice.dirichlet(np.ones(len(self.numbers))))
        signed = self._dice.integers(0, len(self._signatures), len(self.numbers))
        level = int(self._dice.integers(self.scored.floor // COARSE + 1, GRID // COARSE)) * COARSE
        shared = int(self._dice.integers(0, len(self._max_shared)))
        return tuple((parts * COARSE).tolist()), level, tuple(signed.tolist()), shared

    def _single(self, signature: int, field: int) -> State:
        """Return the best threshold and max_shared for one field alone, by one signature."""
        weights = tuple(GRID * (other == field) for other in self.numbers)
        signed = (signature,) * len(self.fields)
        states = [self.levelled(weights, signed, shared) for shared in range(len(self._max_shared))]
        return max(states, key=self.worth)

    def levelled(self, weights: tuple[int, ...], signed: tuple[int, ...], shared: int) -> State:
        """Return weights, signatures and max_shared with the threshold that is best for them."""
        if (weights, signed, shared) not in self._best:
            levels = range(max(self.scored.floor, 1), GRID + 1)
            states = ((weights, level, signed, shared) for level in levels)
            self._best[weights, signed, shared] = max(states, key=self.worth)
        return self._best[weights, signed, shared]

    def climbed(self, state: State, step: int) -> State:
        """Go to the best neighbour until none is better."""
        while True:
            best = max(self.neighbours(state, step), key=self.worth, default=state)
            if self.worth(best) <= self.worth(state):
                return state
            state = best

    def neighbours(self, state: State, step: int) -> Iterator[State]:
        """Yield what differs by one step: in two weights, the threshold, a signature, or max_shared.

        All but another threshold also with the threshold that is best for them.
        """
        weights, level, signed, shared = state
        for giver in self.numbers:
            for taker in self.numbers:
                if giver != taker and weights[giver] >= step:
                    moved = list(weights)
                    moved[giver] -= step
                    moved[taker] += step
                    yield tuple(moved), level, signed, shared
                    yield self.levelled(tuple(moved), signed, shared)
        for other in (level - step, level + step):
            if max(self.scored.floor, 1) <= other <= GRID:
                yield weights, other, signed, shared
        for field in self.numbers:
            for signature in range(len(self._signatures)):
                if signature != signed[field]:
                    other_signed = (*signed[:field], signature, *signed[field + 1 :])
                    yield weights, level, other_signed, shared
                    yield self.levelled(weights, other_signed, shared)
        for most in range(len(self._max_shared)):
            if most != shared:
                yield weights, level, signed, most
                yield self.levelled(weights, signed, most)

    def centred(self, state: State) -> State:
        """Move the threshold to the middle of all that are as good: the farthest from any pair."""
        weights, level, signed, shared = state
        floor = max(self.scored.floor, 1)
        low = high = level
        while low > floor and self._as_good((weights, low - 1, signed, shared), state):
            low -= 1
        while high < GRID and self._as_good((weights, high + 1, signed, shared), state):
            high += 1
        return weights, (low + high) // 2, signed, shared

    def _as_good(self, other: State, state: State) -> bool:
        return self.worth(other) == self.worth(state)

    def worth(self, state: State) -> tuple[float, float]:
        """Return what settings are worth on the pairs for tuning."""
        return self._goal.worth(self.quality(state, 0))

    def quality(self, state: State, part: int) -> Quality:
        """Return the quality of settings on the pairs for tuning (0) or those held out (1)."""
        weights, level, signed, shared = state
        if (weights, signed, shared) not in self._known:
            self._known[weights, signed, shared] = self._counted(weights, signed, shared)
        right, others = (int(counts[level]) for counts in self._known[weights, signed, shared][part])
        return Quality(right, others, int(self.scored.right[self._parts[part]].sum()) - right)

    def _counted(
        self, weights: tuple[int, ...], signed: tuple[int, ...], shared: int
    ) -> tuple[Array, Array]:
        """Count the right and the other pairs that reach each threshold, in both parts."""
        scores = self.columns(signed, shared)
        given = np.where(scores >= 0, np.array(weights, np.float64), 0.0)
        whole = given.sum(axis=1) if self._settings.scaled else np.full(len(given), float(GRID))
        means = (given * np.maximum(scores, 0)).sum(axis=1) / np.where(whole > 0, whole, 1)
        levels = np.floor(means * GRID + 1e-9).astype(np.int64)
        found = []
        for part in self._parts:
            right = self.scored.right[part]
            sides = [np.bincount(levels[part][side], minlength=GRID + 1) for side in (right, ~right)]
            found.append(np.stack([np.cumsum(side[::-1])[::-1] for side in sides]))
        return found[0], found[1]

    def columns(self, signed: tuple[int, ...], shared: int) -> Array:
        """Return the similarities of all fields, each by its signature."""
        by_signature = self.scored.scores[shared]
        return np.stack([by_signature[s][:, f] for f, s in enumerate(signed)], axis=1)

    def judged(self, sure: Array, part: Array) -> list[Quality]:
        """Return the quality on some pairs at each hundredth of certainty."""
        right, levels = self.scored.right[part], np.floor(sure * GRID).astype(np.int64)
        counts = [np.bincount(levels[side], minlength=GRID + 1) for side in (right, ~right)]
        reached = zip(*(np.cumsum(own[::-1])[::-1].tolist() for own in counts), strict=True)
        return [Quality(good, bad, int(right.sum()) - good) for good, bad in reached]

    def learned(self, state: State) -> tuple[Array, Quality]:
        """Learn on the pairs for tuning: the weights, and what those held out show.

        Where only right pairs are labelled, others are known if a field reaches the floor: so what
        reaches it in no field is not found, as by equation 4.
        """
        scores = self.columns(*state[2:])
        in_reach = scores.max(axis=1) >= self.scored.floor / GRID
        known, (tuning, out) = features(scores), self._parts
        shown = tuning & in_reach
        weights = fitted(known[shown], self.scored.right[shown])
        sure = np.where(in_reach, likely(known, weights), 0.0)
        steps = self.judged(sure[tuning], tuning)
        level = max(range(1, GRID + 1), key=lambda step: self._goal.worth(steps[step]))
        return weights, self.judged(sure[out], out)[level]

    def tried(self, state: State) -> Tried:
        """Describe settings and their quality."""
        weights, level, signed, shared = state
        return Tried(
            {name: weight / GRID for name, weight in zip(self.fields, weights, strict=True)},
            {name: self._signatures[s] for name, s in zip(self.fields, signed, strict=True)},
            level / GRID,
            self._max_shared[shared],
            self.quality(state, 0),
            self.quality(state, 1),
            self._settings.missing,
            self._settings.answer_containment,
        )


def _minus(value: float) -> float:
    return -value


def learned(tuner: Tuner, starts: int) -> Learned | None:
    """Learn how fields go together, and hold it against equation 4, each fold by all others."""
    scored, everything = tuner.scored, np.ones(len(tuner.scored.right), np.bool_)
    groups = scored.groups()
    if len(np.unique(groups[scored.left[scored.right]])) < 2 * FOLDS:
        return None
    dice = np.random.default_rng(FOLDS)
    fold = dice.integers(0, FOLDS, int(groups.max()) + 1)
    sides = np.where(dice.random(len(scored.left)) < 0.5, scored.left, scored.right_side)
    fold = fold[groups[sides]]
    found: list[tuple[Quality, Quality]] = []
    for number in range(FOLDS):
        one = tuner.of((fold != number, fold == number))
        state, _ = one.tops(starts)
        found.append((one.learned(state)[1], one.quality(state, 1)))
    quality, equation = (
        Quality(*map(sum, zip(*map(astuple, own), strict=True))) for own in zip(*found, strict=True)
    )
    whole = tuner.of((everything, everything))
    weights, _ = whole.learned(whole.tops(starts)[0])
    names = feature_names(tuner.fields)
    return Learned(dict(zip(names, weights.tolist(), strict=True)), quality, equation)


def split(scored: ScoredPairs, held_out: float, dice: np.random.Generator) -> tuple[Array, Array]:
    """Say which pairs are for tuning and which are held out.

    Threads that are right pairs of each other stay together. Of the pairs with one thread of each part,
    which are all wrong, every second one is in either part, so that both have their share of them.
    """
    groups = scored.groups()
    chosen = dice.random(int(groups.max()) + 1) < held_out
    left, right = chosen[groups[scored.left]], chosen[groups[scored.right_side]]
    out = (left & right) | ((left | right) & (dice.random(len(left)) < 0.5))
    return ~out, out
