"""What a model is, and making its arcs: all of them over threads or on a device, or block by block."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np

from triadic.core import blocks
from triadic.core.arcs import Arcs
from triadic.core.memory import check_memory
from triadic.errors import UnsupportedError
from triadic.generate.arguments import check_whole

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from triadic.graph.graph import Graph

    Ids = NDArray[np.integer[Any]]

# Arcs a worker makes at a time: a few milliseconds.
_PIECE = 1 << 18
# Arcs in a streamed block: 32 MiB of ids.
BLOCK = 1 << 22


class Model(Protocol):
    """A network known by its parameters: any range of its arcs can be made by itself, always the same."""

    @property
    def vertices(self) -> int:
        """Number of vertices."""

    @property
    def arcs(self) -> int:
        """Number of arcs, loops and repeats included."""

    @property
    def directed(self) -> bool:
        """Whether source and target mean a direction."""

    def fill(self, start: int, source: Ids, target: Ids) -> None:
        """Write the ends of the arcs from number `start` on, as many as the two arrays hold."""


@runtime_checkable
class OfParameters(Model, Protocol):
    """A model whose arcs a kernel makes of a few parameters alone, on the host or on a device."""

    @property
    def kernel(self) -> str:
        """Name of the kernel that devices have for it."""

    @property
    def parameters(self) -> tuple[np.generic | NDArray[Any], ...]:
        """What the kernel takes before the range of arcs."""

    @property
    def together(self) -> int:
        """Arcs whose ends depend on each other, those of a vertex; 0 where there are none."""


def make_arcs(model: Model, *, threads: int | None = None, progress: blocks.Progress | None = None) -> Arcs:
    """Make all arcs of a model.

    Parameters
    ----------
    model : Model
    threads : int, optional
        Number of threads; by default as many as the process may use. The arcs are the same for every number.
    progress : callable, optional
        ``progress(done, total)``, in pieces of arcs.

    Returns
    -------
    Arcs
        8 bytes an arc, 16 from 2**31 vertices on; loops and repeats as the model has them.

    Raises
    ------
    OutOfMemoryError
        If the arcs would not fit in memory.

    Examples
    --------
    >>> from triadic import generate
    >>> arcs = generate.make_arcs(generate.Grid(rows=2, columns=2))
    >>> list(zip(arcs.source.tolist(), arcs.target.tolist()))
    [(0, 1), (2, 3), (0, 2), (1, 3)]
    """
    _check_memory_for_arcs(model)
    source, target = _make(model, 0, model.arcs, blocks.resolve_threads(threads), progress)
    return Arcs(source, target, vertices=model.vertices, directed=model.directed)


def make_graph(
    model: Model, *, threads: int | None = None, device: str = "cpu", progress: blocks.Progress | None = None
) -> Graph:
    """Make the graph of a model: its arcs, loops and repeats dropped.

    Parameters
    ----------
    model : Model
        On a GPU an undirected one: `RMat`, `WattsStrogatz` or `BarabasiAlbert`.
    threads : int, optional
        Number of threads; by default as many as the process may use.
    device : str, default "cpu"
        What makes the graph, the same one everywhere. On "cuda" or "cuda:1" it is made and oriented on the card, is
        counted there and comes to the host when it is asked for; "opencl" or "opencl:1" makes the arcs alone.
    progress : callable, optional
        ``progress(done, total)``, in pieces of arcs made on the CPU.

    Returns
    -------
    Graph
        Made on the CPU, it takes what `make_arcs` and ``Graph.from_arcs`` do. A card never holds the arcs, and takes
        at most 16 bytes an arc and 36 a vertex.

    Raises
    ------
    OutOfMemoryError
        If the arcs or the graph would not fit in memory.
    UnsupportedError
        A model, a directed graph, or 2**31 vertices or 2**32 + 1 arcs, on a GPU.
    ArgumentError, DeviceError, MissingExtraError
        There is no such device, or what reaches it is not installed.

    Examples
    --------
    >>> from triadic import generate
    >>> generate.make_graph(generate.Grid(rows=2, columns=2)).num_edges
    4
    """
    from triadic.graph.graph import Graph  # noqa: PLC0415 - streaming needs no Graph

    if device == "cpu":
        return Graph.from_arcs(make_arcs(model, threads=threads, progress=progress))
    from triadic.devices.gpu import generated_arcs as gpu  # noqa: PLC0415 - likewise

    name = gpu.one_device(device)
    if not isinstance(model, OfParameters):
        raise UnsupportedError(f"device={device!r}: {type(model).__name__} is made on 'cpu'")
    if model.directed:
        raise UnsupportedError(f"device={device!r}: directed graphs are made on 'cpu'")
    recipe = gpu.Recipe(model.kernel, model.parameters, model.vertices, model.arcs, max(1, model.together))
    if gpu.keeps_generated(name):
        oriented, met = gpu.orient_generated(name, recipe)
        return Graph._of_oriented(oriented, met, directed=False, labels=None)  # noqa: SLF001 - our own, being made
    _check_memory_for_arcs(model)
    source, target = gpu.download_generated(name, recipe)
    return Graph.from_arcs(Arcs(source, target, vertices=model.vertices, directed=False), threads=threads)


def stream(model: Model, *, block: int = BLOCK, threads: int | None = None) -> Iterator[tuple[Ids, Ids]]:
    """Make the arcs of a model block by block, in order, in memory for one block.

    Parameters
    ----------
    model : Model
        `Delaunay` is the one model that holds all its arcs in memory.
    block : int, default 4194304
        Arcs in a block; the last may be shorter.
    threads : int, optional
        Threads that make each block; by default as many as the process may use.

    Yields
    ------
    source, target : int32 or int64 arrays, shape (block,)
        Together exactly the arcs of `make_arcs`.

    Examples
    --------
    >>> from triadic import generate
    >>> [len(source) for source, target in generate.stream(generate.RMat(scale=4, seed=1), block=100)]
    [100, 100, 56]
    """
    block = check_whole("block", block, 1, 1 << 40)
    workers = blocks.resolve_threads(threads)
    return (_make(model, start, min(start + block, model.arcs), workers, None) for start in range(0, model.arcs, block))


def ids_dtype(vertices: int) -> np.dtype[np.int32] | np.dtype[np.int64]:
    """Give the dtype that holds the ids of so many vertices."""
    return np.dtype(np.int32) if vertices <= np.iinfo(np.int32).max else np.dtype(np.int64)


def _check_memory_for_arcs(model: Model) -> None:
    check_memory(
        2 * ids_dtype(model.vertices).itemsize * model.arcs,
        f"{type(model).__name__}: holding its {model.arcs:,} arcs",
        "stream them to a file",
    )


def _make(model: Model, start: int, stop: int, threads: int, progress: blocks.Progress | None) -> tuple[Ids, Ids]:
    dtype = ids_dtype(model.vertices)
    source: Ids = np.empty(stop - start, dtype=dtype)
    target: Ids = np.empty(stop - start, dtype=dtype)
    cuts = blocks.cut_evenly(stop - start, -(-(stop - start) // _PIECE))
    if len(source):
        model.fill(start, source[:1], target[:1])  # compiles here, before there are threads

    def fill(_: int, i: int) -> None:
        part = slice(cuts[i], cuts[i + 1])
        model.fill(start + int(cuts[i]), source[part], target[part])

    blocks.run(fill, len(cuts) - 1, threads=threads, progress=progress)
    return source, target
