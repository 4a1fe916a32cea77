"""Many small pieces of a file, read one after the other without Python's lock."""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from neardup.kernels.compiled import kernel


@intrinsic
def pread(typingctx, file, address, size, at):  # type: ignore[no-untyped-def]  # noqa: ARG001
    """Read bytes of an open file to an address, as the C library's function of this name does."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ARG001
        whole, pointer = ir.IntType(64), ir.IntType(8).as_pointer()
        kind = ir.FunctionType(whole, [ir.IntType(32), pointer, whole, whole])
        known = builder.module.globals.get("pread")
        function = known or ir.Function(builder.module, kind, "pread")
        number, address, size, at = arguments
        number = builder.trunc(number, ir.IntType(32))
        return builder.call(function, [number, builder.inttoptr(address, pointer), size, at])

    return types.int64(types.int64, types.int64, types.int64, types.int64), generate


@kernel
def read_pieces(file, places, sizes, words):  # type: ignore[no-untyped-def]
    """Read pieces of a file end to end, by their places and sizes in bytes.

    Returns how many, from the first, could be read whole.
    """
    address = np.int64(words.ctypes.data)
    for piece in range(len(places)):
        done = np.int64(0)
        while done < sizes[piece]:
            read = pread(file, address + done, sizes[piece] - done, places[piece] + done)
            if read <= 0:
                return piece
            done += read
        address += sizes[piece]
    return len(places)
