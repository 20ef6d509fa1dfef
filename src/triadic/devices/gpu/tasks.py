"""Shares of the tasks of a count, which devices take from one queue and launch."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from triadic.core import blocks

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from triadic.core.blocks import Progress
    from triadic.devices.runtimes.runtime import Buffer, Runtime
    from triadic.devices.runtimes.source import Source

ROW_TASKS = ("tasks",)  # headers of kernels over listed rows
# One share for 64 million edges on a single device; several devices need more shares to end at the same time.
_EDGES_SHIFT, _MOST_SHARES, _SHARES_OF_A_DEVICE = 26, 16, 4


class Share(NamedTuple):
    """The tasks ``first, first + step, first + 2 * step, ...``, `size` in all."""

    first: int
    step: int
    size: int

    @classmethod
    def of(cls, tasks: int, first: int, step: int) -> Share:
        """Return the share of every `step`-th of `tasks` tasks from `first` on."""
        return cls(first, step, max(0, -(-(tasks - first) // step)))

    def launch(
        self,
        runtime: Runtime,
        source: Source,
        kernel: str,
        arrays: tuple[Buffer, ...],
        *arguments: Buffer | np.generic,
        in_a_team: int = 1,
        blocks: int | None = None,
        threads: int | None = None,
    ) -> None:
        """Launch a kernel, `in_a_team` tasks to a team: its parameters are `arrays`, the share, and `arguments`.

        There are `blocks` blocks, by default as many as all tasks need, of `threads` work-items, by default a work-item
        for each lane of the runtime's teams.
        """
        blocks_of_teams = -(-self.size // (in_a_team * runtime.teams)) if blocks is None else blocks
        tasks = np.uint64(self.first), np.uint64(self.step), np.uint64(self.size)
        runtime.launch(source, kernel, blocks_of_teams, *arrays, *tasks, *arguments, threads=threads)


def run_shares(takes: Sequence[Callable[[int, int], None]], edges: int, progress: Progress | None) -> None:
    """Let devices take shares from one queue, with one host thread for each device.

    Parameters
    ----------
    takes : sequence of callable
        One function for each device. ``take(first, step)`` counts every `step`-th task from `first` on and waits for
        the device.
    edges : int
        Number of edges of the graph; more edges are cut into more shares.
    progress : callable or None
        Called with the number of finished shares and of all shares.
    """
    devices = len(takes)
    shares = number_of_shares(devices, edges)
    blocks.run(lambda worker, share: takes[worker](share, shares), shares, threads=devices, progress=progress)


def number_of_shares(devices: int, edges: int) -> int:
    """Return the number of shares of the tasks of a graph of `edges` edges."""
    least = 1 if devices == 1 else _SHARES_OF_A_DEVICE
    return devices * max(least, min(_MOST_SHARES, edges >> _EDGES_SHIFT))
