"""Arcs that are held in memory after all, or made when they are wanted: given in pieces like any others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.io.streams.columns import Reported, sliced
from triadic.io.streams.kept import KeepingNothing
from triadic.io.streams.numbers import counted, grown
from triadic.io.streams.protocol import Survey

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from triadic.core.arcs import Arcs
    from triadic.core.blocks import Progress
    from triadic.generate.model import Model

    Piece = tuple[NDArray[Any], NDArray[Any]]


class VertexStream(KeepingNothing):
    """Arcs on vertices that are known, from a function that begins to give them anew on each call."""

    def __init__(
        self,
        begin: Callable[[], Iterator[Piece]],
        *,
        vertices: int,
        arcs: int,
        directed: bool,
        labels: NDArray[Any] | None = None,
    ) -> None:
        self.directed = directed
        self._begin, self._vertices, self._arcs, self._labels = begin, vertices, arcs, labels

    def survey(self, progress: Progress | None = None) -> Survey:
        """Go through everything once; see :class:`triadic.io.streams.ArcStream`."""
        degree = grown(np.zeros(0, dtype=np.int64), self._vertices, exactly=True)
        for ends in self.pieces(progress):
            for end in ends:
                counted(end, degree)
        return Survey(self._vertices, self._labels, self._arcs, degree)

    def pieces(self, progress: Progress | None = None) -> Iterator[Piece]:
        """Go through everything again; see :class:`triadic.io.streams.ArcStream`."""
        reported = Reported(progress, self._arcs)
        for source, target in self._begin():
            yield source, target
            reported.add(len(source))


def held(arcs: Arcs, *, piece_arcs: int) -> VertexStream:
    """Give arcs that are in memory as a stream."""
    return VertexStream(
        lambda: sliced(arcs.source, arcs.target, piece_arcs),
        vertices=arcs.vertices,
        arcs=len(arcs),
        directed=arcs.directed,
        labels=arcs.labels,
    )


def generated(model: Model, *, directed: bool | None, piece_arcs: int, threads: int) -> VertexStream:
    """Give the arcs of a model as a stream: made once for each pass, never held."""
    from triadic.generate.model import stream  # noqa: PLC0415 - compiled code that files do not need

    return VertexStream(
        lambda: stream(model, block=piece_arcs, threads=threads),
        vertices=model.vertices,
        arcs=model.arcs,
        directed=model.directed if directed is None else directed,
    )
