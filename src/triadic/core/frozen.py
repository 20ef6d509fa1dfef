"""Read-only arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from numpy.typing import NDArray

Array = TypeVar("Array", bound="NDArray[Any]")


def frozen(array: Array) -> Array:
    """Return a read-only view; the array itself stays writeable."""
    view = array.view()
    view.flags.writeable = False
    return view
