"""A result outlives the place of its input: files are known again by their content."""

import json
import os
import shutil
import zipfile
from pathlib import Path

import pytest
from tests.command_line import Command
from tests.corpora import prose, replaced, write

import neardup
from neardup.errors import InputError, SettingsError
from neardup.readers.contents import digest
from neardup.readers.files import find


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Run over three files, two of which have a name in common."""
    folder = tmp_path_factory.mktemp("made")
    text = prose(80, seed=1)
    texts = {
        "a/one.txt": text,
        "b/one.txt": replaced(text, 40),
        "b/two.txt": f"{text} {prose(9, seed=2)}",
    }
    for name, own in texts.items():
        (folder / "in" / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / "in" / name).write_text(own)
    neardup.documents(folder / "in", output=folder / "out", threshold=0.5)
    neardup.documents(folder / "in", output=folder / "kept", threshold=0.5, keep_texts=True)
    return folder


@pytest.fixture
def place(made: Path, tmp_path: Path) -> Path:
    """Return a copy of the result, and of its input at another place; the run's own is gone."""
    for name in ("out", "kept"):
        shutil.copytree(made / name, tmp_path / name)
        run = tmp_path / name / "run.json"
        run.write_text(run.read_text().replace(str(made / "in"), str(tmp_path / "in")))
    shutil.copytree(made / "in", tmp_path / "in")
    return tmp_path


def touch(folder: Path) -> None:
    for path in folder.rglob("*.txt"):
        os.utime(path, (1, 1))


def test_files_that_were_touched_are_known_by_their_content(place: Path, command: Command) -> None:
    touch(place / "in")
    assert command("explain", place / "out", "a/one.txt", "b/one.txt").code == 0
    assert neardup.report(place / "out").texts == neardup.Result(place / "out").counts["pairs"] > 0
    done = neardup.dedup(place / "out", place / "clean", mode="remove")
    assert done.removed == 2


def test_files_that_were_moved_are_found_where_the_user_says(place: Path, command: Command) -> None:
    (place / "in").rename(place / "new")
    gone = command("explain", place / "out", "a/one.txt", "b/one.txt")
    assert gone.code and "the input is no longer there (2 files)" in gone.said and "--input" in gone.said
    touch(place / "new")
    (place / "new" / "b" / "two.txt").rename(place / "new" / "renamed.txt")
    given = ("--input", place / "new")
    found = command("explain", place / "out", "a/one.txt", "b/one.txt", "--json", *given).json
    assert found["passages"]
    assert command("show", place / "out", "--cluster", "0", *given).code == 0
    drawn = command("sample", place / "out", "-o", place / "sheet.csv", "--size", "1", *given)
    assert drawn.code == 0 and "b/one.txt" in (place / "sheet.csv").read_text()
    assert neardup.report(neardup.Result(place / "out", input=place / "new")).texts > 0
    assert command("dedup", place / "out", "-o", place / "clean", "--mode", "remove", *given).code == 0
    assert (place / "clean" / "a").exists() or (place / "clean" / "b").exists()


def test_a_file_that_changed_is_named_even_if_its_size_did_not(place: Path) -> None:
    path = place / "in" / "b" / "one.txt"
    text = path.read_text()
    path.write_text(text[:-2] + ("x" if text[-2] != "x" else "y") + text[-1])
    with pytest.raises(InputError, match="the input has changed since the run") as caught:
        neardup.Result(place / "out").explain("a/one.txt", "b/one.txt")
    assert str(path) in str(caught.value)
    (place / "in").rename(place / "new")
    with pytest.raises(InputError, match="has changed") as caught:
        neardup.Result(place / "out", input=place / "new").explain("a/one.txt", "b/one.txt")
    assert str(place / "new" / "b" / "one.txt") in str(caught.value)
    with pytest.raises(InputError, match="no such file"):
        neardup.Result(place / "out", input=place / "nowhere").explain("a/one.txt", "b/one.txt")


def test_a_file_that_changed_blocks_no_other(place: Path) -> None:
    (place / "in" / "b" / "two.txt").write_text("Something else.")
    found = neardup.Result(place / "out")
    assert found.explain("a/one.txt", "b/one.txt").passages
    with pytest.raises(InputError, match="has changed since the run"):
        found.explain("a/one.txt", "b/two.txt")


def test_members_of_an_archive_are_known_again(tmp_path: Path) -> None:
    text = prose(80, seed=1)
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("one.txt", text)
        archive.writestr("b/two.txt", replaced(text, 40))
        archive.writestr("in.zip", b"another one")
        archive.writestr("../out.txt", text)
    neardup.documents(tmp_path / "a.zip", output=tmp_path / "out", threshold=0.5)
    ids = ("a.zip/one.txt", "a.zip/b/two.txt")
    done = neardup.dedup(tmp_path / "out", tmp_path / "clean", mode="remove")
    assert (done.kept, done.removed) == (1, 1)
    assert sorted(path.relative_to(done.output).as_posix() for path in done.files) == [
        "a.zip/in.zip",
        "a.zip/one.txt",
    ]
    assert [*done.damaged] == ["a.zip/../out.txt"]
    (tmp_path / "new").mkdir()
    (tmp_path / "a.zip").rename(tmp_path / "new" / "b.zip")
    assert neardup.Result(tmp_path / "out", input=tmp_path / "new").explain(*ids).passages
    zipfile.ZipFile(tmp_path / "new" / "b.zip").extractall(tmp_path / "unpacked")
    unpacked = neardup.Result(tmp_path / "out", input=tmp_path / "unpacked")
    assert unpacked.explain(*ids).passages
    assert neardup.dedup(unpacked, tmp_path / "again", mode="remove").kept == 1


def test_kept_texts_need_no_input(place: Path, command: Command) -> None:
    shutil.rmtree(place / "in")
    kept = neardup.Result(place / "kept")
    assert command("explain", place / "kept", "a/one.txt", "b/one.txt").code == 0
    assert command("show", place / "kept", "--cluster", "0").code == 0
    assert neardup.report(kept).texts == kept.counts["pairs"]
    higher = kept.rethreshold(0.6)
    assert higher.explain("a/one.txt", "b/one.txt").passages
    assert "texts" in json.loads((place / "kept" / "run.json").read_text())["tables"]


def test_kept_texts_of_data_in_memory_and_of_fields(tmp_path: Path) -> None:
    text = prose(50, seed=3)
    rows = [{"id": f"t{n}", "title": prose(8, seed=4), "text": text} for n in range(2)]
    rows.insert(1, {"id": "alone", "title": "Another", "text": prose(50, seed=5)})
    neardup.threads(rows, output=tmp_path / "out", keep_texts=True, fields={"title": 0.5, "text": 0.5})
    found = neardup.Result(tmp_path / "out")
    assert [own.name for own in found.explain("t0", "t1").fields] == ["title", "text"]
    assert found.table("texts")["title"].to_pylist() == [rows[0]["title"]] * 2
    with pytest.raises(InputError, match="were in memory"):
        found.explain("t0", "alone")


def test_texts_of_near_misses_are_kept_too(tmp_path: Path) -> None:
    text = prose(80, seed=1)
    write(tmp_path / "in.jsonl", [{"text": own} for own in (text, text, replaced(text, 20))])
    path, out = tmp_path / "in.jsonl", tmp_path / "out"
    result = neardup.documents(path, threshold=0.69, output=out, keep_texts=True)
    assert len(result.rejected) == len(result.pairs) == 1
    path.unlink()
    assert neardup.report(out).texts == 1


def test_a_cluster_cannot_keep_texts(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("neardup.engines.disk.DiskFolder.local_path", lambda folder: None)
    with pytest.raises(SettingsError, match="on this machine only"):
        neardup.documents(["one text", "two texts"], output=tmp_path / "out", keep_texts=True)


def test_digests_differ_by_any_byte(tmp_path: Path) -> None:
    path = tmp_path / "file.bin"
    seen = set()
    for content in (
        b"",
        b"\0",
        b"\0\0",
        b"a" * (1 << 20),
        b"a" * (1 << 20) + b"b",
        b"b" + b"a" * (1 << 20),
    ):
        path.write_bytes(content)
        seen.add(digest(find([path])[0]))
    assert len(seen) == 6
    path.write_bytes(b"123456789")
    assert digest(find([path])[0]) == "crc32:cbf43926"
