"""Compiling kernels, and keeping what was compiled in a folder that belongs to these very sources.

Numba keeps code for as long as the file of a kernel stays the same, whatever happens to the kernels
that it calls: after an update, old machine code might run. And it wants to write beside the package.
So the folder here is the user's, and its name a digest of all kernels and of what compiles them; the
processor is a part of each file's key. There is no index: processes may compile at the same time.
"""

import hashlib
import logging
import os
import pickle
import shutil
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import llvmlite
import numba
import numpy as np
from llvmlite.binding import parse_bitcode
from numba import types
from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator
from numba.core.codegen import JITCodeLibrary
from numba.core.environment import Environment, _rebuild_env, lookup_environment
from numba.core.runtime.nrt import rtsys
from numba.core.serialize import dumps

IN_TEMPORARY = "neardup-kernels-"
UNUSED = 30 * 24 * 3600  # seconds after which the folder of other sources is deleted


def kernel(function: Any = None, **options: Any) -> Any:
    """Compile a function when it is called, without Python's lock, and keep it on the disk."""
    if function is None:
        return lambda inner: kernel(inner, **options)
    compiled = numba.njit(nogil=True, no_cfunc_wrapper=True, **options)(function)
    if hasattr(compiled, "py_func"):  # else Numba is switched off
        _forget_constants(compiled._compiler)
        if folder() is not None:
            compiled._cache = Cache(function)
    return compiled


def _forget_constants(compiler: Any) -> None:
    """Have a kernel that others call compiled once for all constants that these hand to it.

    Numba would do it for each; where it pays, LLVM does so too, when it puts the one into the other.
    """
    fold = compiler.fold_argument_types

    def fold_types(args: Any, kws: Any) -> Any:
        named = {name: types.unliteral(kind) for name, kind in kws.items()}
        return fold(tuple(map(types.unliteral, args)), named)

    compiler.fold_argument_types = fold_types


def names_kept() -> set[str]:
    """Return the modules and names of the kernels that are kept, for some types at least."""
    where = folder()
    names = os.listdir(where) if where else []  # noqa: PTH208 (hundreds of them, at every run)
    return {name.rpartition("-")[0] for name in names}


@cache
def tell_wait() -> None:
    """Say, once in a process, that kernels are compiled: whoever needs them waits for that."""
    logging.getLogger("neardup").warning(waiting(folder()))


def waiting(kept: Path | None) -> str:
    """Return why there is a wait, and when it will be there again."""
    if kept is None:
        return "compiling, as in every run here: set NUMBA_CACHE_DIR to a folder that can be written to"
    if kept.parent.name.startswith(IN_TEMPORARY):
        lasts = "set NUMBA_CACHE_DIR to a folder that lasts"
        return f"compiling, which may take a minute, and again once {kept.parent} is emptied: {lasts}"
    return "compiling, once on this machine: this may take a minute"


@cache
def folder() -> Path | None:
    """Return where compiled kernels are kept; None if there is no such place."""
    for place in _places():
        own = place / digest(_sources())
        try:
            is_new = not own.exists()
            own.mkdir(0o700, parents=True, exist_ok=True)
            if _is_mine(own) and os.access(own, os.W_OK):
                os.utime(own)
                if is_new:
                    _forget_others(own)
                return own
        except OSError:
            pass
        if _is_mine(own) and os.access(own, os.R_OK | os.X_OK):  # in an image: filled when built
            return own
    return None


def _places() -> Iterator[Path]:
    if chosen := os.environ.get("NUMBA_CACHE_DIR"):
        yield Path(chosen)
    if home := os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"):  # noqa: PTH111
        yield Path(home) / "neardup" / "kernels"
    with suppress(FileNotFoundError):
        user = os.getuid() if hasattr(os, "getuid") else ""
        yield Path(tempfile.gettempdir()) / f"{IN_TEMPORARY}{user}"


def _is_mine(own: Path) -> bool:
    """Say whether nobody but this user and the system can have put code there."""
    try:
        facts = [(path.stat().st_uid, path.stat().st_mode) for path in (own, own.parent)]
    except OSError:
        return False
    if not hasattr(os, "getuid"):
        return True
    return all(owner in (0, os.getuid()) and not mode & 0o022 for owner, mode in facts)


def _sources() -> list[tuple[str, bytes]]:
    """Return the names and contents of all modules with kernels."""
    found = [path for path in files(__package__).iterdir() if path.name.endswith(".py")]
    return sorted((path.name, path.read_bytes()) for path in found)


def digest(sources: list[tuple[str, bytes]]) -> str:
    """Return a name for sources and for what compiles them."""
    versions = numba.__version__, llvmlite.__version__, np.__version__, sys.version_info[:2]
    return hashlib.sha256(repr((versions, sources)).encode()).hexdigest()[:20]


def _forget_others(own: Path) -> None:
    """Delete what was compiled from other sources, and not used for long."""
    for other in own.parent.iterdir():
        ours = other != own and len(other.name) == len(own.name)
        if ours and time.time() - other.stat().st_mtime > UNUSED:
            shutil.rmtree(other, ignore_errors=True)


def _name_of(function: Callable[..., Any]) -> str:
    return f"{function.__module__.rpartition('.')[2]}.{function.__qualname__}"


class _Locator(_CacheLocator):  # type: ignore[misc]
    """Tells Numba where to keep the code of kernels."""

    def get_cache_path(self) -> str:
        return str(folder())

    def get_source_stamp(self) -> str:
        return ""  # the folder's name says it

    def get_disambiguator(self) -> str:
        return ""

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> "_Locator":
        del py_func, py_file
        return cls()


class Library(JITCodeLibrary):  # type: ignore[misc]
    """Machine code from the disk; what it was made of is read if another kernel is compiled with it."""

    _bitcode: bytes | None = None

    @classmethod
    def _unserialize(cls, codegen: Any, state: Any) -> Any:
        name, kind, data = state
        if kind != "object":
            return super()._unserialize(codegen, state)
        library = codegen.create_library(name)
        machine_code, library._bitcode = data
        library.enable_object_caching()
        library._set_compiled_object(machine_code)
        library._finalize_final_module()
        return library

    def _get_module_for_linking(self) -> Any:
        if self._bitcode is not None:
            self._shared_module, self._bitcode = parse_bitcode(self._bitcode), None
            self._codegen._engine._load_defined_symbols(self._shared_module)
        return super()._get_module_for_linking()


class _Content(CompileResultCacheImpl):  # type: ignore[misc]
    _locator_classes = (_Locator,)

    def rebuild(self, target_context: Any, payload: Any) -> Any:
        """Return what was compiled, ready to be called."""
        codegen, described = target_context.codegen(), payload[1]
        if not issubclass(codegen._library_class, Library):
            codegen._library_class = Library
        codegen._engine._defined_symbols.add(described.llvm_cpython_wrapper_name)
        return super().rebuild(target_context, payload)


class Cache(FunctionCache):  # type: ignore[misc]
    """Numba's cache of one function, with files of our own."""

    _impl_class = _Content

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        self._cache_file = _Files(_name_of(function))

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return what was compiled, without what only the compiler needs: it takes longer to load."""
        rtsys.initialize(target_context)
        return self._load_overload(sig, target_context)


class _Unpickler(pickle.Unpickler):
    """Reads what was compiled, without the modules of Numba that it was compiled from."""

    def find_class(self, module: str, name: str) -> Any:
        """Return what a name stands for."""
        return _environment if name == "_rebuild_env" else super().find_class(module, name)


def _environment(module: str, constants: list[Any], name: str) -> Any:
    """Return what code of a module refers to: compiled code to constants only, not to other names."""
    if module in sys.modules or not module.startswith("numba."):
        return _rebuild_env(module, constants, name)
    known = lookup_environment(name)
    if known is None:
        known = Environment._memo[name] = Environment({"__name__": module})
        known.consts[:] = constants
        known.env_name = name
    return known


class _Files:
    """The code of one kernel, a file for each of its signatures."""

    def __init__(self, name: str) -> None:
        self._name = name

    def load(self, key: Any) -> Any:
        """Return what was compiled for a key; None if nothing was, or not all of it is there."""
        try:
            with self._path(key).open("rb") as file:
                known, data = _Unpickler(file).load()  # from a folder that _is_mine
        except (OSError, EOFError, ValueError, TypeError, pickle.UnpicklingError):
            known = data = None
        if known != key:
            tell_wait()
        return data if known == key else None

    def save(self, key: Any, data: Any) -> None:
        """Keep what was compiled; where nothing can be written, it is compiled again next time."""
        path = self._path(key)
        partial = path.with_name(f"{path.name}.{uuid.uuid4().hex}")
        try:
            partial.write_bytes(dumps((key, data)))
            partial.replace(path)
        except OSError:
            partial.unlink(missing_ok=True)

    def flush(self) -> None:
        """Forget what was compiled."""
        for path in Path(str(folder())).glob(f"{self._name}-*"):
            path.unlink(missing_ok=True)

    def _path(self, key: Any) -> Path:
        digest = hashlib.sha256(repr(key).encode()).hexdigest()[:20]
        return Path(str(folder())) / f"{self._name}-{digest}"
