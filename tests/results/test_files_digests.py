"""What is missing or changed in a result is noticed."""

import json
import os
from pathlib import Path

import pytest
from tests.command_line import Command

import neardup
from neardup.errors import OutputError
from neardup.results.files import digests_in, is_intact


@pytest.fixture
def result(files: list[Path], tmp_path: Path) -> neardup.Result:
    return neardup.documents(files[0], output=tmp_path / "out")


def test_a_result_has_the_digests_of_its_files_and_is_whole(
    result: neardup.Result, command: Command
) -> None:
    run = result.run
    names = {path.name for path in result.folder.iterdir()}
    assert set(run["digests"]) == names - {"timings.json"}
    assert is_intact(run)
    assert not result.damages()
    done = command("check", result.folder)
    assert (done.code, done.said) == (0, f"{result.folder} is whole")
    assert command("check", result.folder, "--json").json["whole"]


def test_what_comes_later_is_no_damage(result: neardup.Result) -> None:
    neardup.report(result)
    (result.folder / "timings.json").unlink()
    assert not result.damages()


@pytest.mark.parametrize("name", ["pairs.parquet", "documents.parquet", "clusters.parquet"])
def test_one_bit_is_enough(name: str, result: neardup.Result, command: Command) -> None:
    path = result.folder / name
    data = bytearray(path.read_bytes())
    data[len(data) // 3] ^= 4
    path.write_bytes(data)
    assert result.damages() == [f"{name} was changed"]
    done = command("check", result.folder)
    assert done.code == 1
    assert f"{name} was changed" in done.said


def test_what_is_missing_cut_off_or_edited_is_named(result: neardup.Result, command: Command) -> None:
    (result.folder / "skipped.parquet").unlink()
    pairs = result.folder / "pairs.parquet"
    pairs.write_bytes(pairs.read_bytes()[:-5])
    missing, cut = sorted(result.damages(), reverse=True)
    assert missing == "skipped.parquet is missing"
    assert cut.startswith("pairs.parquet cannot be read")
    run = result.folder / "run.json"
    run.write_text(run.read_text().replace('"threshold": 0.', '"threshold": 0.9'))
    [changed] = neardup.Result(result.folder).damages()
    assert changed.startswith("run.json was changed")
    for content in (run.read_text()[:100], "[]", "{}"):
        run.write_text(content)
        done = command("check", result.folder)
        assert done.code == 1
        assert "run.json is damaged" in done.said


def test_a_table_that_became_something_else_is_named(result: neardup.Result) -> None:
    pairs = result.folder / "pairs.parquet"
    pairs.unlink()
    os.mkfifo(pairs)
    assert result.damages() == ["pairs.parquet is not a file"]
    pairs.unlink()
    pairs.mkdir()
    assert result.damages() == ["pairs.parquet was changed"]
    with pytest.raises(OutputError, match="there is nothing in it"):
        neardup.Result(result.folder).pairs  # noqa: B018


def test_a_result_without_digests_must_at_least_be_readable(result: neardup.Result) -> None:
    path = result.folder / "run.json"
    run = json.loads(path.read_text())
    del run["digests"]
    path.write_text(json.dumps(run))
    assert not neardup.Result(result.folder).damages()
    (result.folder / "pairs.parquet").write_text("no table")
    assert len(neardup.Result(result.folder).damages()) == 1


def test_a_higher_threshold_has_digests_of_its_own(result: neardup.Result, tmp_path: Path) -> None:
    higher = result.rethreshold(0.9, tmp_path / "higher")
    assert higher.run["digests"] != result.run["digests"]
    assert not higher.damages()


def test_a_table_that_is_a_folder_has_one_digest_whatever_its_files_are_called(
    result: neardup.Result, tmp_path: Path
) -> None:
    for name in ("one", "two"):
        table = tmp_path / name / "pairs.parquet"
        table.mkdir(parents=True)
        (table / f"part-00000-{name}.parquet").write_bytes(
            (result.folder / "pairs.parquet").read_bytes()
        )
        (table / "_SUCCESS").touch()
    assert digests_in(tmp_path / "one") == digests_in(tmp_path / "two")
    assert list(digests_in(tmp_path / "one")) == ["pairs.parquet"]


def test_a_result_that_cannot_be_read_again_is_not_put_in_place(
    files: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def torn(path: Path, *rest: object) -> int:
        path.write_bytes(b"PAR1")
        return 0

    monkeypatch.setattr("neardup.engines.local.engine.write_table", torn)
    with pytest.raises((OSError, ValueError)):
        neardup.documents(files[0], output=tmp_path / "out")
    assert not (tmp_path / "out").exists()
