"""Memory that is given back: what can be read from a file again, and nothing else."""

import ctypes
import sys

import pyarrow as pa
import pytest

from neardup.engines import frugality

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
    frugality.give_back_memory()
    assert ctypes.CDLL(None).abs(-3) == 3


def test_a_process_is_as_before_when_it_need_not_save_any_more() -> None:
    pool = pa.default_memory_pool().backend_name
    with frugality.saving_memory():
        assert frugality.Frugality.on
        assert pa.default_memory_pool().backend_name == "system"
    assert not frugality.Frugality.on
    assert pa.default_memory_pool().backend_name == pool
