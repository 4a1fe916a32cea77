"""Compiling ahead: the kernels of a first run, in as many processes as there are cores.

One process compiles for a quarter of a minute before the first run of a method, since Numba's front end
is Python. The kernels that runs call, with the types of their arguments, are listed in signatures.json
(tools/make_signatures.py writes it), what takes longest first; what these call themselves is compiled
with them. What a list lacks is compiled when it is called.
"""

import gc
import json
import os
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cache
from importlib import import_module
from importlib.resources import files
from typing import Any, NamedTuple

from numba import types

from neardup.kernels.cache_folder import folder, names_kept

MOST_PROCESSES = 8  # each takes about 250 MB
FEW = 2  # so many are compiled faster than processes start


class Wanted(NamedTuple):
    """A kernel, and the types that it is to be compiled for, as they are written in the list."""

    kernel: str  # its module and name
    types: list[Any]


def purposes() -> list[str]:
    """Return for what there are lists of kernels."""
    return list(_lists())


def missing(*names: str) -> list[Wanted]:
    """Return the kernels for some purposes of which nothing is kept, and that can be kept."""
    if folder() is None:
        return []
    kept = names_kept()
    found = {json.dumps(entry): Wanted(*entry) for name in names for entry in _lists().get(name, [])}
    return [wanted for wanted in found.values() if wanted.kernel not in kept]


def compile_ahead(wanted: Sequence[Wanted], advance: Callable[[int], None]) -> None:
    """Compile kernels, each in one of some processes; `advance` is told of each that is done."""
    queue = iter(wanted)
    count = max(min(len(wanted), os.cpu_count() or 1, MOST_PROCESSES), 1)
    with ThreadPoolExecutor(count) as threads:
        try:
            for done in [threads.submit(_feed, queue, advance) for _ in range(count)]:
                done.result()
        finally:
            deque(queue, maxlen=0)  # if this was interrupted, nothing more is begun


def _feed(queue: Iterator[Wanted], advance: Callable[[int], None]) -> None:
    """Give kernels to one process as long as there are any; where it fails, they are left to the run."""
    command = [sys.executable, "-c", f"from {__name__} import serve; serve()"]
    places = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    pipe = subprocess.PIPE
    with (
        suppress(OSError),
        subprocess.Popen(
            command, env=places, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL
        ) as process,
    ):
        asked: Any = process.stdin
        answers: Any = process.stdout
        for wanted in queue:
            asked.write(json.dumps(wanted).encode() + b"\n")
            asked.flush()
            if not answers.readline():
                return
            advance(1)


def serve() -> None:
    """Compile what is asked for, line by line, until nothing more is."""
    from neardup.kernels.inside_numba import compile_only

    gc.disable()  # garbage collection is a sixteenth of the time, and the process ends soon
    compile_only()
    for line in sys.stdin:
        wanted = Wanted(*json.loads(line))
        module, _, name = wanted.kernel.rpartition(".")
        with suppress(Exception):  # left to the run, which says what is wrong
            compiled = getattr(import_module(f"{__package__}.{module}"), name)
            compiled.compile(tuple(read_type(written) for written in wanted.types))
        os.write(1, b"done\n")
    os._exit(0)  # without tidying up, which takes most of a second


@cache
def _lists() -> dict[str, list[Any]]:
    text = (files(__package__) / "signatures.json").read_text("utf-8")
    return dict(json.loads(text))


TUPLE = "tuple"  # stands for the name of a tuple that has none


def write_type(kind: Any) -> Any:
    """Write a type down."""
    if isinstance(kind, types.Array):
        return f"{kind.dtype} {kind.ndim} {kind.layout}{'' if kind.mutable else ' readonly'}"
    if isinstance(kind, types.NamedTuple | types.NamedUniTuple):
        owner = kind.instance_class
        return {f"{owner.__module__}.{owner.__name__}": [write_type(part) for part in kind.types]}
    if isinstance(kind, types.BaseTuple):
        return {TUPLE: [write_type(part) for part in kind.types]}
    return str(kind)


def read_type(written: Any) -> Any:
    """Return the type that was written down."""
    if isinstance(written, dict):
        [(name, parts)] = written.items()
        kinds = tuple(map(read_type, parts))
        if name == TUPLE:
            return types.BaseTuple.from_types(kinds)
        module, _, owner = name.rpartition(".")
        return types.BaseTuple.from_types(kinds, getattr(import_module(module), owner))
    name, *shape = written.split()
    if not shape:
        return getattr(types, name)
    return types.Array(getattr(types, name), int(shape[0]), shape[1], readonly="readonly" in shape)
