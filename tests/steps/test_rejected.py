"""What just missed being a pair is kept."""

import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.reports.embedded import embedded, texts_in

import neardup


@pytest.fixture
def drifting(tmp_path: Path) -> Path:
    """Write texts of which each differs from the one before in a few words."""
    dice = random.Random(5)
    vocabulary = ["".join(dice.choices("abcdefghilmnoprstu", k=6)) for _ in range(2000)]
    old, new = (np.array(dice.sample(vocabulary, 400)) for _ in range(2))
    records = [
        {"id": f"{cut}", "url": f"https://{cut}.example/", "text": " ".join([*new[:cut], *old[cut:]])}
        for cut in range(0, 100, 5)
    ]
    records += [
        {"id": f"line {cut}", "text": " ".join([*new[:cut], *old[cut:30]]).capitalize() + "."}
        for cut in range(20)
    ]
    path = tmp_path / "drifting.jsonl"
    path.write_text("\n".join(map(json.dumps, records)))
    return path


@pytest.mark.parametrize(
    ("method", "strict", "loose"),
    [
        ("documents", {"threshold": 0.6}, {"threshold": 0.3}),
        (
            "threads",
            {"threshold": 0.6, "fields": {"text": 1}},
            {"threshold": 0.3, "fields": {"text": 1}},
        ),
        ("pages", {"resemblance": 0.9, "containment": 1.0}, {"resemblance": 0.3, "containment": 0.5}),
        ("sentences", {"max_distance": 0.06}, {"max_distance": 0.12}),
    ],
)
def test_what_just_missed_being_a_pair_is_kept_and_shown(
    method: str, strict: dict[str, Any], loose: dict[str, Any], drifting: Path, tmp_path: Path
) -> None:
    result, low = (getattr(neardup, method)(drifting, **settings) for settings in (strict, loose))
    known = [name for name in result.rejected.column_names if name in low.pairs.column_names]
    pairs, more, found = (
        {tuple(row.values()) for row in table.select(known).to_pylist()}
        for table in (result.pairs, low.pairs, result.rejected)
    )
    assert found and found <= more - pairs
    made = neardup.report(result, tmp_path / "r.html")
    assert made.pairs == made.texts == result.pairs.num_rows
    data = embedded(made.path)
    assert data["measure"]["accepted"] == made.pairs
    assert data["pairs"]["rows"] == made.pairs + len(found)
    assert len(data["pairs"]["missed"]) == len(found) == len(texts_in(made.path)) - made.texts
    kinds = next(column for column in data["pairs"]["columns"] if column["name"] == "kind")
    assert {kinds["names"][kinds["values"][row]] for row in data["pairs"]["missed"]} == {"no pair"}


@pytest.mark.parametrize("method", ["documents", "threads"])
def test_a_higher_threshold_rejects_what_it_leaves_out(method: str, drifting: Path) -> None:
    fields = {"fields": {"text": 1}} if method == "threads" else {}
    result = getattr(neardup, method)(drifting, threshold=0.5, **fields).rethreshold(0.8)
    values = result.rejected["similarity"].to_pylist()
    assert values == sorted(values, reverse=True)
    assert 0.6 < values[0] < 0.8
