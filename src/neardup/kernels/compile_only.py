"""For processes that compile kernels and run none: machine code of what is asked for, of nothing else.

Numba makes all that a kernel calls ready to be called from Python, optimised by itself, before it makes
it a part of the kernel and optimises that. Without it, compiling takes a third less time, and kernels
are as fast. It is done by changing some of Numba's own methods, in the whole process.
"""

from typing import Any

from numba.core.cpu import CPUContext
from numba.core.dispatcher import Dispatcher, _FunctionCompiler  # type: ignore[attr-defined]
from numba.core.registry import cpu_target
from numba.core.runtime.nrt import rtsys

from neardup.kernels.compiled import Cache, Library

_depth = [0]  # of what is being compiled: 1 for what is asked for, more for what it calls


def compile_only() -> None:
    """Let this process compile only; what it compiles for others to call cannot be called in it."""
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
