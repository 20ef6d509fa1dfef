"""How kernels for the CPU are compiled: once, here.

A kernel releases the GIL, so that threads run it side by side, and is kept in numba's cache on disk. Where no cache
folder can be written numba refuses at import; the kernel is then compiled anew in each process.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar, cast

import numba

if TYPE_CHECKING:
    from collections.abc import Callable

Function = TypeVar("Function", bound="Callable[..., Any]")


def kernel(function: Function) -> Function:
    """Compile `function` on its first call for each set of argument types: nogil, cached where possible."""
    try:
        return cast("Function", numba.njit(nogil=True, cache=True)(function))
    except RuntimeError:  # numba: "no locator available", that is, no folder to keep the cache in
        return cast("Function", numba.njit(nogil=True)(function))
