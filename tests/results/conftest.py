"""Corpora to run over: small ones, and one that takes some seconds."""

import json
from pathlib import Path

import pytest
from tests.command_line import call
from tests.corpora import write_corpus
from tests.results.started import contents

from neardup.engines.local import engine as local
from neardup.readers import jsonl


@pytest.fixture
def many_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cut files into many small parts, so that a small corpus keeps several workers busy."""
    monkeypatch.setattr(jsonl, "SPLIT_BYTES", 100_000)
    monkeypatch.setattr(local, "TASK_BYTES", 150_000)


@pytest.fixture(scope="session")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("files")
    return [write_corpus(folder / f"{name}.jsonl", 0.7, seed) for seed, name in enumerate("abc")]


@pytest.fixture(scope="session")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_corpus(tmp_path_factory.mktemp("small") / "small.jsonl", 0.1, seed=11)


@pytest.fixture(scope="session")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a file that takes some seconds."""
    return write_corpus(tmp_path_factory.mktemp("large") / "large.jsonl", 30, seed=7)


@pytest.fixture(scope="session")
def undisturbed(large: Path) -> dict[str, bytes]:
    done = call("documents", large.name, "-o", "undisturbed", cwd=large.parent)
    assert done.code == 0, done.err
    assert json.loads(contents(large.parent / "undisturbed")["run.json"])["counts"]["pairs"] > 1000
    return contents(large.parent / "undisturbed")
