"""The arcs of a model as a stream that is read twice, as :func:`triadic.tile` reads the arcs of a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triadic.core.blocks import resolve_threads
from triadic.errors import ArgumentError, shown
from triadic.generate.model import stream
from triadic.io.arc_stream import VertexStream
from triadic.io.stream_passes import PIECE_ARCS

if TYPE_CHECKING:
    from triadic.generate.model import Model


def stream_model(
    model: Model, *, directed: bool | None = None, piece_arcs: int = PIECE_ARCS, threads: int | None = None
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
    if not hasattr(model, "arcs"):
        raise ArgumentError(f"network={shown(model)}: expected the path of a file or a model")
    workers = resolve_threads(threads)
    return VertexStream(
        lambda: stream(model, block=piece_arcs, threads=workers),
        vertices=model.vertices,
        arcs=model.arcs,
        directed=model.directed if directed is None else directed,
    )
