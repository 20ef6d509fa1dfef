"""Ctrl-C held back while something runs that must not be broken into."""

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
    """Let an interrupt of the main thread wait until the block ends; the outermost block, where they are nested.

    An exception in a callback from C is printed and lost, and with it the interrupt.
    """
    handler = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(handler) or handler is _wait:
        yield
        return
    _MET.clear()
    signal.signal(signal.SIGINT, _wait)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
        if _MET:
            handler(*_MET.pop())


_MET: list[tuple[int, FrameType | None]] = []


def _wait(number: int, frame: FrameType | None) -> None:
    _MET[:] = [(number, frame)]
