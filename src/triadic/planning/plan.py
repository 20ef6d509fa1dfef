"""`plan`: what counting a network takes, in memory, over tiles or on a cluster, before anything is counted.

If counting takes longer than asked, `proposal` names the command that estimates in place of it.
"""

from __future__ import annotations

import shlex
from dataclasses import asdict, replace
from numbers import Integral
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from triadic.convert.result_table import ResultTable
from triadic.core.blocks import resolve_threads
from triadic.core.checked import check_option, checked
from triadic.core.formatting import html_table
from triadic.core.memory import available_bytes, parse_bytes, show_bytes
from triadic.core.oriented import Sizes
from triadic.core.records import value_class
from triadic.errors import ArgumentError, OutOfMemoryError
from triadic.planning import measures, tile_costs
from triadic.planning.measures import GRAPHLETS, MEASURES, measure_of
from triadic.planning.rates import default_rates, rates
from triadic.planning.sample import SKEWED, Sample, sample_of
from triadic.planning.shape import shape_of
from triadic.planning.tile_costs import count_tiles
from triadic.tiles.cluster.tile_transfer import task_bytes
from triadic.tiles.cluster.tiling_plan import task_memory
from triadic.tiles.partition import MOST_RANGES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from triadic.core.array_types import AnyArray
    from triadic.io.file_source import NetworkInput
    from triadic.measures.patterns.pattern import Pattern
    from triadic.planning.measures import Measure
    from triadic.planning.rates import Rates
    from triadic.planning.shape import AnyShape, TileEstimate
    from triadic.planning.tile_costs import TileCount
    from triadic.tiles.layout import Layout


By = Literal["vertex", "edge"] | None
IN_MEMORY, TILES, CLUSTER = "in memory", "tiles", "cluster"
_BUFFERS = 16 << 20  # bytes held beside `memory` while tiles are made: buffers of Arrow and of threads
_LEAST_SHARED = 1 << 31  # bytes of a worker, below which no smaller tiles are tried
_WORKER_MEMORY = "16GB"  # of each worker, unless another is given
_SHARE = 0.5  # of the available memory, for tiles, as `TiledGraph` takes it
_SHARES_TO_TILE = (1.0, 0.7, 0.5, 0.42, 0.35, 0.25)  # of the memory to count: the less to tile, the more ranges
# Numbers of ranges to ask `triadic.tile` for if it does not choose enough of them itself.
_MORE_RANGES = (4, 8, 16, 32, 64, 128, MOST_RANGES)


@value_class(repr=False, kw_only=True)
class Plan(ResultTable):
    """What a count takes.

    `to_pandas` and `to_polars` return a data frame of one row: a column for each attribute, of which "of" is the first
    and the index in pandas, and one for the seconds of each step, such as "seconds read".

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
        Bytes read from and written to disk in total, and the most bytes held at once, beside the interpreter and its
        libraries; on a cluster, held by each worker.
    memory : int
        Bytes that may be held; of a plan for a cluster, the memory of each worker.
    memory_to_tile : int
        The ``memory=`` of `triadic.tile` with which the tiles can be counted in `memory`, on a cluster that of each
        thread of a worker; 0 if no tiles are written.
    ranges_to_tile : int
        The ``ranges=`` of `triadic.tile` with which the tiles can be counted; 0 if the memory alone is enough.
    threads, workers : int
        Number of threads of a process, and of processes.
    seconds : dict of str to float
        Estimated seconds of each step: ``"read"``, ``"prepare"`` or ``"tile"``, ``"count"``.
    basis : str
        What the estimates are based on.
    """

    way: str = IN_MEMORY
    of: str
    vertices: int
    edges: int
    ranges: int = 1
    tasks: int = 1
    bytes_read: int
    bytes_written: int = 0
    bytes_held: int
    memory: int
    memory_to_tile: int = 0
    ranges_to_tile: int = 0
    threads: int
    workers: int = 1
    seconds: dict[str, float]
    basis: str

    def as_record(self) -> dict[str, Any]:
        """Return plain numbers and strings, for JSON."""
        return {**asdict(self), "seconds": {step: round(taken, 3) for step, taken in self.seconds.items()}}

    def rows(self) -> list[tuple[str, str, str]]:
        """Return the rows of a table: names, values and notes."""
        about = "" if self.basis.startswith(("from all", "from the tiles")) else "about "
        beside = "" if self.way == IN_MEMORY else " beside buffers"
        held = f"{show_bytes(self.memory)} allowed{beside}" if 0 < self.memory < 1 << 61 else ""
        if self.way == CLUSTER:
            held = f"of the {show_bytes(self.memory)} of each worker"
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
            ("held", show_bytes(self.bytes_held), held),
            ("tasks", f"{self.tasks:,}", ranges if self.way != IN_MEMORY else ""),
            ("threads", f"{self.threads:,}", f"of each of {self.workers:,} workers" if self.way == CLUSTER else ""),
            ("time", f"about {show_seconds(total)}", steps),
        ]

    def footnote(self) -> str:
        """Return the basis as a sentence."""
        return f"{self.basis[0].upper()}{self.basis[1:]}."

    def _columns(self) -> dict[str, AnyArray]:
        record = self.as_record()
        seconds = {f"seconds {step}": taken for step, taken in record.pop("seconds").items()}
        row = {"of": record.pop("of"), **record, **seconds}
        return {name: np.array([value], object if isinstance(value, str) else None) for name, value in row.items()}

    def _repr_html_(self) -> str:
        return html_table(f"Plan of {self.of}", (), self.rows(), below=self.footnote())

    def __repr__(self) -> str:
        """Return the table, a line a row, and the basis."""
        rows = self.rows()
        name, value = (max(len(row[column]) for row in rows) for column in (0, 1))
        lines = [f"{a:<{name}}  {b:>{value}}  {c}".rstrip() for a, b, c in rows]
        return "\n".join([*lines, self.footnote()])


@checked
def plan(
    network: NetworkInput | tuple[int, int],
    *,
    of: str | Pattern = "clustering",
    by: By = None,
    size: int | None = None,
    memory: str | int | None = None,
    threads: int | None = None,
    workers: int | None = None,
    worker_memory: str | int | None = None,
    directed: bool | None = None,
    format: str | None = None,  # noqa: A002 - the keyword of triadic.read
    num_vertices: int | None = None,
    source: str | int | None = None,
    target: str | int | None = None,
    header: bool | None = None,
    bad_rows: str = "error",
    where: Mapping[str, Any] | None = None,
    weights: bool | str | int | None = None,
    by_tiles: bool = False,
    measure: bool = False,
) -> Plan:
    """Estimate what counting a network takes, from a part of the network or from its sizes alone.

    Parameters
    ----------
    network : path-like, list of paths, binary file, table or (int, int)
        A network that `triadic.read` reads, a folder of tiles, or the numbers of vertices and edges.
    of : str or Pattern, default "clustering"
        What to count: a name or a pattern that `count` takes, or the name of a declared count, such as
        ``"triangles of edges"``. The time of a pattern is taken to be that of the graphlets of as many vertices. With
        `weights`, ``"clustering"`` is ``"weighted_clustering"``: the three coefficients of `weighted_clustering`
        without directions, and the unweighted ones, as ``triadic clustering --weights`` computes them.
    by : {None, "vertex", "edge"}, optional
        Where to count: in the whole network, at each vertex or at each edge.
    size : {3, 4, 5}, optional
        Number of vertices of the largest "graphlets" or "orbits"; by default 4.
    memory : str or int, optional
        Bytes that counting may hold on this machine; by default what is available, and half of that over tiles.
    threads : int, optional
        Number of threads of each process, by default as many as this process may use, and 1 of a worker.
    workers : int, optional
        Number of workers of a cluster, which tile and count; by default this machine does.
    worker_memory : str or int, default "16GB"
        Memory of each worker. Nothing of a plan for a cluster depends on the memory of this machine: neither the client
        nor a worker holds an array as long as the number of vertices.
    directed, format, vertices, source, target, header, bad_rows, where : optional
        How the file is read: the keywords of `triadic.read`.
    weights : bool, str or int, optional
        Weights of the edges, as in `triadic.read`: the name or the index of a column, or True for the weights of the
        format or the column with a usual name of weights; True for two sizes. A plan of a file for a count that takes
        weights needs them; for tiles and two sizes the name of the count is enough. By default no weights are read.
    by_tiles, measure : bool, default False
        Whether to plan for tiles even if the graph fits in memory, and to measure the speed of this machine first.

    Raises
    ------
    MissingFileError, ReadError, ArgumentError
        If the file cannot be read, an argument is invalid, `of` takes weights and there are none, or `of` takes no
        weights and `weights` names some.
    UnsupportedError
        If the graph does not fit in memory and a tiled graph does not have the count; or if tiles have the weights of
        another column.
    OutOfMemoryError
        If tiles of the most ranges do not fit either, on this machine or in the memory of a worker.

    Notes
    -----
    A network of up to two million arcs is read whole; of a larger one two million arcs or a twentieth, in places spread
    over its files. Of a table of another library all rows are read twice, and up to two million are kept. A plan from
    sizes alone takes less than a second and a few megabytes. Seconds are measured on this machine with `measure`, and
    are rough without.

    Examples
    --------
    >>> found = plan((1_000_000, 20_000_000), memory="200MB", threads=2)
    >>> found.way, found.edges
    ('tiles', 20000000)
    """
    wants_weights = weights is not None and weights is not False
    check_option("by", by, By)
    counted = measure_of(of, by, size, weighted=wants_weights)
    if workers is not None and workers < 1:
        raise ArgumentError(f"workers={workers!r}: expected None or a whole number of at least 1")
    if workers is None and worker_memory is not None:
        raise ArgumentError(f"worker_memory={worker_memory!r}: no workers are planned; expected workers= as well")
    if workers is not None and memory is not None:
        raise ArgumentError(f"memory={memory!r}: workers have memory of their own; expected worker_memory=")
    allowed = available_bytes() if memory is None else parse_bytes(memory)
    used, of_tiles = resolve_threads(threads), int(_SHARE * allowed) if memory is None else allowed
    if workers is not None:
        given = _WORKER_MEMORY if worker_memory is None else worker_memory
        used, of_tiles = used if threads else 1, parse_bytes(given, "worker_memory")
    speed = rates(used, again=measure)
    planner = _Planner(counted, speed, of_tiles, used, workers)
    if isinstance(network, (str, PathLike)) and tile_costs.is_tiles(network):
        return planner.of_tiles(tile_costs.stored_tiles(network, weights=weights if wants_weights else None))
    if isinstance(network, tuple) and len(network) == 2 and all(isinstance(size, Integral) for size in network):
        if wants_weights and weights is not True:
            raise ArgumentError(f"weights={weights!r}: two sizes have no columns; expected True")
        n, m = network
        sample = Sample(arcs=m, edges=m, vertices=n, directed=bool(directed), reads=0, basis=SKEWED)
    elif counted.weighted and not wants_weights:
        raise ArgumentError(f"of={of!r} takes weights; expected weights=True or the name or index of their column")
    else:
        sample = sample_of(
            network,
            directed=directed,
            format=format,
            num_vertices=num_vertices,
            weights=weights,
            source=source,
            target=target,
            header=header,
            bad_rows=bad_rows,
            where=where,
            threads=used,
        )
    return planner.of_sample(sample, 0 if by_tiles else allowed) if workers is None else _fastest(planner, sample)


def _fastest(planner: _Planner, sample: Sample) -> Plan:
    """Return the fastest plan of a cluster: smaller tiles make more tasks, which more workers share."""
    best, tried = planner.of_sample(sample, 0), planner
    while tried.memory > _LEAST_SHARED:
        tried = replace(tried, memory=tried.memory // 2)
        try:
            best = min(best, tried.of_sample(sample, 0), key=lambda each: sum(each.seconds.values()))
        except OutOfMemoryError:
            break
    return replace(best, memory=planner.memory)


@value_class
class _Planner:
    """What is counted, in how much memory for tiles: of this machine, or of each of some workers."""

    measure: Measure
    speed: Rates
    memory: int
    threads: int
    workers: int | None

    def of_tiles(self, tiles: TileEstimate) -> Plan:
        """Return the plan of tiles in a folder."""
        self.measure.check_tiled()
        if self.measure.weighted and not tiles.layout.weighted:
            raise ArgumentError(
                f"of={self.measure.name!r}: the tiles have no weights; expected tiles that were made with weights"
            )
        count = self._count(tiles)
        basis = f"from the tiles of all {tiles.layout.edges:,} edges"
        return self._over_tiles(tiles.layout, count, basis, {}, start=self.speed.start)

    def of_sample(self, sample: Sample, allowed: int) -> Plan:
        """Return the plan of a network, which is counted in memory if `allowed` bytes are enough."""
        shape = shape_of(sample)
        held = measures.bytes_held(sample, shape, self.measure, threads=self.threads)
        if self.workers is None and held <= allowed:
            return self._in_memory(sample, shape, held, allowed)
        self.measure.check_tiled()
        if self.measure.undirected:
            shape = shape.to_undirected()
        tiles, count, to_tile, ranges = self._cut(shape, tile_costs.label_bytes(sample, shape.vertices))
        advice = "" if ranges is None else f", tiled with --ranges {ranges}"
        every, on_cluster = (self.workers or 1) * self.threads, self.workers is not None
        sharing = every if on_cluster else 1  # threads of a cluster share all steps
        once = not on_cluster and tile_costs.keeps_arcs(sample, to_tile)
        written, spilled, held = tile_costs.bytes_of_tiling(
            sample, shape, tiles, memory=self._of_task(to_tile), threads=every, on_cluster=on_cluster
        )
        if on_cluster:
            advice += f", tiled with --memory {show_bytes(to_tile)}"
            held *= self.threads
        speed, again = self.speed, 0.0 if once else sample.again * sample.arcs
        bucket = (2 if tiles.layout.weighted else 1) * speed.bucket * sample.arcs / every
        seconds = {
            "read": speed.start + sample.survey * sample.arcs / sharing,
            "tile": (again + speed.rank * shape.vertices + speed.sort * tiles.stored_bytes) / sharing + bucket,
        }
        return self._over_tiles(
            tiles.layout,
            count,
            sample.basis + advice,
            seconds,
            # Tiling hashes the bytes of the input before it reads them.
            read=(1 + (1 if once else sample.reads)) * sample.input_bytes + spilled + shape.vertices * 12,
            written=written,
            held=held,
            memory_to_tile=to_tile,
            ranges_to_tile=ranges or 0,
        )

    def _cut(self, shape: AnyShape, labels: int) -> tuple[TileEstimate, TileCount, int, int | None]:
        """Cut a graph so that the count fits; return the bytes for tiling and the ranges to ask for, too.

        Tiles are cut for a count of one column, and a count of more columns takes more for each vertex. So tiling is
        allowed less memory, and cuts more ranges; at last, it is asked for more ranges, up to the most that it accepts.
        """
        cluster = 0 if self.workers is None else self.workers * self.threads
        threads = 1 if cluster else self.threads
        options: dict[str, Any] = {
            "threads": threads,
            "weighted": self.measure.weighted,
            "labels": labels,
            "cluster": cluster,
        }
        # Of cutting the first tiles, or else of counting the most ranges: they state about the least memory.
        refusal: ArgumentError | OutOfMemoryError | None = None
        counted = True
        for share, ranges in (*((share, None) for share in _SHARES_TO_TILE), *((1.0, more) for more in _MORE_RANGES)):
            if ranges is None and not counted:
                continue  # still less memory than was too little to cut
            to_tile, tiles = int(share * self._allowed) // (self.threads if cluster else 1), None
            try:
                tiles = tile_costs.cut(shape, memory=self._of_task(to_tile), ranges=ranges, **options)
                return tiles, self._count(tiles), to_tile, ranges
            except (ArgumentError, OutOfMemoryError) as error:  # of ranges of too many vertices, or too little memory
                if refusal is None or (counted and tiles is not None):
                    refusal, counted = error, tiles is not None
        raise refusal or OutOfMemoryError(f"memory={show_bytes(self.memory)}: too little")

    @property
    def _allowed(self) -> int:
        """Bytes that counting may hold; of a worker, what its tasks may hold together."""
        return self.memory if self.workers is None else task_bytes(self.memory)

    def _of_task(self, to_tile: int) -> int:
        """Return the bytes that tiling holds with ``memory=to_tile``: of this machine, or of a task of a worker."""
        return to_tile if self.workers is None else task_memory(to_tile, self.memory // self.threads)

    def _count(self, tiles: TileEstimate) -> TileCount:
        return count_tiles(tiles, self.measure, memory=self._allowed, threads=self.threads, workers=self.workers or 0)

    def _in_memory(self, sample: Sample, shape: AnyShape, held: int, allowed: int) -> Plan:
        speed, (alike, ratio) = self.speed, self._alike(shape)
        fixed, slope = speed.in_memory[alike.name]
        # Weights double the time, and a graph without directions is made of one with directions.
        times = (2 if self.measure.weighted else 1) * (2 if self.measure.undirected and shape.directed else 1)
        seconds = {
            "read": 1.3 * max(sample.survey, sample.again) * sample.arcs,
            "prepare": speed.start + times * speed.prepare * sample.arcs / self.threads,
            "count": fixed + ratio * slope * measures.cost(shape, alike) * 1e-9 / self.threads,
        }
        return self._plan(shape, sample.basis, seconds, memory=allowed, bytes_read=sample.input_bytes, bytes_held=held)

    def _over_tiles(
        self,
        layout: Layout,
        count: TileCount,
        basis: str,
        seconds: dict[str, float],
        *,
        start: float = 0.0,
        read: int = 0,
        written: int = 0,
        held: int = 0,
        **figures: int,
    ) -> Plan:
        alike, ratio = self._alike(layout)
        if self.measure.parts or self.measure.tile_count.adds_over == "edges":
            ratio = 1.0  # the costs are nanoseconds of the counts themselves
        fixed, slope = self.speed.tiled[alike.name]
        processes = self.workers or 1
        work = ratio * slope * count.longest(processes) * 1e-9 / self.threads
        tasks = fixed * -(-count.tasks // processes)
        counting = start + work + tasks + self.speed.read * count.tile_bytes / processes
        return self._plan(
            layout,
            basis,
            {**seconds, "count": counting},
            way=TILES if self.workers is None else CLUSTER,
            ranges=layout.ranges,
            tasks=count.tasks,
            bytes_read=read + count.bytes_read,
            bytes_written=written + count.bytes_written,
            bytes_held=max(count.bytes_held, held and _BUFFERS + held),
            memory=self.memory,
            workers=processes,
            **figures,
        )

    def _plan(self, graph: AnyShape | Layout, basis: str, seconds: dict[str, float], **figures: Any) -> Plan:  # noqa: ANN401 - figures of a plan, of several types
        if self.speed == default_rates(self.threads):
            basis += "; times of a common server, until --measure measures this one"
        return Plan(
            of=self.measure.name, vertices=graph.vertices, edges=graph.edges, threads=self.threads, seconds=seconds,
            basis=basis, **figures,
        )  # fmt: skip

    def _alike(self, graph: AnyShape | Layout) -> tuple[Measure, float]:
        """Return a measure whose rates are known, and the work of this one in proportion to it."""
        if self.measure.name in self.speed.in_memory:
            return self.measure, 1.0
        alike = MEASURES["clustering"]
        sizes = Sizes(graph.vertices, graph.edges, directed=graph.directed)
        return alike, self.measure.work(sizes) / max(1.0, alike.work(sizes))


def show_seconds(seconds: float) -> str:
    """Return a time as text, with about two digits.

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
    """Return a number as text; an estimate has three digits."""
    digits = 10 ** max(0, len(str(number)) - 3)
    return f"{round(number / digits) * digits:,}" if estimated else f"{number:,}"


# Counts and the commands that estimate them.
ESTIMATED = {
    "clustering": "clustering",
    "triangles": "clustering",
    "triads": "census",
    GRAPHLETS: "graphlets",
    "graphlets": "graphlets",
    "graphlets of four vertices": "graphlets",
}


def proposal(plan: Plan, seconds: float, options: Sequence[str]) -> str:
    """Return a sentence about an estimate if counting takes longer than some seconds; else an empty string.

    No command is proposed if the steps before the count, which an estimate takes as well, are the larger part of the
    time and exceed the limit by themselves.

    Parameters
    ----------
    plan : Plan
    seconds : float
        Time that the count may take.
    options : sequence of str
        File and options of the command that estimates.

    Examples
    --------
    >>> from triadic.planning.plan import plan
    >>> found = plan((10_000_000, 2_000_000_000), memory="1TB", threads=2)
    >>> proposal(found, 60, ["web.csv", "--estimate"]).partition(": ")[2]
    'triadic clustering web.csv --estimate'
    """
    total = sum(plan.seconds.values())
    if total <= seconds:
        return ""
    longer = f"This is longer than {show_seconds(seconds)}."
    if plan.of not in ESTIMATED:
        return f"{longer} Only {', '.join(ESTIMATED)} are estimated."
    if plan.way != IN_MEMORY and ESTIMATED[plan.of] == "graphlets":
        return f"{longer} An estimate of graphlets needs the whole graph in memory."
    count = plan.seconds.get("count", 0.0)
    before = total - count
    if before > max(count, seconds):
        return f"{longer} An estimate would take longer, too: the steps before the count take {show_seconds(before)}."
    return (
        f"{longer} The steps before the count take {show_seconds(before)} of it, for an estimate as well; most of the "
        f"{show_seconds(count)} of the count is saved by an estimate: "
        f"{shlex.join(['triadic', ESTIMATED[plan.of], *options])}"
    )
