"""The interface of a model, and functions that make its arcs: all at once, on a device, or block by block.

Blocks are a stream, which :func:`triadic.tile` reads twice like the arcs of a file, or are written to Parquet.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Protocol

import numpy as np

from triadic.core import blocks
from triadic.core.arcs import Arcs
from triadic.core.checked import check_probability, check_seed, check_whole, checked
from triadic.core.memory import check_memory
from triadic.core.oriented import index_dtype
from triadic.errors import ArgumentError, UnsupportedError, shown

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator

    from triadic.core.array_types import Ids
    from triadic.graph.graph import Graph
    from triadic.io.arc_stream import VertexStream


# Keeps the product of two numbers of vertices below 2**63.
MOST_VERTICES = 1 << 31
# Arcs that a worker makes at a time, in a few milliseconds.
_PIECE = 1 << 18
# Arcs in a streamed block, which takes 32 MiB.
_BLOCK = 1 << 22


class Model(Protocol):
    """A network defined by its parameters: any range of its arcs can be made on its own, always with the same result.

    `RMat`, `WattsStrogatz`, `BarabasiAlbert`, `ErdosRenyi`, `Delaunay` and `Grid` are models, and so is any object
    with these four members.
    """

    @property
    def vertices(self) -> int:
        """Number of vertices."""

    @property
    def arcs(self) -> int:
        """Number of arcs, loops and repeats included."""

    @property
    def directed(self) -> bool:
        """Whether an arc runs from its source to its target; if False, it is an edge."""

    def fill(self, start: int, source: Ids, target: Ids) -> None:
        """Write the ends of the arcs ``start, start + 1, …`` into two integer arrays of equal length, and fill both."""


@checked
class DrawnModel:
    """Base class of models whose arcs are drawn by a kernel, from the `parameters` of the model.

    The class attribute `_draw_arcs` is the kernel. It takes the parameters, the number of the first arc, and the arrays
    of sources and targets to fill.
    """

    _draw_arcs: ClassVar[Any]

    def fill(self: Any, start: int, source: Ids, target: Ids) -> None:
        """Write the ends of the arcs ``start, start + 1, …``."""
        self._draw_arcs(self.parameters, np.uint64(start), source, target)


def make_arcs(model: Model, *, threads: int | None = None, progress: blocks.Progress | None = None) -> Arcs:
    """Make all arcs of a model.

    Parameters
    ----------
    model : Model
        The network, such as `RMat` or `Grid`.
    threads : int, optional
        Number of threads; by default as many as the process may use. The arcs do not depend on it.
    progress : callable, optional
        Called as ``progress(done, total)``, in pieces of at most 262,144 arcs.

    Returns
    -------
    Arcs
        Sources and targets of all arcs, as int32, or as int64 for 2**31 vertices or more; loops and repeats stay as
        the model has them.

    Raises
    ------
    ArgumentError
        `threads` is less than 1.
    OutOfMemoryError
        The arcs do not fit in memory.

    Notes
    -----
    Takes 8 bytes per arc, or 16 for 2**31 vertices or more.

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
    """Make the graph of a model from its arcs, without loops and repeats.

    Parameters
    ----------
    model : Model
        The network, such as `RMat` or `Grid`. A GPU makes models of the classes `RMat`, `WattsStrogatz` and
        `BarabasiAlbert`.
    threads : int, optional
        Number of threads; by default as many as the process may use.
    device : str, default "cpu"
        Device that makes the graph; the graph is the same on every device. "cuda" or "cuda:1" makes and orients the
        graph on that GPU, where measures count it; its arrays are copied to the host when they are first read. "opencl"
        or "opencl:1" makes the arcs, and the host makes the graph of them.
    progress : callable, optional
        Called as ``progress(done, total)``, in pieces of at most 262,144 arcs that are made on the CPU.

    Returns
    -------
    Graph
        The graph; its attribute ``dropped`` counts the loops and repeats that the model's arcs held.

    Raises
    ------
    ArgumentError
        `threads` is less than 1, or `device` is not the name of one device.
    UnsupportedError
        `device` is a GPU and the graph has 2**31 or more vertices or more than 2**32 arcs, or the model is of another
        class.
    DeviceError
        There is no such device.
    MissingExtraError
        The package that reaches the device, CuPy or PyOpenCL, is not installed.
    OutOfMemoryError
        The arcs or the graph do not fit in the memory of the host or the device.

    Notes
    -----
    On the CPU the cost is that of `make_arcs` and of ``Graph.from_arcs``. A CUDA GPU never holds the arcs; it takes at
    most 16 bytes per arc and 36 per vertex.

    Examples
    --------
    >>> from triadic import generate
    >>> generate.make_graph(generate.Grid(rows=2, columns=2)).num_edges
    4
    """
    from triadic.graph.graph import Graph  # noqa: PLC0415 - streaming needs no Graph

    if device == "cpu":
        return Graph.from_arcs(make_arcs(model, threads=threads, progress=progress))
    from triadic.devices.gpu import orientation as gpu  # noqa: PLC0415 - graphs made on the CPU need no GPU

    name = gpu.one_device(device)
    on_device: Any = model
    if not hasattr(model, "kernel"):
        raise UnsupportedError(f"device={device!r}: {type(model).__name__} is made on 'cpu'")
    sizes = model.vertices, model.arcs, max(1, on_device.group_size)
    recipe = gpu.Recipe(on_device.kernel, on_device.parameters, *sizes)
    if gpu.keeps_generated(name):
        oriented, totals = gpu.orient_generated(name, recipe, directed=model.directed)
        return Graph._of_oriented(oriented, totals, directed=model.directed, labels=None)  # noqa: SLF001 - the constructor for graphs on a device
    _check_memory_for_arcs(model)
    source, target = gpu.download_generated(name, recipe)
    return Graph.from_arcs(Arcs(source, target, vertices=model.vertices, directed=model.directed), threads=threads)


def stream(model: Model, *, block: int = _BLOCK, threads: int | None = None) -> Iterator[tuple[Ids, Ids]]:
    """Make the arcs of a model block by block, in order, with one block in memory at a time.

    Parameters
    ----------
    model : Model
        The network, such as `RMat` or `Grid`. `Delaunay` is the only model that holds all its arcs in memory.
    block : int, default 4194304
        Number of arcs in a block, at least 1; the last block may be shorter.
    threads : int, optional
        Number of threads that make each block; by default as many as the process may use.

    Yields
    ------
    source, target : int32 or int64 arrays, shape (block,)
        The ends of the arcs in the block, as int64 for 2**31 vertices or more. All blocks joined are the arcs that
        `make_arcs` returns.

    Raises
    ------
    ArgumentError
        `block` or `threads` is less than 1.

    Notes
    -----
    A block takes 8 bytes per arc, or 16 for 2**31 vertices or more.

    Examples
    --------
    >>> from triadic import generate
    >>> [len(source) for source, target in generate.stream(generate.RMat(scale=4, seed=1), block=100)]
    [100, 100, 56]
    """
    block = check_whole("block", block, 1, 1 << 40)
    workers = blocks.resolve_threads(threads)
    return (_make(model, start, min(start + block, model.arcs), workers, None) for start in range(0, model.arcs, block))


def stream_model(
    model: Model, *, directed: bool | None = None, piece_arcs: int = 1 << 20, threads: int | None = None
) -> VertexStream:
    """Return the arcs of a model as a stream; each pass makes them anew, a piece at a time.

    Parameters
    ----------
    model : Model
    directed : bool, optional
        Whether source and target mean a direction; by default as the model has it.
    piece_arcs : int, default 1048576
        Largest number of arcs in a piece.
    threads : int, optional
        Threads that make arcs; by default as many as the process may use.

    Raises
    ------
    ArgumentError
        The object is not a model.

    Examples
    --------
    >>> from triadic import generate
    >>> arcs = stream_model(generate.RMat(scale=4, seed=1), piece_arcs=100)
    >>> arcs.survey().vertices, [len(source) for source, target in arcs.pieces()]
    (16, [100, 100, 56])
    """
    from triadic.io.arc_stream import VertexStream  # noqa: PLC0415 - imports all formats, which other functions need not

    if not hasattr(model, "arcs"):
        raise ArgumentError(f"network={shown(model)}: expected the path of a file or a model")
    workers = blocks.resolve_threads(threads)
    return VertexStream(
        lambda: stream(model, block=piece_arcs, threads=workers),
        vertices=model.vertices,
        arcs=model.arcs,
        directed=model.directed if directed is None else directed,
    )


def write_parquet(
    path: str | os.PathLike[str],
    model: Model,
    *,
    block: int = _BLOCK,
    threads: int | None = None,
    progress: blocks.Progress | None = None,
) -> None:
    """Write the arcs of a model to a Parquet file, with one block of them in memory at a time.

    The columns are ``source`` and ``target``; loops and repeats stay as the model has them. The schema's metadata
    holds, as JSON under ``triadic``, the ``vertices`` and ``directed`` that `triadic.read` needs and the ``model``
    with its parameters and seed. The file appears when it is complete; until then a file that stood at `path` before
    stays.

    Parameters
    ----------
    path : path-like
        Where to write the file.
    model : Model
        The network, such as `RMat` or `Grid`.
    block : int, default 4194304
        Number of arcs in a row group; the last may be shorter.
    threads : int, optional
        Number of threads that make the arcs; by default as many as the process may use.
    progress : callable, optional
        Called as ``progress(done, total)``, in arcs, after each block.

    Raises
    ------
    ArgumentError
        `block` is less than 1.
    WriteError
        The file cannot be written.

    Notes
    -----
    The same model writes the same bytes on any number of threads.

    Examples
    --------
    >>> import tempfile, pathlib, pyarrow.parquet
    >>> from triadic import generate
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "lattice.parquet"
    ...     generate.write_parquet(path, generate.Grid(rows=10, columns=10))
    ...     pyarrow.parquet.read_table(path).num_rows
    180
    """
    from triadic.io.parquet_file import write_arc_blocks  # noqa: PLC0415 - imports pyarrow, which is slow

    def made() -> Iterator[tuple[Ids, Ids]]:
        done = 0
        for source, target in stream(model, block=block, threads=threads):
            yield source, target
            done += len(source)
            if progress:
                progress(done, model.arcs)

    metadata = {"directed": model.directed, "vertices": model.vertices, "model": repr(model)}
    write_arc_blocks(path, made(), dtype=np.dtype(index_dtype(model.vertices)), metadata=metadata)


def check_fields(model: Any, *probabilities: str, **ranges: tuple[int, int]) -> None:  # noqa: ANN401 - a dataclass
    """Check and set fields of a frozen dataclass from its ``__post_init__``: whole numbers of ranges, probabilities.

    A field `seed` that is None gets a fresh seed.
    """
    values: dict[str, object] = {}
    for name, (least, most) in ranges.items():
        values[name] = check_whole(name, getattr(model, name), least, most)
    for name in probabilities:
        values[name] = check_probability(name, getattr(model, name))
    if hasattr(model, "seed"):
        values["seed"] = check_seed(model.seed)
    for name, value in values.items():
        object.__setattr__(model, name, value)


def _check_memory_for_arcs(model: Model) -> None:
    check_memory(
        2 * np.dtype(index_dtype(model.vertices)).itemsize * model.arcs,
        f"{type(model).__name__}: holding its {model.arcs:,} arcs",
        "stream them to a file",
    )


def _make(model: Model, start: int, stop: int, threads: int, progress: blocks.Progress | None) -> tuple[Ids, Ids]:
    dtype = index_dtype(model.vertices)
    source: Ids = np.empty(stop - start, dtype)
    target: Ids = np.empty(stop - start, dtype)
    cuts = blocks.cut_pieces(stop - start, _PIECE)
    if len(source):
        model.fill(start, source[:1], target[:1])  # compiles the kernel before the threads start

    def fill(_: int, part: tuple[int, int]) -> None:
        model.fill(start + int(part[0]), source[slice(*part)], target[slice(*part)])

    blocks.run_cuts(fill, cuts, threads=threads, progress=progress)
    return source, target
