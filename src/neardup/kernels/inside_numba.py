"""What rests on the insides of Numba, for which it promises nothing: keeping what it has compiled.

Tried with Numba 0.61 to 0.68 (`TRIED` in cache_folder.py). With any other, nothing of this is used:
kernels are compiled in every run, and that is said. Numba's own cache is no way out: it has one index
for all processes, and mixes up what two of them compile at the same time. Here, a signature has a file.
"""

import hashlib
import pickle
import sys
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

from llvmlite.binding import parse_bitcode
from numba import types
from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator
from numba.core.codegen import JITCodeLibrary
from numba.core.cpu import CPUContext
from numba.core.dispatcher import Dispatcher, _FunctionCompiler  # type: ignore[attr-defined]
from numba.core.environment import Environment, _rebuild_env, lookup_environment
from numba.core.pythonapi import PythonAPI
from numba.core.registry import cpu_target
from numba.core.runtime.nrt import rtsys
from numba.core.serialize import dumps

from neardup.kernels.cache_folder import folder, tell_wait


def keep(compiled: Any) -> None:
    """Have a kernel kept on the disk, not made ready for C, and compiled once for all constants."""
    compiled.targetoptions["no_cfunc_wrapper"] = True
    _forget_constants(compiled._compiler)
    compiled._cache = Cache(compiled.py_func)


def _forget_constants(compiler: Any) -> None:
    """Have a kernel that others call compiled once for all constants that these hand to it.

    Numba would do it for each; where it pays, LLVM does so too, when it puts the one into the other.
    """
    fold = compiler.fold_argument_types

    def fold_types(args: Any, kws: Any) -> Any:
        named = {name: types.unliteral(kind) for name, kind in kws.items()}
        return fold(tuple(map(types.unliteral, args)), named)

    compiler.fold_argument_types = fold_types


def _boxed(self: Any, kind: Any, value: Any, env_manager: Any = None) -> Any:
    """Hand an array of a kernel's to Python without running any Python meanwhile.

    Numba reads the class of an array by a function of Python's. A signal that came while a kernel was at
    work is answered in that function first: what is raised then is lost, and the process crashes.
    """
    if env_manager is None or not isinstance(kind, types.Array):
        return _boxed_by_numba(self, kind, value, env_manager)
    self.serialize_object, self.unserialize = env_manager.add_const, env_manager.read_const
    try:
        return _boxed_by_numba(self, kind, value, env_manager)
    finally:
        del self.serialize_object, self.unserialize


_boxed_by_numba = PythonAPI.from_native_value
PythonAPI.from_native_value = _boxed


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


_depth = [0]  # of what is being compiled: 1 for what is asked for, more for what it calls


def compile_only() -> None:
    """Let this process compile only: machine code of what is asked for, of nothing that it calls.

    Numba makes all that a kernel calls ready to be called from Python, optimised by itself, before it
    makes it a part of the kernel and optimises that. Without it, compiling takes a fifth less time, and
    kernels are as fast; but what is compiled cannot be called in this process. Some of Numba's own
    methods are changed for it.
    """
    context = cpu_target.target_context
    rtsys.initialize(context)  # Numba's own, which is needed whole
    context.codegen()._library_class = _Part
    compiled, executable, kept = Dispatcher.compile, CPUContext.get_executable, Cache.save_overload

    def compile_deeper(self: Any, signature: Any) -> Any:
        _depth[0] += 1
        try:
            return compiled(self, signature)
        finally:
            _depth[0] -= 1

    def get_executable(self: Any, library: Any, *described: Any) -> Any:
        if _depth[0] > 1:
            return [].append  # of which there is but this one: Numba knows what it has compiled by it
        library.is_asked_for = True
        return executable(self, library, *described)

    def load_overload(self: Any, signature: Any, context: Any) -> None:
        """Load nothing: what is on the disk is machine code, which is made callable when loaded."""
        del self, signature, context

    def save_overload(self: Any, signature: Any, result: Any) -> None:
        if _depth[0] <= 1:
            kept(self, signature, result)

    def without_wrappers(self: Any, flags: Any) -> Any:
        del self
        flags.no_cpython_wrapper = _depth[0] > 1
        return flags

    changed: list[tuple[Any, str, Any]] = [
        (Dispatcher, "compile", compile_deeper),
        (CPUContext, "get_executable", get_executable),
        (Cache, "load_overload", load_overload),
        (Cache, "save_overload", save_overload),
        (_FunctionCompiler, "_customize_flags", without_wrappers),
    ]
    for owner, name, method in changed:
        setattr(owner, name, method)


class _Part(Library):
    """Code that becomes a part of other code, as long as nobody asks for it."""

    is_asked_for = False

    def _optimize_final_module(self) -> None:
        if self.is_asked_for:
            super()._optimize_final_module()

    def _finalize_final_module(self) -> None:
        if self.is_asked_for:
            super()._finalize_final_module()
            return
        self._finalize_dynamic_globals()
        self._finalized = True
