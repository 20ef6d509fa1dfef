"""``plan``: what counting a file, or a graph of such sizes, will take: in memory, by tiles or on a cluster."""

from __future__ import annotations

import heapq
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from triadic.core.blocks import resolve_threads
from triadic.core.memory import available_bytes
from triadic.core.sizes import parse_bytes, show_bytes
from triadic.errors import ArgumentError, OutOfMemoryError
from triadic.planning import in_memory, tiled
from triadic.planning.counts import kind_of
from triadic.planning.of_sizes import sample_of_sizes
from triadic.planning.rates import rates
from triadic.planning.sampling import sample_of
from triadic.planning.shape import shape_of
from triadic.planning.there import is_tiles, tiles_there

if TYPE_CHECKING:
    from os import PathLike

    from triadic.planning.counts import Kind
    from triadic.planning.rates import Rates
    from triadic.planning.sample import Sample
    from triadic.planning.shape import Shape
    from triadic.planning.tiled import Passed, Tiled
    from triadic.tiles.layout import Layout

IN_MEMORY, TILES, CLUSTER = "in memory", "tiles", "cluster"
_BUFFERS = 16 << 20  # what is held beside what `memory` is for: chunks being read, Arrow's and threads' buffers
_SHARE = 0.5  # of the memory that is there, for tiles, as `TiledGraph` takes it


@dataclass(frozen=True, slots=True)
class Plan:
    """What a count will take.

    Attributes
    ----------
    way : str
        ``"in memory"``, ``"tiles"`` or ``"cluster"``.
    of : str
        What is counted.
    vertices, edges : int
    ranges, tasks : int
        Ranges of vertices and tasks, the triples of ranges; 1 and 1 in memory.
    bytes_read, bytes_written, bytes_held : int
        From and to disk in all, and the most that is held at once beside the interpreter and its libraries; on a
        cluster by each worker.
    memory : int
        Bytes that may be held.
    memory_to_tile : int
        Bytes that `triadic.tile` is to be allowed so that the tiles can be counted in `memory`; 0 where none are made.
    threads, workers : int
        Threads of a process, and processes.
    seconds : dict of str to float
        About how long each step takes: ``"read"``, ``"prepare"`` or ``"tile"``, ``"count"``.
    basis : str
        What this is known from.
    """

    way: str
    of: str
    vertices: int
    edges: int
    ranges: int
    tasks: int
    bytes_read: int
    bytes_written: int
    bytes_held: int
    memory: int
    memory_to_tile: int
    threads: int
    workers: int
    seconds: dict[str, float]
    basis: str

    def as_record(self) -> dict[str, Any]:
        """Give plain numbers and strings, for JSON."""
        return {**asdict(self), "seconds": {step: round(taken, 3) for step, taken in self.seconds.items()}}

    def rows(self) -> list[tuple[str, str, str]]:
        """Give names, values and notes, for a table."""
        about = "" if self.basis.startswith(("from all", "from the tiles")) else "about "
        beside = "" if self.way == IN_MEMORY else " beside buffers"
        held = f"{show_bytes(self.memory)} allowed{beside}" if 0 < self.memory < 1 << 61 else ""
        ranges = f"of {self.ranges:,} range{'' if self.ranges == 1 else 's'} of vertices"
        total = sum(self.seconds.values())
        steps = ", ".join(f"{step} {show_seconds(taken)}" for step, taken in self.seconds.items())
        ways = {IN_MEMORY: "the graph fits", TILES: "on disk, a few at a time in memory", CLUSTER: "by tiles"}
        return [
            ("way", self.way, ways[self.way]),
            ("vertices", f"{about}{_figure(self.vertices, bool(about))}", ""),
            ("edges", f"{about}{_figure(self.edges, bool(about))}", "pairs of vertices joined either way"),
            ("read", show_bytes(self.bytes_read), ""),
            ("written", show_bytes(self.bytes_written), ""),
            ("held", show_bytes(self.bytes_held), f"{held}{', by each worker' if self.way == CLUSTER else ''}"),
            ("tasks", f"{self.tasks:,}", ranges if self.way != IN_MEMORY else ""),
            ("threads", f"{self.threads:,}", f"of each of {self.workers:,} workers" if self.way == CLUSTER else ""),
            ("time", f"about {show_seconds(total)}", steps),
        ]

    def footnote(self) -> str:
        """Say what this is known from, as a sentence."""
        return f"{self.basis[0].upper()}{self.basis[1:]}."

    def __str__(self) -> str:
        """Give a table, a line each, and what it is known from."""
        rows = self.rows()
        name, value = (max(len(row[column]) for row in rows) for column in (0, 1))
        lines = [f"{a:<{name}}  {b:>{value}}  {c}".rstrip() for a, b, c in rows]
        return "\n".join([*lines, self.footnote()])


def plan(
    network: str | PathLike[str] | tuple[int, int],
    *,
    of: str = "clustering",
    memory: str | int | None = None,
    threads: int | None = None,
    workers: int | None = None,
    directed: bool | None = None,
    format: str | None = None,  # noqa: A002 - the keyword of triadic.read
    vertices: int | None = None,
    by_tiles: bool = False,
    measure: bool = False,
) -> Plan:
    """Work out what counting a network will take, from a part of it.

    Parameters
    ----------
    network : path-like or (int, int)
        A file that `triadic.read` reads, a folder of tiles, or a number of vertices and of edges.
    of : {"clustering", "census", "census-by-vertex", "graphlets"}
        What is counted; the graphlets are the first five.
    memory : str or int, optional
        Bytes that may be held; what is available by default, and of that a half where the graph has to be tiled.
    threads : int, optional
        Of each process; as many as the process may use by default.
    workers : int, optional
        Processes of a cluster; none by default.
    directed, format, vertices : optional
        As for `triadic.read`.
    by_tiles : bool, default False
        By tiles even where the graph fits in memory.
    measure : bool, default False
        Measure the speed of this machine anew.

    Returns
    -------
    Plan

    Raises
    ------
    MissingFileError, ReadError, ArgumentError
    OutOfMemoryError
        It does not even fit by tiles.

    Notes
    -----
    Files of up to two million arcs are read whole, of others so many arcs or a twentieth, in places spread over the
    file. Seconds are those of this machine, measured once and kept beside the compiled kernels.

    Examples
    --------
    >>> found = plan((1_000_000, 20_000_000), memory="200MB", threads=2)  # doctest: +SKIP
    >>> found.way, found.ranges  # doctest: +SKIP
    ('tiles', 3)
    """
    kind, used = kind_of(of), resolve_threads(threads)
    if workers is not None and workers < 1:
        raise ArgumentError(f"workers={workers!r}: expected None or a whole number of at least 1")
    allowed = available_bytes() if memory is None else parse_bytes(memory)
    of_tiles = int(_SHARE * allowed) if memory is None else allowed
    speed = rates(used, again=measure)
    if not isinstance(network, tuple) and is_tiles(network):
        found, basis = tiles_there(network)
        passed = tiled.counted(found, kind, memory=of_tiles, threads=used)
        return _by_tiles(found.layout, passed, kind, speed, of_tiles, used, workers, (0, 0, 0, 0), {}, basis)
    if isinstance(network, tuple):
        sample = sample_of_sizes(*network, directed=bool(directed))
    else:
        sample = sample_of(network, directed=directed, format=format, vertices=vertices, threads=used)
    return plan_of_sample(sample, kind, speed, 0 if by_tiles else allowed, of_tiles, threads=used, workers=workers)


def plan_of_sample(
    sample: Sample, kind: Kind, speed: Rates, allowed: int, of_tiles: int, *, threads: int, workers: int | None
) -> Plan:
    """Work out what a count takes from a sample; `allowed` bytes in memory, and `of_tiles` for tiles."""
    shape = shape_of(sample)
    held = in_memory.bytes_held(sample, shape, kind, threads=threads)
    if workers is None and held <= allowed:
        return _in_memory(sample, shape, kind, speed, held, allowed, threads)
    made, passed, to_tile = _cut(shape, kind, of_tiles, threads)
    written, aside = tiled.written_by_tiling(sample, shape, made, memory=to_tile)
    once = tiled.keeps(sample, to_tile)
    read = (1 if once else sample.reads) * sample.input_bytes + aside + shape.vertices * 12
    seconds = {
        "read": speed.start + sample.survey * sample.arcs,
        "tile": (0 if once else sample.again * sample.arcs)
        + speed.rank * shape.vertices
        + speed.bucket * sample.arcs / threads
        + speed.sort * int(made.file_bytes.sum()),
    }
    moved = read, written, to_tile, tiled.held_by_tiling(sample, made.layout, memory=to_tile, threads=threads)
    return _by_tiles(made.layout, passed, kind, speed, of_tiles, threads, workers, moved, seconds, sample.basis)


def _cut(shape: Shape, kind: Kind, memory: int, threads: int) -> tuple[Tiled, Passed, int]:
    """Cut a graph so that the count fits, and give the bytes that tiling is to be allowed for that.

    Tiles are cut for a count of one column; one of more takes more for each vertex.
    """
    least: OutOfMemoryError | None = None
    for share in (1.0, 0.7, 0.5, 0.35, 0.25):
        to_tile = int(share * memory)
        try:
            made = tiled.cut(shape, memory=to_tile, threads=threads)
            return made, tiled.counted(made, kind, memory=memory, threads=threads), to_tile
        except OutOfMemoryError as error:
            least = least or error
    raise least or OutOfMemoryError(f"memory={show_bytes(memory)}: too little")


def _in_memory(sample: Sample, shape: Shape, kind: Kind, speed: Rates, held: int, allowed: int, threads: int) -> Plan:
    fixed, slope = speed.in_memory[kind.name]
    seconds = {
        "read": 1.3 * max(sample.survey, sample.again) * sample.arcs,
        "prepare": speed.start + speed.prepare * sample.arcs / threads,
        "count": fixed + slope * in_memory.cost(shape, kind) * 1e-9 / threads,
    }
    return Plan(
        IN_MEMORY,
        kind.name,
        shape.vertices,
        shape.edges,
        1,
        1,
        sample.input_bytes,
        0,
        held,
        allowed,
        0,
        threads,
        1,
        seconds,
        sample.basis,
    )


def _by_tiles(
    layout: Layout,
    passed: Passed,
    kind: Kind,
    speed: Rates,
    memory: int,
    threads: int,
    workers: int | None,
    moved: tuple[int, int, int, int],
    seconds: dict[str, float],
    basis: str,
) -> Plan:
    each, slope = speed.tiled[kind.name]
    count = workers or 1
    # The longest of the workers, who take the groups of triples from one queue, the largest first.
    busiest = _longest(passed.costs, count)
    counting = (
        slope * busiest * 1e-9 / threads + each * -(-passed.tasks // count) + speed.read * passed.tile_bytes / count
    )
    start = 0.0 if seconds else speed.start
    return Plan(
        TILES if workers is None else CLUSTER,
        kind.name,
        layout.vertices,
        layout.edges,
        layout.ranges,
        passed.tasks,
        moved[0] + passed.bytes_read,
        moved[1] + passed.bytes_written,
        _BUFFERS + max(passed.bytes_held, moved[3]),
        memory,
        moved[2],
        threads,
        count,
        {**seconds, "count": start + counting},
        basis,
    )


def _longest(costs: tuple[float, ...], workers: int) -> float:
    busy = [0.0] * min(workers, max(1, len(costs)))
    for cost in sorted(costs, reverse=True):
        heapq.heapreplace(busy, busy[0] + cost)
    return max(busy)


def show_seconds(seconds: float) -> str:
    """Write a time with two digits or so.

    Examples
    --------
    >>> show_seconds(0.25), show_seconds(42.3), show_seconds(600), show_seconds(9000), show_seconds(400_000)
    ('0.25 s', '42 s', '10 min', '2.5 h', '4.6 days')
    """
    for size, unit, until in ((1, "s", 100), (60, "min", 100), (3600, "h", 48)):
        value = seconds / size
        if value < until:
            return f"{value:.{2 if value < 1 else 1 if value < 10 else 0}f} {unit}"
    return f"{seconds / 86400:,.1f} days"


def _figure(number: int, estimated: bool) -> str:
    """Write a number, of an estimated one three digits."""
    digits = 10 ** max(0, len(str(number)) - 3)
    return f"{round(number / digits) * digits:,}" if estimated else f"{number:,}"
