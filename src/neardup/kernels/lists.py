"""Lists of numbers that lie anywhere in memory: each is an address and a size.

So a kernel can compare rows of a table that is mapped into memory piece by piece, without a copy.
Whoever makes such addresses keeps the memory mapped until the kernel has returned.
"""

from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir
from numba import carray, types
from numba.extending import intrinsic

from neardup.arrays import Integers, Places
from neardup.kernels.compiled import kernel


class Lists(NamedTuple):
    """Where lists lie, and how many values each has."""

    addresses: Integers
    sizes: Places


@intrinsic
def pointer_to(typingctx, address):  # type: ignore[no-untyped-def]  # noqa: ARG001
    """Make a pointer of an address."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ARG001
        return builder.inttoptr(arguments[0], ir.IntType(8).as_pointer())

    return types.voidptr(types.int64), generate


@kernel
def values_64(lists, number):  # type: ignore[no-untyped-def]
    """Return the values of a list of unsigned numbers of 64 bits."""
    return carray(pointer_to(lists.addresses[number]), (np.int64(lists.sizes[number]),), np.uint64)


@kernel
def values_32(lists, number):  # type: ignore[no-untyped-def]
    """Return the values of a list of signed numbers of 32 bits."""
    return carray(pointer_to(lists.addresses[number]), (np.int64(lists.sizes[number]),), np.int32)


@kernel
def end_to_end(lists):  # type: ignore[no-untyped-def]
    """Return the values of lists of signed numbers of 32 bits end to end, and where each begins."""
    bounds = np.zeros(len(lists.sizes) + 1, np.int64)
    for number in range(len(lists.sizes)):
        bounds[number + 1] = bounds[number] + lists.sizes[number]
    values = np.empty(bounds[-1], np.int32)
    for number in range(len(lists.sizes)):
        own = values_32(lists, number)
        for i in range(len(own)):
            values[bounds[number] + i] = own[i]
    return values, bounds


@kernel
def lists_in(values, bounds):  # type: ignore[no-untyped-def]
    """Return what `Lists` has of the lists values[bounds[l]:bounds[l + 1]]."""
    count = len(bounds) - 1
    addresses, sizes = np.empty(count, np.int64), np.empty(count, np.int32)
    for number in range(count):
        addresses[number] = values.ctypes.data + bounds[number] * values.itemsize
        sizes[number] = bounds[number + 1] - bounds[number]
    return addresses, sizes
