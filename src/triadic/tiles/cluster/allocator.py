"""The setting of glibc's allocator on workers while they count.

Dask starts workers with a setting that makes glibc return freed memory to the system at once. Each task allocates and
frees tens of megabytes, and the system clears the pages of each allocation, which takes as long as counting. So the
first task of a count lifts the setting, and the end of the count restores it.
"""

from __future__ import annotations

import ctypes
import os
from contextlib import suppress

_SETTING = "MALLOC_TRIM_THRESHOLD_"
_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3  # M_TRIM_THRESHOLD and M_MMAP_THRESHOLD of malloc.h
_LIFTED_TRIM, _LIFTED_MMAP = 1 << 27, 1 << 25
_DEFAULT_MMAP = 1 << 17


def keep_freed_memory() -> None:
    """Let the process keep up to 128 MiB of freed memory, if Dask has set a threshold."""
    if os.environ.get(_SETTING, "").isdigit():
        _set(_LIFTED_TRIM, _LIFTED_MMAP)


def return_freed_memory() -> None:
    """Restore Dask's threshold, and return the freed memory to the system."""
    if os.environ.get(_SETTING, "").isdigit():
        _set(int(os.environ[_SETTING]), _DEFAULT_MMAP)
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).malloc_trim(0)


def _set(trim: int, mmap: int) -> None:
    with suppress(OSError, AttributeError):  # the C library is not glibc
        malloc = ctypes.CDLL(None)
        malloc.mallopt(_TRIM_THRESHOLD, trim)
        malloc.mallopt(_MMAP_THRESHOLD, mmap)
