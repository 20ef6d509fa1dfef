"""What has been counted so far, by range: added up in memory, or in a folder where it survives the process.

A task is counted once, however often it is begun: what a folder holds changes in one step, from the sums without a
group of tasks to the sums with it.

::

    FOLDER/progress.json        the tasks done, the sums in all, and which version of each range's sums holds
    FOLDER/range-003.v12.npy    sums at the ranks of a range, the version with the number 12
"""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from triadic.errors import ReadError
from triadic.tiles.file_format import put_array
from triadic.tiles.store import FolderStore
from triadic.tiles.triples import Triple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from triadic.tiles.layout import Layout


PROGRESS = "progress.json"


@dataclass(frozen=True, slots=True)
class PartCount:
    """A count as tiles take it: something that is counted in parts of a graph and adds up over them.

    Attributes
    ----------
    name : str
        Name of the folder that keeps the sums.
    count : callable
        ``count(part, progress, *inputs)`` counts a part: int64 of shape (columns,), or of shape (n,) or (n, columns)
        at the part's own ranks. It also takes ``threads=``.
    columns : int
        Numbers in a row.
    at_ranks : bool
        Whether there is a row for each rank, or one in total.
    """

    name: str
    count: Callable[..., NDArray[np.int64]]
    columns: int
    at_ranks: bool


class Sums(Protocol):
    """Sums of what tasks counted."""

    def done(self) -> set[Triple]:
        """Give the triples whose counts are in."""

    def add(self, triples: Sequence[Triple], totals: list[int], at_ranges: Mapping[int, NDArray[np.int64]]) -> None:
        """Add what these triples counted, all of it or nothing."""

    def totals(self) -> list[int]:
        """Give the sums in all."""

    def at_range(self, i: int) -> NDArray[np.int64]:
        """Give the sums at the ranks of a range."""


class SumsInMemory:
    """Sums that end with the process."""

    def __init__(self, layout: Layout, counting: PartCount) -> None:
        self._layout, self._counting = layout, counting
        self._done: set[Triple] = set()
        self._totals = [0] * counting.columns
        self._at_ranges: dict[int, NDArray[np.int64]] = {}

    def done(self) -> set[Triple]:
        """Give the triples whose counts are in."""
        return set(self._done)

    def add(self, triples: Sequence[Triple], totals: list[int], at_ranges: Mapping[int, NDArray[np.int64]]) -> None:
        """Add what these triples counted."""
        self._totals = [a + b for a, b in zip(self._totals, totals, strict=True)]
        for i, counts in at_ranges.items():
            if i in self._at_ranges:
                self._at_ranges[i] += counts
            else:
                self._at_ranges[i] = counts
        self._done.update(triples)

    def totals(self) -> list[int]:
        """Give the sums in all."""
        return list(self._totals)

    def at_range(self, i: int) -> NDArray[np.int64]:
        """Give the sums at the ranks of a range."""
        return self._at_ranges.get(i, np.zeros(_shape(self._layout, self._counting, i), dtype=np.int64))


class SumsInFolder:
    """Sums that survive the process.

    Parameters
    ----------
    folder : Path
        Made where it is not there.
    layout : Layout
    counting : PartCount
    graph : str
        Tells the tiled graph from any other: sums of another are dropped.
    """

    def __init__(self, folder: Path, layout: Layout, counting: PartCount, graph: str) -> None:
        self._folder, self._layout, self._counting, self._graph = folder, layout, counting, graph
        self._store = FolderStore(folder)
        self._state: dict[str, Any] = {"graph": graph, "done": [], "totals": [0] * counting.columns, "versions": {}}
        with suppress(FileNotFoundError):
            state = _read(folder / PROGRESS)
            if state.get("graph") == graph and _sound(state, counting.columns):
                self._state = state
        self._clear()

    def done(self) -> set[Triple]:
        """Give the triples whose counts are in."""
        return {Triple(*each) for each in self._state["done"]}

    def add(self, triples: Sequence[Triple], totals: list[int], at_ranges: Mapping[int, NDArray[np.int64]]) -> None:
        """Add what these triples counted: new files first, then the one that says they hold."""
        versions = dict(self._state["versions"])
        for i, counts in at_ranges.items():
            before = self.at_range(i) if str(i) in versions else None
            versions[str(i)] = versions.get(str(i), 0) + 1
            put_array(self._store, _name(i, versions[str(i)]), counts if before is None else counts + before)
        state = {
            "graph": self._graph,
            "done": [*self._state["done"], *map(list, triples)],
            "totals": [a + b for a, b in zip(self._state["totals"], totals, strict=True)],
            "versions": versions,
        }
        self._store.put(PROGRESS, [json.dumps(state).encode()])
        self._state = state
        self._clear()

    def totals(self) -> list[int]:
        """Give the sums in all."""
        return list(self._state["totals"])

    def at_range(self, i: int) -> NDArray[np.int64]:
        """Give the sums at the ranks of a range, mapped into memory."""
        version = self._state["versions"].get(str(i))
        shape = _shape(self._layout, self._counting, i)
        if version is None or 0 in shape:
            return np.zeros(shape, dtype=np.int64)
        path = self._folder / _name(i, version)
        try:
            found: NDArray[np.int64] = np.load(path, mmap_mode="r", allow_pickle=False)
        except (OSError, ValueError, EOFError) as error:
            raise ReadError(path, f"cannot be read: {error}; remove {self._folder} to count again") from None
        if found.shape != shape or found.dtype != np.int64:
            raise ReadError(path, f"holds {found.dtype} of shape {found.shape}, expected int64 of {shape}")
        return found

    def _clear(self) -> None:
        """Remove versions that hold no longer, or never came to hold."""
        held = {_name(int(i), version) for i, version in self._state["versions"].items()}
        for name in self._store.list("range-"):
            if name not in held:
                self._store.delete(name)


def _name(i: int, version: int) -> str:
    return f"range-{i:03d}.v{version}.npy"


def _sound(state: dict[str, Any], columns: int) -> bool:
    """Whether it has all that a state has; what another version wrote may not, and is counted again."""
    done, totals, versions = (state.get(name) for name in ("done", "totals", "versions"))
    return isinstance(done, list) and isinstance(versions, dict) and isinstance(totals, list) and len(totals) == columns


def _shape(layout: Layout, counting: PartCount, i: int) -> tuple[int, ...]:
    return (layout.length(i),) if counting.columns == 1 else (layout.length(i), counting.columns)


def _read(path: Path) -> dict[str, Any]:
    try:
        state = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise
    except (OSError, ValueError) as error:
        raise ReadError(path, f"cannot be read: {error}; remove it to count again") from None
    if not isinstance(state, dict):
        raise ReadError(path, "is not the state of a count; remove it to count again")
    return state
