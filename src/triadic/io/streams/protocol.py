"""What a stream of arcs is: a source of arcs that is read twice and never held."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np
    from numpy.typing import NDArray

    from triadic.core.blocks import Progress

    Ends = NDArray[np.int32] | NDArray[np.int64]
    Piece = tuple[Ends, Ends]


@dataclass(frozen=True, slots=True, eq=False)
class Survey:
    """What the first pass over a stream finds out.

    Attributes
    ----------
    vertices : int
        Number of vertices, 0 .. ``vertices`` - 1, as :func:`triadic.read_arcs` has them.
    labels : int64 array or object array of str, or None
        Names of the vertices 0, 1, ...; vertices past its end have none.
    arcs : int
        Number of arcs, loops and repeats included.
    degree : int64 array, shape (vertices,)
        How many ends of arcs are at each vertex. Repeats count, and a loop counts twice, so it is never less than the
        degree in the graph. It is the caller's to keep or to drop.
    """

    vertices: int
    labels: NDArray[np.int64] | NDArray[np.object_] | None
    arcs: int
    degree: NDArray[np.int64]


class ArcStream(Protocol):
    r"""Arcs that are read again and again, a piece at a time.

    Two passes are enough to do anything with them: ``survey`` reads everything once and finds out which vertices
    there are, and ``pieces`` gives the arcs on these vertices. The first pass is the stream's own since it may have to
    begin anew: a name in the last row of a text makes names of all ids in it.

    Attributes
    ----------
    directed : bool
        Whether source and target mean a direction. Known before the first pass.
    held_bytes : int
        Bytes that are kept of the first pass for the next.

    Examples
    --------
    >>> file = getfixture("tmp_path") / "edges.txt"
    >>> _ = file.write_text("10 20\n10 30\n")
    >>> from triadic.io.streams import stream_arcs
    >>> stream = stream_arcs(file)
    >>> survey = stream.survey()
    >>> survey.vertices, survey.labels.tolist(), survey.degree.tolist()
    (3, [10, 20, 30], [2, 1, 1])
    >>> [(source.tolist(), target.tolist()) for source, target in stream.pieces()]
    [([0, 0], [1, 2])]
    """

    @property
    def directed(self) -> bool:
        """Whether source and target mean a direction."""

    @property
    def held_bytes(self) -> int:
        """Bytes that are kept of the first pass for the next."""

    def forget(self) -> None:
        """Keep them no longer: the next pass reads again."""

    def survey(self, progress: Progress | None = None) -> Survey:
        """Read everything once: which vertices there are, and how many ends of arcs each has.

        Parameters
        ----------
        progress : callable, optional
            ``progress(done, total)``, in bytes or arcs; ``total`` is an estimate where a text is packed.

        Raises
        ------
        ReadError
            As :func:`triadic.read_arcs` does.
        OutOfMemoryError
            What is held for each vertex does not fit in memory.
        """

    def pieces(self, progress: Progress | None = None) -> Iterator[tuple[NDArray[Any], NDArray[Any]]]:
        """Read everything again, as vertices.

        Surveys first if that was not done.

        Yields
        ------
        source, target : int32 or int64 arrays, shape (piece_arcs,) or shorter
            Together the arcs of :func:`triadic.read_arcs`, in the same order and of the same dtype. The caller must
            not write to them.

        Raises
        ------
        ReadError
            The file has changed since it was surveyed, or is gone.
        """
