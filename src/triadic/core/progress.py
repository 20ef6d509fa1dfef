"""The keyword `progress`: nothing, a bar on standard error, or the caller's own function."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from triadic.errors import ArgumentError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    Progress = Callable[[int, int], object]
    ProgressKeyword = bool | Progress

_WHOLE = 1 << 20  # units of work done in stages, whatever each stage counts in


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


def split(progress: Progress | None, weights: Sequence[float]) -> list[Progress | None]:
    """Give each of several stages, one after another, its share of what is reported.

    Parameters
    ----------
    progress : callable or None
        Gets ``(done, total)`` for all stages together; None reports nothing.
    weights : sequence of float
        About what part of the work each stage is.
    """
    if progress is None:
        return [None] * len(weights)
    report, total = progress, sum(weights)

    def share(before: float, weight: float) -> Progress:
        def of_all(done: int, stage_total: int) -> None:
            part = done / stage_total if stage_total else 1.0
            report(round(_WHOLE * (before + weight * part) / total), _WHOLE)

        return of_all

    return [share(sum(weights[:i]), weight) for i, weight in enumerate(weights)]


@contextmanager
def _bar(label: str) -> Iterator[Callable[[int, int], object]]:
    from rich.console import Console  # noqa: PLC0415 - only where a bar is wanted
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn  # noqa: PLC0415

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=console.is_terminal) as display:
        task = display.add_task(label, total=None)
        yield lambda done, total: display.update(task, completed=done, total=total)
