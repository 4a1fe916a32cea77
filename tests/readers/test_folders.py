"""Folders with links in circles, and with what is no file."""

import os
import socket
from pathlib import Path

import pytest
from tests.readers.samples import rows_of

import neardup
from neardup.errors import InputError
from neardup.readers import pipes
from neardup.readers.files import find
from neardup.readers.records import ReaderSettings
from neardup.readers.source import FileSource

LINE = '{"text": "one of a few words"}\n'


def test_a_link_to_a_folder_above_leads_nowhere_new(tmp_path: Path) -> None:
    """Each document would be forty times its own duplicate."""
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / f"{name}.jsonl").write_text(LINE)
    (tmp_path / "a" / "up").symlink_to("..")
    (tmp_path / "b" / "self").symlink_to(".")
    (tmp_path / "b" / "other").symlink_to(tmp_path / "a")
    names = ["a/a.jsonl", "b/b.jsonl", "b/other/a.jsonl"]
    assert [file.name for file in find([tmp_path])] == names
    assert len(find([f"{tmp_path}/**/*.jsonl"])) == 3


def special(folder: Path) -> dict[str, str]:
    """Make what is no file; return what each is."""
    os.mkfifo(folder / "pipe")
    (folder / "gone.jsonl").symlink_to("/no/such/file")
    (folder / "circle.csv").symlink_to("circle.csv")
    (folder / "null").symlink_to("/dev/null")
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(str(folder / "socket"))
    return {
        "circle.csv": "a link that leads nowhere (circle.csv)",
        "gone.jsonl": "a link that leads nowhere (/no/such/file)",
        "null": "a device",
        "pipe": "a pipe",
        "socket": "a socket",
    }


def test_what_is_no_file_in_a_folder_is_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # names of sockets are short
    (tmp_path / "in").mkdir()
    found = special(Path("in"))
    (tmp_path / "in" / "a.jsonl").write_text(LINE * 2)
    result = neardup.documents(tmp_path / "in", output=tmp_path / "out")
    skipped = result.table("skipped").to_pylist()
    assert {row["source"]: row["detail"] for row in skipped} == {
        name: f"this is {what}" for name, what in found.items()
    }
    assert result.counts["documents"] == 2
    done = neardup.dedup(result, tmp_path / "clean", mode="remove")
    assert done.damaged == {
        name: f"not copied: not a file: this is {what}" for name, what in found.items()
    }
    assert [path.name for path in (tmp_path / "clean").glob("*.jsonl")] == ["a.jsonl"]
    with pytest.raises(InputError, match="leads nowhere"):
        neardup.documents(tmp_path / "in", output=tmp_path / "strict", strict=True)


@pytest.mark.parametrize("name", ["circle.csv", "gone.jsonl", "null", "socket"])
def test_an_input_that_is_no_file_is_called_what_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    what = special(Path())[name]
    with pytest.raises(InputError, match="not a file") as caught:
        find([name])
    assert what in str(caught.value)
    with pytest.raises(InputError, match="the name of an input is empty"):
        find([""])


def test_standard_input_has_several_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(LINE)
    for name in ("/dev/stdin", "/dev/fd/0"):
        with path.open() as given:
            monkeypatch.setattr("sys.stdin", given)
            source = FileSource.open([name], ReaderSettings())
        assert source.names == ["stdin"]
        assert not source.can_be_reopened
        assert [row["text"] for row in rows_of(Path(source.files[0].path))] == ["one of a few words"]
    assert pipes.is_pipe("-")
