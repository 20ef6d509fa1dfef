"""Delay Ctrl-C while code runs that must not be interrupted by an exception."""

from __future__ import annotations

import signal
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType


@contextmanager
def held_back() -> Iterator[None]:
    """Delay an interrupt of the main thread until the block ends, or the outermost of nested blocks.

    In a callback from C code, Python prints an exception and drops it, so an interrupt would be lost.
    """
    handler = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(handler) or handler is _remember:
        yield
        return
    _PENDING.clear()
    signal.signal(signal.SIGINT, _remember)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
        if _PENDING:
            handler(*_PENDING.pop())


_PENDING: list[tuple[int, FrameType | None]] = []


def _remember(number: int, frame: FrameType | None) -> None:
    _PENDING[:] = [(number, frame)]
