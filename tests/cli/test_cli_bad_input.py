"""The command line: what it says of bad input."""

import gzip
import random
import resource
from pathlib import Path

import pytest
from tests.cli.records import TEXT, documents, lines, problems
from tests.command_line import Command, call

import neardup

RANDOM = random.Random(1)


@pytest.mark.parametrize("name", ["missing.jsonl", "no-folder/", "*.nothing"])
def test_a_missing_file_is_named(name: str, tmp_path: Path, command: Command) -> None:
    found = documents(f"{tmp_path}/{name}", command, out=tmp_path / "out")
    assert found.code == 1
    assert name.rstrip("/") in found.said
    assert "no such file" in found.said or "nothing matches" in found.said
    assert not list(tmp_path.iterdir())


def test_a_name_that_is_not_utf_8_is_refused(tmp_path: Path, command: Command) -> None:
    (tmp_path / "a.jsonl").write_text('{"text": "a few words"}')
    found = command("documents", tmp_path / "a.jsonl", "-o", f"{tmp_path}/out\udcff")
    assert found.code == 1
    assert "out\\xff: this is not UTF-8" in found.said
    assert [path.name for path in tmp_path.iterdir()] == ["a.jsonl"]


def test_a_text_that_is_not_utf_8_is_no_name(tmp_path: Path, command: Command) -> None:
    found = command("query", tmp_path / "old.neardup", "who wrote \udce9 this")
    assert "who wrote \\xe9 this: this is not UTF-8" in found.said
    assert "write the text in UTF-8" in found.said


def test_a_folder_that_is_gone_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: Command
) -> None:
    (tmp_path / "gone").mkdir()
    (tmp_path / "a.jsonl").write_text('{"text": "a few words"}')
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    found = command("documents", tmp_path / "a.jsonl", "-o", "out")
    assert found.code == 1
    assert "the folder that this was started in is gone" in found.said


def test_empty_files_that_only_mark_something_are_not_reported(corpus: Path, command: Command) -> None:
    for name in ("_SUCCESS", "py.typed", "_empty.jsonl"):
        (corpus.parent / name).touch()
    for name in ("~$essay.docx", "Thumbs.db", "desktop.ini"):
        (corpus.parent / name).write_text("[.ShellClassInfo]")
    (corpus.parent / "_notes.txt").write_text("This is a text.")
    found = documents(corpus.parent, command, out=corpus.parent.parent / "marked")
    assert found.code == 0
    assert "Skipped" not in found.said
    read = neardup.Result(corpus.parent.parent / "marked").documents["id"].to_pylist()
    assert "_notes.txt" in read and "desktop.ini" not in read


@pytest.mark.parametrize(("name", "said"), [("app.log", True), ("a.txt", True), ("a.jsonl", False)])
def test_a_log_that_is_one_document_comes_with_a_word_on_lines(
    name: str, said: bool, tmp_path: Path, command: Command
) -> None:
    text = '{"text": "one line"}' if name == "a.jsonl" else "one line\nanother line\n"
    (tmp_path / name).write_text(text)
    found = documents(tmp_path / name, command, out=tmp_path / "out")
    assert (f"{name} is one document; with --lines, each line is one" in found.said) == said
    with_lines = documents(tmp_path / name, command, "--lines", out=tmp_path / "lines")
    assert "--lines" not in with_lines.said


def test_an_empty_folder_is_said(tmp_path: Path, command: Command) -> None:
    (tmp_path / "in").mkdir()
    found = documents(tmp_path / "in", command, out=tmp_path / "out")
    assert found.code == 1
    assert "the folder holds no files" in found.said


@pytest.mark.parametrize("name", ["a.jsonl", "a.csv", "a.txt", "a.parquet", "a.json"])
def test_an_empty_file_is_said(name: str, tmp_path: Path, command: Command) -> None:
    (tmp_path / name).touch()
    found = documents(tmp_path / name, command, out=tmp_path / "out")
    assert found.code == 1
    assert "empty file" in found.said
    assert name in found.said
    assert not (tmp_path / "out").exists()


def test_a_run_that_found_nothing_to_do_leaves_nothing_behind(tmp_path: Path, command: Command) -> None:
    (tmp_path / "a.jsonl").write_text("nonsense\n")
    assert documents(tmp_path / "a.jsonl", command, out=tmp_path / "out").code == 1
    assert [path.name for path in tmp_path.iterdir()] == ["a.jsonl"]


def test_an_empty_file_beside_others_is_counted(corpus: Path, command: Command) -> None:
    empty = corpus.with_name("empty.jsonl")
    empty.touch()
    out = corpus.parent / "out"
    found = command("documents", corpus, empty, "-o", out)
    assert found.code == 0
    assert "skipped 1: empty file" in found.said
    assert problems(out) == [("empty.jsonl", 1, "empty file")]


@pytest.mark.parametrize("keep", [0.5, 0.98])
def test_a_truncated_gzip_file_gives_what_it_can(keep: float, tmp_path: Path, command: Command) -> None:
    texts = [RANDOM.randbytes(3000).hex(" ", 3) for _ in range(200)]
    data = gzip.compress(lines(*({"text": text} for text in texts)).encode())
    (tmp_path / "a.jsonl.gz").write_bytes(data[: int(len(data) * keep)])
    found = documents(tmp_path / "a.jsonl.gz", command, out=tmp_path / "out")
    assert found.code == 0
    assert "truncated" in found.said
    counts = neardup.Result(tmp_path / "out").counts
    assert 200 * keep - 20 <= counts["documents"] < 200


def test_a_file_that_is_no_gzip_at_all_is_said(tmp_path: Path, command: Command) -> None:
    (tmp_path / "a.jsonl.gz").write_bytes(b"\x1f\x8b\x08\0" + b"\xff" * 1000)
    found = documents(tmp_path / "a.jsonl.gz", command, out=tmp_path / "out")
    assert found.code == 1
    assert "a.jsonl.gz" in found.said
    assert "unreadable" in found.said


def test_bad_records_are_skipped_counted_and_named_by_file_and_position(
    tmp_path: Path, command: Command
) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_bytes(
        lines(
            {"id": "a", "text": TEXT},
            "this is not JSON",
            {"id": "c", "text": None},
            {"id": "d", "text": 5},
            {"id": "e"},
            "[1, 2]",
            "",
            {"id": "f", "text": "?!"},
        ).encode()
        + b'{"id": "g", "text": "caf\xe9 au lait"}\n'
        + lines({"id": "h", "text": TEXT}).encode()
    )
    found = documents(path, command, out=tmp_path / "out")
    assert found.code == 0
    assert "2 documents of 9 records" in found.said
    expected = {
        2: "invalid JSON",
        3: "no text",
        4: "text is not a string",
        5: "no text",
        6: "not an object",
        7: "no words",
        8: "invalid UTF-8",
    }
    assert problems(tmp_path / "out") == [("bad.jsonl", at, what) for at, what in expected.items()]
    counts = neardup.Result(tmp_path / "out").counts
    skipped = sum(value for name, value in counts.items() if name.startswith("skipped."))
    assert counts["records"] == counts["documents"] + skipped
    for what in expected.values():
        assert f"skipped {list(expected.values()).count(what)}: {what}" in found.said


def test_strict_stops_at_the_first_bad_record(tmp_path: Path, command: Command) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text(lines({"text": TEXT}, {"text": None}, "nonsense"))
    found = documents(path, command, "--strict", out=tmp_path / "out")
    assert found.code == 1
    assert "bad.jsonl, record 2: no text" in found.said
    assert "leave out --strict" in found.said
    assert not (tmp_path / "out").exists()


def test_a_wrong_column_lists_those_there_are(corpus: Path, command: Command) -> None:
    found = documents(corpus, command, "--text-column", "txt", out=corpus.parent / "out")
    assert found.code == 1
    assert "no column 'txt'" in found.said
    assert "Its columns are: id, text" in found.said
    assert "Did you mean 'text'?" in found.said
    found = documents(corpus, command, "--keep", "score", "--columns", "score", out=corpus.parent / "o")
    assert found.code == 1
    assert "no column 'score'" in found.said


def test_ids_given_twice_are_kept_under_other_names(tmp_path: Path, command: Command) -> None:
    path = tmp_path / "twice.jsonl"
    path.write_text(lines(*({"id": "a", "text": f"{TEXT} {word}."} for word in ("One", "Two", "Three"))))
    found = documents(path, command, "--threshold", "0.5", out=tmp_path / "out")
    assert found.code == 0
    result = neardup.Result(tmp_path / "out")
    assert result.documents["id"].to_pylist() == ["a", "twice.jsonl#2", "twice.jsonl#3"]
    assert result.counts["ids_given_twice"] == 2
    assert result.counts["pairs"] == 3
    assert "a repeated id" in found.said


def test_no_two_documents_have_the_same_id(tmp_path: Path, command: Command) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(lines({"id": "a.jsonl#2", "text": TEXT}, {"text": TEXT}, {"id": "x", "text": TEXT}))
    documents(path, command, out=tmp_path / "out")
    ids = neardup.Result(tmp_path / "out").documents["id"].to_pylist()
    assert len(set(ids)) == 3


def test_a_record_over_the_limit_is_skipped(tmp_path: Path, command: Command) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(lines({"id": "a", "text": TEXT}, {"id": "b", "text": TEXT * 100}))
    found = documents(path, command, "--max-record", "1kB", out=tmp_path / "out")
    assert "skipped 1: too large" in found.said
    assert problems(tmp_path / "out") == [("a.jsonl", 2, "too large")]


def test_a_document_of_sixty_megabytes_is_read(tmp_path: Path) -> None:
    words = RANDOM.randbytes(3 << 18).hex(" ", 3)
    text = " ".join([words] * 33)
    assert len(text) > 60e6
    (tmp_path / "a.txt").write_text(text)
    (tmp_path / "b.txt").write_text(f"{text} and a little more")
    found = call("documents", tmp_path, "-o", tmp_path / "out")
    assert found.code == 0
    assert "1 pair " in found.out


def limited() -> None:
    """Allow a process a gigabyte of memory."""
    resource.setrlimit(resource.RLIMIT_DATA, (1 << 30, 1 << 30))


def test_a_gzip_bomb_is_skipped_in_bounded_memory(tmp_path: Path) -> None:
    path = tmp_path / "bomb.jsonl.gz"
    first, last = (lines({"id": name, "text": TEXT}) for name in "ab")
    begin, end = (
        gzip.compress(f'{first}{{"id": "bomb", "text": "'.encode()),
        gzip.compress(f'"}}\n{last}'.encode()),
    )
    zeros = gzip.compress(b"0" * (16 << 20))
    path.write_bytes(begin + zeros * 64 + end)  # a gigabyte in a megabyte
    found = call("documents", path, "-o", tmp_path / "out", "--memory", "64MB", preexec_fn=limited)
    assert found.code == 0
    assert "2 documents of 3 records" in found.out
    assert problems(tmp_path / "out") == [("bomb.jsonl.gz", 2, "too large")]


def test_text_in_an_older_encoding_is_read_and_named(tmp_path: Path, command: Command) -> None:
    folder = tmp_path / "texts"
    folder.mkdir()
    (folder / "new.txt").write_text(TEXT)
    assert "--encoding" not in command("documents", folder, "-o", tmp_path / "one").said
    (folder / "old.txt").write_bytes(f"{TEXT} café".encode("cp1252"))
    said = command("documents", folder, "-o", tmp_path / "two").said
    assert "2 documents of 2 records" in said
    assert "guessed: old.txt (utf-8 but for 1 byte); set it with --encoding" in said


def test_the_first_that_were_skipped_are_named(tmp_path: Path, command: Command) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text(lines({"text": TEXT}) + "nonsense\n" * 7)
    said = command("documents", path, "-o", tmp_path / "out").out
    assert "bad.jsonl, record 2: invalid JSON (Expecting value" in said
    assert "bad.jsonl, record 6: invalid JSON" in said
    assert "record 7" not in said
    assert f"… and 2 more: {tmp_path / 'out'}/skipped.parquet" in said
    path.write_text(lines({"text": TEXT}))
    assert "Skipped" not in command("documents", path, "-o", tmp_path / "out", "--overwrite").out
