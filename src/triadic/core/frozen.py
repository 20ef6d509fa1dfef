"""Arrays that cannot be changed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from numpy.typing import NDArray

Array = TypeVar("Array", bound="NDArray[Any]")


def frozen(array: Array) -> Array:
    """Give a view that cannot be written through; the caller's own array stays as it is."""
    view = array.view()
    view.flags.writeable = False
    return view
