"""Tiles made by the workers of a Dask cluster from Parquet files.

The stages, each of which is a set of tasks that do not depend on one another:

1. The footers of the files are read; row groups are joined to chunks; a sample cuts the numbers into partitions.
2. Each chunk tells the partitions its ids (`triadic.tiles.cluster.chunk_tasks`).
3. Each partition merges its ids to vertices with degrees, ranks them, and answers the chunks.
4. Each chunk is read again, and its edges are bucketed by the cells of the fine grid.
5. Tiles are sorted and written, with vertices and labels of each range, then degrees, and last the header.

Tasks exchange data through files in the work folder alone, so that the death of a worker loses only the tasks that it
was running. A checkpoint tells which stages are finished; a stage that was interrupted begins again.
"""

from __future__ import annotations

import os
import secrets
import time
from dataclasses import asdict, replace
from itertools import accumulate, chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.blocks import split
from triadic.core.memory import parse_bytes
from triadic.core.oriented import NO_NUMBERS, int_zeros
from triadic.core.progress import reporting
from triadic.errors import ReadError, WriteError
from triadic.graph.weights import counted_once
from triadic.io.format import ReadOptions
from triadic.io.parquet_set import find_parquet
from triadic.tiles import partition
from triadic.tiles.cluster import chunk_tasks, tile_tasks, tiling_plan
from triadic.tiles.cluster.client import check_client, enough_ranges
from triadic.tiles.cluster.pieces import (
    CHECKPOINT,
    Job,
    MissingPieceError,
    is_own,
    missing_piece,
    piece_name,
    read_checkpoint,
    remove_together,
    remove_work,
    shared_store,
    write_checkpoint,
)
from triadic.tiles.cluster.tile_tasks import Ranges, UncombinedWeightsError
from triadic.tiles.cluster.worker_watch import WorkerPool, wait_for_running_tasks
from triadic.tiles.file_format import TESTED, WORK, put_array
from triadic.tiles.layout import Header, write_header, written_layout
from triadic.tiles.sorting import DEFAULT, ONCE, origin_with_weights
from triadic.tiles.store import FolderStore
from triadic.tiles.stored_tiles import StoredTiles, absolute_place, open_store
from triadic.tiles.tile_file import tile_name
from triadic.tiles.work import put_together
from triadic.tiles.work_folder import (
    InputIdentity,
    check_names,
    complete_tiles,
    difference,
    locked_folders,
    recorded_options,
    remove_files,
    remove_partial_files,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from os import PathLike

    from distributed import Client

    from triadic.core.array_types import Int64Array
    from triadic.core.blocks import Progress
    from triadic.core.progress import ProgressKeyword
    from triadic.io.file_source import NetworkInput
    from triadic.io.parquet_set import SetFile
    from triadic.tiles.cluster.tile_tasks import Strip
    from triadic.tiles.cluster.tiling_plan import TilingPlan
    from triadic.tiles.url_store import TileStore


_SHARES = {  # of the time that stages take, about
    "footers": 0.02, "ids": 0.2, "merged": 0.06, "ranks": 0.1, "edges": 0.34, "strips": 0.1, "tiles": 0.14,
    "ranges": 0.04,
}  # fmt: skip
_FILES_OF_TASK = 16
_OF_RANKS = ("ids", "merged", "named", "ranks")  # pieces of no use once edges are bucketed
_OF_TILES = ("edges", "placed", "strip")  # pieces of no use once tiles are written


def tile_on_cluster(
    client: Client,
    network: NetworkInput,
    output: str | PathLike[str],
    memory: str | int,
    ranges: int | None,
    options: dict[str, Any],
    scratch: str | PathLike[str] | None,
    progress: ProgressKeyword,
) -> tuple[StoredTiles, dict[str, float], str | None]:
    """Write Parquet files as tiles, as `triadic.tile` does; return tiles, seconds of steps, and columns in words."""
    check_client(client)
    partition.check_ranges(ranges)
    asked = parse_bytes(memory)
    reading = ReadOptions(**{name: value for name, value in options.items() if name not in ("format", "combine")})
    files = find_parquet(network, options["format"])
    identity = InputIdentity.of_files(name_of_network(network), files)
    made_with = {**options, "ranges": ranges}
    place = absolute_place(output)
    work_place = f"{place.rstrip('/')}/{WORK}" if scratch is None else absolute_place(scratch)
    store, work = open_store(place), shared_store(work_place, flushed=False)
    tiles = complete_tiles(store, identity, made_with)
    if tiles is not None and not work.list():
        return tiles, {}, None
    check_names(work, is_own)
    with locked_folders(store, None), reporting(progress, f"tiling {Path(place).name}") as report:
        tiles = complete_tiles(store, identity, made_with)  # another client may have written them meanwhile
        if tiles is not None:
            remove_work(work)
            return tiles, {}, None
        run = _Run(client, files, reading, ranges, asked, (place, work_place), report)
        try:
            return run.tile(store, work, identity, made_with)
        finally:
            run.pool.free_memory()


class _Run:
    """One call of `tile_on_cluster`, after the arguments were checked and the place was locked."""

    def __init__(
        self,
        client: Client,
        files: Sequence[SetFile],
        reading: ReadOptions,
        ranges: int | None,
        asked: int,
        places: tuple[str, str],
        report: Progress | None,
    ) -> None:
        self._client, self._files, self._reading, self._ranges = client, files, reading, ranges
        self._output, self._place = places
        self.pool = WorkerPool(client, "tasks of tiling")
        self._threads = self.pool.threads
        self._memory = tiling_plan.task_memory(asked, self.pool.thread_memory() or None)
        self._progress = dict(zip(_SHARES, split(report, tuple(_SHARES.values())), strict=True))
        self._started = time.perf_counter()
        self._seconds: dict[str, float] = {}

    def tile(
        self, store: TileStore, work: TileStore, identity: InputIdentity, made_with: dict[str, Any]
    ) -> tuple[StoredTiles, dict[str, float], str | None]:
        """Run the stages that are not finished."""
        checkpoint = read_checkpoint(work)
        if checkpoint is not None and difference(checkpoint["origin"], identity, made_with):
            checkpoint = None
        if checkpoint is None:
            remove_files(store)
            remove_work(work)
            found = self._plan()
            origin = {"input": identity.record(), **recorded_options(made_with)}
            origin |= {"columns": found.taken, "direction": found.decided}
            checkpoint = {"run": secrets.token_hex(16), "origin": origin, "plan": asdict(found), "finished": []}
            write_checkpoint(work, checkpoint)
        self._work, self._checkpoint = work, checkpoint
        self._found = found = tiling_plan.TilingPlan(**checkpoint["plan"])
        self._chunks = chunks = found.chunks(self._files)
        self._job = Job(
            self._place, self._output, checkpoint["run"], tuple(found.columns), found.numeric, found.directed,
            made_with.get("combine"), self._memory, len(chunks), found.partitions if chunks else 0,
        )  # fmt: skip
        try:
            if "edges" not in checkpoint["finished"]:
                self._rank()
                self._bucket()
            self._remove(_OF_RANKS)
            if "tiles" not in checkpoint["finished"]:
                self._write_tiles()
            header = self._finish(store)
            self._lap("sort")
            if isinstance(store, FolderStore):
                remove_partial_files(store)
                flush_names(store, header)
        except UncombinedWeightsError as error:
            refused = error.named(self._job, self._cut(), checkpoint.get("ends", (0, 0)))
            wait_for_running_tasks(self._client)
            remove_files(store)
            remove_work(work)
            raise refused from None
        except MissingPieceError:
            work.delete(CHECKPOINT)
            raise
        write_header(store, header)
        remove_work(work)
        return StoredTiles(store), self._seconds, found.taken or None

    def _lap(self, name: str) -> None:
        """Store the seconds since the last call under a name."""
        self._seconds[name] = time.perf_counter() - self._started - sum(self._seconds.values())

    def _stage(self, name: str, count: int, call: Callable[[int], Any]) -> list[Any]:
        return self.pool.results(count, call, self._progress.get(name))

    def _save(self, **content: Any) -> None:  # noqa: ANN401 - of the checkpoint
        self._checkpoint.update(content)
        write_checkpoint(self._work, self._checkpoint)

    def _end(self, stage: str, **content: Any) -> None:  # noqa: ANN401 - of the checkpoint
        """Note that a stage is finished, unless another client has begun here, which a URL cannot prevent."""
        found = read_checkpoint(self._work)
        if found is None or found["run"] != self._checkpoint["run"]:
            raise WriteError(f"{self._output}: another client makes tiles here; expected one client at a time")
        self._save(finished=[*self._checkpoint["finished"], stage], **content)

    def _remove(self, kinds: Sequence[str]) -> None:
        """Remove the pieces of some kinds."""
        names = [name for kind in kinds for name in self._work.list(f"{piece_name(self._job.run, kind)}-")]
        remove_together(self._work, names)

    def _grid(self) -> partition.Grid:
        """Return the fine ranges."""
        about = self._checkpoint["vertices"]
        return partition.Grid(np.array(about["cuts"], np.int64), int(about["shift"]))

    def _cut(self) -> Ranges:
        """Return the ranges of the tiles."""
        about, joined = self._checkpoint["vertices"], np.array(self._checkpoint["bucketed"]["joined"], np.int64)
        return Ranges(self._grid(), joined, about["labels"], about["found"], about["vertices"])

    def _plan(self) -> TilingPlan:
        """Read the footers, and a sample of the numbers."""
        files, size = self._files, _FILES_OF_TASK
        read = self._stage(
            "footers",
            -(-len(files) // size),
            lambda k: (tiling_plan.inspect_files, files[k * size : (k + 1) * size], self._reading),
        )
        footers = list(chain.from_iterable(read))
        tiling_plan.agree(files, footers, self._reading)
        found = tiling_plan.make_plan(footers, self._reading, self._memory, self._threads)
        if not found.numeric:
            return found
        job = Job("", "", "", tuple(found.columns), True, found.directed, None, self._memory, 0, 0)
        parts = tiling_plan.sampled_chunks(found.chunks(files)) if found.partitions > 1 else []
        samples = self._stage(
            "", len(parts), lambda k: (chunk_tasks.sample_numbers, job, parts[k], tiling_plan.SAMPLED_IDS)
        )
        known = self._reading.num_vertices or found.stated or 0
        return replace(found, splits=tiling_plan.splits_of(samples, found.partitions, known))

    def _rank(self) -> None:
        """Compute the numbers and ranks of the vertices, and choose the fine ranges."""
        found, job, chunks, finished = self._found, self._job, self._chunks, self._checkpoint["finished"]
        splits = found.partitions if found.splits is None else np.array(found.splits, np.int64)
        if "ids" not in finished:
            told = self._stage("ids", len(chunks), lambda k: (chunk_tasks.count_ids, job, k, chunks[k], splits))
            ends = [
                number for least_and_greatest in told if least_and_greatest[1] >= 0 for number in least_and_greatest
            ]
            self._end("ids", numbers=(min(ends, default=0), max(ends, default=-1)))
        if "ranks" not in finished:
            (self._rank_numbers if found.numeric else self._rank_names)()
            self._end("ranks")
        self._lap("rank")

    def _rank_numbers(self) -> None:
        """Compute the numbers and ranks of vertices whose ids are numbers."""
        found, job, (least, greatest) = self._found, self._job, self._checkpoint["numbers"]
        declared = self._reading.num_vertices
        if declared is not None and greatest >= declared:
            raise ReadError(
                name_of_files(self._files), f"found the id {greatest}, expected less than num_vertices={declared}"
            )
        limit = declared if declared is not None else found.stated
        has_limit = limit is not None and greatest < limit
        bounds = [0, *(found.splits or ()), limit if limit is not None and has_limit else greatest + 1]
        bounds = list(accumulate(reversed(bounds), min))[::-1]
        degrees = self._stage(
            "merged",
            job.partitions,
            lambda p: (chunk_tasks.merge_numbers, job, p, (bounds[p], bounds[p + 1]), has_limit),
        )
        self._lap("survey")
        count = sum(int(counts.sum()) for _, counts in degrees)
        labelled = not has_limit and count > 0 and not (least == 0 and count == greatest + 1)
        labels = "numbers" if labelled else None
        ranking, cuts = self._cuts(degrees, vertices=max(count, limit or 0), found=count, labels=labels)
        self._stage("ranks", job.partitions, lambda p: (chunk_tasks.rank_numbers, job, p, ranking[p], cuts, labelled))

    def _rank_names(self) -> None:
        """Compute the numbers and ranks of vertices whose ids are names."""
        found, job = self._found, self._job
        first = self._stage("merged", job.partitions, lambda p: (chunk_tasks.merge_names, job, p))
        self._lap("survey")
        entries = np.sum(first, axis=0) if first else NO_NUMBERS
        chunks = tiling_plan.order_ranges(entries, job.partitions) if first else []
        count = int(entries.sum())
        declared = self._reading.num_vertices
        if declared is not None and count > declared:
            raise ReadError(
                name_of_files(self._files), f"found {count} different names, expected at most num_vertices={declared}"
            )
        degrees = self._stage("", len(chunks), lambda k: (chunk_tasks.count_in_order, job, chunks[k]))
        vertices, labels = max(count, declared or found.stated or 0), "names" if count else None
        ranking, cuts = self._cuts(degrees, vertices=vertices, found=count, labels=labels)
        self._stage("", len(chunks), lambda k: (chunk_tasks.rank_names, job, k, chunks[k], ranking[k]))
        self._stage("ranks", job.partitions, lambda p: (chunk_tasks.place_names, job, p, len(chunks), cuts))

    def _cuts(
        self, tables: list[tiling_plan.DegreeTable], *, vertices: int, found: int, labels: str | None
    ) -> tuple[list[chunk_tasks.Ranking], Int64Array]:
        """Choose the fine ranges, and store them with what is known of the vertices; return the rankings and cuts.

        They are chosen once, even if another cluster goes on: pieces that tasks have written are in these ranges.
        """
        ranking, degrees = tiling_plan.rankings(tables, vertices)
        if "vertices" not in self._checkpoint:
            least = tiling_plan.least_fine(enough_ranges(self._client))
            grid = partition.fine_grid(
                degrees, self._ranges, self._memory, threads=1, least=least, most=tiling_plan.MOST_FINE, spread=True,
                weighted=self._reading.wants_weights,
            )  # fmt: skip
            grid, coarse = tile_tasks.cut_for_strips(grid, degrees, self._threads, tiling_plan.MOST_FINE)
            about = {"cuts": grid.cuts.tolist(), "coarse": coarse.tolist(), "shift": grid.shift}
            about |= {"vertices": vertices, "found": found, "labels": labels, "counted": degrees.counted}
            self._save(vertices=about)
        return ranking, self._grid().cuts

    def _bucket(self) -> None:
        """Bucket the edges by cell, and join the fine ranges to ranges."""
        job, chunks, grid, about = self._job, self._chunks, self._grid(), self._checkpoint["vertices"]
        written = self._stage("edges", len(chunks), lambda k: (chunk_tasks.bucket_edges, job, k, chunks[k], grid))
        keys = sum((counts for _, counts in written), start=int_zeros(grid.cells))
        coarse = np.array(about["coarse"], np.int64)
        joined = partition.join(
            partition.Grid(grid.cuts[coarse], grid.shift),
            partition.sum_cells(grid.as_matrix(keys), coarse),
            self._memory,
            ranks=about["counted"],
            held=0,
            fixed=self._ranges is not None,
            directed=job.directed,
            threads=1,
            least_ranges=enough_ranges(self._client),
            spread=True,
            weighted=job.weighted,
        )
        loops = sum(loops for loops, _ in written)
        self._end("edges", bucketed={"joined": coarse[joined].tolist(), "loops": loops, "keys": keys.tolist()})
        self._lap("bucket")

    def _write_tiles(self) -> None:
        """Write the tiles, the largest first, and the vertices of the ranges."""
        ranges, keys = self._cut(), np.array(self._checkpoint["bucketed"]["keys"], np.int64)
        cut = tile_tasks.cut_tiles(ranges, keys, self._threads)
        job = self._decided(ranges, [strip for strips in cut.values() for strip in strips])
        parts = [strip for strips in cut.values() if len(strips) > 1 for strip in strips]
        sizes = self._stage("strips", len(parts), lambda k: (tile_tasks.sort_strip, job, ranges, parts[k]))
        of_strip = dict(zip(parts, sizes, strict=True))
        calls: list[tuple[Any, ...]] = [
            (tile_tasks.join_strips, job, ranges, i, {strip: of_strip[strip] for strip in strips})
            if len(strips) > 1
            else (tile_tasks.write_tile, job, ranges, i, j)
            for (i, j), strips in cut.items()
        ]
        calls += [(tile_tasks.write_vertices, job, ranges, i) for i in range(len(ranges))]
        done = self._stage("tiles", len(calls), calls.__getitem__)
        tiles = dict(zip(cut, done, strict=False))
        checksums = {name: checksum for of_range in done[len(cut) :] for name, checksum in of_range.items()}
        self._end("tiles", tiles=[tiles[tile] for tile in ranges.tiles()], checksums=checksums)

    def _decided(self, ranges: Ranges, strips: list[Strip]) -> Job:
        """Return the job with a decision how weights from both ends of edges become one, which the checkpoint keeps."""
        job, checkpoint = self._job, self._checkpoint
        if job.combine != DEFAULT or job.directed:
            return job

        def count(rule: str) -> list[int]:
            looking = replace(job, combine=rule)
            found = self._stage("", len(strips), lambda k: (tile_tasks.count_ends, looking, ranges, strips[k]))
            return [sum(counts) for counts in zip(*found, strict=True)]

        if "combine" not in checkpoint:
            number, both, equal = count(DEFAULT)
            once = counted_once(number, both, equal)
            if once is None:
                checkpoint["ends"] = both, equal
                count(ONCE)  # which raises the error that shows an edge
            self._save(combine=ONCE if once else "sum")
        return replace(job, combine=checkpoint["combine"])

    def _finish(self, store: TileStore) -> Header:
        """Write the degrees of each range; return the header."""
        job, ranges, checkpoint = self._job, self._cut(), self._checkpoint
        self._remove(_OF_TILES)
        functions = [tile_tasks.count_tests, tile_tasks.write_degrees] if len(ranges) else []
        calls = [(function, job, ranges, i) for i in reversed(range(len(ranges))) for function in functions]
        done = self._stage("ranges", len(calls), calls.__getitem__)
        checksums: dict[str, int] = dict(checkpoint["checksums"])
        for written in done[1::2]:
            checksums |= written
        checksums[TESTED] = put_array(store, TESTED, put_together(done[0::2][::-1]).reshape(-1))
        tiles, bucketed = dict(zip(ranges.tiles(), checkpoint["tiles"], strict=True)), checkpoint["bucketed"]
        layout = written_layout(
            ranges.cuts, tiles, directed=job.directed, weighted=job.weighted, keys=sum(bucketed["keys"]),
            loops=bucketed["loops"],
        )  # fmt: skip
        combined = checkpoint.get("combine", job.combine)
        origin = origin_with_weights(checkpoint["origin"], combined, layout.dropped)
        return Header(layout, ranges.labels, origin, checksums, labelled=ranges.labelled)


def name_of_network(network: NetworkInput) -> str:
    """Return a short name of the network."""
    first = network[0] if isinstance(network, (list, tuple)) else network
    return os.fspath(first).rstrip("/").rpartition("/")[2]


def name_of_files(files: Sequence[SetFile]) -> str:
    """Return the path of the first file, for messages, and how many more there are."""
    return files[0].path if len(files) == 1 else f"{files[0].path} and {len(files) - 1:,} more"


def flush_names(store: FolderStore, header: Header) -> None:
    """Flush the names of the files of tiles to the disk, which tasks do not.

    Raises
    ------
    MissingPieceError
        A file is missing whose task is finished, as can be after a power failure.
    """
    store.flush()
    names = {*header.checksums, *(tile_name(*tile) for tile in header.layout.tiles)}
    if not names <= set(store.list()):
        raise missing_piece(store)
