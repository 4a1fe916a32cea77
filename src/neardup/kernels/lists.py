"""Lists of numbers that lie anywhere in memory: each is an address and a size.

So a kernel can compare rows of a table that is mapped into memory piece by piece, without a copy.
Whoever makes such addresses keeps the memory mapped until the kernel has returned.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from numba import carray, types
from numba.core import cgutils
from numba.extending import intrinsic

from neardup.kernels.compiled import kernel


class Lists(NamedTuple):
    """Where lists lie, and how many values each has."""

    addresses: npt.NDArray[np.int64]
    sizes: npt.NDArray[np.int32]


@intrinsic
def pointer_to(typingctx, address):  # type: ignore[no-untyped-def]  # noqa: ARG001
    """Make a pointer of an address."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ARG001
        return builder.inttoptr(arguments[0], cgutils.voidptr_t)

    return types.voidptr(types.int64), generate


@kernel
def values_64(lists, number):  # type: ignore[no-untyped-def]
    """Return the values of a list of unsigned numbers of 64 bits."""
    return carray(pointer_to(lists.addresses[number]), (np.int64(lists.sizes[number]),), np.uint64)


@kernel
def values_32(lists, number):  # type: ignore[no-untyped-def]
    """Return the values of a list of signed numbers of 32 bits."""
    return carray(pointer_to(lists.addresses[number]), (np.int64(lists.sizes[number]),), np.int32)
