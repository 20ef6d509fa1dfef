"""`Count`, the declaration of an exact count, and `run`, through which every measure reaches the kernels.

A count is declared once, as a `Count` in a file of this package: its name, its result, the kernels that count it on
each kind of device, the memory and work that they need, and whether it adds up over tiles. `run` serves all counts: it
checks the arguments, chooses the device, compares the memory needed with the memory available, falls back to the CPU if
``device="auto"`` chose a GPU that failed, and shows progress. A tiled graph is counted tile by tile, on this machine or
on a Dask cluster. `at_vertices` puts results by rank into the order of vertices.
"""

from __future__ import annotations

import sys
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from functools import partial
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar

import numpy as np

from triadic.core.blocks import one_team, resolve_threads
from triadic.core.memory import check_memory
from triadic.core.oriented import Oriented, Part
from triadic.core.progress import reporting
from triadic.core.records import value_class
from triadic.devices import select
from triadic.devices.cpu.triangles.parts import TileSpan
from triadic.devices.cpu.vertex_arrays import SUM_BYTES_PER_ENTRY, take
from triadic.devices.gpu.block_pairs import count_over_blocks
from triadic.devices.gpu.row_blocks import RowsOfGraph
from triadic.devices.runtimes import registry
from triadic.devices.select import FEWEST_EDGES, resolve_device, warn
from triadic.errors import ArgumentError, DeviceError, MissingExtraError, OutOfMemoryError, UnsupportedError
from triadic.tiles.oriented_tiles import OrientedTiles
from triadic.tiles.sums import PartCounter
from triadic.tiles.triple_part import TriplePart

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from triadic.core.array_types import AnyArray, Int64Array
    from triadic.core.blocks import Progress
    from triadic.core.oriented import OrientedEvents, Sizes
    from triadic.core.progress import ProgressKeyword
    from triadic.devices.gpu.block_pairs import PartwiseCount
    from triadic.tiles.engine import RowsOfTiles
    from triadic.tiles.tile import TileValues

Result = TypeVar("Result")

_DECLARED: dict[str, Count[Any]] = {}
_NOTED: ContextVar[list[str] | None] = ContextVar("_NOTED", default=None)
# Graphs of more edges are never counted in the ways for small graphs: 0 in tests of the other ways.
MOST_SMALL_EDGES = 1 << 62


@dataclass(eq=False, slots=True, kw_only=True)
class Count(Generic[Result]):
    """The declaration of an exact count.

    Parameters
    ----------
    name : str
        A plural noun, unique among counts, for error messages and for the folder that keeps a tiled graph's count.
    gives : {"total", "vertices", "entries", "list"}
        What is counted: one row of numbers for the whole graph, one for each rank, one for each entry of the oriented
        rows, or a list of subgraphs.
    columns, dtype : int, default 1, and numpy scalar type, default int64
        Number of numbers in a row, and their type.
    cpu : callable
        ``cpu(oriented, *inputs, threads=, progress=)`` counts on the CPU. A total of one column is returned as an int;
        all other results are arrays (or tuples of arrays).
    in_place : bool, default False
        Whether `cpu` also counts a `triadic.devices.cpu.triangles.parts.TileSpan`, without joining its tiles.
    gpu : callable, optional
        ``gpu(device, oriented, *inputs, progress=)`` counts on a GPU or several, such as ``"cuda:0,1"``.
    gpu_over_parts : PartwiseCount, optional
        The count over parts of a graph, for tiled graphs and for graphs that are too large for the memory of GPUs.
    small, small_edges : callable, optional, and int, default 20,000
        ``small(oriented, *inputs, cuts=, threads=, progress=)`` counts graphs of at most `small_edges` edges, faster
        than `cpu` does (performance-diary.md). The rows from one of `cuts` to the next hold whole graphs, which one
        thread counts one after another. The memory is not checked.
    inputs : tuple, optional
        Inputs that are the same in every call; they follow the inputs of `run`.
    bytes, work : callable
        ``bytes(sizes, threads)`` estimates the most bytes that `cpu` holds beside the graph, its result included;
        ``work(sizes)`` the nanoseconds that `cpu` takes on one thread, of which only ratios matter.
    adds_over : {"triangles", "edges"}, optional
        The counts of triples of tiles ("triangles") or of single tiles ("edges") add up to that of a tiled graph.
        Inputs are then arrays with a row for each rank.
    takes : {"graph", "events"}, default "graph"
        What is counted: the `Oriented` form of a graph, or the `OrientedEvents` of a temporal graph.
    tiled, not_tiled : callable, optional, and str, optional
        ``tiled(tiles, *inputs, threads=, device=, progress=)`` counts a tiled graph if adding up does not suffice;
        or the reason why a tiled graph cannot be counted.
    takes_values : bool, default False
        Whether a tiled graph's first input is the `triadic.tiles.tile.TileValues` that its tiles have in place
        of weights. For an oriented graph they are float64 at the entries, or in its states.
    label : str, optional
        Text beside the progress bar; "counting" and the name by default.
    """

    name: str
    gives: Literal["total", "vertices", "entries", "list"]
    cpu: Callable[..., Result]
    bytes: Callable[[Sizes, int], int]
    work: Callable[[Sizes], float]
    columns: int = 1
    dtype: type[np.generic] = np.int64
    takes: Literal["graph", "events"] = "graph"
    in_place: bool = False
    gpu: Callable[..., Result] | None = None
    gpu_over_parts: PartwiseCount | None = None
    small: Callable[..., Result] | None = None
    small_edges: int = 20_000
    inputs: tuple[Any, ...] = ()
    adds_over: Literal["triangles", "edges"] | None = None
    tiled: Callable[..., Result] | None = None
    not_tiled: str = ""
    takes_values: bool = False
    label: str = ""
    module: str = field(default="", init=False)

    def __post_init__(self) -> None:
        self.module = sys._getframe(2).f_globals["__name__"]  # noqa: SLF001 - unpickling imports the declaring module
        if not self.label:
            self.label = f"counting {self.name}"
        if self.adds_over is None and self.tiled is None and not self.not_tiled:
            raise ArgumentError(f"count {self.name!r}: expected adds_over=, tiled= or a reason in not_tiled=")
        declared_before = _DECLARED.get(self.name)
        if declared_before is not None and declared_before.module != self.module:
            raise ArgumentError(f"count {self.name!r}: the name is taken by a count of {declared_before.module}")
        _DECLARED[self.name] = self

    def __reduce__(self) -> tuple[Callable[[str, str], Count[Any]], tuple[str, str]]:
        return _declared_in, (self.module, self.name)

    @property
    def runs_over_tiles(self) -> bool:
        """Whether a tiled graph can be counted."""
        return self.adds_over is not None or self.tiled is not None

    @property
    def kinds(self) -> tuple[str, ...]:
        """Kinds of devices that can count, the CPU first."""
        return ("cpu",) if self.gpu is None else ("cpu", *registry.KINDS)


def _declared_in(module: str, name: str) -> Count[Any]:
    if name not in _DECLARED:
        import_module(module)
    return _DECLARED[name]


@value_class(kw_only=True)
class Bytes:
    """Bytes in proportion to the size of a graph: a function of its sizes and of the number of threads.

    Only memory that is written counts: the system provides a page of an array of zeros when it is first written.

    Attributes
    ----------
    vertex, edge, state : float
        Bytes per vertex, per edge, and per edge of an undirected graph, which has no array of states.
    worker_vertex : float
        Bytes for each vertex that each thread writes in arrays of its own. A thread that counts a part of the edges
        writes the rows of their ends, which is less than the whole of its arrays.
    sums : int
        Columns of sums over the rows of an oriented graph: int64, shape (n, sums), for each thread, but no more
        threads than `triadic.devices.cpu.vertex_arrays` uses.
    """

    vertex: float = 0
    edge: float = 0
    worker_vertex: float = 0
    sums: int = 0
    state: float = 0

    def __call__(self, sizes: Sizes, threads: int) -> int:
        """Return the bytes."""
        n, m = sizes.vertices, sizes.edges
        edge = self.edge + (0 if sizes.directed else self.state)
        found = (self.vertex + self.worker_vertex * threads) * n + edge * m
        if self.sums:
            most = 1 + SUM_BYTES_PER_ENTRY * m // max(1, 8 * self.sums * n)
            # The share that a further thread writes: the more columns, the fewer rows a page has.
            written = min(1.0, 0.25 + 0.1 * self.sums)
            found += 8 * self.sums * n * (1 + written * (min(threads, most) - 1))
        return round(found)


def most_bytes(*phases: Callable[[Sizes, int], int]) -> Callable[[Sizes, int], int]:
    """Return the estimate of a count with several phases, each of which frees its memory: that of the largest."""
    return lambda sizes, threads: max(phase(sizes, threads) for phase in phases)


@value_class(kw_only=True)
class Work:
    """An estimate of work that is linear in the sizes of a graph, called with the sizes.

    Attributes
    ----------
    vertex, edge : float
        Nanoseconds per vertex and per edge.
    pair : float
        Nanoseconds per pair of entries in the same oriented row: the pairs that list intersection tests.
    """

    vertex: float = 0
    edge: float = 0
    pair: float = 0

    def __call__(self, sizes: Sizes) -> float:
        """Return the number of nanoseconds."""
        pairs = self.pair * sizes.row_pairs if self.pair else 0.0
        return self.vertex * sizes.vertices + self.edge * sizes.edges + pairs


def declared() -> dict[str, Count[Any]]:
    """Import all files of this package, and return every declared count by name."""
    package = import_module("triadic.counts")
    for module in iter_modules(package.__path__):
        import_module(f"triadic.counts.{module.name}")
    return dict(sorted(_DECLARED.items()))


def run(
    count: Count[Result],
    graph: Oriented | OrientedEvents | OrientedTiles,
    *inputs: Any,  # noqa: ANN401 - of the types that the count accepts
    threads: int | None = None,
    device: str = "auto",
    progress: ProgressKeyword = False,
    **options: Any,  # noqa: ANN401 - of the types that the count accepts
) -> Result:
    """Run a count on a graph.

    Parameters
    ----------
    count : Count
        The declaration of the count.
    graph : Oriented, OrientedEvents or OrientedTiles
        The oriented graph, the oriented events of a temporal graph, or the tiles of a graph.
    *inputs
        Inputs of the count beside the graph, such as a value for each entry.
    threads : int, optional
        Number of threads; by default as many as the process may use.
    device : str, default "auto"
        Name of a device, or "auto".
    progress : bool or callable, default False
        True shows a progress bar on standard error; a callable is called with ``(done, total)``.
    **options
        Options of the count's implementations, such as ``up_to=3``.

    Returns
    -------
    int or array
        The result that `count` declares; counts at vertices are in the order of ranks.

    Raises
    ------
    ArgumentError
        If `threads`, `device` or `progress` does not have one of the accepted values.
    UnsupportedError
        If the device cannot count this, or the graph is tiled and its tiles cannot.
    DeviceError, MissingExtraError
        If the device does not exist or fails, or the package that reaches it is not installed.
    OutOfMemoryError
        If the count needs more memory than is available.
    """
    workers = resolve_threads(threads)
    silent = progress is False or progress is None
    if silent and not isinstance(graph, OrientedTiles):
        return run_once(count, graph, *inputs, threads=workers, device=device, progress=None, **options)
    with reporting(progress, count.label) as report:
        if isinstance(graph, OrientedTiles):
            return _run_over_tiles(count, graph, inputs, options, threads=threads, device=device, progress=report)
        return run_once(count, graph, *inputs, threads=workers, device=device, progress=report, **options)


def run_once(
    count: Count[Result],
    oriented: Oriented | OrientedEvents,
    *inputs: Any,  # noqa: ANN401 - of the types that the count accepts
    threads: int,
    device: str,
    progress: Progress | None,
    **options: Any,  # noqa: ANN401 - of the types that the count accepts
) -> Result:
    """Run a count on an oriented graph that is in memory or on a device as a whole."""
    used = device_for(count, device, oriented)
    if used != "cpu" and count.gpu is not None:
        try:
            result = count.gpu(used, oriented, *inputs, *count.inputs, progress=progress, **options)
        except (DeviceError, OutOfMemoryError, UnsupportedError) as error:
            may_cut = isinstance(error, OutOfMemoryError) and not options and not isinstance(oriented, Part)
            in_blocks: Result | None = _count_in_blocks(count, used, oriented, progress) if may_cut else None
            if in_blocks is not None:
                _note(used)
                return in_blocks
            if device != "auto":
                raise
            warn(f"counting on the CPU: {error}", RuntimeWarning)
        else:
            _note(used)
            return result
    if count.gpu is not None:
        _note("cpu")
    if isinstance(oriented, TriplePart):  # its tiles are walked where they are
        return count.cpu(oriented.span, *inputs, *count.inputs, threads=threads, progress=progress, **options)
    if count.small is not None and not options:
        cuts = oriented.small_graphs(min(count.small_edges, MOST_SMALL_EDGES), threads)
        if cuts is not None:
            return count.small(oriented, *inputs, *count.inputs, cuts=cuts, threads=threads, progress=progress)
    sizes = oriented.sizes
    check_memory(
        count.bytes(sizes, threads),
        f"{count.label} in a graph of {sizes.vertices:,} vertices and {sizes.edges:,} {sizes.unit} "
        f"on {threads} threads",
        "use fewer threads, or more memory",
    )
    with one_team():
        return count.cpu(oriented, *inputs, *count.inputs, threads=threads, progress=progress, **options)


def _count_in_blocks(
    count: Count[Any], devices: str, oriented: Oriented | OrientedEvents, progress: Progress | None
) -> Any:  # noqa: ANN401 - of the type that the count declares
    """Run a count of a graph that is too large for the devices over blocks of its rows; None if that is impossible."""
    if count.gpu_over_parts is None or not isinstance(oriented, Oriented):
        return None
    try:
        rows = RowsOfGraph(oriented)
        counts = count_over_blocks(registry.runtimes_of(devices), rows, count.gpu_over_parts, progress=progress)
    except (DeviceError, MissingExtraError, OutOfMemoryError, UnsupportedError):
        return None
    if count.gives == "total":
        return int(counts[0]) if count.columns == 1 else counts
    result = np.zeros((oriented.num_vertices, *counts.shape[1:]), np.int64)
    result[: len(counts)] = counts
    return result


def _over_rows(
    rows: RowsOfTiles, *, first: int, progress: Progress | None, over_parts: PartwiseCount, devices: str, device: str
) -> Int64Array | None:
    """Count rows of tiles on devices; return None if triples are to be counted one by one."""
    try:
        counts = count_over_blocks(registry.runtimes_of(devices), rows, over_parts, first=first, progress=progress)
    except (DeviceError, OutOfMemoryError, UnsupportedError) as error:
        if isinstance(error, DeviceError) and device != "auto":
            raise
        return None
    _note(devices)
    return counts


def count_part(
    part: Oriented | TileSpan,
    progress: Progress | None,
    *inputs: Any,  # noqa: ANN401 - of the types that the count accepts
    count: Count[Any],
    options: dict[str, Any],
    threads: int,
    device: str,
) -> AnyArray:
    """Run a count on a part of a tiled graph; return an array, also for a count that returns an int."""
    if isinstance(part, TileSpan):
        if count.gpu is not None:
            _note("cpu")
        result = count.cpu(part, *inputs, *count.inputs, threads=threads, progress=progress, **options)
    else:
        result = run_once(count, part, *inputs, threads=threads, device=device, progress=progress, **options)
    return np.atleast_1d(np.asarray(result))


def device_for(count: Count[Any], device: str, oriented: Oriented | OrientedEvents | OrientedTiles) -> str:
    """Return the device that counts: "cpu" for a small graph on the host, unless the caller names another."""
    small = oriented.device is None and oriented.num_edges < FEWEST_EDGES
    return "cpu" if device == "cpu" or (device == "auto" and small) else chosen_device(count, device, oriented)


def part_counter(
    count: Count[Any], options: dict[str, Any], *, threads: int | None, device: str, values: TileValues | None = None
) -> PartCounter:
    """Return the counter of parts of a tiled graph, whose counts add up to a count of the graph."""
    name = count.name.replace(" ", "-")
    return PartCounter(
        name=name if values is None else f"{name}-of-{values.name}",
        count=partial(count_part, count=count, options=options, threads=resolve_threads(threads), device=device),
        columns=count.columns,
        per_rank=count.gives == "vertices",
        in_place=count.in_place,
        device=device if count.gpu is not None else "cpu",
        values=values,
    )


def at_vertices(
    graph: Oriented | OrientedTiles, at_rank: AnyArray, *, threads: int | None, name: str | None = None
) -> AnyArray:
    """Return for each vertex the value at its rank, shape (n,); for a tiled graph in the file of this name."""
    if isinstance(graph, OrientedTiles) and name is not None:
        return graph.at_vertices(at_rank, name, threads=resolve_threads(threads))
    out = None if name is None else graph.result(name, (graph.num_vertices,), at_rank.dtype.type)
    return take(at_rank, graph.rank, threads=resolve_threads(threads), out=out)


def on_device_of(count: Count[Any], device: str, oriented: Oriented, work: Callable[[str], Result]) -> Result | None:
    """Return ``work(name)`` for the device that `count` ran on, or None if the CPU has to do the work.

    That is so if the CPU counted, or if the device has no room.
    """
    used = device_for(count, device, oriented)
    if used == "cpu":
        return None
    try:
        return work(used)
    except OutOfMemoryError:
        return None
    except (DeviceError, MissingExtraError, UnsupportedError):  # "auto" warned of it while it counted
        if device != "auto":
            raise
        return None


@contextmanager
def noting() -> Iterator[list[str]]:
    """Yield a list to which each device that runs a count is added, once, while the context lasts."""
    noted: list[str] = []
    token = _NOTED.set(noted)
    try:
        yield noted
    finally:
        _NOTED.reset(token)


def _note(device: str) -> None:
    """Add a device that runs a count to the list of `noting`."""
    noted = _NOTED.get()
    if noted is not None and device not in noted:
        noted.append(device)


def check_device(count: Count[Any], device: str) -> None:
    """Raise if the argument `device` cannot run the count; for a check before long work."""
    if device != "auto":  # "auto" chooses a device for each graph, and never fails
        resolve_device(device, kinds=count.kinds, name=count.name)


def check_kind(count: Count[Any], device: str) -> None:
    """Raise if no device of the named kind can run the count; the device need not be on this machine."""
    select.check_kind(device, kinds=count.kinds, name=count.name)


def chosen_device(count: Count[Any], device: str, oriented: Oriented | OrientedEvents | OrientedTiles) -> str:
    """Return the name of the device on which a count of a graph runs."""
    return resolve_device(device, kinds=count.kinds, name=count.name, oriented=oriented)


def _run_over_tiles(
    count: Count[Any],
    tiles: OrientedTiles,
    inputs: Sequence[Any],
    options: dict[str, Any],
    *,
    threads: int | None,
    device: str,
    progress: Progress | None,
) -> Any:  # noqa: ANN401 - of the type that the count declares
    check = check_kind if tiles.on_cluster else check_device  # the workers of a cluster have devices of their own
    check(count, device)
    if count.tiled is not None:
        return count.tiled(tiles, *inputs, threads=threads, device=device, progress=progress, **options)
    if count.adds_over is None:
        raise UnsupportedError(f"a tiled graph has no {count.name}: {count.not_tiled}; read the graph into memory")
    values: TileValues | None = None
    if count.takes_values:
        values, *inputs = inputs
    counter = part_counter(count, options, threads=threads, device=device, values=values)
    devices = "cpu" if tiles.on_cluster else device_for(count, device, tiles)
    if devices != "cpu":
        counter = replace(counter, in_place=False)
    if count.adds_over == "edges":
        result = tiles.sum_over_edges(counter, tuple(inputs), progress=progress)
    else:
        on_device = None
        if devices != "cpu" and count.gpu_over_parts is not None and not options:
            on_device = partial(_over_rows, over_parts=count.gpu_over_parts, devices=devices, device=device)
        result = tiles.sum_over_triples(counter, threads=threads, progress=progress, on_device=on_device)
    return int(result[0]) if count.gives == "total" and count.columns == 1 else result
