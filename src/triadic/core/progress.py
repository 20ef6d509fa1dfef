"""The argument `progress`: no report, a bar on standard error, or a function of the caller."""

from __future__ import annotations

import sys
import time
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from triadic.core.compilation import watching
from triadic.errors import escape_controls

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import TextIO

    Progress = Callable[[int, int], object]
    ProgressKeyword = bool | Progress

_LEAST_BAR, _LONGEST_BAR = 8, 40  # columns of a bar; a narrow terminal has none
_ROOM_FOR_NAMES = 70  # columns from which on the names of kernels are shown


@contextmanager
def reporting(progress: ProgressKeyword, label: str) -> Iterator[Callable[[int, int], object] | None]:
    """Yield the function of (done, total) to which progress is reported, or None.

    Parameters
    ----------
    progress : bool or callable
        False reports nothing; True shows a bar on standard error; a callable is called with ``(done, total)``, in units
        of estimated work.
    label : str
        Text beside the bar.
    """
    label = escape_controls(label)  # it may hold the name of a file
    if progress is False or progress is None:
        yield None
    elif progress is True:
        with _bar(label) as update:
            yield update
    else:
        yield progress


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
