"""The keyword `progress`: nothing, a bar on standard error, or the caller's own function."""

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
    """Give what `blocks.run` takes as its `progress`, for as long as the block runs.

    Parameters
    ----------
    progress : bool or callable
        False: nothing. True: a bar on standard error. A callable gets ``(done, total)``, in units of estimated work.
    label : str
        What is going on.
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
    from rich.console import Console  # noqa: PLC0415 - only where a bar is wanted
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn  # noqa: PLC0415

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=console.is_terminal) as display:
        task = display.add_task(label, total=None)
        yield lambda done, total: display.update(task, completed=done, total=total)
