"""Counting on the command line what does not fit in memory, or is in tiles already, or goes to a cluster."""

from __future__ import annotations

import os
import shutil
import sys
import time
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from triadic.cli.locations import Url

if TYPE_CHECKING:
    from collections.abc import Iterator
    from contextlib import AbstractContextManager
    from pathlib import Path

    from triadic.cli.file_options import FileOptions
    from triadic.planning.plan import Plan

# A graph in memory takes less than so many times the bytes of its file: of text, and of a file that is packed.
_PLAIN, _PACKED = 16, 64
_PACKED_SUFFIXES = (".gz", ".zst", ".parquet", ".pq")


@dataclass(frozen=True, slots=True)
class Asked:
    """How a count that can be done by tiles is asked for.

    Attributes
    ----------
    of : str
        What is counted, as `triadic.planning.plan.plan` names it.
    memory : str or None
        Bytes that may be held.
    tiles : pathlib.Path or None
        Folder to put tiles in, and to keep.
    dask : str or None
        A cluster's address.
    output : pathlib.Path or None
        Where counts of vertices go.
    results : pathlib.Path or None
        Folder to keep what is counted in.
    """

    of: str
    memory: str | None = None
    tiles: Path | None = None
    dask: str | None = None
    output: Path | None = None
    results: Path | None = None


@dataclass(frozen=True, slots=True)
class Place:
    """Tiles to count.

    Attributes
    ----------
    tiles : pathlib.Path or Url
    results : pathlib.Path or None
        Where what is counted is kept; None for the usual place.
    memory : str, int or None
        Bytes to hold while they are counted.
    made : pathlib.Path or None
        The tiles, if they are nobody's but this command's: to be removed when all is done.
    seconds : dict of str to float
    """

    tiles: Path | Url
    results: Path | None
    memory: str | int | None
    made: Path | None
    seconds: dict[str, float]


def place_of(
    path: Path | Url,
    asked: Asked,
    options: FileOptions,
    *,
    threads: int | None,
    progress: bool,
    client: Any,  # noqa: ANN401 - distributed has no types
) -> Place | None:
    """Give the tiles to count, made where the graph does not fit in memory; None where it is counted in memory.

    The plan of what is then done goes to standard error.
    """
    from triadic.planning.tile_costs import is_tiles

    if isinstance(path, Url) or is_tiles(path):
        return Place(path, asked.results, asked.memory, made=None, seconds={})
    if asked.tiles is None and _surely_fits(path, asked.memory):
        _refuse_results(path, asked)
        return None
    from triadic.planning.plan import IN_MEMORY, plan

    found = plan(path, of=asked.of, memory=asked.memory, threads=threads, by_tiles=asked.tiles is not None, **options)
    if found.way == IN_MEMORY:
        _refuse_results(path, asked)
        return None
    sys.stderr.write(f"{found}\n")
    sys.stderr.flush()
    ranges = None
    if client is not None:
        from triadic.tiles.cluster.connecting import enough_ranges

        ranges = max(found.ranges, enough_ranges(client))  # so that each worker has something to do
    return _tile(path, asked, found, options, ranges, threads=threads, progress=progress)


def _refuse_results(path: Path, asked: Asked) -> None:
    """Refuse to keep what is counted in memory."""
    from triadic.errors import UnsupportedError

    if asked.results is not None:
        raise UnsupportedError(
            f"--results {asked.results}: {path} fits in memory, and nothing that is counted there is kept; "
            "add --tiles FOLDER, or leave it out"
        )


def _tile(
    path: Path,
    asked: Asked,
    found: Plan,
    options: FileOptions,
    ranges: int | None,
    *,
    threads: int | None,
    progress: bool,
) -> Place:
    from triadic.tiles.tiling import make_tiles

    folder = asked.tiles or _own_folder(path, asked, (*options.values(), ranges, asked.memory))
    with resumable():
        made = make_tiles(
            path, folder, memory=found.memory_to_tile, ranges=ranges, threads=threads, progress=progress, **options
        )
    reading = made.seconds.get("survey", 0.0)
    seconds = {"read": reading, "tile": sum(made.seconds.values()) - reading}
    made_for_this = folder if asked.tiles is None else None
    return Place(folder, asked.results, found.memory, made_for_this, seconds)


@contextmanager
def resumable() -> Iterator[None]:
    """Say, where work by tiles is interrupted, that it is not lost."""
    try:
        yield
    except KeyboardInterrupt:
        sys.stderr.write("triadic: stopped; the same command goes on from here\n")
        raise


def client_of(address: str | None) -> AbstractContextManager[Any]:
    """Give a client of the cluster at an address, for as long as the block runs; None without an address."""
    if address is None:
        return nullcontext(None)
    from triadic.tiles.cluster.connecting import connect

    return connect(address)


def remove(folder: Path) -> None:
    """Remove tiles that were made for one count."""
    shutil.rmtree(folder, ignore_errors=True)


def open_tiles(place: Place, client: Any) -> tuple[Any, float]:  # noqa: ANN401 - distributed has no types
    """Give the tiled graph at a place, and the seconds that took."""
    from triadic.tiles.tiled_graph import TiledGraph

    started = time.perf_counter()
    graph = TiledGraph(place.tiles, memory=place.memory, results=place.results, client=client)
    return graph, time.perf_counter() - started


def refuse(
    path: Path | Url,
    what: str,
    *,
    memory: str | None,
    tiles: Path | None,
    results: Path | None,
    dask: str | None,
) -> None:
    """Refuse to count by tiles what they do not have.

    Raises
    ------
    UnsupportedError
    """
    from triadic.errors import UnsupportedError
    from triadic.planning.tile_costs import is_tiles

    given = {"--memory": memory, "--tiles": tiles, "--results": results, "--dask": dask}
    named = next((f"{option} {value}" for option, value in given.items() if value is not None), None)
    if named is not None:
        raise UnsupportedError(f"{named}: {what} is counted in memory alone, not by tiles; leave one of them out")
    if isinstance(path, Url) or is_tiles(path):
        kind = "the URL" if isinstance(path, Url) else "a folder"
        raise UnsupportedError(
            f"{path}: is {kind} of tiles, and {what} is counted in memory alone, from a graph's file"
        )


def _surely_fits(path: Path, memory: str | None) -> bool:
    """Whether a file is so small that no plan is needed."""
    from triadic.core.memory import available_bytes
    from triadic.core.sizes import parse_bytes

    allowed = available_bytes() if memory is None else parse_bytes(memory)
    try:
        size = sum(part.stat().st_size for part in path.iterdir()) if path.is_dir() else path.stat().st_size
    except OSError:  # reading it tells what is wrong
        return True
    if not (path.is_dir() or path.is_file()):  # a pipe is read once
        return True
    times = _PACKED if path.suffix.lower() in _PACKED_SUFFIXES else _PLAIN
    return times * size <= allowed


def _own_folder(path: Path, asked: Asked, options: tuple[object, ...]) -> Path:
    """Give a folder for tiles that the same command finds again: beside the output, or in the user's cache."""
    if asked.output is not None:
        return asked.output.with_name(f"{asked.output.name}.tiles")
    from triadic.tiles.url_store import work_folder

    return work_folder(f"{os.fspath(path.resolve())} {options}")
