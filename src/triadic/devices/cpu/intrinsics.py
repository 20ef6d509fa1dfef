"""Machine instructions that numba does not offer by name: bits of a word, prefetch, a line at once, atomic additions.

Each becomes one or a few instructions through LLVM; none has a Python body. The distances at which kernels prefetch
stand here too, in one table.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic as numba_intrinsic

if TYPE_CHECKING:
    from collections.abc import Callable

# Prefetch distances, in items ahead of the current item. A row is fetched in two steps: its place in `indptr`, and
# later, once the place has arrived, its first entries.
AHEAD_ROW = 12  # rows in a list of middle vertices
AHEAD_ENTRIES = 4
AHEAD_PATH_ROW = 8  # rows of middle vertices of 2-paths
AHEAD_PATH_ENTRIES = 3
AHEAD_RANKED_ROW = 32  # rows in the order of the ranks: whole rows are read, in no order of memory
AHEAD_RANKED_ENTRIES = 16
AHEAD_SUM = 16  # the sum at the column of an entry
AHEAD_RANK = 32  # the value at the rank of a vertex
AHEAD_DEGREE = 64  # the degree of an id: a tally does nothing but wait for memory
AHEAD_KEY = 16  # keys past the last key of a bucket, two cache lines: stores wait for their line, in order
AHEAD_ARC = 24  # the ranks of an arc: two reads for each


def intrinsic(function: Callable[..., Any]) -> Callable[..., Any]:
    """Make an instruction of a function that returns its type and code generator; numba passes its first argument."""
    return cast("Callable[..., Any]", numba_intrinsic(function))


@intrinsic
def popcount(typingctx: Any, word: Any) -> Any:
    """Count the one bits of a 64-bit word, as an int64."""
    if word not in (types.int64, types.uint64):
        return None

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(word), codegen


@intrinsic
def trailing_zeros(typingctx: Any, word: Any) -> Any:
    """Count the zero bits below the lowest one bit of a uint64 that is not 0, as a uint64."""
    if word != types.uint64:
        return None

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.IntType(1)(1))

    return types.uint64(word), codegen


@intrinsic
def equal_lanes(typingctx: Any, array: Any, index: Any, value: Any, ignored: Any) -> Any:
    """Compare the 64 bytes from ``array[index]`` on with `value`, but for the one bits of `ignored`.

    Returns a uint64: bit i is 1 if ``array[index + i] | ignored == value | ignored``. The array holds unsigned numbers.
    """
    if not isinstance(array, types.Array) or {index, value, ignored} != {types.uint64}:
        return None

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        view = context.make_array(signature.args[0])(context, builder, arguments[0])
        bits = array.dtype.bitwidth
        lane, count = ir.IntType(bits), 512 // bits
        vector = ir.VectorType(lane, count)
        pointer = builder.bitcast(builder.gep(view.data, [arguments[1]]), vector.as_pointer())
        loaded = builder.load(pointer, align=bits // 8)
        both = []
        for number in arguments[2:]:
            one = number if bits == ir.IntType(64).width else builder.trunc(number, lane)
            single = builder.insert_element(ir.Constant(vector, ir.Undefined), one, ir.IntType(32)(0))
            zeros = ir.Constant(ir.VectorType(ir.IntType(32), count), [0] * count)
            both.append(builder.shuffle_vector(single, ir.Constant(vector, ir.Undefined), zeros))
        wanted, left_out = both
        equal = builder.icmp_unsigned("==", builder.or_(loaded, left_out), builder.or_(wanted, left_out))
        return builder.zext(builder.bitcast(equal, ir.IntType(count)), ir.IntType(64))

    return types.uint64(array, index, value, ignored), codegen


@intrinsic
def prefetch(typingctx: Any, array: Any, index: Any) -> Any:
    """Request the cache line of ``array[index]`` without waiting; an address out of bounds does no harm."""
    if not isinstance(array, types.Array) or not isinstance(index, types.Integer):
        return None

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        view = context.make_array(signature.args[0])(context, builder, arguments[0])
        pointer = builder.gep(view.data, [context.cast(builder, arguments[1], index, types.intp)])
        i8p, i32 = ir.IntType(8).as_pointer(), ir.IntType(32)
        function = cgutils.get_or_insert_function(
            builder.module, ir.FunctionType(ir.VoidType(), [i8p, i32, i32, i32]), "llvm.prefetch.p0"
        )
        read, keep, data = i32(0), i32(3), i32(1)
        builder.call(function, [builder.bitcast(pointer, i8p), read, keep, data])
        return context.get_dummy_value()

    return types.void(array, index), codegen


@intrinsic
def atomic_add(typingctx: Any, array: Any, index: Any, value: Any) -> Any:
    """Add `value` to ``array[index]`` so that no update is lost between threads; integers only."""
    if not isinstance(array, types.Array) or not isinstance(array.dtype, types.Integer):
        return None

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        view = context.make_array(signature.args[0])(context, builder, arguments[0])
        pointer = builder.gep(view.data, [context.cast(builder, arguments[1], index, types.intp)])
        builder.atomic_rmw("add", pointer, context.cast(builder, arguments[2], value, array.dtype), "monotonic")
        return context.get_dummy_value()

    return types.void(array, index, value), codegen


@intrinsic
def fetch_add(typingctx: Any, array: Any, index: Any, value: Any) -> Any:
    """Add `value` to ``array[index]`` as `atomic_add` does, and return the value before the addition."""
    if not isinstance(array, types.Array) or not isinstance(array.dtype, types.Integer):
        return None

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        view = context.make_array(signature.args[0])(context, builder, arguments[0])
        pointer = builder.gep(view.data, [context.cast(builder, arguments[1], index, types.intp)])
        return builder.atomic_rmw("add", pointer, context.cast(builder, arguments[2], value, array.dtype), "monotonic")

    return array.dtype(array, index, value), codegen
