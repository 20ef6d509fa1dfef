"""A prefetch instruction, in place of the memory transfers of the Cell's memory flow controller."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

if TYPE_CHECKING:
    from collections.abc import Callable


def _copy_async(typingctx: Any, array: Any, index: Any) -> Any:  # noqa: ANN401, ARG001 - numba's, untyped
    """Prefetch the cache line of ``array[index]``; an index out of bounds is harmless."""
    if not isinstance(array, types.Array) or not isinstance(index, types.Integer):
        return None

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ANN401 - as above
        view = context.make_array(signature.args[0])(context, builder, arguments[0])
        place = builder.gep(view.data, [context.cast(builder, arguments[1], index, types.intp)])
        address, whole = ir.IntType(8).as_pointer(), ir.IntType(32)
        prefetch = cgutils.get_or_insert_function(
            builder.module, ir.FunctionType(ir.VoidType(), [address, whole, whole, whole]), "llvm.prefetch.p0"
        )
        to_read, to_keep, of_data = whole(0), whole(3), whole(1)
        builder.call(prefetch, [builder.bitcast(place, address), to_read, to_keep, of_data])
        return context.get_dummy_value()

    return types.void(array, index), codegen


copy_async = cast("Callable[..., None]", intrinsic(_copy_async))
