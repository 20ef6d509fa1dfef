"""What somebody who waits sees and does: the argument `progress`, the notice of compilation, and Ctrl-C.

numba compiles each kernel once, and somebody who waits wants to know why. A watcher is a function that is called with a
line of text when the compilation of a kernel begins, and with None when no kernel is being compiled any more. Only one
watcher is called: the latest one that is active.
"""

from __future__ import annotations

import sys
import threading
import time

# The functions of `signal` turn numbers into members of enumerations, and take ten times as long.
from _signal import SIGINT, getsignal, signal  # type: ignore[import-not-found] # the stubs have no such module
from contextlib import ExitStack, contextmanager, nullcontext
from typing import TYPE_CHECKING

from triadic.errors import escape_controls

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager
    from types import FrameType
    from typing import TextIO, TypedDict

    Progress = Callable[[int, int], object]
    ProgressKeyword = bool | Progress

    class Machine(TypedDict, total=False):
        """The keywords that all measures take: where they count, and what somebody who waits sees."""

        threads: int | None
        device: str
        progress: ProgressKeyword

    Watcher = Callable[[str | None], object]

_LEAST_BAR, _LONGEST_BAR = 8, 40  # columns of a bar; a narrow terminal has none
_ROOM_FOR_NAMES = 70  # columns from which on the names of kernels are shown


def reporting(progress: ProgressKeyword, label: str) -> AbstractContextManager[Progress | None]:
    """Return a context of the function of (done, total) to which progress is reported, or None.

    Parameters
    ----------
    progress : bool or callable
        False reports nothing; True shows a bar on standard error; a callable is called with ``(done, total)``, in units
        of estimated work.
    label : str
        Text beside the bar.
    """
    if progress is True:
        return _bar(escape_controls(label))  # it may hold the name of a file
    return nullcontext(progress if callable(progress) else None)


class NotebookBar:
    """A bar of plain text that is written again and again over the same line.

    The bars of rich and tqdm are widgets in a notebook and warn if ipywidgets is not installed. The output of a cell
    needs no widget: a carriage return begins the line again.

    Parameters
    ----------
    label : str
        Text before the bar.
    stream : text stream
        Where the bar is written.

    Examples
    --------
    >>> import io
    >>> text = io.StringIO()
    >>> NotebookBar("counting", text)(1, 2)
    >>> text.getvalue().strip()
    'counting:  50%|██████████          | 0 s'
    """

    _WIDTH = 20
    _INTERVAL = 0.1  # seconds; a message to the notebook's page takes about a millisecond

    def __init__(self, label: str, stream: TextIO) -> None:
        self._label, self._stream = label, stream
        self._started = time.monotonic()
        self._written = -self._INTERVAL
        self._share = 0.0

    def __call__(self, done: int, total: int) -> None:
        """Write the bar, unless it was written just now."""
        self._share = done / total if total else 1.0
        if self._elapsed() - self._written >= self._INTERVAL:
            self._write()

    def close(self) -> None:
        """Write the bar as it is at the end, and end its line."""
        self._write()
        self._stream.write("\n")
        self._stream.flush()

    def _elapsed(self) -> float:
        return time.monotonic() - self._started

    def _write(self) -> None:
        self._written = self._elapsed()
        bar = "█" * int(self._WIDTH * self._share)
        self._stream.write(f"\r{self._label}: {self._share:4.0%}|{bar:<{self._WIDTH}}| {self._written:.0f} s")
        self._stream.flush()


@contextmanager
def _bar(label: str) -> Iterator[Callable[[int, int], object]]:
    from rich.console import Console  # noqa: PLC0415 - only a bar needs rich

    console = Console(stderr=True)
    if console.is_jupyter:
        bar = NotebookBar(label, sys.stderr)
        try:
            yield bar
        finally:
            bar.close()
        return
    from rich.progress import (  # noqa: PLC0415
        BarColumn,
        Progress,
        ProgressColumn,
        TaskProgressColumn,
        TextColumn,
        TimeElapsedColumn,
    )

    room = console.width - len(label) - len(" 100% 0:00:00 ")
    columns: list[ProgressColumn] = [TextColumn("{task.description}", markup=False), TaskProgressColumn()]
    if room > _LEAST_BAR:
        columns[1:1] = [BarColumn(min(_LONGEST_BAR, room))]
    if room >= 0:
        columns.append(TimeElapsedColumn())
    with ExitStack() as stack:
        display = stack.enter_context(Progress(*columns, console=console, transient=console.is_terminal))
        task = display.add_task(label, total=None)

        def show_compilation(text: str | None) -> None:
            short = text.partition(" (")[0] if text and console.width < _ROOM_FOR_NAMES else text
            display.update(task, description=short or label)

        if console.is_terminal:
            stack.enter_context(watching(show_compilation))
        yield lambda done, total: display.update(task, completed=done, total=total)


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
