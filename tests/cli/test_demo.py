"""`neardup demo`: it can be run again, and writes over nothing that is not its own."""

from pathlib import Path

import pytest
from tests.cli.records import documents
from tests.command_line import Command


def test_the_demo_can_be_run_again(demo: Path, command: Command) -> None:
    before = (demo / "pairs.parquet").read_bytes()
    assert command("demo", "-o", demo).code == 0
    assert (demo / "pairs.parquet").read_bytes() == before


def test_the_demo_writes_over_no_file_that_is_not_its_own(command: Command, tmp_path: Path) -> None:
    own = tmp_path / "mine.jsonl"
    own.write_text("my data")
    found = command("demo", "-o", tmp_path / "mine")
    assert found.code == 1
    assert "mine.jsonl: this is not the corpus of the demo" in found.said
    assert own.read_text() == "my data"
    assert list(tmp_path.iterdir()) == [own]


def test_the_demo_writes_over_no_result_that_is_not_its_own(corpus: Path, command: Command) -> None:
    out = corpus.parent / "out"
    documents(corpus, command, out=out)
    before = (out / "run.json").read_bytes()
    found = command("demo", "-o", out)
    assert found.code == 1
    assert "out: this folder already holds a result" in found.said
    assert (out / "run.json").read_bytes() == before
    assert not Path(f"{out}.jsonl").exists()


def test_the_files_of_tutorials_write_over_nothing(command: Command, tmp_path: Path) -> None:
    folder = tmp_path / "new" / "here"
    for _ in range(2):
        found = command("demo", "--files", folder)
        assert found.code == 0 and "files of the tutorials" in found.said
    page = (Path(__file__).parents[2] / "docs" / "evaluate.md").read_text(encoding="utf-8")
    assert (folder / "gold.csv").read_text() in page
    (folder / "gold.csv").write_text("mine")
    (folder / "old.jsonl").unlink()
    refused = command("demo", "--files", folder)
    assert refused.code == 1 and "gold.csv: there is another file of this name" in refused.said
    assert not (folder / "old.jsonl").exists() and (folder / "gold.csv").read_text() == "mine"


def test_a_report_is_opened_where_there_is_a_browser(
    demo: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []

    def browse(address: str) -> bool:
        opened.append(address)
        return True

    monkeypatch.setattr("webbrowser.open", browse)
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    assert "Open it in a browser" in command("report", demo, "--open").said
    monkeypatch.setenv("DISPLAY", ":0")
    assert "It is open in a browser" in command("report", demo, "--open").said
    assert opened == [(demo / "report.html").resolve().as_uri()]
