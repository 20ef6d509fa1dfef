"""Random triads and random connected subgraphs, all with the same probability."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.convert.recognise import GraphLike, as_graph
from triadic.core.blocks import resolve_threads
from triadic.core.checked import check_seed, check_whole
from triadic.core.draws import derive_keys
from triadic.core.triad_types import ASYMMETRIC, CLOSED_NAMES, MUTUAL, OPEN_NAMES, TRIAD_NAMES
from triadic.counts.graphlets import FOUR_VERTEX_COUNTS
from triadic.counts.listing import list_triads
from triadic.counts.triads import CLOSED_TRIADS
from triadic.errors import ArgumentError, CountOverflowError
from triadic.measures.estimates import proposals
from triadic.measures.estimates.proposals import Proposal, accepted, check_enough
from triadic.measures.graphlets.transform import graphlet_transform
from triadic.measures.triads import dyads_of, triad_census

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from triadic.core.array_types import Int64Array
    from triadic.core.oriented import Oriented
    from triadic.counts.count import Count
    from triadic.graph.graph import Graph

_MOST_SAMPLES = 1 << 31
_MOST_DRAWS = 100_000_000
_NANOSECONDS = 300.0  # of a draw, at least
_NOT_TILED = "random wedges and paths lie in tiles all over the graph"


def sample(
    graph: GraphLike,
    of: str | Iterable[str],
    *,
    samples: int = 100,
    size: int | None = None,
    seed: int | None = None,
    max_draws: int = _MOST_DRAWS,
    threads: int | None = None,
) -> Int64Array:
    """Draw subgraphs of given kinds at random, each with the same probability and independently of the others.

    Parameters
    ----------
    graph : Graph, or any input that `Graph` accepts
        Triads follow the directions of arcs, and the edges of an undirected graph are mutual dyads; the directions are
        ignored for graphlets.
    of : str or iterable of str
        Which subgraphs: types of triads, of ``TRIAD_NAMES``; or induced connected subgraphs of one size, "2-path" and
        "triangle", or "3-path", "claw", "4-cycle", "paw", "diamond" and "4-clique"; or "graphlets", for all connected
        subgraphs of `size` vertices. All subgraphs of the kinds together have the same probability.
    samples : int, default 100
        Number of subgraphs; one may be drawn several times.
    size : {3, 4}, optional
        Number of vertices, for "graphlets".
    seed : int, optional
        The same seed gives the same subgraphs; a random one by default.
    max_draws : int, default 100,000,000
        Most draws, most of which may be of other kinds.
    threads : int, optional
        Number of threads; by default as many as the process may use. The result is the same for any number.

    Returns
    -------
    int64 array, shape (samples, 3) or (samples, 4)
        Vertices of each subgraph, in rising order.

    Raises
    ------
    ArgumentError
        If a kind is unknown, kinds are of different sizes or some are triads and some are not, the graph has no
        subgraph of the kinds, or they are so rare that `max_draws` draws do not meet enough of them; or if another
        argument does not have an accepted value.
    CountOverflowError
        If the graph has more than 2**62 wedges, stars or paths of three edges.
    UnsupportedError
        If the graph is a `TiledGraph`.

    See Also
    --------
    list_triads, list_triangles : List all triads of a type, or all triangles.
    estimate : Estimate the number of subgraphs of each kind.

    Notes
    -----
    Closed triads are drawn as wedges of oriented rows, other connected triads as wedges around all vertices, and the
    others as an edge and a vertex, or as three vertices; draws of other types are rejected. Connected types that are
    too rare for this are listed once, and drawn from the list. Subgraphs with a path of three edges are drawn as such
    paths, and accepted with probability one over their number of paths; 4-cycles, diamonds and 4-cliques as centred
    paths; claws as stars. If a million draws meet no subgraph of the kinds, they are counted, unless that takes longer
    than the draws that are left. O(m) time, for four vertices with 4 to 8 bytes an edge for m edges, before the first
    draw, and half a microsecond to a microsecond a draw.

    References
    ----------
    Seshadhri, Pinar and Kolda (2014), "Wedge sampling for computing clustering coefficients and triangle counts on
    large graphs", Statistical Analysis and Data Mining 7, 294.
    Jha, Seshadhri and Pinar (2015), "Path sampling: a fast and provable method for estimating 4-vertex subgraph
    counts", WWW, 495.

    Examples
    --------
    >>> import triadic
    >>> graph = triadic.Graph.from_edges([0, 1, 0, 3], [1, 2, 2, 0], directed=True)
    >>> triadic.sample(graph, "030T", samples=2, seed=1)
    array([[0, 1, 2],
           [0, 1, 2]])
    >>> square = triadic.Graph.from_edges([0, 1, 2, 3, 3], [1, 2, 3, 0, 4])
    >>> triadic.sample(square, "4-cycle", samples=1, seed=1)
    array([[0, 1, 2, 3]])
    """
    names, vertices = _kinds(of, size)
    check_whole("samples", samples, 0, _MOST_SAMPLES)
    check_whole("max_draws", max_draws, 1, 1 << 40)
    key, workers = check_seed(seed), resolve_threads(threads)
    graph = as_graph(graph, not_tiled=_NOT_TILED, directions="ignored" if vertices else "counted")
    if not vertices:
        return _of_types(graph, names, samples, key, max_draws, workers)
    if vertices == 3:
        triads = [{"2-path": "201", "triangle": "300"}[name] for name in names]
        return _of_types(graph.to_undirected(combine="first"), triads, samples, key, max_draws, workers)
    oriented = graph.oriented(threads=workers)
    wanted = set(names)
    closing = wanted <= set(proposals.CLOSING)
    mixed: list[Proposal] = []
    if wanted - {"claw"}:
        mixed.append(proposals.paths(oriented, wanted, centred=closing, threads=workers))
    if "claw" in wanted:
        mixed.append(proposals.claws(oriented, threads=workers))

    def unmet(left: int) -> None:
        if _counts_faster(FOUR_VERTEX_COUNTS, oriented, left):
            _check_any(names, lambda: graphlet_transform(graph, threads=workers).totals)

    ranks, made = accepted(mixed, samples, 4, key, most=max_draws, unmet=unmet)
    check_enough(len(ranks), samples, made, f"subgraphs of the kinds {', '.join(names)}")
    return _vertices(oriented, ranks)


def _of_types(graph: Graph, names: list[str], samples: int, key: int, max_draws: int, threads: int) -> Int64Array:
    """Draw triads of some types."""
    mutual, asymmetric = dyads_of(graph)
    possible = [name for name in names if MUTUAL[name] <= mutual and ASYMMETRIC[name] <= asymmetric]
    possible = possible if graph.num_vertices >= 3 else []
    oriented = graph.oriented(threads=threads)
    types = np.isin(TRIAD_NAMES, possible)
    connected = [name for name in possible if name in CLOSED_NAMES or name in OPEN_NAMES]
    mixed: list[Proposal] = []
    if connected and set(connected) <= set(CLOSED_NAMES):
        mixed.append(proposals.closed_triads(oriented, types, threads=threads))
    elif connected:
        mixed.append(proposals.connected_triads(oriented, types, threads=threads))
    if set(possible) & {"012", "102"}:
        only_one = np.isin(TRIAD_NAMES, [name for name in possible if name in ("012", "102")])
        mixed.append(proposals.one_edge(oriented, only_one))
    if "003" in possible:
        mixed.append(proposals.no_edge(oriented))
    listable = connected == possible
    most = min(max_draws, max(proposals.FIRST_DRAWS, 64 * samples)) if listable else max_draws

    def unmet(left: int) -> None:
        if not listable and _counts_faster(CLOSED_TRIADS, oriented, left):
            _check_any(names, lambda: triad_census(graph, threads=threads))

    ranks, made = accepted(mixed, samples, 3, key, most=most, unmet=unmet)
    if len(ranks) < samples and listable:
        return _from_list(graph, names, possible, samples, key)
    check_enough(len(ranks), samples, made, f"triads of the types {', '.join(names)}")
    return _vertices(oriented, ranks)


def _counts_faster(count: Count[Any], oriented: Oriented, draws: int) -> bool:
    """Return whether counting takes less time than a number of draws."""
    return count.work(oriented.sizes) < _NANOSECONDS * draws


def _check_any(names: list[str], count: Callable[[], Mapping[str, int]]) -> None:
    """Raise if the graph has nothing of what was never drawn."""
    try:
        counts = count()
    except CountOverflowError:
        return
    if not any(counts[name] for name in names):
        raise ArgumentError(f"of: the graph has no {' and no '.join(names)}")


def _from_list(graph: Graph, names: list[str], possible: list[str], samples: int, key: int) -> Int64Array:
    """List all triads of the types that are possible, and draw from the list."""
    parts = [part for name in possible for part in list_triads(graph.oriented(), name, None, None)]
    triads = np.concatenate([*parts, np.empty((0, 3), dtype=np.int64)]).astype(np.int64)
    if not len(triads) and samples:
        raise ArgumentError(f"of: the graph has no {' and no '.join(names)}")
    chosen = np.random.Generator(np.random.Philox(key=int(derive_keys(key, 1)[0]))).integers(len(triads), size=samples)
    return triads[chosen]


def _vertices(oriented: Oriented, ranks: Int64Array) -> Int64Array:
    """Return the vertices of some ranks, rising in each row."""
    found = oriented.order[ranks].astype(np.int64)
    found.sort(axis=1)
    return found


def _kinds(of: str | Iterable[str], size: int | None) -> tuple[list[str], int]:
    """Check the kinds of subgraphs; return them without repeats, and their size, 0 for triads."""
    if of == "graphlets":
        if size not in proposals.SHAPES:
            raise ArgumentError(f"size={size!r}: expected 3 or 4 for of='graphlets'")
        return list(proposals.SHAPES[size]), size
    if size is not None:
        raise ArgumentError(f"size={size!r}: expected None, as of={of!r} says the size")
    names = [of] if isinstance(of, str) else list(of) if isinstance(of, Iterable) else [of]
    families = {0: TRIAD_NAMES, **proposals.SHAPES}
    every = [name for family in families.values() for name in family]
    wrong = [name for name in names if name not in every]
    if wrong or not names:
        found = repr(wrong[0]) if wrong else "none"
        raise ArgumentError(
            f"of: got {found}, expected 'graphlets', or one or several of {', '.join(every)}, the kinds of subgraphs"
        )
    for vertices, family in families.items():
        if set(names) <= set(family):
            return list(dict.fromkeys(names)), vertices
    raise ArgumentError(f"of: expected types of triads, or subgraphs of one size, got {', '.join(names)}")
