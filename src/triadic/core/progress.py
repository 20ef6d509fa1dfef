"""The argument `progress`: no report, a bar on standard error, or a function of the caller."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from triadic.errors import ArgumentError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    Progress = Callable[[int, int], object]
    ProgressKeyword = bool | Progress

_WHOLE = 1 << 20  # total of work that is done in stages, whose own units differ


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


def split(progress: Progress | None, weights: Sequence[float]) -> list[Progress | None]:
    """Return a progress function for each of several stages, which follow one another.

    Parameters
    ----------
    progress : callable or None
        Function to which the progress of all stages together is reported; None reports nothing.
    weights : sequence of float
        Estimated share of each stage in the work.
    """
    if progress is None:
        return [None] * len(weights)
    report, total = progress, sum(weights)

    def share(before: float, weight: float) -> Progress:
        def report_stage(done: int, stage_total: int) -> None:
            part = done / stage_total if stage_total else 1.0
            report(round(_WHOLE * (before + weight * part) / total), _WHOLE)

        return report_stage

    return [share(sum(weights[:i]), weight) for i, weight in enumerate(weights)]


@contextmanager
def _bar(label: str) -> Iterator[Callable[[int, int], object]]:
    from rich.console import Console  # noqa: PLC0415 - only a bar needs rich
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn  # noqa: PLC0415

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=console.is_terminal) as display:
        task = display.add_task(label, total=None)
        yield lambda done, total: display.update(task, completed=done, total=total)
