"""``triadic.tile``: write a network of any size as tiles, in two passes over its arcs and one over its edges."""

from __future__ import annotations

import time
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from triadic.core.blocks import resolve_threads, split
from triadic.core.memory import memory_limit, parse_bytes, return_freed, show_bytes
from triadic.core.progress import reporting
from triadic.core.records import record
from triadic.devices.cpu.orient.rows import rank_by_degree
from triadic.errors import ArgumentError, OutOfMemoryError, UnsupportedError
from triadic.generate.model import stream_model
from triadic.graph.makers import rules_of
from triadic.io.format import ReadOptions
from triadic.io.networks import reopenable
from triadic.io.reading import stream_arcs
from triadic.tiles import partition
from triadic.tiles.file_format import KEPT, are_stored, keep_labels, put_all_vertices
from triadic.tiles.sorting import DEFAULT
from triadic.tiles.spill import SPILL, bucket
from triadic.tiles.stored_tiles import StoredTiles, open_store
from triadic.tiles.tile_writer import TileWriter
from triadic.tiles.tiled_graph import TiledGraph
from triadic.tiles.work_folder import (
    CHECKPOINT,
    WORK_FILES,
    Checkpoint,
    InputIdentity,
    complete_tiles,
    locked_folders,
    open_work_folder,
    read_checkpoint,
    recorded_options,
    remove_files,
    write_checkpoint,
)

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping
    from os import PathLike

    from distributed import Client

    from triadic.core.array_types import AnyArray, IntegerArray
    from triadic.core.blocks import Progress
    from triadic.core.progress import ProgressKeyword
    from triadic.generate.model import Model
    from triadic.io.arc_stream import ArcStream
    from triadic.io.file_source import NetworkInput
    from triadic.tiles.store import FolderStore
    from triadic.tiles.url_store import TileStore

    Piece = tuple[AnyArray, ...]

# Shares of the time, about, of the first pass, of bucketing and of sorting.
_STAGES = (0.3, 0.4, 0.3)
_UNSET = "None", "'error'"  # of the rows to read
_PIECE_ARCS = 1 << 14, 1 << 20  # least and most arcs of a piece
# Bytes of one more thread that reads: two pieces as they are in the file, and as arrays.
_READER_BYTES = 24 << 20


@record
class TilingResult:
    """Tiles, and the time that making them took.

    Attributes
    ----------
    tiles : StoredTiles
        The tiles.
    seconds : dict of str to float
        Seconds of each step; empty if the tiles were already complete.
    columns : str or None
        Which columns of the file were read, in words; None if it has no columns to choose, or was read earlier.
    """

    tiles: StoredTiles
    seconds: dict[str, float]
    columns: str | None = None


def tile(
    path: NetworkInput | Model,
    output: str | PathLike[str],
    *,
    memory: str | int = "2GB",
    ranges: int | None = None,
    directed: bool | None = None,
    format: str | None = None,  # noqa: A002 - the keyword of triadic.read
    num_vertices: int | None = None,
    weights: bool | str | int | None = None,
    combine: str | None = None,
    source: str | int | None = None,
    target: str | int | None = None,
    header: bool | None = None,
    bad_rows: str = "error",
    where: Mapping[str, Any] | None = None,
    scratch: str | PathLike[str] | None = None,
    threads: int | None = None,
    progress: ProgressKeyword = False,
    client: Client | None = None,
) -> TiledGraph:
    r"""Write a network of any size as tiles, and return it as a graph that is counted in bounded memory.

    Vertices are ranked by falling degree and cut into ranges. Each edge is stored once, in the tile of the ranges of
    its two ends, with the directions of its arcs if the network is directed.

    After any interruption, make the same call again: it resumes, or starts again from the input, and writes the same
    files. If the tiles are complete, the call returns them and writes nothing. ``TiledGraph(output)`` opens them again.
    Tiles in `output` are reused only if they were made of the same content with the same options.

    Parameters
    ----------
    path : path-like, list of path-like, binary file, table or Model
        A network that `triadic.read` reads: a file, a folder of edge lists or Parquet files, a pattern such as
        ``"edges/*.parquet"``, a list of paths, ``"-"`` for standard input, a binary file, a
        ``pyarrow.dataset.Dataset``, a ``polars.LazyFrame``, a relation of DuckDB, or a table or stream of Arrow, polars
        or pandas. Or a random network of `triadic.generate`, such as ``RMat(20)``.
    output : path-like
        Folder of the tiles, which is created, or a URL that fsspec can open, such as ``s3://bucket/network.tiles``.
    memory : str or int, default "2GB"
        Bytes that tiling may hold beside the Python interpreter and its libraries, such as ``"500MB"``. The number of
        ranges is chosen so that counting triangles on `threads` fits into the same memory, which the returned graph
        uses. Counts with more numbers for each vertex take more.
    ranges : int, optional
        Number of ranges, from 1 to 255 and at most the number of vertices. By default the smallest number for which
        counting fits into `memory`.
    directed : bool, optional
        Whether to keep the directions of arcs. By default the format or the header of the file decides, and the network
        is directed if neither does.
    format : str, optional
        Format of the file, one of ``triadic.io.FORMATS``. By default the first bytes and the name tell it.
    num_vertices : int, optional
        Number of vertices 0, 1, ...; every identifier in the file must be smaller. By default the number that the
        format declares, or else the number of different identifiers.
    weights : bool, str or int, optional
        Weights of the edges, as in `triadic.read`: the name or the index of a column, or True for the weights of the
        format or the column with a usual name of weights. By default tiles have no weights.
    combine : {"sum", "max", "min", "mean", "first", "error"}, optional
        How to combine the weights of a repeated edge; if undirected, (v, u) repeats (u, v). By default repeats in
        one direction are added. Weights from both ends then count once if all edges have two equal ones, are an
        error if most have but not all, and are added otherwise. ``graph.origin.weights`` says what was done.
    source, target : str or int, optional
        Columns of the two ends of an edge, if the file has columns: names, or indices from 0. By default they are found
        by their names, such as ``from_user`` and ``to_user``; columns without names are taken in their order.
    header : bool, optional
        Whether the first row of a text holds the names of the columns. By default the first rows tell; a text that
        does not tell is an error.
    bad_rows : {"error", "skip"}, default "error"
        Whether a row of a text that cannot be read is an error, or is left out, as in `triadic.read`.
    where : mapping from str to object, optional
        Rows to read, by the names of columns and their values, as in `triadic.read`. By default all rows.
    scratch : path-like, optional
        Folder for temporary files of about 8 bytes an arc, 16 with weights. By default `output`, or the user's cache
        folder if `output` is a URL. With `client`, a folder or a URL that all workers can reach; by default ``work`` in
        `output`.
    threads : int, optional
        Number of threads; by default all that the process may use.
    progress : bool or callable, default False
        True prints a progress bar to standard error. A callable is called as ``progress(done, total)``, in units of
        estimated work.
    client : distributed.Client, optional
        Client of a Dask cluster whose workers make the tiles. `path` is then made of Parquet files, also at URLs
        that fsspec can open; all workers must reach these files and `output` at the same paths or URLs. Each thread of
        a worker may hold `memory`, or 70 % of its share of the worker's memory if that is less, and `threads` is
        ignored. The returned graph counts on the same cluster. By default this process makes the tiles.

    Returns
    -------
    TiledGraph
        The graph in tiles, with the same `memory`, which measures accept in place of a `Graph`.

    Raises
    ------
    MissingFileError
        The input file does not exist, or no file matches the pattern.
    ReadError
        The input cannot be read or was changed while it was read, or the temporary files are damaged.
    WriteError
        `output` cannot be written, holds other files or tiles of another input, or another process writes to it.
    OutOfMemoryError
        `memory` is too small; the message has the memory needed.
    ArgumentError
        An argument has an invalid value, or the weights of an edge cannot be combined.
    UnsupportedError
        With `client`, the network is not made of Parquet files.
    DeviceError
        The cluster has no workers, or workers die repeatedly in the same task.

    Notes
    -----
    Tiling reads the input twice. Text, METIS and Matrix Market files are read once if their arcs fit in a sixth of
    `memory`, 16 bytes each. Folders, patterns and lists of files are read in the same memory as one file.

    Before, all bytes of the input are read once to hash them. A later call hashes them again only if a path, a size or
    a time of a file differs, on Windows always. So a copy of the input is the same input, and a file that was edited is
    another input, even if its size and its time of modification are the same.

    A polars LazyFrame or a DuckDB relation is executed three times, to count its rows and for the two passes, and
    neither the memory of polars and DuckDB nor an Arrow dataset that is read ahead is part of `memory`. Standard input,
    a binary file and a stream that can be read only once are first copied to a temporary file, in the folder that the
    environment variable ``TMPDIR`` names. Two tables are never taken for the same input: tiling a table again takes a
    new `output`.

    It holds 12 bytes a vertex (20 bytes if there are 2**31 vertices or more) and buffers. It writes and reads again
    8 bytes for each arc that is no loop, and writes 4 bytes an edge, 5 with directions. If all arcs fit in half of
    `memory`, 25 bytes each, they are not written to temporary files, and an interrupted call starts again from the
    input. The edges of a Pajek or GML file are first copied to a temporary file, in the folder that ``TMPDIR`` names,
    with 8 to 32 bytes each.

    With weights, 16 bytes are written and read again for each arc, and 8 bytes more an edge are written, 16 with
    directions; arcs are held if they fit in half of `memory` with 78 bytes each. Weights of repeated edges are combined
    as `triadic.read` combines them: three or more are added in rising order, so that the order of the input does not
    matter. Weights are a column of their own, which a count without weights does not read. The temporary file of a
    Pajek or GML file takes 8 to 16 bytes more for each edge.

    A cluster writes the same tiles, but no worker and not the client holds an array as long as the graph: ids are
    spread over partitions, and vertices and labels are stored range by range. A worker that dies loses the tasks that
    it was running. The temporary files take up to 8 bytes an arc, 16 with weights, and 20 bytes for each different id
    of each part of the input. A file whose size, time or etag differs counts as changed; its bytes are not hashed.

    Examples
    --------
    >>> from pathlib import Path
    >>> import triadic
    >>> _ = Path("kite.txt").write_text("1 2\n2 3\n1 3\n3 4\n4 4\n")
    >>> graph = triadic.tile("kite.txt", "kite.tiles", directed=False)
    >>> graph, graph.dropped.loops
    (TiledGraph(undirected, 4 vertices, 4 edges, 1 range), 1)
    >>> triadic.clustering(graph).round(3)
    array([1.   , 1.   , 0.333, 0.   ])
    """
    make_tiles(
        path,
        output,
        memory=memory,
        ranges=ranges,
        directed=directed,
        format=format,
        num_vertices=num_vertices,
        weights=weights,
        combine=combine,
        source=source,
        target=target,
        header=header,
        bad_rows=bad_rows,
        where=where,
        scratch=scratch,
        threads=threads,
        progress=progress,
        client=client,
    )
    return TiledGraph(output, memory=memory, client=client)


def make_tiles(
    network: NetworkInput | Model,
    output: str | PathLike[str],
    *,
    memory: str | int = "2GB",
    ranges: int | None = None,
    weights: bool | str | int | None = None,
    combine: str | None = None,
    scratch: str | PathLike[str] | None = None,
    threads: int | None = None,
    progress: ProgressKeyword = False,
    client: Client | None = None,
    **reading: Any,  # noqa: ANN401 - keywords of different types
) -> TilingResult:
    """Write a network as tiles, as `tile` does, and return the stored tiles with the seconds of each step."""
    # Compared as texts: a value that is refused later may be an array.
    rows = {name: value for name in ("bad_rows", "where") if repr(value := reading.pop(name, None)) not in _UNSET}
    options: dict[str, Any] = dict.fromkeys(("directed", "format", "num_vertices", "source", "target", "header"))
    options |= {**reading, **weight_options(weights, combine)}
    if client is not None and rows:
        raise UnsupportedError("where= and bad_rows= need a network that this process reads; expected no client=")
    if client is not None:
        from triadic.tiles.cluster.cluster_tiling import tile_on_cluster  # noqa: PLC0415 - seldom needed

        return TilingResult(*tile_on_cluster(client, network, output, memory, ranges, options, scratch, progress))
    allowed = parse_bytes(memory)
    partition.check_ranges(ranges)
    workers = resolve_threads(threads)
    network = network if hasattr(network, "fill") else reopenable(network)
    identity, made_with = (
        InputIdentity(network, options["format"]),
        {**options, "ranges": ranges, "rows": repr(rows) if rows else None},
    )
    store = open_store(output)
    work = open_work_folder(store, scratch)
    tiles = complete_tiles(store, identity, made_with)
    if tiles is not None and not any(name.startswith(WORK_FILES) for name in work.list()):
        return TilingResult(tiles, {})
    with locked_folders(store, work), reporting(progress, f"tiling {Path(store.place).name}") as report:
        # Another process may have written the tiles before it released the lock.
        tiles = complete_tiles(store, identity, made_with)
        if tiles is not None:
            remove_files(work, WORK_FILES)
            return TilingResult(tiles, {})
        surveying, bucketing, sorting = split(report, _STAGES)
        seconds: dict[str, float] = {}
        columns: str | None = None
        checkpoint = read_checkpoint(work, identity, made_with)
        # A run with other ranges, and another work folder, may have replaced the vertices of the ranges.
        if checkpoint is None or not are_stored(store, checkpoint.checksums):
            remove_files(store)
            remove_files(work)
            try:
                stream = _open_stream(network, options | rows, allowed, workers)
                columns, decided = stream.origin.columns, stream.origin.direction
                stated = decided == "given" and options["directed"] is None  # the format has no other direction
                origin = {
                    "input": identity.record(),
                    **recorded_options(made_with),
                    "columns": columns,
                    "direction": "stated" if stated else decided,
                }
                checkpoint = _bucket_arcs(
                    stream, store, work, origin, allowed, ranges, workers, (surveying, bucketing), seconds
                )
                del stream  # frees the arcs that it holds
                identity.check_unchanged()
            except BaseException:  # an incomplete spill is useless, and the disk may be full
                remove_files(work, (SPILL, KEPT, CHECKPOINT))
                raise
        started = time.perf_counter()
        left = allowed - partition.FLOOR_BYTES - checkpoint.spill.held_bytes
        writer = TileWriter(store, work, checkpoint, memory=left, threads=workers, progress=sorting)
        try:
            writer.write()
        except ArgumentError:  # the weights of an edge cannot be combined
            remove_files(store)
            remove_files(work)
            raise
        remove_files(work, WORK_FILES)
        seconds["sort"] = time.perf_counter() - started
        return TilingResult(StoredTiles(store), seconds, columns)


def weight_options(weights: bool | str | int | None, combine: str | None) -> dict[str, Any]:
    """Return the options of weights: both None without weights.

    Raises
    ------
    ArgumentError
        `combine` is unknown, or `weights` is neither a name nor a number.
    """
    rules_of(combine, ())
    read = ReadOptions(weights=weights)
    if not read.wants_weights:
        return {"weights": None, "combine": None}
    return {"weights": read.weights, "combine": combine or DEFAULT}


def _open_stream(network: NetworkInput | Model, options: dict[str, Any], memory: int, threads: int) -> ArcStream:
    """Open a file or a model as a stream of arcs, whose pieces and threads fit the memory."""
    piece_arcs = min(max(memory // 4096, _PIECE_ARCS[0]), _PIECE_ARCS[1])
    readers = min(max(memory // (4 * _READER_BYTES), 1), threads)
    if not hasattr(network, "fill"):
        keep = partition.room_to_keep(memory)
        with memory_limit(memory):  # some formats are read whole when the stream is opened
            of_stream = {name: value for name, value in options.items() if name != "combine"}
            return stream_arcs(network, **of_stream, piece_arcs=piece_arcs, keep=keep, threads=readers)
    if options["weights"] is not None:
        raise ArgumentError(f"weights={options['weights']!r}: a {type(network).__name__} has no weights; leave it out")
    columns = any(options.get(name) is not None for name in ("source", "target", "header", "where"))
    if options["format"] is not None or options["num_vertices"] is not None or columns:
        raise ArgumentError(
            f"{type(network).__name__}: a model has no format, columns or num_vertices=; use directed= alone"
        )
    return stream_model(network, directed=options["directed"], piece_arcs=piece_arcs, threads=readers)


def _bucket_arcs(
    stream: ArcStream,
    store: TileStore,
    work: FolderStore,
    origin: dict[str, Any],
    memory: int,
    ranges: int | None,
    threads: int,
    progress: tuple[Progress | None, Progress | None],
    seconds: dict[str, float],
) -> Checkpoint:
    """Read the arcs twice: to rank the vertices by degree, and to spill the edges by cell of the fine grid."""
    started = time.perf_counter()
    survey = stream.survey(progress[0])
    seconds["survey"] = time.perf_counter() - started
    arcs, degree = survey.arcs, survey.degree
    # A larger degree counts many repeated arcs. Capping it bounds the memory of the ranking; the order of such hubs
    # does not matter.
    largest = min(int(degree.max(initial=0)), max(len(degree), 1 << 20))
    np.minimum(degree, largest, out=degree)
    label_bytes = 0
    if survey.labels is not None:
        are_names = survey.labels.dtype == np.object_
        label_bytes = partition.NAME_BYTES * len(survey.labels) if are_names else survey.labels.nbytes
    needed = partition.vertex_bytes(len(degree), largest, label_bytes) + partition.FLOOR_BYTES
    if memory < needed:
        raise OutOfMemoryError(
            f"memory={show_bytes(memory)}: tiling {len(degree):,} vertices takes at least {show_bytes(needed)}"
        )
    if memory < needed + stream.held_bytes:
        stream.forget()
    labels, labelled = keep_labels(work, survey.labels)
    del survey
    rank: IntegerArray = np.empty(len(degree), np.int32 if len(degree) < 2**31 else np.int64)
    rank_by_degree(degree, rank)
    held = partition.FLOOR_BYTES + degree.nbytes  # `TileWriter` holds degrees of all vertices, too
    combine = origin.get("combine")
    weighted = combine is not None
    known = partition.DegreeCounts.of(degree)
    grid = partition.fine_grid(known, ranges, memory - held, threads=threads, weighted=weighted)
    in_memory = partition.holds_edges(arcs, len(degree), memory, weighted=weighted)
    edge_bytes = partition.held_arc_bytes(weighted=weighted) * arcs if in_memory else 0
    del degree
    seconds["rank"] = time.perf_counter() - started - seconds["survey"]
    with closing(cast("Generator[Piece]", stream.pieces())) as pieces:
        spill, loops = bucket(
            pieces,
            arcs,
            rank,
            grid,
            work.folder,
            held=in_memory,
            memory=(memory - partition.FLOOR_BYTES - rank.nbytes - edge_bytes - stream.held_bytes) // 2,
            threads=threads,
            progress=progress[1],
            weighted=weighted,
            in_order=combine == "first",
        )
    return_freed()  # of the pieces and buffers, before tiles are sorted
    joined = partition.join(
        grid,
        grid.as_matrix(spill.keys()),
        memory,
        ranks=known.counted,
        held=held,
        fixed=ranges is not None,
        directed=stream.directed,
        threads=threads,
        both_ends=stream.lists_twice,
        weighted=weighted,
    )
    checksums = put_all_vertices(store, work, rank, grid.cuts[joined], labels)
    del rank
    checkpoint = Checkpoint(
        origin, grid, joined, spill, stream.directed, stream.both_ends, loops, labels, labelled, checksums, combine
    )
    if not in_memory:
        write_checkpoint(work, checkpoint)
    seconds["bucket"] = time.perf_counter() - started - sum(seconds.values())
    return checkpoint
