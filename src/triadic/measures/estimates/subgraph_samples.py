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


def sample_triads(
    graph: GraphLike,
    types: str | Iterable[str],
    samples: int,
    *,
    seed: int | None = None,
    max_draws: int = _MOST_DRAWS,
    threads: int | None = None,
) -> Int64Array:
    """Draw triads of given types at random, each with the same probability and independently of the others.

    Parameters
    ----------
    graph : Graph, or any input that `Graph` accepts
        The edges of an undirected graph are mutual dyads.
    types : str or iterable of str
        Types of triads, of ``TRIAD_NAMES``. All triads of these types together have the same probability.
    samples : int
        Number of triads; one may be drawn several times.
    seed : int, optional
        The same seed gives the same triads; a random one by default.
    max_draws : int, default 100,000,000
        Most draws, most of which may be triads of other types.
    threads : int, optional
        Number of threads; by default as many as the process may use. The result is the same for any number.

    Returns
    -------
    int64 array, shape (samples, 3)
        Vertices u < v < w of each triad.

    Raises
    ------
    ArgumentError
        If a type is unknown, the graph has no triad of the types, or they are so rare that `max_draws` draws do not
        meet enough of them; or if another argument does not have an accepted value.
    CountOverflowError
        If the graph has more than 2**62 wedges.
    UnsupportedError
        If the graph is a `TiledGraph`.

    See Also
    --------
    list_triads : List all triads of a type.
    sample_subgraphs : Draw connected subgraphs of three or four vertices.

    Notes
    -----
    Closed triads are drawn as wedges of oriented rows, other connected triads as wedges around all vertices, and the
    others as an edge and a vertex, or as three vertices; draws of other types are rejected. Connected types that are
    too rare for this are listed once, and drawn from the list. If a million draws meet no triad of the types, the
    triads are counted, unless that takes longer than the draws that are left. O(m) for m edges, and about half a
    microsecond a draw.

    References
    ----------
    Seshadhri, Pinar and Kolda (2014), "Wedge sampling for computing clustering coefficients and triangle counts on
    large graphs", Statistical Analysis and Data Mining 7, 294.

    Examples
    --------
    >>> import triadic
    >>> graph = triadic.Graph.from_edges([0, 1, 0, 3], [1, 2, 2, 0], directed=True)
    >>> triadic.sample_triads(graph, "030T", 2, seed=1)
    array([[0, 1, 2],
           [0, 1, 2]])
    """
    names = _names("types", types, TRIAD_NAMES)
    check_whole("samples", samples, 0, _MOST_SAMPLES)
    check_whole("max_draws", max_draws, 1, 1 << 40)
    key = check_seed(seed)
    graph = as_graph(graph, not_tiled=_NOT_TILED, directions="counted")
    return _of_types(graph, names, samples, key, max_draws, resolve_threads(threads))


def sample_subgraphs(
    graph: GraphLike,
    shapes: int | str | Iterable[str],
    samples: int,
    *,
    seed: int | None = None,
    max_draws: int = _MOST_DRAWS,
    threads: int | None = None,
) -> Int64Array:
    """Draw induced connected subgraphs of three or four vertices at random, each with the same probability.

    Parameters
    ----------
    graph : Graph, or any input that `Graph` accepts
        The directions of a directed graph are ignored.
    shapes : {3, 4}, str or iterable of str
        Which subgraphs: a number of vertices, for all shapes, or names of shapes of one size: "2-path" and "triangle";
        or "3-path", "claw", "paw", "4-cycle", "diamond" and "4-clique".
    samples : int
        Number of subgraphs; one may be drawn several times.
    seed : int, optional
        The same seed gives the same subgraphs; a random one by default.
    max_draws : int, default 100,000,000
        Most draws, most of which may be of other shapes.
    threads : int, optional
        Number of threads; by default as many as the process may use. The result is the same for any number.

    Returns
    -------
    int64 array, shape (samples, 3) or (samples, 4)
        Vertices of each subgraph, in rising order.

    Raises
    ------
    ArgumentError
        If a shape is unknown, shapes have different sizes, the graph has no subgraph of the shapes, or they are so rare
        that `max_draws` draws do not meet enough of them; or if another argument does not have an accepted value.
    CountOverflowError
        If the graph has more than 2**62 stars or paths of three edges.
    UnsupportedError
        If the graph is a `TiledGraph`.

    See Also
    --------
    sample_triads : Draw triads, by the directions of their arcs.
    graphlet_transform : Count the subgraphs of each shape.

    Notes
    -----
    Subgraphs with a path of three edges are drawn as such paths, and accepted with probability one over their number of
    paths; 4-cycles, diamonds and 4-cliques as centred paths; claws as stars. O(m) time and 4 to 8 bytes an edge for m
    edges before the first draw, and about a microsecond a draw. If a million draws meet no subgraph of the shapes, the
    subgraphs are counted, unless that takes longer than the draws that are left.

    References
    ----------
    Jha, Seshadhri and Pinar (2015), "Path sampling: a fast and provable method for estimating 4-vertex subgraph
    counts", WWW, 495.

    Examples
    --------
    >>> import triadic
    >>> graph = triadic.Graph.from_edges([0, 1, 2, 3, 3], [1, 2, 3, 0, 4])
    >>> triadic.sample_subgraphs(graph, "4-cycle", 1, seed=1)
    array([[0, 1, 2, 3]])
    """
    size, names = _shapes(shapes)
    check_whole("samples", samples, 0, _MOST_SAMPLES)
    check_whole("max_draws", max_draws, 1, 1 << 40)
    key, workers = check_seed(seed), resolve_threads(threads)
    graph = as_graph(graph, not_tiled=_NOT_TILED)
    oriented = graph.oriented(threads=workers)
    if size == 3:
        triads = [{"2-path": "201", "triangle": "300"}[name] for name in names]
        return _of_types(graph.to_undirected(combine="first"), triads, samples, key, max_draws, workers)
    wanted = set(names)
    closing = wanted <= set(proposals.CLOSING)
    mixed: list[Proposal] = []
    if wanted - {"claw"}:
        mixed.append(proposals.paths(oriented, wanted, centred=closing, threads=workers))
    if "claw" in wanted:
        mixed.append(proposals.claws(oriented, threads=workers))

    def unmet(left: int) -> None:
        if _counts_faster(FOUR_VERTEX_COUNTS, oriented, left):
            _check_any("shapes", "subgraph", names, lambda: graphlet_transform(graph, threads=workers).totals)

    ranks, made = accepted(mixed, samples, 4, key, most=max_draws, unmet=unmet)
    check_enough(len(ranks), samples, made, f"subgraphs of the shapes {', '.join(names)}")
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
            _check_any("types", "triad", names, lambda: triad_census(graph, threads=threads))

    ranks, made = accepted(mixed, samples, 3, key, most=most, unmet=unmet)
    if len(ranks) < samples and listable:
        return _from_list(graph, names, possible, samples, key)
    check_enough(len(ranks), samples, made, f"triads of the types {', '.join(names)}")
    return _vertices(oriented, ranks)


def _counts_faster(count: Count[Any], oriented: Oriented, draws: int) -> bool:
    """Return whether counting takes less time than a number of draws."""
    return count.work(oriented.sizes) < _NANOSECONDS * draws


def _check_any(argument: str, what: str, names: list[str], count: Callable[[], Mapping[str, int]]) -> None:
    """Raise if the graph has nothing of what was never drawn."""
    try:
        counts = count()
    except CountOverflowError:
        return
    if not any(counts[name] for name in names):
        raise ArgumentError(f"{argument}: the graph has no {what} of the {argument} {', '.join(names)}")


def _from_list(graph: Graph, names: list[str], possible: list[str], samples: int, key: int) -> Int64Array:
    """List all triads of the types that are possible, and draw from the list."""
    parts = [part for name in possible for part in list_triads(graph.oriented(), name, None, None)]
    triads = np.concatenate([*parts, np.empty((0, 3), dtype=np.int64)]).astype(np.int64)
    if not len(triads) and samples:
        raise ArgumentError(f"types: the graph has no triad of the types {', '.join(names)}")
    chosen = np.random.Generator(np.random.Philox(key=int(derive_keys(key, 1)[0]))).integers(len(triads), size=samples)
    return triads[chosen]


def _vertices(oriented: Oriented, ranks: Int64Array) -> Int64Array:
    """Return the vertices of some ranks, rising in each row."""
    found = oriented.order[ranks].astype(np.int64)
    found.sort(axis=1)
    return found


def _names(argument: str, given: str | Iterable[str], accepted_names: tuple[str, ...]) -> list[str]:
    """Check names of types or shapes; return them without repeats."""
    names = [given] if isinstance(given, str) else list(given) if isinstance(given, Iterable) else [given]
    wrong = [name for name in names if name not in accepted_names]
    if wrong or not names:
        found = repr(wrong[0]) if wrong else "none"
        raise ArgumentError(f"{argument}: got {found}, expected one or several of {', '.join(accepted_names)}")
    return list(dict.fromkeys(names))


def _shapes(shapes: int | str | Iterable[str]) -> tuple[int, list[str]]:
    """Return the number of vertices of the shapes, and their names."""
    if isinstance(shapes, int) and not isinstance(shapes, bool) and shapes in proposals.SHAPES:
        return shapes, list(proposals.SHAPES[shapes])
    if isinstance(shapes, (int, float)):
        raise ArgumentError(f"shapes={shapes!r}: expected 3, 4, or names of shapes")
    names = _names("shapes", shapes, (*proposals.SHAPES[3], *proposals.SHAPES[4]))
    sizes = {3 if name in proposals.SHAPES[3] else 4 for name in names}
    if len(sizes) > 1:
        raise ArgumentError(f"shapes: expected shapes of one size, got {', '.join(names)}")
    return sizes.pop(), names
