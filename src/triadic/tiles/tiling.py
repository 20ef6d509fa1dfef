"""``tile``: from a network of any size to tiles on disk, in two passes over its arcs and one over its edges."""

from __future__ import annotations

import os
import time
from contextlib import closing, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from triadic.core.blocks import resolve_threads
from triadic.core.progress import reporting, split
from triadic.core.sizes import parse_bytes, show_bytes
from triadic.devices.cpu.sort_kernels import rank_by_degree
from triadic.errors import ArgumentError, MissingFileError, OutOfMemoryError
from triadic.generate.stream import stream_model
from triadic.io.streaming import stream_arcs
from triadic.tiles import plan
from triadic.tiles.bucketing import bucket
from triadic.tiles.finishing import finish
from triadic.tiles.lock import locked
from triadic.tiles.opening import open_store
from triadic.tiles.places import PASSING, check_place, clear, complete, sweep, work_folder
from triadic.tiles.spill import PREFIX as SPILL
from triadic.tiles.state import State, read_state, write_state
from triadic.tiles.store import FolderStore, writing
from triadic.tiles.stored import StoredTiles
from triadic.tiles.vectors import RANK, put_array, put_labels

if TYPE_CHECKING:
    from collections.abc import Generator
    from os import PathLike

    from numpy.typing import NDArray

    from triadic.core.blocks import Progress
    from triadic.core.progress import ProgressKeyword
    from triadic.generate.model import Model
    from triadic.io.arc_stream import ArcStream
    from triadic.tiles.store import TileStore

    Piece = tuple[NDArray[Any], NDArray[Any]]

# About what part of the time reading, bucketing and sorting take.
_STAGES = (0.3, 0.4, 0.3)
# What one more thread that reads may hold: two pieces as they are stored, and as they are given.
_READER_BYTES = 24 << 20


@dataclass(frozen=True, slots=True, eq=False)
class Made:
    """Tiles, and what making them took.

    Attributes
    ----------
    tiles : StoredTiles
    seconds : dict of str to float
        By step; empty where the tiles were there already.
    """

    tiles: StoredTiles
    seconds: dict[str, float]


def tile(
    network: str | PathLike[str] | Model,
    output: str | PathLike[str],
    *,
    memory: str | int = "2GB",
    ranges: int | None = None,
    directed: bool | None = None,
    format: str | None = None,  # noqa: A002 - the keyword of triadic.read
    vertices: int | None = None,
    source: str = "source",
    target: str = "target",
    scratch: str | PathLike[str] | None = None,
    threads: int | None = None,
    progress: ProgressKeyword = False,
) -> StoredTiles:
    r"""Write a network of any size as tiles, to be counted in bounded memory.

    Vertices are ranked by falling degree and cut into ranges; each edge goes once to the tile of its ends' ranges, with
    the directions of its arcs where there are any. Interrupted however it may be, the same call goes on or begins anew,
    and gives the same files; tiles that are whole are left as they are.

    Parameters
    ----------
    network : path-like or Model
        A file that `triadic.read` reads, or a model of `triadic.generate`.
    output : path-like
        A folder to be made, or a URL of fsspec's.
    memory : str or int, default "2GB"
        Bytes that may be held beside the interpreter and its libraries, now and when the tiles are counted.
    ranges : int, optional
        Number of ranges, at most that of vertices; by default the least that counting in `memory` allows.
    directed : bool, optional
        Whether to keep directions; by default what the file says.
    format, vertices, source, target : optional
        As for `triadic.read`.
    scratch : path-like, optional
        Folder for what is set aside meanwhile, about 8 bytes an arc; by default `output`, or the user's cache folder
        for a URL.
    threads : int, optional
        Number of threads; as many as the process may use by default.
    progress : bool or callable, default False

    Returns
    -------
    StoredTiles

    Raises
    ------
    ReadError
        The input cannot be read, or what was set aside of it is damaged.
    WriteError
        The output cannot be written, holds something else, or is being written by another process.
    OutOfMemoryError
        `memory` is too little; the message says the least.
    ArgumentError

    Notes
    -----
    Reads the input twice; a text, METIS or Matrix Market file once, where a sixth of `memory` holds its arcs, 16 bytes
    each. Holds 12 bytes a vertex (20 from 2^31 vertices on), and buffers; writes and reads 8 bytes an arc that is no
    loop, and writes 4 bytes an edge, or 5 with directions. Where half of `memory` holds all arcs, 25 bytes each, they
    are not set aside on disk, and tiling that was interrupted begins anew. A line of a METIS file is held whole, and
    takes some 12 times its bytes.

    Examples
    --------
    >>> folder = getfixture("tmp_path")
    >>> _ = (folder / "a.txt").write_text("1 2\n2 3\n1 3\n3 4\n4 4\n")
    >>> tiles = tile(folder / "a.txt", folder / "a.tiles", directed=False)
    >>> tiles.layout.edges, tiles.layout.ranges, tiles.layout.dropped.loops
    (4, 1, 1)
    """
    return make_tiles(
        network,
        output,
        memory=memory,
        ranges=ranges,
        directed=directed,
        format=format,
        vertices=vertices,
        source=source,
        target=target,
        scratch=scratch,
        threads=threads,
        progress=progress,
    ).tiles


def make_tiles(
    network: str | PathLike[str] | Model,
    output: str | PathLike[str],
    *,
    memory: str | int = "2GB",
    ranges: int | None = None,
    directed: bool | None = None,
    format: str | None = None,  # noqa: A002 - as above
    vertices: int | None = None,
    source: str = "source",
    target: str = "target",
    scratch: str | PathLike[str] | None = None,
    threads: int | None = None,
    progress: ProgressKeyword = False,
) -> Made:
    """Do what `tile` does, and say what it took."""
    held = parse_bytes(memory)
    plan.check_ranges(ranges)
    workers = resolve_threads(threads)
    asked = {"directed": directed, "format": format, "vertices": vertices, "source": source, "target": target}
    origin = {"input": _identity(network), **asked, "ranges": ranges}
    store = open_store(output)
    work = work_folder(store, scratch)
    done = complete(store, origin)
    if done is not None and not any(name.startswith(PASSING) for name in work.list()):
        return Made(done, {})
    places = [work, store] if isinstance(store, FolderStore) and store.folder != work.folder else [work]
    for place in places:
        check_place(place)
        with writing(place.folder):
            place.folder.mkdir(parents=True, exist_ok=True)
    both = locked(places[1].folder) if len(places) > 1 else nullcontext()
    with locked(work.folder), both, reporting(progress, f"tiling {Path(store.place).name}") as report:
        for place in places:
            sweep(place)
        done = complete(store, origin)  # by the process that had the lock before
        if done is not None:
            clear(work, PASSING)
            return Made(done, {})
        surveying, bucketing, sorting = split(report, _STAGES)
        seconds: dict[str, float] = {}
        state = read_state(work, origin)
        if state is None:
            clear(store)
            clear(work)
            try:
                stream = _stream(
                    network,
                    asked,
                    piece_arcs=min(max(held // 4096, 1 << 14), 1 << 20),
                    keep=plan.room_to_keep(held),
                    threads=min(max(held // (4 * _READER_BYTES), 1), workers),
                )
                state = _bucketed(stream, store, work, origin, held, ranges, workers, (surveying, bucketing), seconds)
                del stream  # with what it keeps
            except BaseException:  # half of the arcs are of no use, and the disk may be full
                clear(work, (SPILL,))
                raise
        started = time.perf_counter()
        left = held - plan.FLOOR_BYTES - state.index.held_bytes
        finish(store, work, state, memory=left, threads=workers, progress=sorting)
        clear(work, PASSING)
        seconds["sort"] = time.perf_counter() - started
        return Made(StoredTiles(store), seconds)


def _stream(
    network: str | PathLike[str] | Model, asked: dict[str, Any], *, piece_arcs: int, keep: int, threads: int
) -> ArcStream:
    """Open a file or a model as a stream of arcs."""
    if isinstance(network, (str, bytes, os.PathLike)):
        return stream_arcs(network, **asked, piece_arcs=piece_arcs, keep=keep, threads=threads)
    columns = (asked["source"], asked["target"]) != ("source", "target")
    if hasattr(network, "fill") and (asked["format"] is not None or asked["vertices"] is not None or columns):
        raise ArgumentError(
            f"{type(network).__name__}: a model has no format, columns or vertices=; use directed= alone"
        )
    return stream_model(network, directed=asked["directed"], piece_arcs=piece_arcs, threads=threads)


def _bucketed(
    stream: ArcStream,
    store: TileStore,
    work: FolderStore,
    origin: dict[str, Any],
    memory: int,
    ranges: int | None,
    threads: int,
    progress: tuple[Progress | None, Progress | None],
    seconds: dict[str, float],
) -> State:
    """Go through the arcs twice: for ranks, and to set edges aside by cell."""
    started = time.perf_counter()
    survey = stream.survey(progress[0])
    seconds["survey"] = time.perf_counter() - started
    arcs, degree = survey.arcs, survey.degree
    # Only repeats can make a degree so large, and how such hubs are ordered makes no difference.
    most = min(int(degree.max(initial=0)), max(len(degree), 1 << 20))
    np.minimum(degree, most, out=degree)
    least = plan.vertex_bytes(len(degree), most, _label_bytes(survey.labels)) + plan.FLOOR_BYTES
    if memory < least:
        raise OutOfMemoryError(
            f"memory={show_bytes(memory)}: {len(degree):,} vertices take {show_bytes(least)} at the least"
        )
    if memory < least + stream.held_bytes:
        stream.forget()
    labels, crc = put_labels(store, survey.labels)
    del survey
    rank: NDArray[np.integer[Any]] = np.empty(len(degree), dtype=np.int32 if len(degree) < 2**31 else np.int64)
    rank_by_degree(degree, rank)
    crc[RANK] = put_array(store, RANK, rank)
    held = plan.FLOOR_BYTES + degree.nbytes  # while tiles are sorted, the degrees of all vertices are held again
    grid = plan.fine_grid(degree, ranges, memory - held, threads=threads)
    counted = plan.ranks_counted(degree)
    in_memory = plan.holds_edges(arcs, len(degree), memory)
    edge_bytes = plan.HELD_ARC_BYTES * arcs if in_memory else 0
    del degree
    seconds["rank"] = time.perf_counter() - started - seconds["survey"]
    with closing(cast("Generator[Piece]", stream.pieces())) as pieces:
        found = bucket(
            pieces,
            arcs,
            rank,
            grid,
            work.folder,
            held=in_memory,
            memory=(memory - plan.FLOOR_BYTES - rank.nbytes - edge_bytes - stream.held_bytes) // 2,
            threads=threads,
            progress=progress[1],
        )
    del rank
    joined = plan.join(
        grid,
        found.index.keys(),
        memory,
        ranks=counted,
        held=held,
        fixed=ranges is not None,
        directed=stream.directed,
        threads=threads,
    )
    state = State(origin, grid, joined, found.index, stream.directed, found.loops, labels, crc)
    if not in_memory:
        write_state(work, state)
    seconds["bucket"] = time.perf_counter() - started - sum(seconds.values())
    return state


def _identity(network: str | PathLike[str] | Model) -> dict[str, Any]:
    """Give what tells an input from another: a file's name, size and time; a model's parameters."""
    if not isinstance(network, (str, os.PathLike)):
        return {"model": repr(network)}
    path = Path(os.fspath(network))
    try:
        held = path / "header.json" if path.is_dir() else path
        status = held.stat()
    except OSError:
        raise MissingFileError(path, "there is no such file") from None
    return {"name": path.name, "bytes": status.st_size, "modified": status.st_mtime_ns}


def _label_bytes(labels: NDArray[Any] | None) -> int:
    if labels is None:
        return 0
    return labels.nbytes if labels.dtype != np.object_ else plan.NAME_BYTES * len(labels)
