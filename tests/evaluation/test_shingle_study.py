"""The study of shingles: what it counts is what brute force counts."""

import json
import random
from itertools import combinations
from pathlib import Path

import pytest
from rapidfuzz.distance import Levenshtein
from tests.command_line import Command

from neardup.cli.study import numbers_in
from neardup.errors import InputError, SettingsError
from neardup.evaluation.shingle_study import (
    ShingleStudySettings,
    jaccard_bounds,
    study_shingles,
)
from neardup.methods.sentences.candidates import edit
from neardup.methods.sentences.settings import SentenceSettings
from neardup.readers.records import ReaderSettings
from neardup.readers.source import open_source


def corpus() -> list[str]:
    rng = random.Random(2)
    words = [f"word{n}" for n in range(300)]
    found = [" ".join(rng.choices(words, k=14)).capitalize() for _ in range(60)]
    found += [edit(text, limit, words, rng) for text in found for limit in (0.05, 0.2, 0.4)]
    return list(dict.fromkeys(found))


def test_good_and_bad_pairs_are_what_they_are() -> None:
    texts = corpus()
    method = SentenceSettings(split="sentences", signatures=40, max_bucket=10_000)
    settings = ShingleStudySettings(rows=(1,), shingles=(4, 12), method=method)
    found = study_shingles(open_source(texts, ReaderSettings()), settings)
    near = sum(Levenshtein.normalized_distance(a, b) <= 0.25 for a, b in combinations(texts, 2))
    short, long = found.points
    assert found.sentences == len(texts)
    assert short.good == near
    assert short.bad > long.bad
    assert long.false_positives == long.bad / len(texts)
    means = [row.mean for row in found.jaccard if row.relative == 0.05]
    assert means[0] > means[3]
    assert {"figure-1", "figure-2-good"} <= {drawn.name for drawn in found.figures()}


def test_what_is_too_large_to_compare_is_counted() -> None:
    text = "The committee for the improvement of the harbour met on day {:03} in the old town hall."
    texts, most = [text.format(n) for n in range(150)], 150 * 149 // 2
    for cap, too_large, compared in ((100, True, False), (150, False, True)):
        method = SentenceSettings(split="records", max_bucket=cap)
        settings = ShingleStudySettings(rows=(1,), shingles=(10,), method=method)
        found = study_shingles(open_source(texts, ReaderSettings()), settings)
        [point] = found.points
        assert (point.buckets_too_large > 0, point.good == most) == (too_large, compared)
        _, head, [row] = found.tables()[0]
        assert row[head.index(f"buckets over {cap}")] == point.buckets_too_large


def test_short_hashes_collide() -> None:
    settings = ShingleStudySettings(rows=(2,), shingles=(8,), bits=(4, 32))
    short, long = study_shingles(open_source(corpus(), ReaderSettings()), settings).points
    assert (short.bits, long.bits) == (4, 32)
    assert short.bad > long.bad


def test_more_rows_find_fewer_pairs() -> None:
    settings = ShingleStudySettings(rows=(2, 8), shingles=(5,))
    low, high = study_shingles(open_source(corpus(), ReaderSettings()), settings).points
    assert low.good >= high.good and low.bad >= high.bad


def test_bounds_are_those_of_the_paper() -> None:
    lower, upper = jaccard_bounds(0.05, 0.2)
    assert (round(lower, 2), round(upper, 2)) == (0.58, 0.65)


def test_the_command_writes_tables_and_plots(tmp_path: Path, command: Command) -> None:
    path = tmp_path / "in.jsonl"
    path.write_text("".join(json.dumps({"text": text}) + "\n" for text in corpus()))
    arguments = ["study", "shingles", str(path), "-o", str(tmp_path / "out"), "--shingle", "5,10"]
    done = command(*arguments)
    assert not done.code
    assert "Figure 2" in done.out
    study = json.loads((tmp_path / "out" / "study.json").read_text())
    assert [(p["rows"], p["shingle"]) for p in study["points"]] == [
        (8, 5), (8, 10), (9, 5), (9, 10), (10, 5), (10, 10)
    ]  # fmt: skip
    drawn = tmp_path / "out" / "plots" / "figure-2-false-positives"
    assert drawn.with_suffix(".svg").read_text().count("<polyline") == 3
    lines = drawn.with_suffix(".csv").read_text().splitlines()
    assert lines[0] == "L,K = 8,K = 9,K = 10" and len(lines) == 3
    page = (tmp_path / "out" / "report.html").read_text()
    assert "Figure 2" in page and "<script" not in page
    assert command(*arguments).code == 1


def test_what_cannot_be_studied() -> None:
    with pytest.raises(InputError, match="fewer than two sentences"):
        study_shingles(open_source(["x"], ReaderSettings()), ShingleStudySettings())
    assert numbers_in("5-7,10") == [5, 6, 7, 10]
    for wrong in ("", "a", "0", "3-x"):
        with pytest.raises(SettingsError):
            numbers_in(wrong)
