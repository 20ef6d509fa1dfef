"""The pass over the edges that were set aside: tile by tile sorted and written, then degrees and the header."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core import blocks
from triadic.core.arcs import Dropped
from triadic.core.sizes import show_bytes
from triadic.devices.cpu import tiling_kernels as kernels
from triadic.devices.cpu.rows import column_counts
from triadic.errors import OutOfMemoryError, ReadError
from triadic.tiles import plan
from triadic.tiles.header import Header, write_header
from triadic.tiles.layout import Layout
from triadic.tiles.sorting import sort_tile
from triadic.tiles.spill import spill_name
from triadic.tiles.state import NAME as STATE
from triadic.tiles.tile_file import read_head, read_tile, tile_name, tile_parts
from triadic.tiles.vectors import TESTED, degree_name, put_array
from triadic.tiles.work import narrow, put_together, tested_of_lengths

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.core.blocks import Progress
    from triadic.tiles.state import State
    from triadic.tiles.store import Bytes, FolderStore, TileStore
    from triadic.tiles.tile import Tile
    from triadic.tiles.tile_file import TileHead

_COUNTED_AT_A_TIME = 1 << 18


def finish(
    store: TileStore, work: FolderStore, state: State, *, memory: int, threads: int, progress: Progress | None
) -> None:
    """Make the tiles that are not there yet, and all that stands beside them; the header last.

    Parameters
    ----------
    store : TileStore
        Where tiles go.
    work : FolderStore
        Where edges were set aside.
    state : State
    memory : int
        Bytes that may be held.
    threads, progress
        As in `blocks.run`.

    Raises
    ------
    ReadError
        What was set aside is damaged: it is forgotten, and the next run begins anew.
    OutOfMemoryError
        A tile cannot be sorted; the message says the least.
    """
    try:
        _Finishing(store, work, state, memory, threads, progress).run()
    except ReadError as error:
        work.delete(STATE)
        raise ReadError(error.path, f"{error.problem}; the same command begins anew") from error


# Of the memory: what lengths of rows may take.
_LENGTHS_SHARE = 1 / 8


class _Finishing:
    def __init__(
        self,
        store: TileStore,
        work: FolderStore,
        state: State,
        memory: int,
        threads: int,
        progress: Progress | None,
    ) -> None:
        self.store, self.work, self.state, self.threads = store, work, state, threads
        self.progress = progress
        ranges = len(state.joined) - 1
        self.cuts = state.grid.cuts[state.joined]
        fine = np.zeros((state.grid.ranges, state.grid.ranges), dtype=np.int64)
        fine[np.tril_indices(state.grid.ranges)] = state.index.keys()
        self.keys = plan.summed(fine, state.joined)
        self.degree = np.zeros(int(self.cuts[-1]), dtype=np.int64)
        self.edges = np.zeros((ranges, ranges), dtype=np.int64)
        self.arcs = 0
        self.lengths: list[NDArray[np.unsignedinteger[Any]]] | None = []  # of the rows of this range, tile by tile
        self.tested: list[NDArray[np.float64]] = []
        self.memory = memory - self.degree.nbytes
        needed = plan.sorting_bytes(Layout(self.cuts, self.keys, state.directed, 0))
        if needed > self.memory:
            least = needed + self.degree.nbytes + plan.FLOOR_BYTES
            raise OutOfMemoryError(f"memory: sorting the largest tile takes {show_bytes(least)} at the least")

    def run(self) -> None:
        ranges, total, done = len(self.cuts) - 1, int(self.keys.sum()), 0
        there = set(self.store.list("tile-"))
        with ThreadPoolExecutor(1) as executor:  # one tile is written while the next is sorted
            written: Future[None] | None = None
            held = 0
            for i in range(ranges):
                for j in range(i + 1):
                    if self.progress is not None:
                        self.progress(done, total)
                    if not (tile_name(i, j) in there and self._take(i, j)):
                        keys = int(self.keys[i, j])
                        if written is not None and 8 * held + self._sorting(i, j) > self.memory:
                            written.result()
                        parts = self._make(i, j)
                        if written is not None:
                            written.result()
                        written, held = executor.submit(self.store.put, tile_name(i, j), parts), keys
                        del parts
                    done += int(self.keys[i, j])
                if written is not None:
                    written.result()
                    written = None
                self._end_range()
                for row in range(int(self.state.joined[i]), int(self.state.joined[i + 1])):
                    self.work.delete(spill_name(row))
        if self.progress is not None:
            self.progress(done, total)
        self._write_header()

    def _sorting(self, i: int, j: int) -> int:
        return plan.SORT_KEY_BYTES * int(self.keys[i, j]) + plan.SORT_ROW_BYTES * int(self.cuts[i + 1] - self.cuts[i])

    def _make(self, i: int, j: int) -> list[Bytes]:
        state = self.state
        rows, columns = (range(int(state.joined[r]), int(state.joined[r + 1])) for r in (i, j))
        made = sort_tile(state.index, state.grid, rows, columns, directed=state.directed, threads=self.threads)
        self._count(i, j, made.lengths, made.indices, made.arcs)
        return tile_parts(i, j, made.lengths, made.indices, made.state, made.arcs)

    def _take(self, i: int, j: int) -> bool:
        """Take a tile that an earlier run wrote; not if it is damaged and can be made again."""
        try:
            head, tile = self._read(i, j)
        except ReadError:
            rows = range(int(self.state.joined[i]), int(self.state.joined[i + 1]))
            if all((self.work.folder / spill_name(row)).exists() for row in rows):
                return False
            self.store.delete(tile_name(i, j))
            raise
        self._count(i, j, np.diff(tile.indptr), tile.indices, head.arcs)
        return True

    def _read(self, i: int, j: int) -> tuple[TileHead, Tile]:
        where = f"{self.store.place}/{tile_name(i, j)}"
        content = self.store.get(tile_name(i, j))
        head = read_head(content, i, j, where)
        if head.rows != int(self.cuts[i + 1] - self.cuts[i]) or head.edges > int(self.keys[i, j]):
            raise ReadError(where, "is of a graph or of ranges that are others")
        return head, read_tile(content, i, j, where)

    def _count(self, i: int, j: int, lengths: NDArray[np.int64], indices: NDArray[np.int32], arcs: int) -> None:
        self.edges[i, j] = len(indices)
        self.arcs += arcs
        if self.lengths is not None:
            self.lengths.append(narrow(lengths))
            if sum(of_tile.nbytes for of_tile in self.lengths) > _LENGTHS_SHARE * self.memory:
                self.lengths = None
        self.degree[self.cuts[i] : self.cuts[i + 1]] += lengths
        columns = self.degree[self.cuts[j] : self.cuts[j + 1]]
        if (self.threads + 1) * len(columns) <= self.keys[i, j]:  # in the memory that sorting had for keys
            columns += column_counts(indices, len(columns), threads=self.threads)
            return
        cuts = blocks.cut_evenly(len(indices), -(-len(indices) // _COUNTED_AT_A_TIME))
        blocks.run(
            lambda _, b: kernels.count_columns(indices[cuts[b] : cuts[b + 1]], columns),
            len(cuts) - 1,
            threads=self.threads,
        )

    def _end_range(self) -> None:
        """Note what the triples of a range's rows will test, unless that takes too much memory: then counting does."""
        if self.lengths is not None:
            self.tested.append(tested_of_lengths(self.lengths))
        self.lengths = []

    def _write_header(self) -> None:
        state, crc = self.state, dict(self.state.crc)
        if len(self.tested) == len(self.cuts) - 1:
            crc[TESTED] = put_array(self.store, TESTED, put_together(self.tested).reshape(-1))
        for i in range(len(self.cuts) - 1):
            name = degree_name(i)
            crc[name] = put_array(self.store, name, self.degree[self.cuts[i] : self.cuts[i + 1]])
        keys, edges = int(self.keys.sum()), int(self.edges.sum())
        dropped = Dropped(state.loops, keys - self.arcs, 0 if state.directed else self.arcs - edges)
        layout = Layout(self.cuts, self.edges, state.directed, self.arcs if state.directed else 2 * edges, dropped)
        write_header(self.store, Header(layout, state.labels, state.origin, crc))
