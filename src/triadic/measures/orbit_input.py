"""The orbits of a network that a measure compares: counted in a graph, or taken from an array or a transform."""

from __future__ import annotations

from functools import cache
from math import comb
from typing import TYPE_CHECKING, Any, TypeAlias, cast

import numpy as np

from triadic.convert.outward import vertex_names
from triadic.convert.recognise import GraphLike, as_graph
from triadic.core.graphlet_types import ORBITS
from triadic.core.orbit_tables import EDGES_OF_GRAPHLETS, ORBITS_OF_GRAPHLETS, ORBITS_OF_SIZE
from triadic.errors import ArgumentError
from triadic.measures.graphlet_result import GraphletTransform
from triadic.measures.orbits import orbit_degrees

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.core.progress import ProgressKeyword
    from triadic.graph.graph import Graph

OrbitSource: TypeAlias = "GraphLike | GraphletTransform | NDArray[np.int64]"


def orbits_of(
    name: str,
    network: OrbitSource,
    *,
    size: int,
    threads: int | None,
    device: str,
    progress: ProgressKeyword,
) -> NDArray[np.int64]:
    """Return the orbits of the vertices of a network: int64, shape (n, 15) or (n, 73).

    Parameters
    ----------
    name : str
        Name of the argument, for errors.
    network : Graph, any input that `Graph` accepts, GraphletTransform, or int64 array
        A graph is counted; an array must be as `orbit_degrees` returns it.
    size : {4, 5}
        Number of vertices of the largest subgraphs.
    threads, device, progress
        As for `orbit_degrees`.

    Raises
    ------
    ArgumentError
        If `size` is not 4 or 5, if a transform has 5 graphlets or `size` is 5, or if an array does not contain orbits.
    """
    check_size(size)
    if isinstance(network, GraphletTransform):
        if size != 4:
            raise ArgumentError(
                f"{name}: a transform has graphlets of up to four vertices; expected a graph or "
                f"orbit_degrees(graph, size={size})"
            )
        return check_transform(network).net[:, ORBITS]
    if is_orbit_array(network, size):
        orbits = cast("NDArray[np.int64]", network)
        _check_orbits(name, orbits, size)
        return orbits.astype(np.int64, copy=False)
    graph = cast("Graph", graph_or_orbits(network, size))
    return orbit_degrees(graph, size=size, threads=threads, device=device, progress=progress)


def graph_or_orbits(network: OrbitSource, size: int) -> Graph | GraphletTransform | NDArray[np.int64]:
    """Return a transform or an array of orbits unchanged, and every other network as a graph."""
    if isinstance(network, GraphletTransform) or is_orbit_array(network, size):
        return cast("GraphletTransform | NDArray[np.int64]", network)
    return cast("Graph", as_graph(network, tiled=True, directions="unused"))  # a batch is no network


def labels_of(network: Graph | GraphletTransform | NDArray[np.int64]) -> NDArray[Any] | None:
    """Return the labels of the vertices of a network, if they are all different; arrays of orbits have none."""
    labels = None if isinstance(network, np.ndarray) else network.labels
    return None if labels is None else vertex_names(labels, len(labels))


def check_size(size: int) -> None:
    """Raise if `size` is not 4 or 5."""
    if size not in ORBITS_OF_SIZE:
        raise ArgumentError(f"size={size!r}: expected 4 or 5")


def check_transform(transform: GraphletTransform) -> GraphletTransform:
    """Return a transform of all 16 graphlets unchanged; raise for one of 5."""
    if len(transform.names) != 16:
        raise ArgumentError(f"expected the transform of all 16 graphlets, got one of {len(transform.names)}")
    return transform


def is_orbit_array(network: object, size: int) -> bool:
    """Return whether an object is an array of orbits, and not an edge_index, which has two rows.

    An array of two rows is an array of orbits if its numbers satisfy the relations between the orbits of a vertex.
    """
    if not isinstance(network, np.ndarray) or network.ndim != 2:
        return False
    return len(network) != 2 or (network.shape[1] == ORBITS_OF_SIZE[size] and first_wrong_row(network) is None)


def first_wrong_row(orbits: NDArray[np.int64]) -> int | None:
    """Return the first row that no vertex can have, or None.

    k neighbours of a vertex form C(k, 2) pairs, C(k, 3) triples and C(k, 4) quadruples, and each is in one of the
    graphlets in which the vertex is joined to all others. Products that exceed 64 bits wrap around on both sides.
    """
    if orbits.dtype.kind not in "iu":
        return 0
    wrong = (orbits < 0).any(axis=1)
    degrees, row_of = np.unique(orbits[:, 0], return_inverse=True)
    for size in range(3, 5 if orbits.shape[1] == 15 else 6):
        sets = np.array([comb(max(0, int(k)), size - 1) % 2**64 for k in degrees], dtype=np.uint64)
        found = orbits[:, hub_orbits(size)].astype(np.uint64).sum(axis=1, dtype=np.uint64)
        wrong |= found != sets[row_of.reshape(-1)]
    return int(wrong.argmax()) if wrong.any() else None


@cache
def hub_orbits(size: int) -> tuple[int, ...]:
    """Return the orbits of the vertices that are joined to all others in a graphlet of this number of vertices.

    Examples
    --------
    >>> hub_orbits(3), hub_orbits(4)
    ((2, 3), (7, 11, 13, 14))
    """
    found = set()
    for edges, orbits in zip(EDGES_OF_GRAPHLETS, ORBITS_OF_GRAPHLETS, strict=True):
        if len(orbits) == size:
            found |= {orbit for vertex, orbit in enumerate(orbits) if edges.count(str(vertex)) == size - 1}
    return tuple(sorted(found))


def _check_orbits(name: str, array: NDArray[np.int64], size: int) -> None:
    """Raise if an array cannot be the orbits of vertices."""
    columns = ORBITS_OF_SIZE[size]
    if array.shape[1] != columns:
        other = next((f"; size={key} has {value}" for key, value in ORBITS_OF_SIZE.items() if key != size), "")
        raise ArgumentError(
            f"{name}: got an array of shape {array.shape}; expected a graph, or orbits of shape (n, {columns}){other}"
        )
    if array.dtype.kind not in "iu":
        raise ArgumentError(f"{name}: expected whole numbers, as orbit_degrees returns them, got {array.dtype}")
    wrong = first_wrong_row(array)
    if wrong is not None:
        raise ArgumentError(
            f"{name}[{wrong}]: no vertex with {array[wrong, 0]} neighbours has these numbers; expected orbits as "
            f"orbit_degrees(graph, size={size}) returns them"
        )
