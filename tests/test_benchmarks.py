"""The benchmarks: one command that knows all of them, few lines, and docs that cite what is there."""

import re
from functools import partial
from importlib import import_module
from pathlib import Path

import pytest
from benchmarks import papers, store
from benchmarks.__main__ import NAMES

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "benchmarks"
MOST_LINES = 4_180
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", FOLDER / "README.md", *ROOT.glob("docs/*.md")]


@pytest.mark.parametrize("name", NAMES)
def test_every_benchmark_can_be_begun_and_says_what_it_takes(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", [name, "--help"])
    with pytest.raises(SystemExit, match="0"):
        import_module(f"benchmarks.{name}").main()
    assert "usage:" in capsys.readouterr().out


@pytest.mark.parametrize("given", [[], ["pages", "threads"]])
def test_the_papers_are_computed_in_one_go(given: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    run: list[str] = []
    parts = {name: partial(lambda own, _: run.append(own), name) for name in papers.PARTS_HERE}
    monkeypatch.setattr(papers, "PARTS_HERE", parts)
    monkeypatch.setattr("sys.argv", ["papers", *given])
    papers.main()
    assert run == (given or [*parts])


def test_an_index_is_measured_in_a_folder_that_need_not_exist(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(store, "PARTS", {"peer": dict})  # left out, unless it is asked for
    where = ["--folder", str(tmp_path / "new" / "folder")]
    monkeypatch.setattr("sys.argv", ["store", *where, "--documents", "20"])
    store.main()
    assert (tmp_path / "new" / "folder" / "corpus.jsonl").stat().st_size


def test_docs_cite_benchmarks_that_there_are() -> None:
    text = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
    cited = set(re.findall(r"python -m benchmarks (\w+)", text))
    assert cited <= set(NAMES)
    assert set(NAMES) <= cited, "what no page cites is not kept"
    assert all((ROOT / path).exists() for path in re.findall(r"benchmarks/\w+\.(?:py|md)\b", text))


def test_the_benchmarks_stay_few() -> None:
    files = [path for path in FOLDER.rglob("*") if path.suffix in (".py", ".md")]
    assert sum(len(path.read_text(encoding="utf-8").splitlines()) for path in files) <= MOST_LINES
