"""Memory that is given back: what can be read from a file again, and nothing else."""

import ctypes
import mmap
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import neardup
from neardup.engines.local import frugality
from neardup.engines.local.engine import LocalEngine

SMAPS = """\
7f0000000000-7f0000001000 r-xp 00000000 fe:00 1 /lib/code.so
Rss:                   4 kB
Anonymous:             0 kB
7f0000001000-7f0000002000 r--p 00001000 fe:00 1 /lib/code.so
Anonymous:             0 kB
7f0000002000-7f0000003000 r-xp 00002000 fe:00 1 /lib/patched.so
Anonymous:             4 kB
7f0000003000-7f0000004000 rw-p 00000000 00:00 0
Anonymous:             0 kB
7f0000004000-7f0000005000 r-xp 00000000 00:00 0 [vdso]
Anonymous:             0 kB
"""


def test_only_what_is_unchanged_from_files_is_given_back() -> None:
    assert list(frugality.unchanged_mappings(SMAPS)) == [
        (0x7F0000000000, 0x7F0000001000),
        (0x7F0000001000, 0x7F0000002000),
    ]


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux shows a process's mappings")
def test_the_process_lives_on_after_giving_its_code_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frugality.Frugality, "on", True)
    assert list(frugality.unchanged_mappings(frugality.MAPPINGS.read_text()))
    frugality.release_memory()
    assert ctypes.CDLL(None).abs(-3) == 3


def test_a_process_is_as_before_when_it_need_not_save_any_more() -> None:
    pool = pa.default_memory_pool().backend_name
    with frugality.saving_memory():
        assert frugality.Frugality.on
        assert pa.default_memory_pool().backend_name == "system"
    assert not frugality.Frugality.on
    assert pa.default_memory_pool().backend_name == pool


@pytest.mark.parametrize(("memory", "saves"), [("512MB", True), ("1GB", False)])
def test_a_run_from_python_saves_memory_if_it_may_use_little(
    memory: str, saves: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = set()
    run = LocalEngine.run

    def watched(*given: Any) -> Any:
        seen.add(frugality.Frugality.on)
        return run(*given)

    monkeypatch.setattr(LocalEngine, "run", watched)
    neardup.documents(["some words of a text", "other words of a text"], memory=memory)
    assert seen == {saves}
    assert not frugality.Frugality.on


def test_memory_is_saved_until_the_last_of_several_runs_ends() -> None:
    pool = pa.default_memory_pool().backend_name
    first, second = frugality.saving_memory(), frugality.saving_memory()
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    assert frugality.Frugality.on
    second.__exit__(None, None, None)
    assert not frugality.Frugality.on
    assert pa.default_memory_pool().backend_name == pool


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells of a process's memory")
def test_memory_that_was_held_ready_goes_back_when_a_run_ends() -> None:
    with frugality.within(frugality.SMALL_MEMORY):
        blocks = [bytearray(frugality.GIVEN) for _ in range(200)]
        whole = resident()
        del blocks
        assert resident() > whole - 50 * frugality.GIVEN
    assert resident() < whole - 150 * frugality.GIVEN


def resident() -> int:
    """Return how much memory this process has."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * mmap.PAGESIZE
