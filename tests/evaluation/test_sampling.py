"""`neardup study sampling`, held against counting with Python's own sets."""

import json
import random
import re
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from tests.command_line import Command

from neardup.errors import InputError, SettingsError
from neardup.evaluation.sampling import (
    COMMONALITIES,
    RATES,
    SamplingRow,
    SamplingSettings,
    SamplingStudy,
    study_sampling,
)
from neardup.evaluation.sampling_report import figures, shares_of, tables
from neardup.evaluation.study_report import study_files
from neardup.kernels.hashing import mix
from neardup.readers.memory import TableSource
from neardup.readers.records import ReaderSettings
from neardup.settings.run import RunSettings
from neardup.signatures.shingles import Shingles

THRESHOLD = 0.5
Rates = dict[tuple[int, int], float]


def texts() -> list[str]:
    """Return families of edited texts, with a sentence that all have."""
    rng = random.Random(5)
    words = [f"w{i}" for i in range(500)]
    common = " ".join(rng.choices(words, k=30))
    found = []
    for _ in range(25):
        own = rng.choices(words, k=rng.randint(60, 400))
        for _ in range(rng.randint(1, 6)):
            edited = [rng.choice(words) if rng.random() < 0.03 else word for word in own]
            found.append(f"{common} {' '.join(edited)}")
    return [*found, "", "too short"]


@pytest.fixture(scope="module")
def study() -> SamplingStudy:
    source = TableSource.open(texts(), ReaderSettings())
    settings = SamplingSettings(shingle="word:3", threshold=THRESHOLD)
    return study_sampling(source, settings, RunSettings.make(2, None))


@pytest.fixture(scope="module")
def sets() -> list[set[int]]:
    found = Shingles.parse("word:3").of(pa.array([t for t in texts() if t], pa.large_string()))
    values, bounds = found.values.tolist(), found.bounds.tolist()
    return [set(values[a:b]) for a, b in pairwise(bounds)]


def rates_of(sets: list[set[int]], sizes: list[int]) -> Rates:
    found = {}
    for a, b in combinations(range(len(sets)), 2):
        common = len(sets[a] & sets[b])
        union = sizes[a] + sizes[b] - common
        found[a, b] = common / union if union else 0.0
    return found


def check(row: SamplingRow, full: Rates, now: Rates, count: int) -> None:
    """Work out a row once more, the slow way."""
    right, found = ({p for p, rate in rates.items() if rate >= THRESHOLD} for rates in (full, now))
    assert row.recall == pytest.approx(len(right & found) / len(right))
    assert row.precision == pytest.approx(len(right & found) / len(found) if found else 1)
    either = sorted(right | found)
    one, other = ([rates[pair] for pair in either] for rates in (full, now))
    assert row.error == pytest.approx(
        sum(abs(a - b) for a, b in zip(one, other, strict=True)) / len(either)
    )
    if row.correlation is not None:
        assert row.correlation == pytest.approx(np.corrcoef(one, other)[0, 1])
    for threshold, share in row.shares.items():
        reached = {doc for pair, rate in now.items() if rate >= float(threshold) for doc in pair}
        assert share == pytest.approx(len(reached) / count)
    before, after = ({doc for pair in pairs for doc in pair} for pairs in (right, found))
    assert row.document_recall == pytest.approx(len(before & after) / len(before))
    assert row.document_precision == pytest.approx(len(before & after) / len(after) if after else 1)


def pairs_of(sets: list[set[int]]) -> int:
    return sum(len(sets[a] & sets[b]) for a, b in combinations(range(len(sets)), 2))


def test_samples_by_hash(study: SamplingStudy, sets: list[set[int]]) -> None:
    full = rates_of(sets, [len(s) for s in sets])
    assert len(study.rates) == len(RATES)
    assert sum(rate >= THRESHOLD for rate in full.values()) > 20
    for row, rate in zip(study.rates, RATES, strict=True):
        kept = [{v for v in s if int(mix(np.uint64(v))) % rate == 0} for s in sets]
        check(row, full, rates_of(kept, [len(s) for s in kept]), len(sets))
        assert row.without == sum(not s for s in kept)
        assert row.pairs == pairs_of(kept)
        assert row.saved == pytest.approx(1 - pairs_of(kept) / pairs_of(sets))
    assert (study.rates[-1].recall or 1) < 1, "so that something is tested"


def test_common_shingles_dropped(study: SamplingStudy, sets: list[set[int]]) -> None:
    sizes = [len(s) for s in sets]
    full = rates_of(sets, sizes)
    owners: dict[int, int] = {}
    for s in sets:
        for value in s:
            owners[value] = owners.get(value, 0) + 1
    assert len(study.commonalities) == len(COMMONALITIES)
    for row, most in zip(study.commonalities, COMMONALITIES, strict=True):
        kept = [{v for v in s if owners[v] <= (most or len(sets))} for s in sets]
        check(row, full, rates_of(kept, sizes), len(sets))
        assert row.pairs == pairs_of(kept)
        assert row.precision == 1, "a document that keeps its size can only lose resemblance"
    for row, most in zip(study.cut, COMMONALITIES, strict=True):
        kept = [{v for v in s if owners[v] <= (most or len(sets))} for s in sets]
        check(row, full, rates_of(kept, [len(s) for s in kept]), len(sets))
        assert row.without == sum(not s for s in kept)


def test_counts(study: SamplingStudy, sets: list[set[int]]) -> None:
    assert study.counts["documents"] == len(sets), "a text without words is none"
    assert study.counts["shingles"] == sum(map(len, sets))


def test_workers_and_order_change_nothing(study: SamplingStudy) -> None:
    settings = SamplingSettings(shingle="word:3", threshold=THRESHOLD)
    source = TableSource.open(texts(), ReaderSettings())
    again = study_sampling(source, settings, RunSettings.make(1, None))

    def timeless(rows: list[SamplingRow]) -> list[dict[str, Any]]:
        return [{**vars(row), "seconds": 0} for row in rows]

    assert timeless(again.rates) == timeless(study.rates)
    assert timeless(again.commonalities) == timeless(study.commonalities)


def test_nothing_alike_is_no_error() -> None:
    source = TableSource.open(["one two three four five", "six seven eight nine ten"], ReaderSettings())
    study = study_sampling(source, SamplingSettings(shingle="word:2"), RunSettings.make(1, None))
    rows = [*study.rates, *study.commonalities, *study.cut]
    assert {own for row in rows for own in shares_of(row)} == {None}
    assert study.rates[0].shares["0.1"] == 0
    assert sum("there is nothing to find" in title for title, _, _ in tables(study)) == 3
    files = study_files("Sampling", study.counts, tables(study), figures(study))
    assert "Table 3.4" in files["report.html"]
    assert "plots/rates-measures.csv" in files


@pytest.mark.parametrize(
    "settings", [{"documents": 1}, {"threshold": 0.0}, {"threshold": 1.5}, {"shingle": "word"}]
)
def test_settings_are_checked(settings: dict[str, Any]) -> None:
    with pytest.raises(SettingsError):
        SamplingSettings(**settings)


def test_one_document_is_too_few() -> None:
    source = TableSource.open(["only one", ""], ReaderSettings())
    with pytest.raises(InputError, match="only 1 documents have words"):
        study_sampling(source, SamplingSettings(), RunSettings.make(1, None))


def test_the_command(tmp_path: Path, command: Command) -> None:
    corpus, out = tmp_path / "c.jsonl", tmp_path / "out"
    corpus.write_text("".join(json.dumps({"text": text}) + "\n" for text in texts()))
    words = [
        "study",
        "sampling",
        str(corpus),
        "-o",
        str(out),
        "--shingle",
        "word:3",
        "--documents",
        "50",
    ]
    done = command(*words)
    assert done.code == 0, done.said
    for number in (1, 2, 3, 4):
        assert f"Table 3.{number}" in done.said
    content = json.loads((out / "study.json").read_text())
    assert content["counts"]["documents"] == 50
    assert [row["setting"] for row in content["rates"]][6:8] == ["1.56 %", "0.781 %"]
    plots = sorted(path.name for path in (out / "plots").iterdir())
    assert len(plots) == 24 and {"rates-documents.svg", "rates-documents.csv"} <= set(plots)
    page = (out / "report.html").read_text()
    assert page.count("<svg") == 12
    assert not re.search(r"<script|href=(?!\"data:text/csv)|src=", page)
    again = command(*words)
    assert (again.code, again.out) == (1, "")
    assert "already holds" in again.said
    assert command(*words, "--overwrite", "--json").json["counts"] == content["counts"]
