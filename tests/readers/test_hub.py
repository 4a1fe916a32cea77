"""Datasets of Hugging Face: what is read of them, and what is left of them."""

import json
import sys
from pathlib import Path
from typing import Any

import pyarrow.fs as pafs
import pytest
from tests.corpora import stories

import neardup
from neardup import storage
from neardup.errors import InputError, OutputError
from neardup.storage import Address

datasets = pytest.importorskip("datasets")
FEATURES = datasets.Features(
    {
        "label": datasets.ClassLabel(names=["news", "story"]),
        "body": {"text": datasets.Value("string"), "tags": datasets.List(datasets.Value("string"))},
        "id": datasets.Value("int32"),
    }
)
TEXTS = [*stories(5, 4), stories(5, 4)[1]]


def made(numbers: range) -> Any:
    rows = [
        {"label": n % 2, "body": {"text": TEXTS[n], "tags": [f"t{n}"]}, "id": 10 + n} for n in numbers
    ]
    return datasets.Dataset.from_list(rows, features=FEATURES)


def test_a_dataset_comes_back_without_its_duplicates_and_with_its_features() -> None:
    whole = made(range(6))
    result = neardup.documents(whole, text_column="body.text", columns="label")
    assert [(r["id_a"], r["id_b"]) for r in result.pairs.to_pylist()] == [("11", "15")]
    clean = result.to_dataset()
    assert clean.features == FEATURES
    assert clean.to_list() == made(range(5)).to_list()
    assert (
        result.to_dataset(keep="label").to_list() == made(range(5)).to_list()
    )  # both have 1: the first
    shuffled = whole.select([5, 3, 1])
    left = neardup.documents(shuffled, text_column="body.text", keep="first").to_dataset()
    assert left["id"] == [15, 13]
    new = neardup.documents(whole.select([5, 3]), against=made(range(3)), text_column="body.text")
    assert new.to_dataset()["id"] == [13]


def test_splits_stay_splits_and_are_told_apart() -> None:
    both = datasets.DatasetDict(train=made(range(4)), test=made(range(4, 6)))
    result = neardup.documents(both, text_column="body.text", keep="first")
    assert result.documents["split"].to_pylist() == ["train"] * 4 + ["test"] * 2
    clean = result.to_dataset()
    assert isinstance(clean, datasets.DatasetDict)
    assert {name: part["id"][:] for name, part in clean.items()} == {
        "train": [10, 11, 12, 13],
        "test": [14],
    }
    assert clean["test"].features == FEATURES
    other = datasets.DatasetDict(a=made(range(2)), b=datasets.Dataset.from_dict({"text": [1]}))
    with pytest.raises(InputError, match="no column"):
        neardup.documents(other, text_column="body.text")


def test_a_stream_is_read_once_and_left_out_of_lazily() -> None:
    stream = made(range(6)).to_iterable_dataset(num_shards=2)
    result = neardup.documents(stream, text_column="body.text", keep="first")
    clean = result.to_dataset()
    assert isinstance(clean, datasets.IterableDataset)
    assert clean.features == FEATURES
    assert [row["id"] for row in clean] == [10, 11, 12, 13, 14]
    several = datasets.IterableDatasetDict(train=stream)
    assert neardup.documents(several, text_column="body.text").counts["documents"] == 6
    with pytest.raises(InputError, match="no rows"):
        neardup.documents(stream.take(0), text_column="body.text")


def test_what_has_no_rows_to_leave_out_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(OutputError, match="was not made from a dataset"):
        neardup.documents(TEXTS).to_dataset()
    result = neardup.documents(made(range(2)), text_column="body.text")
    cuts = type("Cuts", (), {"ids": None})
    monkeypatch.setattr(type(result.own_method), "removal", lambda *_: cuts)
    with pytest.raises(OutputError, match="parts of documents"):
        result.to_dataset()


def test_files_of_the_hub_are_opened_and_folders_sent_as_one_commit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hub = pytest.importorskip("huggingface_hub")
    files, inner = storage.resolve("hf://datasets/somebody/corpus/data")
    assert isinstance(files.handler, pafs.FSSpecHandler)
    assert isinstance(files.handler.fs, hub.HfFileSystem)
    assert inner == "datasets/somebody/corpus/data"
    sent: dict[str, Any] = {}
    known = {
        "repo_id": "somebody/corpus",
        "repo_type": "dataset",
        "revision": "main",
        "path_in_repo": "out",
    }
    found = type("Found", (), known)
    monkeypatch.setattr(hub.HfFileSystem, "resolve_path", lambda *_: found)
    monkeypatch.setattr(hub.HfApi, "upload_folder", lambda self, **given: sent.update(given))
    (tmp_path / "run.json").write_text(json.dumps({}))
    storage.send_folder(tmp_path, Address("hf://datasets/somebody/corpus/out"), "run.json")
    assert known.items() <= sent.items() and sent["folder_path"] == tmp_path
    with monkeypatch.context() as patched:
        storage.resolve.cache_clear()
        patched.setitem(sys.modules, "fsspec.core", None)
        with pytest.raises(InputError, match="without fsspec"):
            neardup.documents("hf://datasets/somebody/corpus/data")
