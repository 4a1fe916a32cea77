"""Arguments in Python: what NumPy calls a number is one, and other types are refused by name."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import neardup

TEXT = "A plain text that has more than five words in it, so that there is something to compare."


@pytest.mark.parametrize(
    "options",
    [
        {"threshold": np.float32(0.5)},
        {"threshold": np.array(0.5)},
        {"threshold": 1},
        {"sample": np.int64(8), "candidates": np.str_("sampled")},
        {"workers": np.int64(1), "memory": np.int64(1 << 30)},
        {"raw": np.True_},
    ],
    ids=str,
)
def test_numbers_of_numpy_are_numbers(options: dict[str, Any]) -> None:
    assert neardup.documents([TEXT, TEXT], **options).counts["pairs"] == 1


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("threshold", "0.5", "a number"),
        ("threshold", True, "a number"),
        ("threshold", None, "a number"),
        ("workers", 1.5, "a whole number or None"),
        ("shingle", 5, "a string"),
        ("keep", 3, "a string"),
        ("measure", ["containment"], "a string"),
        ("strict", "yes", "True or False"),
        ("output", 7, "a string or a path or None"),
    ],
)
def test_other_types_are_refused_by_name(name: str, value: Any, said: str) -> None:
    with pytest.raises(neardup.SettingsError, match=f"{name} must be {said}: got"):
        neardup.documents([TEXT], **{name: value})


def test_a_list_is_of_paths_or_of_texts(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text(TEXT)
    with pytest.raises(neardup.InputError, match="some of the list are paths"):
        neardup.documents([path, TEXT])


def test_the_folder_of_a_result_is_as_good_as_the_result(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(TEXT)
    (tmp_path / "b.txt").write_text(TEXT)
    folder = tmp_path / "out"
    neardup.documents([tmp_path / "a.txt", tmp_path / "b.txt"], output=folder)
    assert neardup.dedup(str(folder), tmp_path / "clean").removed == 1
    assert neardup.report(folder).pairs == 1
