"""Arcs on a device and their orientation: from pieces of arcs in any order, with loops and repeats, to rows (orient.c).

Arcs lie in arrays on a card, from CuPy or any library with the CUDA array interface or DLPack, or are those of a random
network, made on the device by number: any range by itself, the same arcs as on the host. All that this module knows of
a model is the kernel that takes the model's parameters and a range of arcs.

Requires: fewer than 2**31 vertices and at most 2**32 arcs.
Idea: count degrees and sort vertices by degree; write a key for each arc, its larger rank above its smaller one; sort
  the keys; keep the first key of each edge. The arcs are read twice, piece by piece, so that they need not be in memory
  all at once: a source makes each piece again.
Cost: a sort of 64-bit keys, twice the size of the rows; at most 16 bytes for each arc and 36 for each vertex.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.arguments import take_number_of_vertices
from triadic.core.oriented import OrientationSummary
from triadic.core.records import record
from triadic.devices.gpu.rows import DeviceArrays, OrientedOnDevice
from triadic.devices.runtimes.cuda import CUDA, as_array
from triadic.devices.runtimes.registry import KINDS, device_of, kind_of, named
from triadic.devices.runtimes.registry import runtime as open_runtime
from triadic.devices.runtimes.runtime import (
    FOR_SORTING,
    MAX_ARCS,
    MAX_VERTICES,
    Buffer,
    Runtime,
    c_source,
    strides,
    sums_before,
)
from triadic.errors import ArgumentError, UnsupportedError

if TYPE_CHECKING:
    from triadic.core.array_types import AnyArray, Int32Array
    from triadic.devices.cpu.orient.row_sort import ArcSource


_TILE = 2048  # keys
_SOURCE = c_source("orient", TILE=_TILE)
_SOURCE_WITH_STATES = c_source("orient", TILE=_TILE, STATES=1)
_DLPACK_CUDA = (2, 10)  # DLPack's numbers of CUDA and ROCm
_PIECE = 1 << 25  # arcs: 256 MiB of ids, a few milliseconds of work for a card
_MOST_BLOCKS = 1 << 12  # more blocks than any card runs at once


def orient(
    runtime: Runtime, source: ArcSource, n: int, *, directed: bool = False, rank: Buffer | None = None
) -> tuple[DeviceArrays, OrientationSummary]:
    """Orient arcs between `n` vertices, with the result of `triadic.graph.orientation.orient`.

    Parameters
    ----------
    runtime : Runtime
    source : ArcSource
        Its pieces are buffers of the device, uint32; the next piece may overwrite them.
    n : int
    directed : bool, default False
        Whether the directions of arcs are kept, as states of edges.
    rank : uint32 buffer, shape (n,), optional
        Ranks of the vertices, as an orientation of arcs with the same degrees has them, if there are no loops.

    Raises
    ------
    UnsupportedError
        If there are more vertices or arcs than the kernels can number.
    OutOfMemoryError
        If the device has too little memory.
    """
    check_vertices(n)
    if source.arcs > MAX_ARCS:
        raise UnsupportedError(f"{source.arcs:,} arcs: at most 2**32 are taken on a card")
    arcs_bytes = 8 * source.arcs
    runtime.check_room(f"orienting {source.arcs:,} arcs", arcs_bytes, arcs_bytes + FOR_SORTING, *[8 * n] * 4, 4 * n)
    with runtime.active():
        loops = None
        if rank is None:
            rank, loops = _rank(runtime, source, n)
        keys, place = runtime.empty(source.arcs, np.uint64), 0
        for i in range(source.pieces):
            ends = source.piece(i)
            taken = len(ends[0])
            runtime.launch_each(_SOURCE, "edge_keys", taken, *ends, rank, taken, place, keys)
            place += taken
        keys = runtime.sort(keys)
        met_loops = 0 if loops is None else int(runtime.download(loops)[0])
        count = source.arcs - met_loops
        arrays, arcs = _rows(runtime, keys, count, rank, directed=directed)
        return arrays, OrientationSummary(arcs, met_loops, count - arcs, arcs - len(arrays.indices))


def check_vertices(n: int) -> None:
    """Check that the ids of `n` vertices fit the kernels.

    Raises
    ------
    UnsupportedError
        If they do not.
    """
    if n > MAX_VERTICES:
        raise UnsupportedError(f"num_vertices={n:,}: at most 2**31 - 1 are taken on a card")


def _rank(runtime: Runtime, source: ArcSource, n: int) -> tuple[Buffer, Buffer]:
    """Rank vertices by falling degree, repeats counted; return the ranks and the number of loops."""
    degree, loops = runtime.zeros(n), runtime.zeros(1, np.int64)
    for i in range(source.pieces):
        ends = source.piece(i)
        count = len(ends[0])
        runtime.launch_each(_SOURCE, "add_degrees", count, *ends, count, degree, loops)
    by_degree = runtime.empty(n, np.uint64)
    runtime.launch_each(_SOURCE, "degree_keys", n, degree, n, by_degree)
    by_degree = runtime.sort(by_degree)
    rank = runtime.empty(n)
    runtime.launch_each(_SOURCE, "ranks", n, by_degree, n, rank)
    return rank, loops


def _rows(runtime: Runtime, keys: Buffer, count: int, rank: Buffer, *, directed: bool) -> tuple[DeviceArrays, int]:
    """Make rows from the first `count` keys, and return them with the number of arcs."""
    xp, n = runtime.xp, len(rank)
    tiles = count // _TILE + 1  # at least one tile, so that the sum has a last element
    tile_arcs, tile_edges = runtime.zeros(tiles), runtime.zeros(tiles)
    runtime.launch_teams(_SOURCE, "count_firsts", tiles, keys, count, tiles, tile_arcs, tile_edges)
    before = sums_before(xp, runtime.view(tile_edges))
    columns = runtime.empty(int(before[-1]))
    length, below = runtime.zeros(n + 1), runtime.zeros(n)
    state = (runtime.empty(len(columns), np.uint8),) if directed else ()
    runtime.launch_teams(
        _SOURCE_WITH_STATES if directed else _SOURCE, "write_columns", tiles, keys, count,
        runtime.upload(before[:-1]), tiles, columns, length, below, *state,
    )  # fmt: skip
    lengths, degree = runtime.zeros(n + 1, np.int64), runtime.empty(n, np.int64)
    runtime.launch_each(_SOURCE, "degrees_of_rows", n, length, below, n, lengths, degree)
    indptr = xp.cumsum(runtime.view(lengths))
    arcs = int(runtime.view(tile_arcs).sum(dtype=np.int64))
    return DeviceArrays(rank, runtime.upload(indptr), columns, degree, *state), arcs


class ArcBuffers:
    """Arcs in arrays on a device; an `ArcSource`.

    Parameters
    ----------
    runtime : Runtime
    source, target : array of the runtime's `xp`, of int, shape (arcs,)
        Ids from 0 to 2**31 - 1.
    piece : int, default 2**25
        Arcs in a piece, if they must be copied.
    """

    def __init__(self, runtime: Runtime, source: Any, target: Any, *, piece: int = _PIECE) -> None:  # noqa: ANN401
        self._runtime, self._ends = runtime, (source, target)
        self.arcs = len(source)
        in_place = all(ids.dtype.itemsize == 4 and ids.flags.c_contiguous for ids in self._ends)
        self._piece = max(1, self.arcs if in_place else min(piece, self.arcs))
        self.pieces = -(-self.arcs // self._piece)

    def piece(self, i: int) -> tuple[Buffer, Buffer]:
        """Return source and target of the arcs of piece `i`, without a copy if the ids are contiguous 32-bit words."""
        part = slice(i * self._piece, (i + 1) * self._piece)
        own = (self._runtime.xp.ascontiguousarray(ids[part]) for ids in self._ends)
        words = (ids.view(np.uint32) if ids.dtype.itemsize == 4 else ids.astype(np.uint32) for ids in own)
        source, target = map(self._runtime.upload, words)
        return source, target


def is_on_card(array: object) -> bool:
    """Return whether an array lies on a card."""
    if hasattr(array, "__cuda_array_interface__"):
        return True
    device = getattr(array, "__dlpack_device__", None)
    return device is not None and not isinstance(array, np.ndarray) and device()[0] in _DLPACK_CUDA


def orient_arrays(
    source: object, target: object, vertices: int | None, *, directed: bool = False
) -> tuple[OrientedOnDevice, OrientationSummary]:
    """Orient the edges of a graph on the card that holds them.

    Parameters
    ----------
    source, target : array of int on one card, shape (edges,)
    vertices : int, optional
        Number of vertices; by default one more than the largest id.
    directed : bool, default False
        Whether edges run from source to target.

    Raises
    ------
    ArgumentError
        If the arrays are no ids of vertices, differ in length or lie on different cards.
    UnsupportedError
        If there are more vertices or arcs than the kernels can number.
    OutOfMemoryError
        If the card has too little memory.
    """
    for name, array in (("source", source), ("target", target)):
        if not is_on_card(array):
            raise ArgumentError(f"{name}: expected an array on a card, as the other is, got {type(array).__name__}")
    ends = [_checked(name, as_array(array)) for name, array in (("source", source), ("target", target))]
    if len(ends[0]) != len(ends[1]):
        raise ArgumentError(f"source and target: expected the same length, got {len(ends[0])} and {len(ends[1])}")
    numbers = {end.device.id for end in ends}
    if len(numbers) > 1:
        raise ArgumentError(f"source and target: expected arrays on one card, got them on {sorted(numbers)}")
    least = max((int(end.max()) + 1 for end in ends if len(end)), default=0)
    n = least if vertices is None else take_number_of_vertices(vertices, least)
    runtime = open_runtime(f"{CUDA.name}:{numbers.pop()}")
    arrays, met = orient(runtime, ArcBuffers(runtime, *ends), n, directed=directed)
    return OrientedOnDevice(runtime, arrays), met


def ends_of(matrix: Any) -> tuple[Any, Any]:  # noqa: ANN401 - CuPy's
    """Return row and column of the stored entries of a sparse matrix on a card."""
    entries = matrix.tocoo()
    return entries.row, entries.col


def _checked(name: str, array: Any) -> Any:  # noqa: ANN401 - CuPy's
    if array.ndim != 1 or array.dtype.kind not in "iu":
        raise ArgumentError(f"{name}: expected a 1-D array of whole numbers, got {array.dtype} of shape {array.shape}")
    if len(array) and array.dtype.kind == "i" and int(array.min()) < 0:
        raise ArgumentError(f"{name}: expected vertices of at least 0, got {int(array.min())}")
    return array


@record
class Recipe:
    """The kernel and the parameters of a model.

    Attributes
    ----------
    kernel : str
        Name of the kernel, and of its file.
    parameters : tuple of NumPy scalars and arrays
        Parameters of the kernel before the range.
    vertices : int
    arcs : int
        A multiple of `together`.
    together : int
        Number of arcs that one work-item makes, the arcs of one vertex; at least 1.

    Raises
    ------
    UnsupportedError
        If there are more vertices than the kernels can number.
    """

    kernel: str
    parameters: tuple[np.generic | AnyArray, ...]
    vertices: int
    arcs: int
    together: int

    def __post_init__(self) -> None:
        check_vertices(self.vertices)


class GeneratedArcs:
    """The arcs of a model, made again each time that a piece is read; an `ArcSource`.

    Parameters
    ----------
    runtime : Runtime
    recipe : Recipe
    piece : int, default 2**25
        Arcs in a piece, rounded down to a multiple of ``recipe.together``.
    """

    def __init__(self, runtime: Runtime, recipe: Recipe, *, piece: int = _PIECE) -> None:
        self._runtime, self._recipe = runtime, recipe
        self._source = c_source(recipe.kernel, "draws")
        self._parameters = [
            runtime.upload(value) if isinstance(value, np.ndarray) else value for value in recipe.parameters
        ]
        self._piece = max(1, piece // recipe.together) * recipe.together
        self.arcs = recipe.arcs
        self.pieces = -(-recipe.arcs // self._piece)
        room = min(self._piece, recipe.arcs)
        self._ends = runtime.empty(room), runtime.empty(room)

    def piece(self, i: int) -> tuple[Buffer, Buffer]:
        """Make the arcs of piece `i`, in the buffers of the piece before."""
        recipe, start, (source, target) = self._recipe, i * self._piece, self._ends
        count = min(self._piece, self.arcs - start)
        blocks, step = strides(self._runtime, count // recipe.together, _MOST_BLOCKS)
        arguments = *self._parameters, start, count, step, source, target
        self._runtime.launch(self._source, recipe.kernel, blocks, *arguments)
        return source[:count], target[:count]


def one_device(device: object) -> str:
    """Return the full name of a single GPU: "cuda:0" for "cuda".

    Raises
    ------
    ArgumentError
        If the name has another form, or names several devices.
    DeviceError, MissingExtraError
        If there is no such device, or the package that reaches it is not installed.
    """
    if not isinstance(device, str) or kind_of(device) not in KINDS:
        forms = " or ".join(f"'{kind}', '{kind}:1'" for kind in KINDS)
        raise ArgumentError(f"device={device!r}: expected 'cpu', {forms}")
    names = named(device)
    if len(names) > 1:
        raise ArgumentError(f"device={device!r}: expected one device, a network is generated on one")
    return names[0]


def keeps_generated(device: str) -> bool:
    """Return whether a network generated on a device such as "cuda:0" is oriented there and stays there."""
    return device_of(device).keeps_generated


def orient_generated(
    device: str, recipe: Recipe, *, directed: bool = False
) -> tuple[OrientedOnDevice, OrientationSummary]:
    """Make and orient a model's arcs on a device such as "cuda:0", piece by piece; the graph stays there.

    Raises
    ------
    UnsupportedError
        If there are more arcs than the kernels can number.
    OutOfMemoryError
        If the device has too little memory.
    """
    runtime = open_runtime(device)
    arrays, met = orient(runtime, GeneratedArcs(runtime, recipe), recipe.vertices, directed=directed)
    return OrientedOnDevice(runtime, arrays), met


def download_generated(device: str, recipe: Recipe) -> tuple[Int32Array, Int32Array]:
    """Make a model's arcs on a device such as "opencl:0" and copy them to the host."""
    runtime = open_runtime(device)
    source, target = np.empty(recipe.arcs, np.int32), np.empty(recipe.arcs, np.int32)
    arcs, start = GeneratedArcs(runtime, recipe), 0
    for i in range(arcs.pieces):
        ends = [runtime.download(buffer) for buffer in arcs.piece(i)]
        stop = start + len(ends[0])
        source[start:stop], target[start:stop] = ends
        start = stop
    return source, target
