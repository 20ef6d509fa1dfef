"""`estimate_stream`: the triangles of a file or of an endless stream of edges, in one pass and in bounded memory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from triadic.core.checked import check_positive
from triadic.core.progress import reporting
from triadic.errors import ArgumentError
from triadic.generate.model import stream as make_blocks
from triadic.graph.graph import Graph
from triadic.io.format import ReadOptions
from triadic.io.reading import arc_rows
from triadic.measures.estimates.edge_stream import EdgeStream

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from triadic.core.progress import ProgressKeyword
    from triadic.generate.model import Model
    from triadic.io.file_source import NetworkInput
    from triadic.measures.estimates.stream_result import StreamEstimate

    Batch = tuple[Any, ...]  # source, target and perhaps added, as `EdgeStream.update` takes them

_BLOCK = 1 << 20  # arcs of a model made at a time


def estimate_stream(
    path: NetworkInput | Model | Iterator[Batch] | list[Batch],
    *,
    memory: str | int | None = None,
    confidence: float = 0.95,
    seed: int | None = None,
    into: EdgeStream | None = None,
    format: str | None = None,  # noqa: A002 - the keyword of triadic.read
    source: str | int | None = None,
    target: str | int | None = None,
    header: bool | None = None,
    bad_rows: str = "error",
    where: Mapping[str, Any] | None = None,
    threads: int | None = None,
    progress: ProgressKeyword = False,
) -> StreamEstimate:
    """Estimate the number of triangles of a file, or of a stream of edges, in one pass and in bounded memory.

    Parameters
    ----------
    path : path-like, list of path-like, binary file, table, Model or iterator
        What `triadic.read` reads; a random network of `triadic.generate`, such as ``RMat(26)``; or an iterator or list
        of batches ``(source, target)`` or ``(source, target, added)`` of arrays, as `EdgeStream.update` takes them. An
        iterator may never end: Ctrl-C ends the stream. Directions, loops and repeats are ignored.
    memory : str or int, optional
        Bytes that the sample may hold, beside what reading holds; by default "100MB", or those of the stream `into`.
    confidence : float, default 0.95
        Probability with which the interval holds the exact number.
    seed : int, optional
        The same seed gives the same estimate; a random one by default.
    into : EdgeStream, optional
        A stream to go on with, such as one that was saved. It has its own memory and seed.
    format, source, target, header, bad_rows, where : optional
        Format, columns and rows of a file, as `triadic.read` takes them.
    threads : int, optional
        Number of threads; by default as many as the process may use. The estimate is the same for any number.
    progress : bool or callable, default False
        True shows a progress bar on standard error; a callable is called with ``(done, total)``. The length of an
        iterator is not known, so its progress is not shown.

    Returns
    -------
    StreamEstimate
        The estimate and its interval. After Ctrl-C, those of the edges so far.

    Raises
    ------
    ArgumentError
        If an argument does not have an accepted value, a batch is no tuple of two or three arrays, or `memory` or
        `seed` is given with `into`.
    MissingFileError, ReadError
        If the file cannot be read.

    See Also
    --------
    EdgeStream : Add edges batch by batch, look at the estimate at any moment, save the stream, and go on.
    estimate : Estimate more quantities of a graph that fits in memory, with fewer draws.

    Notes
    -----
    Files and tables of edges are read once, in pieces; those of other formats (METIS, Matrix Market and others) as
    `tile` reads them, where the vertices of `StreamEstimate.stream` are numbers from 0. A name stands for the number
    `EdgeStream.vertex_of` returns.

    References
    ----------
    R. Pagh and C. E. Tsourakakis, *Colorful triangle counting and a MapReduce implementation*, Information Processing
    Letters 112, 277-281, 2012.

    Examples
    --------
    >>> import triadic
    >>> found = triadic.estimate_stream(triadic.generate.RMat(16, seed=1), memory="20MB", seed=1)
    >>> exact = triadic.triangle_count(triadic.generate.rmat(16, seed=1))
    >>> found.low < exact < found.high
    True
    >>> batches = iter([([0, 1, 2], [1, 2, 0]), ([2, 3], [3, 0]), ([0], [1], [-1])])
    >>> triadic.estimate_stream(batches).value
    1.0
    """
    if into is not None and not isinstance(into, EdgeStream):
        raise ArgumentError(f"into={into!r}: expected an EdgeStream")
    for name, value in {"memory": memory, "seed": seed}.items():
        if into is not None and value is not None:
            raise ArgumentError(f"{name}={value!r}: the stream of into= has its own; leave out {name} or into")
    stream = into or EdgeStream(memory="100MB" if memory is None else memory, seed=seed, threads=threads)
    # Before the edges are read, which may take long.
    check_positive("confidence", confidence, "a number between 0 and 1", 1)
    if isinstance(path, Graph):
        raise ArgumentError(
            "path: got a Graph, which is in memory; expected a file or batches, such as [graph.edges()], or "
            "call estimate(graph, of='triangles')"
        )
    options = ReadOptions(None, None, False, source, target, header, threads, bad_rows=bad_rows, where=where)
    columns = ({} if format is None else {"format": format}) | options.chosen
    stopped, taken = "", None
    try:
        made, model = hasattr(path, "fill"), cast("Any", path)
        batches = make_blocks(model, block=_BLOCK, threads=threads) if made else model
        if made or _is_batches(path):
            _check_no_columns(columns, "a model" if made else "an iterator of batches")
            with reporting(progress if made else False, "estimating triangles") as report:
                for i, batch in enumerate(batches):
                    stream.update(*_checked(batch, i))
                    if report is not None:
                        report(i * _BLOCK + len(batch[0]), model.arcs)
        else:
            with reporting(progress, "estimating triangles") as report:
                started = stream._state()  # noqa: SLF001 - of this package

                def begin(read: str | None) -> None:
                    nonlocal taken
                    taken = read
                    stream._restore(started)  # noqa: SLF001 - as above

                arc_rows(path, begin, stream.update, report, format=format, options=options)
    except KeyboardInterrupt:
        stopped = "interrupted"
    return replace(stream.estimate(confidence), stopped=stopped, columns=taken)


def _is_batches(network: object) -> bool:
    """Return whether an object is an iterator or list of batches, not of paths, and not a file or a reader of Arrow."""
    if isinstance(network, list):
        return bool(network) and isinstance(network[0], tuple)
    return isinstance(network, Iterator) and not any(hasattr(network, name) for name in ("read", "read_all", "schema"))


def _check_no_columns(given: dict[str, object], what: str) -> None:
    """Raise if options of files come with what is not a file."""
    for name, value in given.items():
        raise ArgumentError(f"{name}={value!r}: {what} has no format or columns; leave it out")


def _checked(batch: object, i: int) -> Iterable[Any]:
    if not isinstance(batch, (tuple, list)) or len(batch) not in (2, 3):
        got = f"{type(batch).__name__} of {len(batch)}" if isinstance(batch, (tuple, list)) else type(batch).__name__
        raise ArgumentError(
            f"path: batch {i}: expected (source, target) or (source, target, added), all arrays; got {got}"
        )
    return batch
