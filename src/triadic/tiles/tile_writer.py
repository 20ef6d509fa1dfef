"""The pass over the edges: tiles are sorted and written one by one, then degrees, and the header last."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core import blocks
from triadic.core.memory import show_bytes
from triadic.devices.cpu.orient import tile_cuts as kernels
from triadic.devices.cpu.orient.bucket_keys import WrongWeightsError
from triadic.devices.cpu.orient.rows import column_counts
from triadic.errors import OutOfMemoryError, ReadError
from triadic.graph.weights import counted_once
from triadic.tiles import partition
from triadic.tiles.file_format import TESTED, degree_name, put_array, vertex_at
from triadic.tiles.layout import UNKNOWN_LIMITS, Header, Layout, write_header, written_layout
from triadic.tiles.sorting import DEFAULT, ONCE, SortedTile, named_error, origin_with_weights, rule_of, sort_tile
from triadic.tiles.spill import spill_name, spilled_weights_name
from triadic.tiles.tile_file import read_file, tile_name, tile_parts
from triadic.tiles.work import narrow, put_together, tested_of_windows
from triadic.tiles.work_folder import CHECKPOINT, WrittenTiles, write_checkpoint

if TYPE_CHECKING:
    from triadic.core.array_types import AnyArray, Float64Array
    from triadic.core.blocks import Progress
    from triadic.tiles.store import Bytes, FolderStore
    from triadic.tiles.tile_file import TileFile
    from triadic.tiles.url_store import TileStore
    from triadic.tiles.work_folder import Checkpoint

_COUNTED_AT_A_TIME = 1 << 18
# Share of the memory for the lengths of the rows of one range.
_LENGTHS_SHARE = 1 / 8


class TileWriter:
    """Write the tiles of a checkpoint that the store lacks, the arrays beside them, and the header.

    Parameters
    ----------
    store : TileStore
        Destination of the tiles.
    work : FolderStore
        Folder of the spilled keys.
    checkpoint : Checkpoint
        The keys, and the ranges of the tiles.
    memory : int
        Bytes that may be held.
    threads, progress
        Arguments of `blocks.run`.

    Raises
    ------
    OutOfMemoryError
        The memory is too small to sort the largest tile; the message has the memory needed.
    """

    def __init__(
        self,
        store: TileStore,
        work: FolderStore,
        checkpoint: Checkpoint,
        *,
        memory: int,
        threads: int,
        progress: Progress | None,
    ) -> None:
        self.store, self.work, self.checkpoint = store, work, checkpoint
        self.threads, self.progress = threads, progress
        self.written = WrittenTiles(work)
        grid, joined = checkpoint.grid, checkpoint.joined
        self.cuts = grid.cuts[joined]
        self.ranges = len(joined) - 1
        fine = grid.as_matrix(checkpoint.spill.keys())
        self.keys, self.strips = partition.sum_cells(fine, joined), partition.strips_of(fine, joined)
        self.degree = np.zeros(int(self.cuts[-1]), np.int64)
        self.tiles: dict[tuple[int, int], dict[str, Any]] = {}  # what is known of each that was written
        # Lengths of the rows of the present range in each of its tiles; None if they take too much memory.
        self.lengths: list[AnyArray] | None = []
        self.tested: list[Float64Array] = []
        self.memory = memory - self.degree.nbytes
        self.rule_of = partial(rule_of, directed=checkpoint.directed, both_ends=checkpoint.both_ends)
        self.rule = None if checkpoint.combine is None else self.rule_of(checkpoint.combine)
        self.ends = 0, 0  # edges from both ends, and with equal weights, if the caller has to decide
        unknown = None if self.rule is None else UNKNOWN_LIMITS
        self.layout = Layout(self.cuts, self.keys, checkpoint.directed, 0, weight_limits=unknown)
        self.strip_key_bytes = partition.strip_key_bytes(self.layout)
        self.sorting = partition.sorting_bytes(self.layout, self.strips)
        needed = int(self.sorting.max())
        if needed > self.memory:
            least = needed + self.degree.nbytes + partition.FLOOR_BYTES
            raise OutOfMemoryError(f"memory: sorting the largest tile takes at least {show_bytes(least)}")

    def write(self) -> None:
        """Write all files.

        Raises
        ------
        ReadError
            The spilled keys are damaged. The checkpoint is removed, so that the next run starts from the input.
        """
        try:
            self._decide()
            self._write_tiles()
        except ReadError as error:
            self.work.delete(CHECKPOINT)
            raise ReadError(error.path, f"{error.problem}; the same command starts again from the input") from error
        self._write_header()

    def _decide(self) -> None:
        """Look at all tiles to decide how weights from both ends of an edge become one, and keep the decision."""
        checkpoint = self.checkpoint
        if checkpoint.combine != DEFAULT or checkpoint.directed or checkpoint.both_ends:
            return
        tiles = self.layout.tiles
        found = [(len(tile.indices), tile.both, tile.equal) for tile in (self._sorted(*each) for each in tiles)]
        edges, both, equal = map(sum, zip(*found, strict=True)) if found else (0, 0, 0)
        once = counted_once(edges, both, equal)
        self.rule = self.rule_of("sum" if once is False else ONCE)
        if once is None:
            self.ends = both, equal
            for each in tiles:  # until the error of the first edge with two weights
                self._sorted(*each)
        self.checkpoint = replace(checkpoint, combine=ONCE if once else "sum")
        if CHECKPOINT in self.work.list():
            write_checkpoint(self.work, self.checkpoint)

    def _write_tiles(self) -> None:
        """Write the tiles, range by range of rows, and remove the spilled keys of each finished range."""
        stored = self.written.names()
        with ThreadPoolExecutor(1) as executor:  # one tile is written while the next is sorted
            for i in range(self.ranges):
                self._write_range(i, stored, executor)
                # If the lengths take too much memory, counting computes what triples test.
                if self.lengths is not None:
                    self.tested.append(tested_of_windows(i + 1, [self.lengths]))
                self.lengths = []
                for name in self._spilled(i):
                    self.work.delete(name)
        self._report(self.ranges, 0)

    def _write_range(self, i: int, stored: set[str], executor: ThreadPoolExecutor) -> None:
        """Write the tiles whose rows are in range `i`, except stored ones."""
        write: Future[None] | None = None
        write_bytes = 0  # of a sort, without the keys in buckets
        freed = self.strip_key_bytes - (partition.COLUMN_BYTES if self.rule is None else 0)
        for j in range(i + 1):
            self._report(i, j)
            if tile_name(i, j) in stored and self._count_stored(i, j):
                continue
            if write is not None and write_bytes + int(self.sorting[i, j]) > self.memory:
                write.result()
            tile = self._sorted(i, j)
            self._count(i, j, tile)
            parts = tile_parts(i, j, tile)
            if write is not None:
                write.result()
            write = executor.submit(self._put, tile_name(i, j), parts)
            write_bytes = int(self.sorting[i, j]) - freed * int(self.strips[i, j])
            del tile, parts
        if write is not None:
            write.result()

    def _put(self, name: str, parts: list[Bytes]) -> None:
        """Write the file of a tile."""
        self.store.put(name, parts)
        self.written.add(name)

    def _spilled(self, i: int) -> list[str]:
        """Return the names of the files of spilled keys of range `i`."""
        kinds = (spill_name, spilled_weights_name)[: 1 if self.rule is None else 2]
        return [name_of(row) for row in self._fine(i) for name_of in kinds]

    def _report(self, i: int, j: int) -> None:
        """Report that all tiles before (i, j) are written."""
        if self.progress is not None:
            self.progress(int(self.keys[:i].sum() + self.keys[i : i + 1, :j].sum()), int(self.keys.sum()))

    def _fine(self, i: int) -> range:
        """Return the fine ranges of range `i`."""
        return range(int(self.checkpoint.joined[i]), int(self.checkpoint.joined[i + 1]))

    def _sorted(self, i: int, j: int) -> SortedTile:
        checkpoint, rows, columns, threads = self.checkpoint, self._fine(i), self._fine(j), self.threads
        directed, rule = checkpoint.directed, self.rule
        try:
            return sort_tile(
                checkpoint.spill, checkpoint.grid, rows, columns, directed=directed, threads=threads, rule=rule
            )
        except WrongWeightsError as error:
            wrong, kind, labelled = error.wrong, checkpoint.labels, checkpoint.labelled
            ends = [
                vertex_at(self.store, self.cuts, r, row, kind, labelled, checkpoint.checksums)
                for r, row in ((i, wrong.row), (j, wrong.column))
            ]
            raise named_error(wrong, ends, self.ends, directed=directed) from None

    def _count_stored(self, i: int, j: int) -> bool:
        """Count the degrees of a tile of an earlier run; return False if it is damaged and can be written again."""
        try:
            file = self._read_stored(i, j)
        except ReadError:
            if all((self.work.folder / name).exists() for name in self._spilled(i)):
                return False
            self.store.delete(tile_name(i, j))
            raise
        tile = file.tile()
        self._count(i, j, SortedTile(np.diff(tile.indptr), tile.indices, tile.state, file.arcs, tile.weights))
        return True

    def _read_stored(self, i: int, j: int) -> TileFile:
        where = f"{self.store.place}/{tile_name(i, j)}"
        file = read_file(self.store.get(tile_name(i, j)), i, j, where, weights=self.rule is not None)
        kinds = 0 if self.rule is None else 1 + self.rule.directed
        if file.rows != self.layout.length(i) or file.edges > int(self.keys[i, j]) or file.kinds != kinds:
            raise ReadError(where, "is a tile of another graph or of other ranges")
        return file

    def _count(self, i: int, j: int, tile: SortedTile) -> None:
        """Note what is known of a tile, and add it to the degrees of its rows and columns."""
        indices, self.tiles[i, j] = tile.indices, tile.about()
        if self.lengths is not None:
            self.lengths.append(narrow(tile.lengths))
            if sum(row_lengths.nbytes for row_lengths in self.lengths) > _LENGTHS_SHARE * self.memory:
                self.lengths = None
        self.degree[self.cuts[i] : self.cuts[i + 1]] += tile.lengths
        columns = self.degree[self.cuts[j] : self.cuts[j + 1]]
        if (self.threads + 1) * len(columns) <= self.strips[i, j]:  # fits the memory that sorting used for keys
            columns += column_counts(indices, len(columns), threads=self.threads)
            return
        cuts = blocks.cut_pieces(len(indices), _COUNTED_AT_A_TIME)
        blocks.run_cuts(
            lambda _, bounds: kernels.count_columns(indices[slice(*bounds)], columns), cuts, threads=self.threads
        )

    def _write_header(self) -> None:
        """Write degrees, the numbers of entries that triples test, and the header."""
        checkpoint, checksums = self.checkpoint, dict(self.checkpoint.checksums)
        if len(self.tested) == self.ranges:
            checksums[TESTED] = put_array(self.store, TESTED, put_together(self.tested).reshape(-1))
        for i in range(self.ranges):
            name = degree_name(i)
            checksums[name] = put_array(self.store, name, self.degree[self.cuts[i] : self.cuts[i + 1]])
        layout = written_layout(
            self.cuts, self.tiles, directed=checkpoint.directed, weighted=self.rule is not None,
            keys=int(self.keys.sum()), loops=checkpoint.loops, both_ends=checkpoint.both_ends,
        )  # fmt: skip
        origin = origin_with_weights(checkpoint.origin, checkpoint.combine, layout.dropped)
        write_header(self.store, Header(layout, checkpoint.labels, origin, checksums, labelled=checkpoint.labelled))
