"""An atomic addition, which the papers' parallel loops need and numba lacks on the CPU."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from numba import types
from numba.extending import intrinsic

if TYPE_CHECKING:
    from collections.abc import Callable


def _atomic_add(typingctx: Any, array: Any, index: Any, value: Any) -> Any:  # noqa: ANN401, ARG001 - numba's, untyped
    """Compute ``array[index] += value`` atomically, as gcc's ``__sync_fetch_and_add`` does."""
    if not isinstance(array, types.Array) or array.ndim != 1 or not isinstance(array.dtype, types.Integer):
        return None

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ANN401 - as above
        of_array, of_index, of_value = signature.args
        view = context.make_array(of_array)(context, builder, arguments[0])
        place = builder.gep(view.data, [context.cast(builder, arguments[1], of_index, types.intp)])
        addend = context.cast(builder, arguments[2], of_value, of_array.dtype)
        builder.atomic_rmw("add", place, addend, "seq_cst")  # the ordering that gcc's primitive has
        return context.get_dummy_value()

    return types.void(array, index, value), codegen


atomic_add = cast("Callable[..., None]", intrinsic(_atomic_add))
