"""The argument `progress`: no report, a bar on standard error, or a function of the caller."""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from triadic.core.compilation import watching
from triadic.errors import ArgumentError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Progress = Callable[[int, int], object]
    ProgressKeyword = bool | Progress

_LEAST_BAR, _LONGEST_BAR = 8, 40  # columns of a bar; a narrow terminal has none


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
    if progress is False or progress is None:
        yield None
    elif progress is True:
        with _bar(label) as update:
            yield update
    elif callable(progress):
        yield progress
    else:
        raise ArgumentError(f"progress={progress!r}: expected False, True or a function of (done, total)")


@contextmanager
def _bar(label: str) -> Iterator[Callable[[int, int], object]]:
    from rich.console import Console  # noqa: PLC0415 - only a bar needs rich
    from rich.progress import (  # noqa: PLC0415
        BarColumn,
        Progress,
        ProgressColumn,
        TaskProgressColumn,
        TextColumn,
        TimeElapsedColumn,
    )

    console = Console(stderr=True)
    room = console.width - len(label) - len(" 100% 0:00:00 ")
    columns: list[ProgressColumn] = [TextColumn("{task.description}"), TaskProgressColumn()]
    if room > _LEAST_BAR:
        columns[1:1] = [BarColumn(min(_LONGEST_BAR, room))]
    if room >= 0:
        columns.append(TimeElapsedColumn())
    with ExitStack() as stack:
        display = stack.enter_context(Progress(*columns, console=console, transient=console.is_terminal))
        task = display.add_task(label, total=None)
        if console.is_terminal:
            stack.enter_context(watching(lambda text: display.update(task, description=text or label)))
        yield lambda done, total: display.update(task, completed=done, total=total)
