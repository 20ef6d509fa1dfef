"""Sums of the counts of tasks, which workers add in a tree while the tasks of a group are still counted.

Eight counts are added by a task, eight of its sums by the next one, and so on. If the sums take much memory, there is a
tree for each block of ranges, so that no worker holds the sums of all ranges.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from triadic.tiles.cluster import tasks

if TYPE_CHECKING:
    from distributed import Client, Future

_ARITY = 8
_PRIORITY = 1.0  # above the priorities of tasks, 0 and less, because sums free memory


class SumTree:
    """The sum of counts at a block of ranges.

    Parameters
    ----------
    client : distributed.Client
        Client of the cluster.
    name : str
        Beginning of the keys of the tasks.
    block : range, optional
        Ranges, or numbers of tiles, whose counts are selected before they are sent to the worker that adds them. By
        default all counts are added.
    """

    def __init__(self, client: Client, name: str, block: range | None) -> None:
        self._client, self._name, self._block = client, name, block
        self._levels: list[list[Future]] = [[]]
        self._submitted = 0

    def add(self, counts: Future) -> list[Future]:
        """Add the counts of a task; return the futures of the tasks that are submitted for it."""
        submitted = []
        if self._block is not None:
            counts = self._submit([counts], self._block)
            submitted.append(counts)
        self._levels[0].append(counts)
        level = 0
        while len(self._levels[level]) == _ARITY:
            submitted.append(self._end_level(level))
            level += 1
        return submitted

    def total(self) -> Future:
        """Return the sum of all counts, of which none may be added any more."""
        parts = [future for level in self._levels for future in level]
        while len(parts) > 1 or not self._submitted:  # a count that may be a failure is added by a task, too
            parts = [self._submit(parts[n : n + _ARITY]) for n in range(0, max(1, len(parts)), _ARITY)]
        return parts[0]

    def release(self) -> None:
        """Make Dask drop the counts and sums."""
        for level in self._levels:
            for future in level:
                future.release()

    def _end_level(self, level: int) -> Future:
        """Submit the sum of a level, which becomes a part of the next level."""
        if level + 1 == len(self._levels):
            self._levels.append([])
        added = self._submit(self._levels[level])
        self._levels[level] = []
        self._levels[level + 1].append(added)
        return added

    def _submit(self, parts: list[Future], block: range | None = None) -> Future:
        self._submitted += 1
        key = f"{self._name}-{self._submitted}"
        return self._client.submit(tasks.add_counts, parts, block, key=key, priority=_PRIORITY, pure=False)
