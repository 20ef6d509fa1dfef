"""An oriented graph on a device: its rows, the lists of its columns, ranks and states, and the cache that has them.

A graph that was oriented on a device (`OrientedOnDevice`) lies there already. All else is copied to the device or made
there when it is first needed, and stays in the cache as long as the oriented graph lives. Before large arrays are
made, their length is estimated from a sample of the entries.
"""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar, runtime_checkable
from weakref import WeakKeyDictionary

import numpy as np

from triadic.core.oriented import Oriented, OrientedEvents, frozen
from triadic.core.records import cached_property
from triadic.devices.runtimes.runtime import MAX_VERTICES, Buffer, Runtime, c_source
from triadic.errors import UnsupportedError

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from triadic.core.array_types import AnyArray

    OnDevice = Callable[[Runtime, Oriented], "Value"]


Value = TypeVar("Value")

_CACHE: WeakKeyDictionary[Oriented | OrientedEvents, dict[Hashable, object]] = WeakKeyDictionary()
ROWS = c_source("rows", "search")
_MUTUAL = 3  # the state of an edge without directions
_SAMPLE = 1 << 14  # entries; the standard error of the share of entries in lists is below 1 %


def cached(oriented: Oriented | OrientedEvents, runtime: Runtime, name: Hashable, make: Callable[[], Value]) -> Value:
    """Return what the cache has under a name for a graph on a device; if it has nothing, call `make` and cache that."""
    entries = _CACHE.setdefault(oriented, {})
    key = (runtime.name, name)
    if key not in entries:
        entries[key] = make()
    return entries[key]  # type: ignore[return-value]  # one name always has one type


def cached_keys(oriented: Oriented) -> tuple[Hashable, ...]:
    """Return the keys of the cache for a graph: pairs of a device's name and a name."""
    return tuple(_CACHE.get(oriented, ()))


class DeviceArrays(NamedTuple):
    """The arrays of an oriented graph on a device.

    Attributes
    ----------
    rank : uint32 buffer, shape (n,)
    indptr : int64 buffer, shape (n + 1,)
    indices : uint32 buffer, shape (m,)
    degree : int64 buffer, shape (n,)
    state : uint8 buffer, shape (m,), optional
        Of a directed graph.
    """

    rank: Buffer
    indptr: Buffer
    indices: Buffer
    degree: Buffer
    state: Buffer | None = None


def _on_host(name: str) -> Any:  # noqa: ANN401 - of the type that `Oriented` declares
    """Return an attribute of `OrientedOnDevice`: an array of `DeviceArrays`, copied to the host when first read."""

    def copy(graph: OrientedOnDevice) -> AnyArray | None:
        buffer = getattr(graph.arrays, name)
        if buffer is None:
            return None
        array = graph.runtime.download(buffer)
        return frozen(array.view(np.int32) if array.dtype == np.uint32 else array)

    return cached_property(copy)


class OrientedOnDevice(Oriented):
    """An `Oriented` made on a device. Each array is copied to the host when it is first read.

    Parameters
    ----------
    runtime : Runtime
        The runtime of the device.
    arrays : DeviceArrays
    """

    def __init__(self, runtime: Runtime, arrays: DeviceArrays) -> None:
        object.__setattr__(self, "runtime", runtime)
        object.__setattr__(self, "arrays", arrays)
        object.__setattr__(self, "columns", {})

    runtime: Runtime
    arrays: DeviceArrays
    rank, indptr, indices, degree, state = map(_on_host, ("rank", "indptr", "indices", "degree", "state"))

    def __reduce__(self) -> tuple[type[Oriented], tuple[Any, ...]]:
        return Oriented, (self.rank, self.indptr, self.indices, self.state, self.degree)

    @property
    def device(self) -> str:
        """Name of the device on which the arrays lie."""
        return self.runtime.name

    @property
    def num_vertices(self) -> int:
        """Number of vertices, n."""
        return len(self.arrays.rank)

    @property
    def num_edges(self) -> int:
        """Number of edges, m."""
        return len(self.arrays.indices)


@runtime_checkable
class DevicePart(Protocol):
    """A part of a graph that a device joins from arrays in its memory, so that the host need not join and copy it."""

    def rows_on(self, runtime: Runtime) -> tuple[Buffer, Buffer]:
        """Return where rows begin, int64, and their columns, uint32."""

    def states_on(self, runtime: Runtime) -> Buffer | None:
        """Return the states of the entries, uint8, or None if the part is undirected."""

    def middles_on(self, runtime: Runtime) -> Buffer | None:
        """Return `middle_from` of `triadic.core.oriented.Part` as an array of the runtime's `xp`."""

    @property
    def most_lists(self) -> int:
        """Upper bound of the number of entries v whose lists are walked."""


class Rows(NamedTuple):
    """The rows of an oriented graph on a device.

    Attributes
    ----------
    indptr : int64 buffer, shape (n + 1,)
    indices : uint32 buffer, shape (m,)
    """

    indptr: Buffer
    indices: Buffer

    @property
    def n(self) -> int:
        """Number of vertices."""
        return len(self.indptr) - 1

    @property
    def m(self) -> int:
        """Number of edges."""
        return len(self.indices)


class Lists(NamedTuple):
    """The list of each vertex of an oriented graph on a device: the rows that hold it, its neighbours of larger rank.

    Attributes
    ----------
    ptr : int64 buffer, shape (n + 1,)
        Where each list begins in `ends`.
    ends : uint32 buffer, shape (m,)
        Rows, rising within each list.
    """

    ptr: Buffer
    ends: Buffer


def _cached(make: OnDevice[Value]) -> OnDevice[Value]:
    """Cache what a function makes of a graph on a device, under the name of the function."""

    @wraps(make)
    def from_cache(runtime: Runtime, oriented: Oriented) -> Value:
        return cached(oriented, runtime, make.__name__, lambda: make(runtime, oriented))

    return from_cache


def _arrays_taken(runtime: Runtime, oriented: Oriented) -> DeviceArrays | None:
    """Return the arrays of a graph that lies on a device whose arrays this device takes."""
    is_taken = isinstance(oriented, OrientedOnDevice) and runtime.takes(oriented.arrays.indptr)
    return oriented.arrays if is_taken else None  # type: ignore[attr-defined]  # of OrientedOnDevice


def _array_on(runtime: Runtime, oriented: Oriented, name: str) -> Buffer | None:
    """Return an array of `DeviceArrays`, copied to the device unless it is there; None for no states."""
    array = getattr(_arrays_taken(runtime, oriented) or oriented, name)
    if array is None:
        return None
    return runtime.upload(array.view(np.uint32) if array.dtype == np.int32 else array)


@_cached
def rows_on(runtime: Runtime, oriented: Oriented) -> Rows:
    """Return the rows on a device, copied there at the first call."""
    n, m = oriented.num_vertices, oriented.num_edges
    if n > MAX_VERTICES:
        raise UnsupportedError(f"{runtime.name}: graphs of more than 2**31 - 1 vertices are counted on the CPU")
    if _arrays_taken(runtime, oriented) is None:
        kind = "part" if isinstance(oriented, DevicePart) else "graph"
        runtime.check_room(f"a {kind} of {n:,} vertices and {m:,} edges", 8 * (n + 1), 4 * m)
    if isinstance(oriented, DevicePart):
        return Rows(*oriented.rows_on(runtime))
    return Rows(_array_on(runtime, oriented, "indptr"), _array_on(runtime, oriented, "indices"))


@_cached
def lists_on(runtime: Runtime, oriented: Oriented) -> Lists:
    """Return the lists of all vertices, made on the device at the first call."""
    rows = rows_on(runtime, oriented)
    runtime.check_room(f"lists of {rows.m:,} edges", *runtime.room_for_columns(rows.n, rows.m))
    return Lists(*runtime.columns(*rows, runtime.computed(lambda _, indptr: indptr[:-1], rows.indptr)))


@_cached
def places_on(runtime: Runtime, oriented: Oriented) -> Buffer:
    """Return for each entry of the lists, a row that holds v, the place of v in that row, uint32, shape (m,)."""
    rows, lists = rows_on(runtime, oriented), lists_on(runtime, oriented)
    runtime.check_room(f"places of {rows.m:,} edges", 4 * rows.m)
    places = runtime.empty(rows.m)
    runtime.launch_teams(ROWS, "list_places", rows.n, *rows, *lists, rows.n, places)
    return places


@_cached
def degrees_on(runtime: Runtime, oriented: Oriented) -> Buffer:
    """Return the degree of each rank on a device, int64, copied there at the first call."""
    return _array_on(runtime, oriented, "degree")


@_cached
def ranks_on(runtime: Runtime, oriented: Oriented) -> Buffer:
    """Return the rank of each vertex on a device, uint32, copied there at the first call."""
    return _array_on(runtime, oriented, "rank")


@_cached
def order_on(runtime: Runtime, oriented: Oriented) -> Buffer:
    """Return the vertex at each rank on a device, uint32, made there at the first call."""

    def inverse(xp: Any, ranks: Any) -> Any:  # noqa: ANN401 - arrays of `xp`
        order = xp.empty_like(ranks)
        order[ranks] = xp.arange(len(ranks), dtype=order.dtype)
        return order

    return runtime.computed(inverse, ranks_on(runtime, oriented))


@_cached
def states(runtime: Runtime, oriented: Oriented) -> Buffer:
    """Return the state of each entry on a device, cached; in an undirected graph all states are mutual."""
    m = oriented.num_edges
    runtime.check_room(f"the states of {m:,} edges", m, length_of_lists(oriented, 0))
    state = oriented.states_on(runtime) if isinstance(oriented, DevicePart) else _array_on(runtime, oriented, "state")
    return all_mutual(runtime, m) if state is None else state


def all_mutual(runtime: Runtime, m: int) -> Buffer:
    """Return the states of m entries without directions, uint8."""
    return runtime.computed(lambda xp: xp.full(m, _MUTUAL, dtype=np.uint8))


def length_of_lists(oriented: Oriented, hubs: int) -> int:
    """Estimate the number of entries in lists: all entries but hubs and the first entry of each row."""
    if isinstance(oriented, DevicePart):
        return oriented.most_lists
    return _estimated_entries(oriented, lambda columns, is_first: (columns >= hubs) & ~is_first)


def entries_below(oriented: Oriented, rank: int) -> int:
    """Estimate the number of entries whose column is below a rank."""
    if isinstance(oriented, DevicePart):
        return oriented.num_edges
    return _estimated_entries(oriented, lambda columns, _: columns < rank)


def _estimated_entries(oriented: Oriented, holds: Callable[[Any, Any], Any]) -> int:
    """Estimate the number of entries for which ``holds(columns, is_first)``; `is_first`: at the start of a row."""
    m = oriented.num_edges
    if m == 0:
        return 0
    columns: AnyArray
    # A random sample, since regular steps could fall in with rows of one length.
    sample = np.arange(m) if m <= _SAMPLE else np.random.default_rng(0).integers(m, size=_SAMPLE)
    if isinstance(oriented, OrientedOnDevice):
        runtime, arrays, count = oriented.runtime, oriented.arrays, len(sample)
        if runtime.xp is np:  # an exact number is not worth a copy to the host
            return m
        found, starts = runtime.empty(count), runtime.empty(count)
        runtime.launch_each(
            ROWS, "entry_samples", count, arrays.indptr, arrays.indices, oriented.num_vertices,
            runtime.upload(sample), count, found, starts,
        )  # fmt: skip
        columns, firsts = runtime.download(found), runtime.download(starts) > 0
    else:
        columns = oriented.indices[sample]
        firsts = oriented.indptr[np.searchsorted(oriented.indptr, sample)] == sample
    return round(m * float(holds(columns, firsts).mean()))
