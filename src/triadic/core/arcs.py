"""Raw arcs, as a file or a generator gives them: loops, repeats and order kept; and what becomes of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class Arcs:
    """Arcs on the vertices 0 .. ``vertices`` - 1, before anything is dropped or joined.

    Attributes
    ----------
    source, target : int32 or int64 array, shape (arcs,)
        End vertices; the same dtype, int32 wherever ``vertices`` is at most 2**31 - 1.
    vertices : int
        Number of vertices.
    directed : bool
        Whether source and target mean a direction.
    weights : float64 array, shape (arcs,), optional
    labels : int64 array or object array of str, optional
        Names of the vertices 0, 1, ...; vertices past its end have none.
    both_ends : bool
        An undirected source that may give an edge from both its ends (METIS, ``*Edges`` of Pajek, a symmetric
        matrix): its two weights must then agree and count once. Otherwise weights of the two combine like repeats.
    """

    source: NDArray[np.integer]
    target: NDArray[np.integer]
    vertices: int
    directed: bool
    weights: NDArray[np.float64] | None = None
    labels: NDArray[np.int64] | NDArray[np.object_] | None = None
    both_ends: bool = False

    def __len__(self) -> int:
        return len(self.source)


@dataclass(frozen=True, slots=True)
class Dropped:
    """What was dropped or joined when a graph was made.

    Attributes
    ----------
    loops : int
        Arcs from a vertex to itself.
    duplicates : int
        Exact repeats of an arc.
    reciprocal_merged : int
        Arcs joined with their reverse, in an undirected graph.
    """

    loops: int = 0
    duplicates: int = 0
    reciprocal_merged: int = 0
