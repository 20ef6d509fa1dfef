"""The argument `progress`: no report, a bar on standard error, or a function of the caller."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from triadic.errors import ArgumentError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Progress = Callable[[int, int], object]
    ProgressKeyword = bool | Progress


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
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn  # noqa: PLC0415

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=console.is_terminal) as display:
        task = display.add_task(label, total=None)
        yield lambda done, total: display.update(task, completed=done, total=total)
