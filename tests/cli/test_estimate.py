"""`neardup estimate`: time, memory, disk and pairs."""

import gzip
import json
import random
from pathlib import Path

import pytest
from tests.command_line import Command

import neardup


def test_estimate_says_time_memory_disk_and_pairs(demo: Path, command: Command) -> None:
    found = command("estimate", f"{demo}.jsonl", "--threshold", "0.5")
    assert found.code == 0
    for word in ("time", "memory", "disk", "pairs", "about 41 documents"):
        assert word in found.said
    numbers = json.loads(command("estimate", f"{demo}.jsonl", "--threshold", "0.5", "--json").out)
    assert numbers["documents"] == 41
    assert numbers["pairs"] == 17
    assert numbers["take_cluster"] is False
    assert numbers["memory_bytes"] < 4e9  # what is used, not what may be
    assert numbers["cluster"] is None


@pytest.mark.parametrize("method", ["documents", "passages", "sentences", "pages", "clean"])
def test_every_method_estimates_its_own_run(
    method: str, demo: Path, tmp_path: Path, command: Command
) -> None:
    given = (method, f"{demo}.jsonl", "-o", tmp_path / "out", "--estimate")
    found = json.loads(command(*given, "--json").out)
    assert found["documents"] == 41
    assert 0 < found["seconds"] < 600
    assert (found["pairs"] is None) == (method == "clean")
    if found["pairs"] is not None:
        whole = json.loads(command(method, f"{demo}.jsonl", "-o", tmp_path / "out", "--json").out)
        assert found["pairs"] == whole["counts"]["pairs"] > 0
        assert neardup.estimate(f"{demo}.jsonl", method).pairs == found["pairs"]
    else:
        assert not (tmp_path / "out").exists()
    assert "time about" in command(*given).said


def test_what_cannot_be_estimated_is_said(tmp_path: Path, command: Command) -> None:
    (tmp_path / "empty.txt").write_text("")
    assert "nothing to read" in command("passages", tmp_path, "--estimate").said
    with pytest.raises(neardup.SettingsError, match="no method 'passage'"):
        neardup.estimate(tmp_path, "passage")
    with pytest.raises(TypeError, match="did you mean 'threshold'"):
        neardup.estimate(tmp_path, treshold=0.5)


def test_estimate_proposes_a_cluster(demo: Path, command: Command) -> None:
    said = command("estimate", f"{demo}.jsonl", "--engine", "spark").said
    for word in ("core hours", "2 executors of 4 cores", "16 partitions", "spark.executor.memory=6144m"):
        assert word in said
    assert "no engine 'sparc'" in command("estimate", f"{demo}.jsonl", "--engine", "sparc").said


@pytest.mark.parametrize("name", ["large.jsonl.gz", "large.csv"])
def test_an_estimate_reads_only_the_beginning_of_a_file_that_cannot_be_cut(
    name: str, tmp_path: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("neardup.results.estimating.SAMPLE_BYTES", 20_000)
    monkeypatch.setattr("neardup.results.estimating.LEAST_CUT", 1_000)
    numbers = random.Random(1)
    texts = [" ".join(str(numbers.random()) for _ in range(10)) for _ in range(2_000)]
    lines = "text\n" + "\n".join(texts) if name.endswith("csv") else "\n".join(map(as_json, texts))
    path = tmp_path / name
    path.write_bytes(gzip.compress(lines.encode()) if name.endswith("gz") else lines.encode())
    found = json.loads(command("estimate", path, "--json").out)
    assert found["input_bytes"] == path.stat().st_size
    assert found["sample_bytes"] == 20_000
    assert found["documents"] == pytest.approx(2_000, rel=0.1)


def as_json(text: str) -> str:
    return json.dumps({"text": text})


def test_estimate_of_nothing_is_an_error(tmp_path: Path, command: Command) -> None:
    found = command("estimate", tmp_path / "missing.jsonl")
    assert found.code == 1
    assert "no such file" in found.said
