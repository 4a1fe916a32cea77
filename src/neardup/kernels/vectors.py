"""Bytes of an array, 64 at a time, as one value of the processor: what loops alone are not turned into.

Written in LLVM's own terms, which hold for every processor; one without such wide registers uses
several. Whoever calls them sees to it that there are 64 bytes from the place on.
"""

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

WIDE = 64

_BYTES = ir.VectorType(ir.IntType(8), WIDE)
_BITS = ir.IntType(WIDE)
_NO = ir.Constant(ir.IntType(1), 0)


def _pointer(context: Any, builder: Any, kind: Any, array: Any, place: Any) -> Any:
    """Return a pointer to 64 bytes of an array."""
    data = context.make_array(kind)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [place]), _BYTES.as_pointer())


def _all(byte: int) -> Any:
    return ir.Constant(_BYTES, [byte] * WIDE)


@intrinsic
def plain_string(typingctx, data, place):  # type: ignore[no-untyped-def]  # noqa: ARG001
    """Return how many of 64 bytes come before the first that is special in a string of JSON."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = _pointer(context, builder, signature.args[0], *arguments)
        found = builder.load(pointer, align=1)
        special = builder.or_(
            builder.icmp_unsigned("==", found, _all(ord('"'))),
            builder.or_(
                builder.icmp_unsigned("==", found, _all(ord("\\"))),
                builder.icmp_unsigned("<", found, _all(ord(" "))),
            ),
        )
        return builder.cttz(builder.bitcast(special, _BITS), _NO)

    return types.uint64(data, types.uint64), generate


@intrinsic
def copy_wide(typingctx, data, place, out, to):  # type: ignore[no-untyped-def]  # noqa: ARG001
    """Copy 64 bytes."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kinds = signature.args
        source = _pointer(context, builder, kinds[0], arguments[0], arguments[1])
        target = _pointer(context, builder, kinds[2], arguments[2], arguments[3])
        builder.store(builder.load(source, align=1), target, align=1)
        return context.get_dummy_value()

    return types.none(data, types.uint64, out, types.uint64), generate


@intrinsic
def eight_bytes(typingctx, data, place):  # type: ignore[no-untyped-def]  # noqa: ARG001
    """Return eight bytes as one number, of which the first byte is the lowest."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = _pointer(context, builder, signature.args[0], *arguments)
        return builder.load(builder.bitcast(pointer, _BITS.as_pointer()), align=1)

    return types.uint64(data, types.uint64), generate


@intrinsic
def high_bits(typingctx, data, place):  # type: ignore[no-untyped-def]  # noqa: ARG001
    """Return which of 64 bytes have their highest bit set, as are all that are not ASCII: a bit each."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = _pointer(context, builder, signature.args[0], *arguments)
        found = builder.load(pointer, align=1)
        return builder.bitcast(builder.icmp_signed("<", found, _all(0)), _BITS)

    return types.uint64(data, types.uint64), generate


@intrinsic
def set_bytes(typingctx, data, place):  # type: ignore[no-untyped-def]  # noqa: ARG001
    """Return which of 64 bytes are not 0, a bit each."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer = _pointer(context, builder, signature.args[0], *arguments)
        found = builder.load(pointer, align=1)
        return builder.bitcast(builder.icmp_unsigned("!=", found, _all(0)), _BITS)

    return types.uint64(data, types.uint64), generate


@intrinsic
def ones(typingctx, value):  # type: ignore[no-untyped-def]  # noqa: ARG001
    """Return how many bits of a number are set."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ARG001
        return builder.ctpop(arguments[0])

    return types.uint64(types.uint64), generate


@intrinsic
def lowest_bit(typingctx, value):  # type: ignore[no-untyped-def]  # noqa: ARG001
    """Return the place of the lowest bit that is set in a number, 64 if none is."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ARG001
        return builder.cttz(arguments[0], _NO)

    return types.uint64(types.uint64), generate
