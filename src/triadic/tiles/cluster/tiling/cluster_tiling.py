"""Tiles made by the workers of a Dask cluster from Parquet files.

The stages, each of which is a set of tasks that do not depend on one another:

1. The footers of the files are read; row groups are joined to chunks; a sample cuts the numbers into partitions.
2. Each chunk tells the partitions its ids (`triadic.tiles.cluster.tiling.vertex_tasks`).
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
from contextlib import ExitStack, nullcontext, suppress
from dataclasses import replace
from itertools import accumulate, chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.blocks import split
from triadic.core.memory import parse_bytes
from triadic.core.progress import reporting
from triadic.errors import ReadError, WriteError
from triadic.graph.weights import counted_once
from triadic.io.format import ReadOptions
from triadic.io.parquet_set import find_parquet
from triadic.tiles import partition
from triadic.tiles.cluster.client import check_client, enough_ranges
from triadic.tiles.cluster.tile_transfer import free_worker_memory
from triadic.tiles.cluster.tiling import edge_tasks, plan, vertex_tasks
from triadic.tiles.cluster.tiling.edge_tasks import Call
from triadic.tiles.cluster.tiling.piece_spill import UncombinedWeightsError, named_error
from triadic.tiles.cluster.tiling.pieces import NO_PARTS, Piece, PieceSet, is_piece, read_parts
from triadic.tiles.cluster.tiling.stages import run_stage, thread_memory, threads_of, wait_for_running_tasks
from triadic.tiles.cluster.tiling.tile_stage import TileStage, Vertices, cut_for_strips, layout_of
from triadic.tiles.cluster.tiling.work_place import (
    CHECKPOINT,
    FilesIdentity,
    Job,
    MissingPiecesError,
    check_work,
    find_pieces,
    flush_names,
    name_of_files,
    name_of_network,
    names_of_pieces,
    read_checkpoint,
    remove_files_of,
    remove_work,
    shared_store,
    work_place_of,
    write_checkpoint,
)
from triadic.tiles.file_format import TESTED, put_array
from triadic.tiles.layout import Header, write_header
from triadic.tiles.sorting import DEFAULT, ONCE, origin_with_weights
from triadic.tiles.store import FolderStore, locked, made_folder
from triadic.tiles.stored_tiles import StoredTiles, is_url, open_store
from triadic.tiles.url_store import UrlStore
from triadic.tiles.work import put_together
from triadic.tiles.work_folder import (
    check_folder,
    complete_tiles,
    difference,
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
    from triadic.io.parquet_file import Footer
    from triadic.io.parquet_set import SetFile
    from triadic.tiles.cluster.tiling.plan import TilingPlan
    from triadic.tiles.store import TileStore


# Shares of the time, about: footers, ids, merging them, ranks, buckets, tiles, ranges.
_STAGES = (0.02, 0.2, 0.06, 0.1, 0.34, 0.24, 0.04)
_FILES_OF_TASK = 16
_FOUND_AT_ONCE = 256
_REMOVED_AT_ONCE = 16
_MOST_REMOVED_HERE = 1 << 10
_OF_RANKS = ("ids", "merged", "order", "named", "ranks")  # pieces of no use once edges are bucketed
_OF_TILES = ("edges", "weights", "placed", "strip")  # pieces of no use once tiles are written


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
    identity, made_with = FilesIdentity(name_of_network(network), files), {**options, "ranges": ranges}
    place = os.fspath(output) if is_url(os.fspath(output)) else str(Path(output).resolve())
    work_place = work_place_of(place, scratch)
    store, work = open_store(place), shared_store(work_place, flushed=False)
    silent = progress is False or progress is None
    bar = nullcontext() if silent else reporting(progress, f"tiling {Path(place).name}")
    tiles = complete_tiles(store, identity, made_with)
    if tiles is not None and not work.list():
        return tiles, {}, None
    check_work(work)
    if isinstance(store, FolderStore):
        check_folder(store, cluster=True)
    with ExitStack() as stack:
        if isinstance(store, FolderStore):
            stack.enter_context(made_folder(store.folder))
            stack.enter_context(locked(store.folder))
            remove_partial_files(store)
        report = stack.enter_context(bar)
        tiles = complete_tiles(store, identity, made_with)  # another client may have written them meanwhile
        if tiles is not None:
            remove_work(work)
            return tiles, {}, None
        run = _Run(client, files, reading, ranges, asked, (place, work_place), report)
        try:
            return run.tile(store, work, identity, made_with)
        finally:
            with suppress(Exception):  # if the cluster is gone, another error is being raised
                client.run(free_worker_memory, wait=False, on_error="ignore")


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
        self._places = places
        self._threads = threads_of(client)
        self._memory = plan.task_memory(asked, thread_memory(client))
        self._progress = dict(
            zip(("footers", "ids", "merged", "ranks", "edges", "tiles", "ranges"), split(report, _STAGES), strict=True)
        )
        self._started = time.perf_counter()
        self._seconds: dict[str, float] = {}

    def tile(
        self, store: TileStore, work: TileStore, identity: FilesIdentity, made_with: dict[str, Any]
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
            checkpoint = {"run": secrets.token_hex(16), "origin": origin, "plan": plan.as_json(found), "finished": []}
            write_checkpoint(work, checkpoint)
        self._work, self._checkpoint = work, checkpoint
        self._found = found = plan.TilingPlan(**checkpoint["plan"])
        self._job = job = Job(
            self._places[1], self._places[0], checkpoint["run"], tuple(found.columns), found.numeric, found.directed,
            made_with.get("combine"),
        )  # fmt: skip
        self._chunks, placed = found.chunks(self._files), list[Piece]()
        try:
            if "tiles" not in checkpoint["finished"]:
                placed = self._bucket()
            tiles, vertices = self._write_tiles(placed)
            header = self._finish(store, tiles, vertices)
            self._lap("sort")
            if isinstance(store, FolderStore):
                remove_partial_files(store)
                flush_names(store, header)
        except UncombinedWeightsError as error:
            labels, (both, equal) = checkpoint["vertices"]["labels"], checkpoint.get("ends", (0, 0))
            refused = named_error(
                error, work, PieceSet(placed), self._grid(), labels, directed=job.directed, both=both, equal=equal
            )
            wait_for_running_tasks(self._client)
            remove_files(store)
            remove_work(work)
            raise refused from None
        except MissingPiecesError:
            work.delete(CHECKPOINT)
            raise ReadError(work.place, "lacks files of an earlier run; the same command starts again") from None
        write_header(store, header)
        names = [name for name in work.list() if is_piece(name)]
        if isinstance(work, UrlStore) or len(names) > _MOST_REMOVED_HERE:
            # The workers remove many files, since each can be a request to a store.
            tasks = min(4 * self._threads, -(-len(names) // _REMOVED_AT_ONCE))
            self._stage("", remove_files_of, tasks, lambda k: (job, names[k::tasks]))
        remove_work(work)
        return StoredTiles(store), self._seconds, found.taken or None

    def _lap(self, name: str) -> None:
        """Store the seconds since the last call under a name."""
        self._seconds[name] = time.perf_counter() - self._started - sum(self._seconds.values())

    def _stage(
        self,
        name: str,
        function: Callable[..., Any],
        count: int,
        arguments: Callable[[int], Any],
        **more: Any,  # noqa: ANN401 - of `run_stage`
    ) -> list[Any]:
        return run_stage(self._client, function, count, arguments, self._progress.get(name), self._threads, **more)

    def _end(self, stage: str) -> None:
        """Note that a stage is finished, unless another client has begun here, which a URL cannot prevent."""
        found = read_checkpoint(self._work)
        if found is None or found["run"] != self._checkpoint["run"]:
            raise WriteError(f"{self._places[0]}: another client makes tiles here; expected one client at a time")
        self._checkpoint["finished"].append(stage)
        write_checkpoint(self._work, self._checkpoint)

    def _grid(self) -> partition.Grid:
        """Return the fine ranges."""
        about = self._checkpoint["vertices"]
        return partition.Grid(np.array(about["cuts"], dtype=np.int64), int(about["shift"]))

    def _plan(self) -> TilingPlan:
        """Read the footers, and a sample of the numbers."""
        files, groups = self._files, -(-len(self._files) // _FILES_OF_TASK)
        read = self._stage(
            "footers",
            plan.inspect_files,
            groups,
            lambda k: (files[k * _FILES_OF_TASK : (k + 1) * _FILES_OF_TASK], self._reading),
        )
        footers: list[Footer] = [footer for some in read for footer in some]
        plan.agree(files, footers, self._reading)
        found = plan.make_plan(footers, self._reading, self._memory, self._threads)
        if not found.numeric:
            return found
        job = Job(self._places[1], self._places[0], "", tuple(found.columns), numeric=True, directed=found.directed)
        parts = plan.sampled_chunks(found.chunks(files)) if found.partitions > 1 else []
        sample, size, known = (
            vertex_tasks.sample_numbers,
            plan.SAMPLED_IDS,
            self._reading.num_vertices or found.stated or 0,
        )
        samples = self._stage("", sample, len(parts), lambda k: (job, parts[k], size))
        return replace(found, splits=plan.splits_of(samples, found.partitions, known))

    def _rank(self) -> tuple[list[Piece], list[Piece], list[Piece]]:
        """Compute ranks of vertices; return the pieces with the ids of chunks, with their ranks, and with vertices."""
        found, job, chunks, finished = self._found, self._job, self._chunks, self._checkpoint["finished"]
        splits = found.partitions if found.splits is None else np.array(found.splits, dtype=np.int64)
        if "ids" in finished:
            ids = self._find("ids", len(chunks))
        else:
            ids = self._stage("ids", vertex_tasks.count_ids, len(chunks), lambda k: (job, k, chunks[k], splits))
            self._end("ids")
        if "ranks" in finished:
            answers = [
                *zip(*(self._find(kind, found.partitions if ids else 0) for kind in ("ranks", "placed")), strict=True)
            ]
        else:
            answers = (self._rank_numbers if found.numeric else self._rank_names)(ids)
            self._end("ranks")
        self._lap("rank")
        return (ids if found.numeric else []), [ranks for ranks, _ in answers], [placed for _, placed in answers]

    def _rank_numbers(self, ids: list[Piece]) -> list[tuple[Piece, Piece]]:
        """Compute the numbers and ranks of vertices whose ids are numbers."""
        found, job, told = self._found, self._job, PieceSet(ids)
        filled = [piece for piece in ids if piece.about["greatest"] >= 0]
        greatest = max((piece.about["greatest"] for piece in filled), default=-1)
        least = min((piece.about["least"] for piece in filled), default=0)
        declared = self._reading.num_vertices
        if declared is not None and greatest >= declared:
            raise ReadError(
                name_of_files(self._files), f"found the id {greatest}, expected less than num_vertices={declared}"
            )
        limit = declared if declared is not None else found.stated
        has_limit = limit is not None and greatest < limit
        partitions = found.partitions if ids else 0
        bounds = [0, *(found.splits or ()), limit if limit is not None and has_limit else greatest + 1]
        bounds = list(accumulate(reversed(bounds), min))[::-1]
        merged = self._stage(
            "merged",
            vertex_tasks.merge_numbers,
            partitions,
            lambda p: (job, p, told.part(p), (bounds[p], bounds[p + 1]), has_limit),
        )
        self._lap("survey")
        degrees = self._degrees(merged)
        count = sum(int(counts.sum()) for _, counts in degrees)
        vertices = max(count, limit or 0)
        labelled = not has_limit and count > 0 and not (least == 0 and count == greatest + 1)
        ranking, cuts = self._cuts(degrees, vertices=vertices, found=count, labels="numbers" if labelled else None)
        return self._stage(
            "ranks",
            vertex_tasks.rank_numbers,
            partitions,
            lambda p: (job, p, merged[p].parts(1, 2), told.part(p), ranking[p], cuts, labelled),
        )

    def _rank_names(self, ids: list[Piece]) -> list[tuple[Piece, Piece]]:
        """Compute the numbers and ranks of vertices whose ids are names."""
        found, job, told = self._found, self._job, PieceSet(ids)
        partitions = found.partitions if ids else 0
        first = self._stage("merged", vertex_tasks.merge_names, partitions, lambda p: (job, p, told.part(p)))
        self._lap("survey")
        news = PieceSet(first)
        entries = np.sum([piece.entries() for piece in first], axis=0) if first else np.zeros(0, dtype=np.int64)
        told_of = [[news.part(c) for c in range(*run)] for run in plan.order_ranges(entries, partitions) if first]
        count = int(entries.sum())
        declared = self._reading.num_vertices
        if declared is not None and count > declared:
            raise ReadError(
                name_of_files(self._files), f"found {count} different names, expected at most num_vertices={declared}"
            )
        ordered = self._stage("", vertex_tasks.count_in_order, len(told_of), lambda k: (job, k, told_of[k]))
        vertices = max(count, declared or found.stated or 0)
        ranking, cuts = self._cuts(
            self._degrees(ordered), vertices=vertices, found=count, labels="names" if count else None
        )
        ranked = self._stage("", vertex_tasks.rank_names, len(told_of), lambda k: (job, k, told_of[k], ranking[k]))
        named = PieceSet(ranked)
        return self._stage(
            "ranks",
            vertex_tasks.place_names,
            partitions,
            lambda p: (job, p, told.part(p), named.part(p), cuts),
        )

    def _degrees(self, pieces: list[Piece]) -> list[plan.DegreeTable]:
        """Return the different degrees in each of some pieces, rising, and the number of vertices of each."""
        tables = read_parts(self._work, chain.from_iterable(piece.parts(0, 1) for piece in pieces))
        return [(values.astype(np.int64), counts.astype(np.int64)) for values, counts in tables]

    def _cuts(
        self,
        tables: list[plan.DegreeTable],
        *,
        vertices: int,
        **known: Any,  # noqa: ANN401 - of `plan.about_vertices`
    ) -> tuple[list[vertex_tasks.Ranking], Int64Array]:
        """Choose the fine ranges, and store them with what is known of the vertices; return the rankings and cuts.

        They are chosen once, even if another cluster goes on: pieces that tasks have written are in these ranges.
        """
        ranking, degrees = plan.rankings(tables, vertices)
        if "vertices" not in self._checkpoint:
            least = plan.least_fine(enough_ranges(self._client))
            grid = partition.fine_grid(
                degrees, self._ranges, self._memory, threads=1, least=least, most=plan.MOST_FINE, spread=True,
                weighted=self._reading.wants_weights,
            )  # fmt: skip
            grid, coarse = cut_for_strips(grid, degrees, self._threads, plan.MOST_FINE)
            about = plan.about_vertices(grid, coarse, degrees, vertices=vertices, **known)
            self._checkpoint["vertices"] = about
            write_checkpoint(self._work, self._checkpoint)
        return ranking, self._grid().cuts

    def _bucket(self) -> list[Piece]:
        """Bucket the edges by cell, and join the fine ranges to ranges; return the pieces with the vertices."""
        found, job, chunks = self._found, self._job, self._chunks
        kinds = ("edges", "weights") if job.weighted else ("edges",)
        if "edges" in self._checkpoint["finished"]:
            self._edges = [self._find(kind, len(chunks)) for kind in kinds]
            return self._find("placed", found.partitions if chunks else 0)
        told, ranks, placed = self._rank()
        grid, answers = self._grid(), PieceSet(ranks)

        def arguments(k: int) -> tuple[Any, ...]:
            of_chunk = told[k].parts(0, found.partitions) if told else NO_PARTS
            return job, k, chunks[k], of_chunk, answers.part(k), found.partitions, grid

        written = self._stage("edges", edge_tasks.bucket_edges, len(chunks), arguments)
        self._edges = [[pieces[place] for pieces in written] for place in range(len(kinds))]
        keys = PieceSet(self._edges[0]).entries() if written else np.zeros(grid.cells, dtype=np.int64)
        about = self._checkpoint["vertices"]
        coarse = np.array(about["coarse"], dtype=np.int64)
        joined = partition.join(
            partition.Grid(grid.cuts[coarse], grid.shift),
            partition.sum_cells(grid.as_matrix(keys), coarse)[np.tril_indices(len(coarse) - 1)],
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
        loops = sum(int(piece.about["loops"]) for piece in self._edges[0])
        self._checkpoint["bucketed"] = {"joined": coarse[joined].tolist(), "loops": loops, "keys": int(keys.sum())}
        self._end("edges")
        self._lap("bucket")
        return placed

    def _write_tiles(self, placed: list[Piece]) -> tuple[dict[tuple[int, int], Piece], list[Piece]]:
        """Write the tiles, the largest first, and the vertices of the ranges; remove pieces of no more use.

        Returns the piece with the lengths of rows of each tile, and the piece of the vertices of each range.
        """
        about, joined = self._checkpoint["vertices"], np.array(self._checkpoint["bucketed"]["joined"], dtype=np.int64)
        if "tiles" in self._checkpoint["finished"]:
            ranges = range(len(joined) - 1)
            tiles = [(i, j) for i in ranges for j in range(i + 1)]
            lengths = self._find_names([f"lengths-{i}-{j}" for i, j in tiles])
            return dict(zip(tiles, lengths, strict=True)), self._find("vertices", len(ranges))
        vertices = Vertices(placed, about["labels"], about["found"], about["vertices"])
        useless, job = names_of_pieces(self._work, self._job.run, _OF_RANKS), self._decided(joined, vertices)
        stage = TileStage(job, self._grid(), joined, self._edges, vertices, useless, self._memory, self._threads)
        run = edge_tasks.run_calls
        self._stage("tiles", run, len(stage), stage.arguments, results=stage.results, needs=stage.needs)
        self._end("tiles")
        return stage.tiles(), stage.vertices()

    def _decided(self, joined: Int64Array, vertices: Vertices) -> Job:
        """Return the job with a decision how weights from both ends of edges become one, which the checkpoint keeps."""
        job, checkpoint = self._job, self._checkpoint
        if job.combine != DEFAULT or job.directed:
            return job

        def count(rule: str) -> list[tuple[int, int, int]]:
            looking, machine = replace(job, combine=rule), (self._memory, self._threads)
            calls = TileStage(looking, self._grid(), joined, self._edges, vertices, (), *machine).looks()
            done = self._stage("", edge_tasks.run_calls, len(calls), lambda k: (calls[k],))
            return [counts for of_task in done for counts in of_task]

        if "combine" not in checkpoint:
            number, both, equal = (sum(counts) for counts in zip((0, 0, 0), *count(DEFAULT), strict=True))
            once = counted_once(number, both, equal)
            if once is None:
                checkpoint["ends"] = both, equal
                count(ONCE)  # which raises the error that shows an edge
            checkpoint["combine"] = ONCE if once else "sum"
            write_checkpoint(self._work, checkpoint)
        return replace(job, combine=checkpoint["combine"])

    def _finish(self, store: TileStore, tiles: dict[tuple[int, int], Piece], vertices: list[Piece]) -> Header:
        """Write the degrees of each range, and remove pieces of no more use; return the header."""
        job, (about, bucketed, origin) = self._job, (self._checkpoint[k] for k in ("vertices", "bucketed", "origin"))
        cuts = self._grid().cuts[np.array(bucketed["joined"], dtype=np.int64)]
        ranges = len(cuts) - 1
        useless = names_of_pieces(self._work, job.run, _OF_TILES)
        removals = min(4 * self._threads, -(-len(useless) // _REMOVED_AT_ONCE))

        def arguments(k: int) -> tuple[list[Call]]:
            if k >= 2 * ranges:
                return ([Call(remove_files_of, (job, useless[k - 2 * ranges :: removals]))],)
            i = ranges - 1 - k // 2  # the longest range first
            rows = [edge_tasks.row_parts(tiles[i, j]) for j in range(i + 1)]
            if k % 2 == 0:
                return ([Call(edge_tasks.count_tests, (job, rows))],)
            columns = [edge_tasks.column_part(tiles[r, i]) for r in range(i, ranges)]
            return ([Call(edge_tasks.write_degrees, (job, i, int(cuts[i + 1] - cuts[i]), [*rows, *columns]))],)

        done = self._stage("ranges", edge_tasks.run_calls, 2 * ranges + removals, arguments)
        tests, degrees = ([results[0] for results in done[first : 2 * ranges : 2][::-1]] for first in (0, 1))
        checksums: dict[str, int] = {}
        for piece in vertices:
            checksums |= piece.about["checksums"]
        for written in degrees:
            checksums |= written
        checksums[TESTED] = put_array(store, TESTED, put_together(tests).reshape(-1))
        layout = layout_of(cuts, tiles, bucketed["loops"], bucketed["keys"], job)
        labelled = 0 if about["labels"] is None else about["found"]
        origin = origin_with_weights(origin, self._checkpoint.get("combine", job.combine), layout.dropped)
        return Header(layout, about["labels"], origin, checksums, labelled=labelled)

    def _find(self, kind: str, count: int) -> list[Piece]:
        """Return the indexes of the pieces of a kind, which a finished stage of an earlier run has written."""
        return self._find_names([f"{kind}-{k}" for k in range(count)])

    def _find_names(self, names: list[str]) -> list[Piece]:
        """Return the indexes of some pieces of an earlier run."""
        job, size = self._job, _FOUND_AT_ONCE
        found = self._stage("", find_pieces, -(-len(names) // size), lambda k: (job, names[k * size : (k + 1) * size]))
        pieces = [piece for some in found for piece in some]
        if any(piece is None for piece in pieces):
            raise MissingPiecesError
        return pieces
