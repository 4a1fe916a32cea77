"""Kernels are compiled ahead of a first run, in other processes, and are those that it calls."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import get_type_hints

import numpy as np
import pytest
from numba import typeof, types

from neardup.kernels import ahead
from neardup.kernels.ahead import TUPLE, Wanted, compile_ahead, missing, purposes, read_type, write_type
from neardup.kernels.cache_folder import names_kept
from neardup.kernels.lists import Lists
from neardup.methods import METHODS
from neardup.text import UnicodeTable

COUNT = Wanted("counters.count_values", ["uint8 1 C", "int64 1 C"])
SHINGLES = Wanted("shingles.shingle_hashes", ["uint64 1 C", "int64 1 C", "int64"])
NOWHERE = Wanted("counters.there_is_none_of_this_name", [])


@pytest.mark.parametrize(
    "value",
    [
        np.zeros(2, np.uint8),
        np.zeros((2, 3), np.float64)[:, 0],
        np.frombuffer(b"12345678", np.int64),
        np.zeros((2, 3), bool),
        Lists(np.zeros(2, np.int64), np.zeros(2, np.int32)),
        UnicodeTable(np.zeros(2, np.uint16), np.zeros(2, np.uint32), np.zeros(2, np.uint32)),
        None,
        True,
        3,
        0.5,
    ],
)
def test_a_type_that_was_written_is_read_again(value: object) -> None:
    written = json.loads(json.dumps(write_type(typeof(value))))
    assert read_type(written) == typeof(value)


def texts(method: str) -> Iterator[str]:
    """Yield the modules of a method's room."""
    room = Path(str(import_module(METHODS[method].partition(":")[0]).__file__)).parent
    return (path.read_text(encoding="utf-8") for path in room.glob("*.py"))


def test_every_method_has_a_list_of_kernels_that_exist() -> None:
    compiled = {name for name in METHODS if any("kernels" in text for text in texts(name))}
    assert compiled
    assert compiled <= set(purposes())
    for name, rows in ahead._lists().items():
        assert rows, name
        for kernel, kinds in rows:
            module, _, function = kernel.rpartition(".")
            found = getattr(import_module(f"neardup.kernels.{module}"), function)
            assert found.__code__.co_argcount == len(kinds), kernel
            assert all(isinstance(read_type(kind), types.Type) for kind in kinds), kernel


SCALARS = {int: "int64", float: "float64", bool: "bool"}


def named(kind: object) -> Iterator[tuple[type, list[object]]]:
    """Yield the named tuples of a type that was written, and the types of their fields."""
    if not isinstance(kind, dict):
        return
    [(name, parts)] = kind.items()
    if name != TUPLE:
        module, _, owner = name.rpartition(".")
        yield getattr(import_module(module), owner), parts
    for part in parts:
        yield from named(part)


def test_lists_have_the_fields_that_kernels_take() -> None:
    """A field that came later makes another type, so that what is compiled ahead is for nobody."""
    found = {
        (owner, json.dumps(parts))
        for rows in ahead._lists().values()
        for _, kinds in rows
        for kind in kinds
        for owner, parts in named(kind)
    }
    assert found
    for owner, written in found:
        hints, parts = get_type_hints(owner), json.loads(written)
        assert len(parts) == len(hints), owner
        for field, part in zip(hints.items(), parts, strict=True):
            assert SCALARS.get(field[1], part) == part, (owner, field[0])


def test_what_was_compiled_ahead_is_not_compiled_again(own: Path) -> None:
    done: list[int] = []
    compile_ahead([COUNT], done.append)
    assert done == [1]
    assert "counters.count_values" in names_kept()
    call = (
        "import numpy as np; from neardup.kernels.counters import count_values as f;"
        "f(np.zeros(16, np.uint8), np.arange(3)); print(sum(f.stats.cache_hits.values()))"
    )
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(own)}
    printed = subprocess.run(
        [sys.executable, "-c", call], env=environment, capture_output=True, text=True, check=True
    )
    assert printed.stdout == "1\n"


def test_what_is_kept_already_is_no_hindrance(own: Path) -> None:
    """Neither of the kernel itself nor of what it calls: a run may have compiled these."""
    call = "import numpy as np; from neardup.kernels.shingles import distinct as f;"
    call += "f(np.array([3, 4, 3], np.uint64), 3, np.zeros(8, np.uint64))"
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(own)}
    subprocess.run([sys.executable, "-c", call], env=environment, capture_output=True, check=True)
    assert "shingles.distinct" in names_kept()
    done: list[int] = []
    for _ in range(2):
        compile_ahead([SHINGLES], done.append)
        for kept in own.rglob("shingles.shingle_hashes-*"):
            kept.unlink()
    assert done == [1, 1]


@pytest.mark.usefixtures("own")
def test_what_cannot_be_compiled_is_left_to_the_run_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 1)
    done: list[int] = []
    compile_ahead([NOWHERE, COUNT], done.append)
    assert done == [1, 1]
    assert names_kept() == {"counters.count_values"}


@pytest.mark.usefixtures("own")
def test_what_ends_the_compiler_is_left_to_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")
    done: list[int] = []
    compile_ahead([COUNT], done.append)
    assert not done


@pytest.mark.usefixtures("own")
def test_only_what_is_not_kept_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ahead, "_lists", lambda: {"a": [COUNT, NOWHERE], "b": [COUNT]})
    assert missing("a", "b") == [COUNT, NOWHERE]
    assert missing("b") == [COUNT]
    assert not missing("unknown")
    monkeypatch.setattr(ahead, "names_kept", lambda: {"counters.count_values"})
    assert missing("a", "b") == [NOWHERE]
