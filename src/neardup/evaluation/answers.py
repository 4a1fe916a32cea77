"""What leaked test items are worth to a model: its score on dirty and on clean items of a benchmark."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from neardup.chance import share_interval
from neardup.errors import InputError, OutputError
from neardup.evaluation.gold import FORMATS, LABELS, AnswerGold, Row, read_labels
from neardup.evaluation.measures import AsDict
from neardup.result import Result

ALL = "all"


@dataclass(frozen=True)
class StatusScore:
    """The score of a model on the items of a benchmark that are clean, dirty, or were not searched."""

    benchmark: str
    status: str
    items: int
    answered: int
    score: float | None
    low: float
    high: float


@dataclass(frozen=True)
class AnswerScores(AsDict):
    """A model's scores by benchmark and status, and how many of its answers are to other items."""

    rows: tuple[StatusScore, ...]
    unknown: int
    duplicates: int


def answer_scores(
    result: Result | str | Path, gold: AnswerGold | str | Path | Iterable[str | Path]
) -> AnswerScores:
    """Score a model's answers to the test items of a result, with intervals of 95 %.

    `gold` has for each item its `id` and `correct` (true, false, or a number from 0 to 1) or, where the
    words decide, the model's `prediction`.
    """
    result = Result.opened(result)
    given = gold if isinstance(gold, AnswerGold) else read_labels(gold)
    if not isinstance(given, AnswerGold):
        raise InputError("these are not answers", hint=FORMATS)
    if not result.has("items"):
        hint = "Name a result of neardup decontaminate."
        raise OutputError("answers are to test items, which this result does not have", hint=hint)
    items = result.table("items").to_pylist()
    by_name: dict[str, list[int]] = {}
    for number, item in enumerate(items):
        short = item["id"].partition("#")[2]
        for name in {item["id"], short}:
            by_name.setdefault(name, []).append(number)
    points: dict[int, float] = {}
    unknown = again = 0
    for row in given.rows:
        named = by_name.get(row.name("id"), [])
        if len(named) > 1:
            hint = f"Write it with its benchmark, such as {items[named[0]]['id']}."
            what = f"{len(named)} items have the id {row.name('id')!r}"
            raise InputError(what, where=row.where, hint=hint)
        unknown += not named
        for number in named:
            again += number in points
            points.setdefault(number, point(row, items[number]))
    return AnswerScores(tuple(scored(items, points)), unknown, again)


def scored(items: list[dict[str, Any]], points: Mapping[int, float]) -> Iterator[StatusScore]:
    """Yield the scores of each benchmark, and of all together if there are several."""
    benchmarks = sorted({item["benchmark"] for item in items})
    for benchmark in [*benchmarks, *[ALL] * (len(benchmarks) > 1)]:
        for status, fits in STATUSES.items():
            own = [
                number
                for number, item in enumerate(items)
                if benchmark in (ALL, item["benchmark"]) and fits(item["status"])
            ]
            got = [points[number] for number in own if number in points]
            if own:
                low, high = share_interval(sum(got), len(got))
                score = sum(got) / len(got) if got else None
                yield StatusScore(benchmark, status, len(own), len(got), score, low, high)


STATUSES: dict[str, Callable[[str], bool]] = {
    "clean": "clean".__eq__,
    "dirty": "dirty".__eq__,
    "not searched": lambda status: status not in ("clean", "dirty"),
}


def point(row: Row, item: Mapping[str, Any]) -> float:
    """Return what an answer is worth, from 0 to 1: as told, or whether it has the right words."""
    if "correct" not in row.values:
        said, right = (
            re.findall(r"\w+", str(own).lower()) for own in (row.value("prediction"), item["answer"])
        )
        return float(bool(right) and said == right)
    told = str(row.value("correct")).strip().lower()
    try:
        value = float(LABELS[told]) if told in LABELS else float(told)
    except ValueError:
        value = -1
    if not 0 <= value <= 1:
        raise InputError(
            f"'correct' is true, false or a number from 0 to 1: got {told!r}", where=row.where
        )
    return value
