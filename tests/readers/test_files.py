"""Files that change while they are read are noticed, whatever happens to them."""

import json
import ntpath
import os
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

import neardup
from neardup.errors import InputError
from neardup.readers import files
from neardup.readers.files import check_unchanged, find
from neardup.readers.records import ReaderSettings
from neardup.readers.source import FileSource


def lines(count: int, word: str = "word") -> str:
    return "".join(json.dumps({"id": f"{i}", "text": f"{word} {i} " * 30}) + "\n" for i in range(count))


def append(path: Path) -> None:
    with path.open("a") as out:
        out.write(lines(3))


def truncate(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def overwrite(path: Path) -> None:
    path.write_text(path.read_text().replace("word", "werd"))


CHANGES = [append, truncate, overwrite, Path.unlink]
WORDS = ["it had", "it had", "as many bytes as before", "it is gone"]


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    folder = tmp_path / "in"
    folder.mkdir()
    for name in "ab":
        (folder / f"{name}.jsonl").write_text(lines(40))
        os.utime(folder / f"{name}.jsonl", (1e9, 1e9))
    return folder


@pytest.mark.parametrize(("change", "word"), list(zip(CHANGES, WORDS, strict=True)))
def test_a_file_that_changes_while_it_is_read(
    corpus: Path, change: Callable[[Path], None], word: str
) -> None:
    source = FileSource.open([corpus], ReaderSettings())
    first, second = source.splits()
    batches = source.read(first)
    next(batches)
    change(corpus / "a.jsonl")
    with pytest.raises(InputError, match=word) as told:
        list(batches)
    assert str(told.value.where).endswith("a.jsonl")
    assert "Run neardup again" in str(told.value.hint)
    assert sum(batch.num_rows for batch in source.read(second)) == 40


@pytest.mark.parametrize("change", CHANGES)
def test_a_run_whose_input_changes_leaves_no_result(
    corpus: Path, tmp_path: Path, change: Callable[[Path], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file changes when it has been read: only the look at the end of the run can see it."""
    read = FileSource.read

    def reading(self: FileSource, split: object) -> object:
        yield from read(self, split)  # type: ignore[arg-type]
        if split.file == 1 and (corpus / "a.jsonl").exists():  # type: ignore[attr-defined]
            change(corpus / "a.jsonl")

    monkeypatch.setattr(FileSource, "read", reading)
    with pytest.raises(InputError, match="changed while it was read"):
        neardup.documents(corpus, output=tmp_path / "out", workers=1)
    assert [path.name for path in tmp_path.iterdir()] == ["in"]


def test_dedup_of_a_file_that_changes_meanwhile_writes_nothing(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    result = neardup.documents(corpus, output=tmp_path / "out")

    def rewriting(*_: object) -> None:
        append(corpus / "a.jsonl")

    monkeypatch.setattr("neardup.cleaning.dedup.rewrite", rewriting)
    with pytest.raises(InputError, match="changed while it was read"):
        neardup.dedup(result, tmp_path / "clean", mode="remove")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in", "out"]


def test_files_of_several_places_are_looked_at_together(corpus: Path) -> None:
    files = [*find([corpus]), *find([f"file://{corpus}"])]
    check_unchanged(files)
    truncate(corpus / "b.jsonl")
    with pytest.raises(InputError, match=r"b\.jsonl"):
        check_unchanged(files)


def test_results_of_earlier_runs_are_left_out(tmp_path: Path) -> None:
    for name in ("a.txt", "out/run.json", "out/timings.json", "out/steps/1.parquet", "other/run.json"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("{}")
    assert [file.name for file in find([tmp_path])] == ["a.txt", "other/run.json"]
    with pytest.raises(InputError, match="results and indexes of neardup are left out"):
        find([tmp_path / "out"])
    assert [file.name for file in find([tmp_path / "out" / "run.json"])] == ["run.json"]


def test_of_a_dump_of_stack_exchange_the_posts_are_read(tmp_path: Path) -> None:
    for name in ("dump/Posts.xml", "dump/PostHistory.xml", "dump/PostLinks.xml.gz", "other/Users.xml"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("<posts>")
    assert [file.name for file in find([tmp_path])] == ["dump/Posts.xml", "other/Users.xml"]
    names = [file.name for file in find([tmp_path], revisions=True)]
    assert names == ["dump/PostHistory.xml", "other/Users.xml"]
    history = tmp_path / "dump" / "PostHistory.xml"
    assert [file.path for file in find([history])] == [str(history)]


def test_each_input_may_have_its_own_text_column(tmp_path: Path) -> None:
    rows = {
        "train.jsonl": {"id": "a", "text": "one"},
        "x:y.jsonl": {"id": "b", "text": "no", "q": "two"},
    }
    for name, row in rows.items():
        (tmp_path / name).write_text(json.dumps(row))
    given = [f"{tmp_path}/tr*.jsonl:text", f"{tmp_path}/x:y.jsonl:q"]
    result = neardup.documents([Path(own) for own in given], output=tmp_path / "out", workers=1)
    again = result.source()
    texts = [row["text"] for split in again.splits() for b in again.read(split) for row in b.to_pylist()]
    assert texts == ["one", "two"]
    assert [file.text_column for file in find([f"{tmp_path}/x:y.jsonl"])] == [None]
    for wrong, what in [
        ([f"{tmp_path}/none.jsonl:q"], "no such file"),
        ([given[1], f"{tmp_path}/x:y.jsonl:text"], "with two text columns"),
    ]:
        with pytest.raises(InputError, match=what):
            find(wrong)
    with pytest.raises(InputError, match="no column 'nope'"):
        neardup.documents(f"{tmp_path}/train.jsonl:nope")
    with pytest.raises(InputError, match="several texts each"):
        neardup.threads(f"{tmp_path}/train.jsonl:text", fields={"text": 1})


def test_paths_of_windows_are_whole_with_slashes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "os", SimpleNamespace(path=ntpath, sep=ntpath.sep))
    assert files.absolute(r"C:\corpus\old\..\news.jsonl") == "C:/corpus/news.jsonl"
