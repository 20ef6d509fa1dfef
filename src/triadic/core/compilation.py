"""Notice of compilation: numba compiles each kernel once, and somebody who waits wants to know why.

A watcher is a function that is called with a line of text when the compilation of a kernel begins, and with None when
no kernel is being compiled any more. Only one watcher is called: the latest one that is active.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Watcher = Callable[[str | None], object]


class _State:
    """The watchers, and the numbers of kernels that were compiled and are being compiled in this process."""

    def __init__(self) -> None:
        self.watchers: list[Watcher] = []
        self.default: Watcher | None = None
        self.compiled = self.running = 0

    def tell(self, text: str | None) -> None:
        watcher = self.watchers[-1] if self.watchers else self.default
        if watcher is not None:
            watcher(text)


_STATE = _State()


@contextmanager
def watching(watcher: Watcher) -> Iterator[None]:
    """Call `watcher` about each compilation while the block runs."""
    _STATE.watchers.append(watcher)
    try:
        yield
    finally:
        _STATE.watchers.remove(watcher)


def watch_by_default(watcher: Watcher | None) -> None:
    """Call `watcher` about each compilation outside the blocks of `watching`; None calls no function."""
    _STATE.default = watcher


@contextmanager
def compiling(name: str) -> Iterator[None]:
    """Tell the watcher that a kernel is compiled while the block runs; a kernel compiles others that it calls."""
    _STATE.running += 1
    _STATE.compiled += 1
    _STATE.tell(f"compiling kernels, once: {_STATE.compiled} ({name.strip('_')})")
    try:
        yield
    finally:
        _STATE.running -= 1
        if not _STATE.running:
            _STATE.tell(None)
