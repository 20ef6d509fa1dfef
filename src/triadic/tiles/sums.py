"""Counts of triples, added up while a tiled graph is counted: in memory, or in a folder that outlives the process.

A triple is added once, however often its count is started: the folder changes in one step, from the sums without a
group of triples to the sums with it.

::

    FOLDER/progress.json        ranges, triples counted so far, sums of the whole graph, version and checksum of ranges
    FOLDER/range-003.v12.npy    sums at the ranks of range 3, version 12

A table of vertices is computed range by range, from the counts that a `TablePlan` names and their values at ranks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.oriented import int_zeros
from triadic.core.records import record, value_class
from triadic.errors import ReadError
from triadic.tiles.file_format import put_array, read_array, seal, unseal
from triadic.tiles.layout import Triple
from triadic.tiles.store import FolderStore

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path
    from typing import TypeAlias

    from triadic.core.array_types import AnyArray, Int64Array
    from triadic.tiles.layout import Layout
    from triadic.tiles.tile import TileValues

    # Counts of the whole graph; or a range, a first rank in it, and counts at consecutive ranks.
    Totals = Int64Array | list[int]
    RangeCounts = tuple[int, int, Int64Array]
    PartialSums: TypeAlias = "MemorySums | FolderSums"


PROGRESS = "progress.json"


@value_class
class PartCounter:
    """A count of parts of a graph, whose results are added up to the count of the whole graph.

    Attributes
    ----------
    name : str
        Name of the folder for the sums.
    count : callable
        ``count(part, progress, *inputs)`` counts a part: int64 of shape (columns,), or of shape (n,) or (n, columns)
        at the part's own ranks. It accepts the keyword ``threads``.
    columns : int
        Numbers in a row.
    per_rank : bool
        Whether the result has a row for each rank; otherwise it is one row for the whole graph.
    in_place : bool, default False
        Whether `count` also counts a `triadic.devices.cpu.triangles.parts.TileSpan`, tiles that are not joined.
    entries : bool, default False
        Whether the results are numbers at the entries of tiles, which are added up by the number of the tile in place
        of a range. ``count(near, middle, far, ranks, rows)`` then adds to them, as
        `triadic.devices.cpu.triangles.supports.add_supports_of_tiles` does.
    device : str, default "cpu"
        Name of the device that `count` runs on, as users write it; "auto" chooses for each part.
    values : TileValues, optional
        Values that tiles have in place of weights. A count over edges then has the values of the entries as its first
        input. By default tiles stay as they are.
    """

    name: str
    count: Callable[..., Any]
    columns: int
    per_rank: bool
    in_place: bool = False
    entries: bool = False
    device: str = "cpu"
    values: TileValues | None = None

    @property
    def rank_columns(self) -> int:
        """Number of counts at each rank: 0 for a count in total."""
        return self.columns if self.per_rank else 0

    def range_shape(self, layout: Layout, i: int | None = None) -> tuple[int, ...]:
        """Return the shape of the results at the ranks of range `i`, by default at all ranks."""
        ranks = layout.vertices if i is None else layout.length(i)
        return (ranks,) if self.columns == 1 else (ranks, self.columns)


class MemorySums:
    """Sums that end with the process: of a whole count, or of a group of triples until they are added to other sums.

    Parameters
    ----------
    layout : Layout
        The ranges.
    counter : PartCounter
        The count whose results are added.

    Attributes
    ----------
    totals : list of int
        Counts of the whole graph, a number for each column.
    at_ranges : dict of int to int64 array
        Counts at the ranks of each range.
    triples : list of Triple
        The triples whose counts were added.
    """

    def __init__(self, layout: Layout, counter: PartCounter) -> None:
        self._layout, self._counter = layout, counter
        self._clear()

    def counted_triples(self) -> set[Triple]:
        """Return the triples whose counts are in the sums."""
        return set(self.triples)

    def add(self, triples: Iterable[Triple], counts: Iterable[Totals | RangeCounts]) -> None:
        """Add the counts of some triples, in total or at some ranks of ranges."""
        for found in counts:
            if isinstance(found, tuple):
                i, start, at_ranks = found
                if i not in self.at_ranges:
                    self.at_ranges[i] = int_zeros(self._counter.range_shape(self._layout, i))
                self.at_ranges[i][start : start + len(at_ranks)] += at_ranks
            else:
                for column, total in enumerate(found):
                    self.totals[column] += int(total)
        self.triples.extend(triples)

    def flush(self, sums: PartialSums) -> None:
        """Add all counts to the sums and start an empty group.

        The counts are added once, even if an earlier call was interrupted after it had added them.
        """
        if self.triples and self.triples[0] not in sums.counted_triples():
            sums.add(self.triples, [self.totals, *((i, 0, counts) for i, counts in self.at_ranges.items())])
        self._clear()

    def range_sums(self, i: int) -> Int64Array:
        """Return the sums at the ranks of range `i`: int64, shape (ranks of the range,) or (…, columns)."""
        return self.at_ranges.get(i, int_zeros(self._counter.range_shape(self._layout, i)))

    def _clear(self) -> None:
        self.triples: list[Triple] = []
        self.totals = [0] * self._counter.columns
        self.at_ranges: dict[int, Int64Array] = {}


class FolderSums:
    """Sums in a folder that outlives the process.

    Parameters
    ----------
    folder : Path
        The folder, created if it is missing.
    layout : Layout
        The ranges.
    counter : PartCounter
        The count whose results are added.
    graph : str
        Fingerprint of the tiled graph. Sums of another graph or of other ranges in the folder are dropped.
    """

    def __init__(self, folder: Path, layout: Layout, counter: PartCounter, graph: str) -> None:
        self._folder, self._layout, self._counter = folder, layout, counter
        self._store = FolderStore(folder)
        self._state: dict[str, Any] = {
            "graph": graph,
            "cuts": layout.cuts.tolist(),
            "done": [],
            "totals": [0] * counter.columns,
            "versions": {},
        }
        path = folder / PROGRESS
        try:
            state = unseal(path.read_bytes())
            known = graph, self._state["cuts"], counter.columns
            if (state["graph"], state["cuts"], len(state["totals"])) == known:
                self._state = state
        except FileNotFoundError:
            pass
        except (OSError, ValueError) as error:
            raise ReadError(path, f"is damaged: {error}; remove it to count again") from None
        self._delete_old_versions()

    def counted_triples(self) -> set[Triple]:
        """Return the triples whose counts are in the sums."""
        return {Triple(*ranges) for ranges in self._state["done"]}

    def add(self, triples: Iterable[Triple], counts: Iterable[Totals | RangeCounts]) -> None:
        """Add the counts of some triples, in total or at ranks of different ranges: all of them or, if it fails, none.

        The new files are written first, then the file that makes them current.
        """
        versions, totals = dict(self._state["versions"]), self.totals
        for found in counts:
            if isinstance(found, tuple):
                i, start, at_ranks = found
                sums = np.array(self.range_sums(i))
                sums[start : start + len(at_ranks)] += at_ranks
                version = versions.get(str(i), (0, 0))[0] + 1
                versions[str(i)] = [version, put_array(self._store, _name(i, version), sums)]
            else:
                totals = [a + int(b) for a, b in zip(totals, found, strict=True)]
        done = [*self._state["done"], *map(list, triples)]
        state = {**self._state, "done": done, "totals": totals, "versions": versions}
        self._store.put(PROGRESS, [seal(state)])
        self._state = state
        self._delete_old_versions()

    @property
    def totals(self) -> list[int]:
        """The sums of the whole graph, a number for each column."""
        return list(self._state["totals"])

    def range_sums(self, i: int) -> Int64Array:
        """Return the sums at the ranks of range `i`, mapped into memory."""
        shape = self._counter.range_shape(self._layout, i)
        if str(i) not in self._state["versions"] or 0 in shape:
            return int_zeros(shape)
        version, checksum = self._state["versions"][str(i)]
        try:
            sums: Int64Array = read_array(self._store, _name(i, version), checksum)
        except ReadError as error:
            raise type(error)(error.path, f"{error.problem}; remove {self._folder} to count again") from None
        if sums.shape != shape or sums.dtype != np.int64:
            path = self._folder / _name(i, version)
            raise ReadError(path, f"holds {sums.dtype} of shape {sums.shape}, expected int64 of {shape}")
        return sums

    def _delete_old_versions(self) -> None:
        """Delete files of ranges that `progress.json` does not name: old versions, and ones of an interrupted `add`."""
        current = {_name(int(i), version) for i, (version, _) in self._state["versions"].items()}
        for name in self._store.list("range-"):
            if name not in current:
                self._store.delete(name)


def _name(i: int, version: int) -> str:
    return f"range-{i:03d}.v{version}.npy"


INT, FLOAT = "int ", "float "
"""Before the names of columns in totals: sums of integers, and sums of floats in units of `exact_float_units`."""


@record
class EdgeCount:
    """A count at ranks that adds up over edges.

    Attributes
    ----------
    counter : PartCounter
        The count.
    inputs : tuple of str
        Names of earlier counts over edges, whose values at ranks are its inputs.
    """

    counter: PartCounter
    inputs: tuple[str, ...] = ()


@record
class RangeValues:
    """The degrees and counts at the ranks of one range, with the size of the whole graph.

    Attributes
    ----------
    vertices, edges, arcs : int
        Size of the whole graph, as in `triadic.tiles.layout.Layout`.
    degree : int64 array, shape (ranks,)
        Degree of each rank in the skeleton.
    counts : dict of str to int64 array, shape (ranks,) or (ranks, columns)
        Counts by the name of their counter.
    """

    vertices: int
    edges: int
    arcs: int
    degree: Int64Array
    counts: dict[str, Int64Array]


@record
class TablePlan:
    """A table of vertices that is computed range by range.

    Attributes
    ----------
    name : str
        Names of the measures, which distinguish the table from others of the same graph.
    triangles : tuple of PartCounter
        Counts at ranks that add up over triangles.
    edges : tuple of EdgeCount
        Counts at ranks that add up over edges, after their inputs.
    columns : callable
        ``columns(values)`` returns the columns of a range by name, each an array of shape (ranks,).
    entries : bool, default False
        Whether it is a table of edges, with a file for each tile and its one count over triangles as the column.
    """

    name: str
    triangles: tuple[PartCounter, ...]
    edges: tuple[EdgeCount, ...]
    columns: Callable[[RangeValues], Mapping[str, AnyArray]]
    entries: bool = False
