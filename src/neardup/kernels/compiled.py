"""Compiling kernels, and keeping what was compiled."""

from typing import Any

import numba

from neardup.kernels.cache_folder import folder


def kernel(function: Any = None, **options: Any) -> Any:
    """Compile a function when it is called, without Python's lock, and keep it on the disk."""
    if function is None:
        return lambda inner: kernel(inner, **options)
    compiled = numba.njit(nogil=True, **options)(function)
    if folder() is not None and hasattr(compiled, "py_func"):  # else Numba is switched off
        from neardup.kernels.inside_numba import keep

        keep(compiled)
    return compiled
