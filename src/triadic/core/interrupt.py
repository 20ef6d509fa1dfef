"""Delay Ctrl-C while code runs that must not be interrupted by an exception."""

from __future__ import annotations

import threading

# The functions of `signal` turn numbers into members of enumerations, and take ten times as long.
from _signal import SIGINT, getsignal, signal  # type: ignore[import-not-found] # the stubs have no such module
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType


@contextmanager
def held_back() -> Iterator[None]:
    """Delay the interrupts of the main thread until the block ends, or the outermost of nested blocks.

    In a callback from C code, Python prints an exception and drops it, so an interrupt would be lost.
    """
    handler = getsignal(SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(handler) or handler is _remember:
        yield
        return
    _PENDING.clear()
    signal(SIGINT, _remember)
    try:
        yield
    finally:
        signal(SIGINT, handler)
        while _PENDING:
            handler(*_PENDING.pop(0))


_PENDING: list[tuple[int, FrameType | None]] = []


def _remember(number: int, frame: FrameType | None) -> None:
    _PENDING.append((number, frame))
