"""A count in shares: what several devices take from one queue, and where one device can report and be stopped."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triadic.core import blocks

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from triadic.core.blocks import Progress

# One for 64 million edges of a card, and more where several cards take them.
_SHARE_SHIFT, _MOST_SHARES, _SHARES_OF_A_CARD = 26, 16, 4


def tasks_of(tasks: int, first: int, step: int) -> int:
    """Give how many every `step`th of some tasks from `first` on are."""
    return max(0, -(-(tasks - first) // step))


def share(takes: Sequence[Callable[[int, int], None]], edges: int, progress: Progress | None) -> None:
    """Let devices take shares from one queue, one host thread a device, whoever is free the next.

    Parameters
    ----------
    takes : sequence of callable
        One a device: given `first` and `step`, it counts every `step`th task from `first` on, and waits until it is
        done.
    edges : int
        Size of the graph.
    progress : callable or None
    """
    cards = len(takes)
    shares = cards * max(1 if cards == 1 else _SHARES_OF_A_CARD, min(_MOST_SHARES, edges >> _SHARE_SHIFT))
    blocks.run(lambda worker, b: takes[worker](b, shares), shares, threads=cards, progress=progress)
