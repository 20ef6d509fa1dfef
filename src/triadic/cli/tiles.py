"""Counting by tiles: for a graph that does not fit in memory, is stored as tiles, or is counted on a cluster."""

from __future__ import annotations

import os
import sys
import time
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

from triadic.cli.network_files import Url, parse_location, printed_warnings, say_weights
from triadic.errors import ReadError, TriadicError, UnsupportedError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager

    from triadic.tiles.tiled_graph import TiledGraph

Options = Any  # a `Counting`, with those of reading and of tiles
# Upper bounds of the bytes of a graph in memory per byte of its file, for text and for compressed files. A graph with
# weights takes up to twice as many.
_BYTES_PER_BYTE, _BYTES_PER_COMPRESSED_BYTE = 16, 64
_COUNT_DIRECTIONS = ("triads", "triads by vertex")  # plans of counts that do not ignore directions
_COMPRESSED = (".gz", ".zst", ".gzip", ".zstd", ".parquet", ".pq")


def find_tiles(
    path: Path | Url,
    options: Options,
    *,
    plan: str,
    client: Any,  # noqa: ANN401 - distributed has no types
) -> tuple[TiledGraph, dict[str, float], Path | None] | None:
    """Return the tiles to count, or None if the graph is to be counted in memory.

    If the graph does not fit in memory, or with ``--tiles``, this prints the plan of the count on standard error and
    writes the tiles.

    Returns
    -------
    graph : TiledGraph
        A cluster counts it if there is a client.
    seconds : dict of str to float
        Time to open or to write the tiles, by step.
    temporary : pathlib.Path or None
        Folder of the tiles, if they were written for this count only.

    Raises
    ------
    UnsupportedError
        The tiles have the weights of another column, or are of a network with other directions.
    """
    from triadic.planning.tile_costs import is_tiles
    from triadic.tiles.tiled_graph import TiledGraph

    if isinstance(path, Url) or is_tiles(path):
        words = options.words(
            "format", "num_vertices", "source", "target", "header", "bad_rows", "where", "combine", "tiles"
        )
        if words:
            raise UnsupportedError(
                f"{' '.join(words)}: {path} holds tiles, which are counted as they were made; leave the option out, or "
                "give `triadic tile` the file of the network"
            )
        started = time.perf_counter()
        graph = TiledGraph(path, memory=options.memory, results=options.results, client=client)
        _check_tiles(graph, options, plan)
        return graph, {"read": time.perf_counter() - started}, None
    weighted, weights = options.weights is not None, options.weight_keywords()
    if options.tiles is not None or not _surely_fits(path, options.memory, options.format, weighted=weighted):
        from triadic.planning.plan import IN_MEMORY
        from triadic.planning.plan import plan as make_plan
        from triadic.tiles.tiling import make_tiles

        needed = make_plan(
            path,
            of=plan,
            memory=options.memory,
            threads=options.threads,
            by_tiles=options.tiles is not None,
            weights=weights["weights"],
            **options.read_keywords(),
        )
        if needed.way != IN_MEMORY:
            sys.stderr.write(f"{needed}\n")
            sys.stderr.flush()
            reading: dict[str, Any] = {**options.read_keywords()}
            ranges = needed.ranges_to_tile or None
            if weighted:
                # Weighted counts of commands ignore directions.
                reading |= {"directed": False, "weights": weights["weights"], "combine": weights["combine"]}
            if client is not None:
                from triadic.tiles.cluster.client import enough_ranges

                ranges = max(needed.ranges, enough_ranges(client))  # so that no worker is idle
            folder, temporary = options.tiles, None
            if folder is None:
                settings = *reading.values(), ranges, options.memory
                folder = temporary = _temporary_folder(path, options.output, settings)
            if is_tiles(folder):  # of an earlier run, whose plan may have asked for other ranges
                ranges = _ranges_asked_for(folder, ranges)
            with resumable(), printed_warnings():
                made = make_tiles(
                    path,
                    folder,
                    memory=needed.memory_to_tile,
                    ranges=ranges,
                    threads=options.threads,
                    progress=options.watching,
                    **reading,
                )
            say_weights(made.tiles.origin.get("combined"))
            survey = made.seconds.get("survey", 0.0)
            seconds = {"read": survey, "tile": sum(made.seconds.values()) - survey}
            graph = TiledGraph(folder, memory=needed.memory, results=options.results, client=client)
            return graph, seconds, temporary
    if options.results is not None:
        raise UnsupportedError(
            f"--results {options.results}: {path} fits in memory, and a count in memory keeps no results; "
            "add --tiles FOLDER or leave out --results"
        )
    return None


def _check_tiles(graph: TiledGraph, options: Options, plan: str) -> None:
    """Raise an UnsupportedError if tiles have the weights of another column, or other directions."""
    column, directed = options.weights, options.directed
    tiles: Any = graph.oriented().source  # StoredTiles, as they are in a folder or at a URL
    if column is not None and column.lower() != "true" and not tiles.has_weights_of(column):
        recorded = tiles.origin["weights"]
        had = "that --weights true found" if recorded is True else f"of {recorded}"
        raise UnsupportedError(
            f"--weights {column}: the tiles have the weights {had}; use --weights true for them, or make tiles of "
            f"the weights {column}"
        )
    if plan in _COUNT_DIRECTIONS and directed not in (None, graph.directed):
        raise UnsupportedError(
            f"--{'directed' if directed else 'undirected'}: the tiles are of "
            f"{'a directed' if graph.directed else 'an undirected'} network; leave the option out, or make tiles "
            "with it"
        )


def _ranges_asked_for(tiles: Path, otherwise: int | None) -> int | None:
    """Return the number of ranges that tiling was asked for when it made some tiles; None if it chose the number."""
    from triadic.tiles.stored_tiles import StoredTiles, open_store

    try:
        asked: int | None = StoredTiles(open_store(tiles)).origin.get("ranges")
    except ReadError:  # tiling raises an error that says what to do
        return otherwise
    return asked


def _temporary_folder(path: Path, output: str | None, settings: tuple[object, ...]) -> Path:
    """Return a folder that the same command finds again: next to its output, or in the user's cache folder."""
    beside = None if output is None else parse_location(output)
    if isinstance(beside, Path):
        return beside.with_name(f"{beside.name}.tiles")
    from triadic.tiles.url_store import work_folder

    return work_folder(f"{os.fspath(path.resolve())} {settings}")


def numbers_of_tiles(graph: Any, client: Any) -> dict[str, int]:  # noqa: ANN401 - a TiledGraph; distributed has no types
    """Return the numbers of the ranges and tasks of tiles, and of the workers of a cluster."""
    from triadic.tiles.layout import triples

    layout = graph.oriented().layout
    numbers = {"ranges": layout.ranges, "tasks": sum(1 for _ in triples(layout))}
    return numbers if client is None else {**numbers, "workers": len(client.scheduler_info(n_workers=-1)["workers"])}


@contextmanager
def resumable() -> Iterator[None]:
    """Print, if the work is interrupted, that the same command resumes it."""
    try:
        yield
    except KeyboardInterrupt:
        sys.stderr.write("triadic: interrupted; run the same command again to resume\n")
        raise


def client_of(address: str | None) -> AbstractContextManager[Any]:
    """Connect to the Dask cluster at an address while the block runs; without an address, do nothing."""
    if address is None:
        return nullcontext(None)
    from triadic.tiles.cluster.client import connect

    return connect(address)


def refuse_tiles(path: Path | Url, count: str, options: Options) -> None:
    """Raise an UnsupportedError if the options ask for a count by tiles that tiles do not have.

    Parameters
    ----------
    path : pathlib.Path or Url
    count : str
        The option that asks for the count, such as ``"--labelled"``.
    options : Options
    """
    from triadic.planning.tile_costs import is_tiles

    words = options.words("memory", "tiles", "results", "dask")
    if words:
        raise UnsupportedError(
            f"{words[0]} {words[1]}: {count} is counted in memory only, not by tiles; leave out one of the two options"
        )
    if isinstance(path, Url) or is_tiles(path):
        kind = "the URL" if isinstance(path, Url) else "a folder"
        raise UnsupportedError(
            f"{path}: found {kind} of tiles, but {count} is counted in memory only; expected the file of a network"
        )


def _surely_fits(path: Path, memory: str | None, format: str | None, *, weighted: bool) -> bool:  # noqa: A002 - as in triadic.read
    """Return whether a network is so small that no plan is needed."""
    from triadic.core.memory import available_bytes, parse_bytes
    from triadic.io.networks import open_network
    from triadic.io.stored_graphs import HEADER

    allowed = available_bytes() if memory is None else parse_bytes(memory)
    try:
        if (path / HEADER).is_file():
            size, compressed = sum(part.stat().st_size for part in path.iterdir()), False
        elif path.exists() and not (path.is_file() or path.is_dir()):  # a pipe can be read only once
            return True
        else:
            source, known = open_network(path, format)
            size, names = source.stored_bytes, source.stored_names
            compressed = known.name == "parquet" or any(name.lower().endswith(_COMPRESSED) for name in names)
    except (OSError, TriadicError):  # the reader raises an error that says what is wrong
        return True
    return (2 if weighted else 1) * (_BYTES_PER_COMPRESSED_BYTE if compressed else _BYTES_PER_BYTE) * size <= allowed
