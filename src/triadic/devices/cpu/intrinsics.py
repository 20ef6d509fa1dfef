"""Machine instructions that numba does not offer by name: population count, prefetch, atomic additions.

Each becomes one or a few instructions through LLVM; none has a Python body.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic as numba_intrinsic

if TYPE_CHECKING:
    from collections.abc import Callable


def intrinsic(function: Callable[..., Any]) -> Callable[..., Any]:
    """Make an instruction of a function that gives its type and its code; the first argument is numba's own."""
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
def prefetch(typingctx: Any, array: Any, index: Any) -> Any:
    """Ask for the cache line of ``array[index]``, without waiting; an address out of bounds does no harm."""
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
    """``array[index] += value`` that loses no update when threads meet; integers only."""
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
    """``array[index] += value`` likewise; gives what stood there before."""
    if not isinstance(array, types.Array) or not isinstance(array.dtype, types.Integer):
        return None

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        view = context.make_array(signature.args[0])(context, builder, arguments[0])
        pointer = builder.gep(view.data, [context.cast(builder, arguments[1], index, types.intp)])
        return builder.atomic_rmw("add", pointer, context.cast(builder, arguments[2], value, array.dtype), "monotonic")

    return array.dtype(array, index, value), codegen
