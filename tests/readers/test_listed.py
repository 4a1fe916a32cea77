"""Lists of pairs: two names a line, and what is said of lines that are none."""

from pathlib import Path
from typing import Any

import pytest

from neardup.errors import InputError
from neardup.readers.listed import listed_pairs


def written(tmp_path: Path, content: str | bytes) -> Path:
    path = tmp_path / "pairs"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("a b\nc d\n", [("a", "b"), ("c", "d")]),
        ("a b\r\n\r\n  c   d  ", [("a", "b"), ("c", "d")]),
        ("\ufeffa b", [("a", "b")]),
        ("a name\tanother name\nc\td", [("a name", "another name"), ("c", "d")]),
        ("für 漢字.txt", [("für", "漢字.txt")]),
        ("a b\na b\n", [("a", "b"), ("a", "b")]),
    ],
)
def test_pairs_of_a_file(tmp_path: Path, content: str, expected: list[tuple[str, str]]) -> None:
    path = written(tmp_path, content)
    for given in (path, str(path)):
        rows = listed_pairs(given).to_pylist()
        assert [(row["id_a"], row["id_b"]) for row in rows] == expected


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ([("a", "b")], [("a", "b")]),
        ([["a", "b"], ("c", 4)], [("a", "b"), ("c", "4")]),
        (iter([("a", "b")]), [("a", "b")]),
    ],
)
def test_pairs_of_a_list(given: Any, expected: list[tuple[str, str]]) -> None:
    rows = listed_pairs(given).to_pylist()
    assert [(row["id_a"], row["id_b"]) for row in rows] == expected


@pytest.mark.parametrize(
    ("content", "line", "said"),
    [
        ("a b\n\nonly-one\n", 3, "1 names where two should be"),
        ("a b c", 1, "3 names where two should be"),
        ("a b\na name\tb\tc", 2, "3 names where two should be"),
        ("a\t\n", 1, "2 names where two should be"),
    ],
)
def test_a_malformed_line_is_named(tmp_path: Path, content: str, line: int, said: str) -> None:
    path = written(tmp_path, content)
    with pytest.raises(InputError) as caught:
        listed_pairs(path)
    assert (caught.value.what, caught.value.where) == (said, f"{path}, line {line}")
    assert "tab" in (caught.value.hint or "")


@pytest.mark.parametrize("content", ["", "\n \n"])
def test_an_empty_list_is_an_error(tmp_path: Path, content: str) -> None:
    with pytest.raises(InputError, match="the list of pairs is empty"):
        listed_pairs(written(tmp_path, content))
    with pytest.raises(InputError, match="the list of pairs is empty"):
        listed_pairs([])


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        listed_pairs(tmp_path / "none")
    with pytest.raises(InputError, match="cannot be read"):
        listed_pairs(tmp_path)
    with pytest.raises(InputError, match="cannot be read"):
        listed_pairs(written(tmp_path, b"\xff\xfe a"))


@pytest.mark.parametrize("given", [[("a", "b", "c")], [("a",)], ["abc"]])
def test_what_is_no_pair_is_shown(given: Any) -> None:
    with pytest.raises(InputError, match="this is not a pair"):
        listed_pairs(given)


def test_a_list_of_strings_is_no_list_of_pairs() -> None:
    with pytest.raises(InputError, match="this is not a pair"):
        listed_pairs(["ab", "cd"])


def test_what_is_no_sequence_is_no_pair() -> None:
    with pytest.raises(InputError, match="this is not a pair"):
        listed_pairs([5])
