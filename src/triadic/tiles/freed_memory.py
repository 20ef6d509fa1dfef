"""Memory that was freed but that the process still holds, returned to the system when it would exceed a limit.

The C library keeps freed memory for later, which saves the system from clearing its pages again. Arrays of different
lengths leave gaps that later ones do not fill, so that a process that is allowed little memory may come to hold more.
"""

from __future__ import annotations

import ctypes
from contextlib import suppress

from triadic.core.memory import resident_bytes

_SHARE = 0.6  # of the limit, above which freed memory is returned
_STEP = 1 / 16  # of the limit, by which the memory held grows at least before it is returned again


class FreedMemory:
    """Return freed memory to the system when the process holds much of what it is allowed.

    Parameters
    ----------
    memory : int
        Bytes that the process may hold beside those that it holds now.
    """

    def __init__(self, memory: int) -> None:
        before = resident_bytes()
        self._least, self._step = before + int(_SHARE * memory), int(_STEP * memory)
        self._next = self._least

    def limit(self) -> None:
        """Return freed memory if the process holds more than a part of its limit."""
        if resident_bytes() > self._next:
            return_freed_memory()
            self._next = max(self._least, resident_bytes() + self._step)


def return_freed_memory() -> None:
    """Return freed memory to the system, where the C library can."""
    with suppress(OSError, AttributeError):  # it is not glibc
        ctypes.CDLL(None).malloc_trim(0)
