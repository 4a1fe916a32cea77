"""Back to the data: without duplicates, of the kind that it was, with its index."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import neardup
from neardup.errors import InputError, OutputError

TEXTS = [
    "The ferry to the islands stays in the harbour today because of the storm.",
    "Nobody has said anything about the price of bread since the mill was closed.",
    "The ferry to the islands stays in the harbour today because of the storm!",
    None,
    "Something else altogether, of which there is no copy in these texts at all.",
]
ROWS = [{"name": name, "body": text} for name, text in zip("abcde", TEXTS, strict=True)]
INDEX = ["v", "w", "x", "y", "z"]


def frame() -> Any:
    return pd.DataFrame(ROWS, index=INDEX)


KINDS: dict[str, tuple[Callable[[], Any], Callable[[Any], list[str]]]] = {
    "pandas": (frame, lambda found: found["name"].tolist()),
    "polars": (lambda: pl.DataFrame(ROWS), lambda found: found["name"].to_list()),
    "lazy polars": (lambda: pl.LazyFrame(ROWS), lambda found: found.collect()["name"].to_list()),
    "arrow": (lambda: pa.Table.from_pylist(ROWS), lambda found: found["name"].to_pylist()),
    "batch": (lambda: pa.RecordBatch.from_pylist(ROWS), lambda found: found["name"].to_pylist()),
    "list": (lambda: ROWS, lambda found: [row["name"] for row in found]),
    "columns": (
        lambda: {name: [row[name] for row in ROWS] for name in ROWS[0]},
        lambda found: found["name"],
    ),
}


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_comes_back_as_it_was_without_duplicates(kind: str) -> None:
    made, names = KINDS[kind]
    data = made()
    clean = neardup.deduplicate(data, column="body", keep="first")
    assert type(clean) is type(data)
    assert names(clean) == ["a", "b", "d", "e"]  # a row without a text stays
    result = neardup.documents(data, text_column="body", keep="first", columns=["name"])
    assert result.keep_mask.tolist() == [True, True, False, True, True]
    assert names(result.deduplicated(data, keep="name")) == ["b", "c", "d", "e"]


@pytest.mark.parametrize("kind", KINDS)
def test_of_nothing_there_is_nothing_left_of_its_kind(kind: str) -> None:
    made, names = KINDS[kind]
    data = made()
    empty = {name: [] for name in data} if isinstance(data, dict) else data[:0]
    left = neardup.deduplicate(empty, column="body" if kind != "list" else None)
    assert type(left) is type(data) and names(left) == []
    if kind not in ("list", "columns", "lazy polars"):
        assert list(left.schema.names if hasattr(left, "schema") and kind != "polars" else left.columns)


def test_the_index_of_a_frame_and_of_a_series_stays() -> None:
    data = frame()
    assert neardup.deduplicate(data, "body", keep="first").index.tolist() == ["v", "w", "y", "z"]
    assert neardup.deduplicate(data["body"], keep="first").index.tolist() == ["v", "w", "y", "z"]
    assert data[neardup.documents(data, text_column="body", keep="first").keep_mask].equals(
        data.drop("x")
    )
    assert neardup.deduplicate((text for text in TEXTS if text), keep="first") == [
        *TEXTS[:2],
        TEXTS[4],
    ]


def test_datasets_of_hugging_face_come_back_as_datasets() -> None:
    datasets = pytest.importorskip("datasets")
    one = datasets.Dataset.from_list(ROWS)
    assert neardup.deduplicate(one, "body", keep="first")["name"] == ["a", "b", "d", "e"]
    parts = datasets.DatasetDict({"new": one.select([0, 1]), "old": one.select([2, 3, 4])})
    clean = neardup.deduplicate(parts, "body", keep="first")
    assert {name: part["name"] for name, part in clean.items()} == {"new": ["a", "b"], "old": ["d", "e"]}
    stream = one.to_iterable_dataset()
    assert [row["name"] for row in neardup.deduplicate(stream, "body", keep="first")] == list("abde")


def test_old_rows_are_not_counted_and_results_are_opened_again(tmp_path: Path) -> None:
    new, old = ROWS[2:], ROWS[:2]
    result = neardup.documents(new, against=old, text_column="body")
    assert result.keep_mask.tolist() == [False, True, True]
    assert [row["name"] for row in result.deduplicated(new)] == ["d", "e"]
    neardup.documents(ROWS, text_column="body", keep="first", output=tmp_path / "out")
    again = neardup.Result(tmp_path / "out")
    assert np.flatnonzero(~again.keep_mask).tolist() == [2]


def test_what_has_no_rows_or_others_is_refused(tmp_path: Path) -> None:
    result = neardup.documents(ROWS, text_column="body")
    with pytest.raises(InputError, match="have 4 rows, and those that were read 5"):
        result.deduplicated(ROWS[1:])
    with pytest.raises(InputError, match="has no rows to choose from"):
        result.deduplicated("demo.jsonl")
    (tmp_path / "a.txt").write_text(str(TEXTS[0]))
    with pytest.raises(OutputError, match="not made from data in memory"):
        _ = neardup.documents(tmp_path / "a.txt").keep_mask
    with pytest.raises(OutputError, match="parts of documents"):
        _ = neardup.passages([text for text in TEXTS if text]).keep_mask
