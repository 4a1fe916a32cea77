"""Whatever kills a command, or fills the disk: it runs again, and nothing is lost or left over."""

import shutil
import sys
from pathlib import Path

import pytest
from tests.killing import compiled, conducted
from tests.killing_verbs import VERBS

needs_compiler = pytest.mark.skipif(
    sys.platform != "linux" or not (shutil.which("cc") or shutil.which("gcc")),
    reason="there is no C compiler, or no way to load what it makes",
)
SOME = ["documents --overwrite", "dedup --mode remove", "report", "index build", "index add, a few"]


def test_where_there_is_no_compiler_nothing_is_tried(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    assert compiled(tmp_path) is None


def trouble(names: list[str], each: int, processes: int = 1) -> list[str]:
    """Kill and fail some verbs; return what went wrong."""
    done = list(conducted(names, ["--kills", each, "--failures", 2 * each], processes))
    assert [row["verb"] for row in done] == names
    assert all(row["kills"] and row["failures"] for row in done)
    return [f"{row['verb']}: {line}" for row in done for line in row["wrong"]]


@needs_compiler
def test_commands_that_are_killed_or_out_of_disk_lose_nothing() -> None:
    assert not trouble(SOME, 3)


@needs_compiler
@pytest.mark.slow
@pytest.mark.parametrize("name", [verb.name for verb in VERBS if not verb.own_process])
def test_every_verb_that_is_killed_or_out_of_disk_loses_nothing(name: str) -> None:
    assert not trouble([name], 10)


@needs_compiler
@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("java"), reason="there is no Java")
@pytest.mark.parametrize("name", [verb.name for verb in VERBS if verb.own_process])
def test_methods_on_spark_that_are_killed_or_out_of_disk_lose_nothing(name: str) -> None:
    assert not trouble([name], 2)
