"""Memory that tasks free, kept by their worker for the next one.

Dask starts workers with a setting that has glibc hand back to the system what is freed, at once. Each task takes and
frees tens of megabytes, and the system clears their pages each time anew, which takes as long as counting them. So the
setting is lifted while tasks of a count run, and put back when the count is done.
"""

from __future__ import annotations

import ctypes
import os
from contextlib import suppress

_SETTING = "MALLOC_TRIM_THRESHOLD_"
_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3  # their numbers in malloc.h
_KEPT, _MAPPED_FROM = 1 << 27, 1 << 25
_USUAL_MAPPED_FROM = 1 << 17


def keep_freed_memory() -> None:
    """Keep up to 128 MB that are free, where the setting is Dask's."""
    if os.environ.get(_SETTING, "").isdigit():
        _set(_KEPT, _MAPPED_FROM)


def hand_back_freed_memory() -> None:
    """Put the setting back, and hand back what is free."""
    if os.environ.get(_SETTING, "").isdigit():
        _set(int(os.environ[_SETTING]), _USUAL_MAPPED_FROM)
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).malloc_trim(0)


def _set(trim: int, mapped_from: int) -> None:
    with suppress(OSError, AttributeError):  # another library than glibc
        malloc = ctypes.CDLL(None)
        malloc.mallopt(_TRIM_THRESHOLD, trim)
        malloc.mallopt(_MMAP_THRESHOLD, mapped_from)
