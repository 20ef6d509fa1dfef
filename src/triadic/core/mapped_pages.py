"""Pages of files that are mapped into memory, which count as memory of the process once they are read or written."""

from __future__ import annotations

import mmap
from contextlib import suppress
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray


def drop_pages(*arrays: NDArray[Any]) -> None:
    """Drop the pages of arrays that are mapped from files; what was written stays in the file.

    The system reads a page again when it is used. Arrays in memory are left as they are.
    """
    if not hasattr(mmap, "MADV_DONTNEED"):  # Windows
        return
    for array in arrays:
        base: Any = array
        while base is not None and not isinstance(base, mmap.mmap):
            base = getattr(base, "base", None)
        if base is not None:
            with suppress(OSError, ValueError):
                base.madvise(mmap.MADV_DONTNEED)
