"""Random triads and random connected subgraphs, all with the same probability.

Draws are accepted or rejected. A `Proposal` has a mass: each subgraph that it can accept is accepted with probability
1 / mass a draw. Several proposals for different subgraphs are mixed in proportion to their masses; then all have the
same probability.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.convert.recognise import GraphLike, as_graph
from triadic.core.blocks import resolve_threads
from triadic.core.checked import check_seed, check_whole
from triadic.core.draws import derive_keys
from triadic.core.graphlets import GRAPHS
from triadic.core.oriented import int_empty
from triadic.core.records import record
from triadic.core.triad_types import ASYMMETRIC, CLOSED_NAMES, MUTUAL, TRIAD_NAMES, TYPE_OF_CODE
from triadic.counts.graphlets import FOUR_VERTEX_COUNTS
from triadic.counts.patterns import sample_pattern
from triadic.counts.triads import CLOSED_TRIADS, list_triads
from triadic.devices.cpu.draws import wedge_sampling
from triadic.devices.cpu.draws.choice import neighbours, sums_before
from triadic.devices.cpu.draws.path_sampling import CLIQUE, CYCLE, DIAMOND, PATH, PAW, PathTables
from triadic.devices.cpu.draws.star_sampling import draw_stars, places_below, unit_draws, write_codes
from triadic.errors import ArgumentError, CountOverflowError
from triadic.measures.clustering import stars_at
from triadic.measures.graphlets.transform import graphlet_transform
from triadic.measures.patterns.matches import is_pattern, network_of, pattern_of
from triadic.measures.triads import dyads_of, triad_census

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from triadic.core.array_types import BoolArray, Int64Array
    from triadic.core.oriented import Oriented
    from triadic.counts.count import Count
    from triadic.graph.graph import Graph
    from triadic.measures.patterns.pattern import Pattern

    Drawn = tuple[Int64Array, BoolArray]

_MOST_SAMPLES = 1 << 31
_MOST_DRAWS = 100_000_000
_NANOSECONDS = 300.0  # of a draw, at least
_NOT_TILED = "random wedges and paths lie in tiles all over the graph"
_BATCH = 1 << 17
FIRST_DRAWS = 1 << 20  # after which rare triads are listed instead, and triads that were never met are counted
_SHAPES = {PATH: "3-path", PAW: "paw", CYCLE: "4-cycle", DIAMOND: "diamond", CLIQUE: "4-clique"}
_PATHS_OF = {PATH: 1, PAW: 2, CYCLE: 4, DIAMOND: 6, CLIQUE: 12}  # paths of three edges in a subgraph
_CENTRED_OF = {CYCLE: 1, DIAMOND: 1, CLIQUE: 3}
CLOSING = tuple(_SHAPES[kind] for kind in _CENTRED_OF)  # shapes that hold a 4-cycle
SHAPES = {3: ("2-path", "triangle"), 4: tuple(name for name in GRAPHS if name == "claw" or name in _SHAPES.values())}
_FAMILIES = {0: TRIAD_NAMES, **SHAPES}
_NAMES = tuple(name for family in _FAMILIES.values() for name in family)


def sample(
    graph: GraphLike,
    of: str | Pattern | Iterable[str],
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
    of : str, Pattern or iterable of str
        Which subgraphs: types of triads, of ``TRIAD_NAMES``; or induced connected subgraphs of one size, "2-path" and
        "triangle", or "3-path", "claw", "4-cycle", "paw", "diamond" and "4-clique"; or "graphlets", for all connected
        subgraphs of `size` vertices; or a pattern, such as ``"A -> B; B -> C; A -> C"``. All subgraphs of the kinds
        together have the same probability.
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
        Vertices of each subgraph, in rising order; of a pattern in the order of its vertices, shape (samples, k).

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
    paths; claws as stars. Subgraphs that match a pattern are all walked, as `list_matches` does, and not held. If a
    million draws meet no subgraph of the kinds, they are counted, unless that takes longer
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
    check_whole("samples", samples, 0, _MOST_SAMPLES)
    check_whole("max_draws", max_draws, 1, 1 << 40)
    key, workers = check_seed(seed), resolve_threads(threads)
    if is_pattern(of) and of not in _NAMES:
        pattern = pattern_of(of)
        return sample_pattern(network_of(graph, pattern), pattern.shape, samples, key, threads=workers)
    names, vertices = _kinds(of, size)
    graph = as_graph(graph, not_tiled=_NOT_TILED, directions="ignored" if vertices else "counted")
    if vertices == 3:
        names = [{"2-path": "201", "triangle": "300"}[name] for name in names]
        graph = graph.to_undirected(combine="first")
    if vertices < 4:
        return _of_types(graph, names, samples, key, max_draws, workers)
    oriented = graph.oriented(threads=workers)
    wanted = set(names)
    closing = wanted <= set(CLOSING)
    mixed: list[Proposal] = []
    if wanted - {"claw"}:
        mixed.append(paths(oriented, wanted, centred=closing, threads=workers))
    if "claw" in wanted:
        mixed.append(claws(oriented, threads=workers))

    unmet = partial(
        _check_any, names, FOUR_VERTEX_COUNTS, oriented, lambda: graphlet_transform(graph, threads=workers).totals
    )
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
    only_one = types & np.isin(TRIAD_NAMES, ["012", "102"])
    connected = [name for name in possible if name in TRIAD_NAMES[3:]]
    mixed: list[Proposal] = []
    if connected:
        wedges = closed_triads if set(connected) <= set(CLOSED_NAMES) else connected_triads
        mixed.append(wedges(oriented, types, threads=threads))
    if only_one.any():
        mixed.append(one_edge(oriented, only_one))
    if "003" in possible:
        mixed.append(no_edge(oriented))
    listable = connected == possible
    most = min(max_draws, max(FIRST_DRAWS, 64 * samples)) if listable else max_draws

    unmet = partial(_check_any, names, CLOSED_TRIADS, oriented, lambda: triad_census(graph, threads=threads))
    ranks, made = accepted(mixed, samples, 3, key, most=most, unmet=unmet)
    if len(ranks) < samples and listable:
        return _from_list(graph, names, possible, samples, key)
    check_enough(len(ranks), samples, made, f"triads of the types {', '.join(names)}")
    return _vertices(oriented, ranks)


def _check_any(
    names: list[str], count: Count[Any], oriented: Oriented, counted: Callable[[], Mapping[str, int]], draws: int
) -> None:
    """Raise if the graph has nothing of what was never drawn, unless counting takes longer than this many draws."""
    if count.work(oriented.sizes) >= _NANOSECONDS * draws:
        return
    try:
        counts = counted()
    except CountOverflowError:
        return
    if not any(counts[name] for name in names):
        raise ArgumentError(f"of: the graph has no {' and no '.join(names)}")


def _from_list(graph: Graph, names: list[str], possible: list[str], samples: int, key: int) -> Int64Array:
    """List all triads of the types that are possible, and draw from the list."""
    parts = [part for name in possible for part in list_triads(graph.oriented(), name, None, None)]
    triads = np.concatenate([*parts, int_empty((0, 3))]).astype(np.int64)
    if not len(triads) and samples:
        raise ArgumentError(f"of: the graph has no {' and no '.join(names)}")
    chosen = np.random.Generator(np.random.Philox(key=int(derive_keys(key, 1)[0]))).integers(len(triads), size=samples)
    return triads[chosen]


def _vertices(oriented: Oriented, ranks: Int64Array) -> Int64Array:
    """Return the vertices of some ranks, rising in each row."""
    return np.sort(oriented.order[ranks].astype(np.int64), axis=1)


def _kinds(of: str | Pattern | Iterable[str], size: int | None) -> tuple[list[str], int]:
    """Check the kinds of subgraphs; return them without repeats, and their size, 0 for triads."""
    if str(of) == "graphlets":
        if size not in SHAPES:
            raise ArgumentError(f"size={size!r}: expected 3 or 4 for of='graphlets'")
        return list(SHAPES[size]), size
    if size is not None:
        raise ArgumentError(f"size={size!r}: expected None, as of={of!r} says the size")
    names: list[Any] = list(of) if isinstance(of, Iterable) and not isinstance(of, str) else [of]
    wrong = [name for name in names if str(name) not in _NAMES]
    if wrong or not names:
        found = repr(wrong[0]) if wrong else "none"
        raise ArgumentError(
            f"of: got {found}, expected 'graphlets', or one or several of {', '.join(_NAMES)}, the kinds of subgraphs"
        )
    for vertices, family in _FAMILIES.items():
        if set(names) <= set(family):
            return list(dict.fromkeys(names)), vertices
    raise ArgumentError(f"of: expected types of triads, or subgraphs of one size, got {', '.join(names)}")


@record
class Proposal:
    """Draws of one kind.

    Attributes
    ----------
    mass : int
        One over the probability with which a draw is a given subgraph and accepted.
    draw : callable
        ``draw(key, numbers)`` returns the ranks of the draws of these numbers, int64 of shape (draws, vertices), and
        whether each is accepted.
    """

    mass: int
    draw: Callable[[int, Int64Array], Drawn]


def accepted(
    proposals: Sequence[Proposal], samples: int, size: int, key: int, *, most: int, unmet: Callable[[int], None]
) -> tuple[Int64Array, int]:
    """Draw until `samples` draws are accepted, or `most` are made.

    If none of the first million draws is accepted, ``unmet(left)`` is called once with the number of draws that are
    left; it may raise.

    Returns
    -------
    ranks : int64 array, shape (at most samples, size)
        Of the accepted draws, in the order of draws.
    made : int
        Number of draws.
    """
    proposals = [each for each in proposals if each.mass > 0]
    total = sum(each.mass for each in proposals)
    bounds = np.cumsum([each.mass / total for each in proposals])[:-1]
    choice, *keys = (int(each) for each in derive_keys(key, 1 + len(proposals)))
    found: list[Int64Array] = []
    made = got = 0
    batch = min(_BATCH, max(1024, 2 * samples))
    while proposals and got < samples and made < most:
        numbers = np.arange(made, made + batch)
        unit = np.empty(batch)
        unit_draws(np.uint64(choice), numbers, np.uint64(0), unit)
        kind = np.searchsorted(bounds, unit, side="right")
        ranks, taken = int_empty((batch, size)), np.zeros(batch, bool)
        for i, proposal in enumerate(proposals):
            mine = np.flatnonzero(kind == i)
            if len(mine):
                ranks[mine], taken[mine] = proposal.draw(keys[i], numbers[mine])
        found.append(ranks[taken])
        got += len(found[-1])
        if not got and made < FIRST_DRAWS <= made + batch < most:
            unmet(most - made - batch)
        made += batch
        batch = _BATCH
    ranks = np.concatenate([*found, int_empty((0, size))])[:samples]
    return ranks, made


def closed_triads(oriented: Oriented, types: BoolArray, *, threads: int) -> Proposal:
    """Return the proposal of closed triads of some types, bool of shape (16,), by wedges of oriented rows."""
    table = wedge_sampling.row_table(oriented.indptr, oriented.degree, local=False, threads=threads)

    def draw(key: int, numbers: Int64Array) -> Drawn:
        ranks, codes = wedge_sampling.draws(oriented, table, key, numbers, threads=threads)
        return ranks, (codes >= 0) & types[TYPE_OF_CODE[codes]]

    return Proposal(int(table.total), draw)


def connected_triads(oriented: Oriented, types: BoolArray, *, threads: int) -> Proposal:
    """Return the proposal of connected triads of some types, by wedges around all vertices."""
    degree = oriented.degree
    rows = neighbours(oriented, threads=threads)
    before = sums_before(degree * (degree - 1) // 2, "wedges")

    def draw(key: int, numbers: Int64Array) -> Drawn:
        ranks = int_empty((len(numbers), 3))
        draw_stars(rows, before, np.uint64(key), numbers, ranks)
        codes = _codes_of(oriented, ranks)
        # A closed triad has three wedges, and is accepted at its largest rank only.
        is_open = (codes & 3 == 0) | (codes >> 2 & 3 == 0) | (codes >> 4 == 0)
        taken: BoolArray = types[TYPE_OF_CODE[codes]] & (is_open | (ranks[:, 0] == ranks.max(axis=1)))
        return ranks, taken

    return Proposal(int(before[-1]), draw)


def one_edge(oriented: Oriented, types: BoolArray) -> Proposal:
    """Return the proposal of triads with one edge: a random edge, and a random vertex."""
    n, m = oriented.num_vertices, oriented.num_edges

    def draw(key: int, numbers: Int64Array) -> Drawn:
        entry, third = _below(m, key, numbers, 0), _below(n, key, numbers, 1)
        ranks = int_empty((len(numbers), 3))
        ranks[:, 0] = np.searchsorted(oriented.indptr, entry, side="right") - 1
        ranks[:, 1] = oriented.indices[entry]
        ranks[:, 2] = third
        other = (third != ranks[:, 0]) & (third != ranks[:, 1])
        ranks[~other, 2] = ranks[~other, 1]  # the codes of these are not read
        codes = _codes_of(oriented, ranks)
        taken: BoolArray = other & types[TYPE_OF_CODE[codes]]
        return ranks, taken

    return Proposal(m * n, draw)


def no_edge(oriented: Oriented) -> Proposal:
    """Return the proposal of three vertices without an edge: three random vertices."""
    n = oriented.num_vertices

    def draw(key: int, numbers: Int64Array) -> Drawn:
        ranks = np.stack([_below(n, key, numbers, i) for i in range(3)], axis=1)
        a, b, c = ranks.T
        codes = _codes_of(oriented, ranks)
        taken: BoolArray = (a != b) & (a != c) & (b != c) & (codes == 0)
        return ranks, taken

    return Proposal(n**3 // 6, draw)  # six orders of the same three vertices


def _below(bound: int, key: int, numbers: Int64Array, column: int) -> Int64Array:
    """Return a random whole number below a bound for each draw; those of different columns are independent."""
    found = int_empty(len(numbers))
    places_below(np.uint64(key), numbers, np.uint64(column), bound, found)
    return found


def _codes_of(oriented: Oriented, ranks: Int64Array) -> Int64Array:
    """Return the codes of triads of some ranks."""
    codes = int_empty(len(ranks))
    write_codes(*oriented.unsigned_rows, wedge_sampling.states_of(oriented), ranks, codes)
    return codes


def paths(oriented: Oriented, shapes: set[str], *, centred: bool, threads: int) -> Proposal:
    """Return the proposal of subgraphs of four vertices that hold a path of three edges, or if `centred` a 4-cycle."""
    rows = neighbours(oriented, threads=threads)
    tables = PathTables(oriented, rows, centred=centred, threads=threads)
    chance = np.zeros(7)
    for kind, times in (_CENTRED_OF if centred else _PATHS_OF).items():
        chance[kind] = (_SHAPES[kind] in shapes) / times

    def draw(key: int, numbers: Int64Array) -> Drawn:
        own = derive_keys(key, 2)
        ranks, kinds = tables.draws(int(own[0]), numbers, threads=threads)
        coin = np.empty(len(numbers))
        unit_draws(own[1], numbers, np.uint64(0), coin)
        return ranks, coin < chance[kinds]

    return Proposal(tables.total, draw)


def claws(oriented: Oriented, *, threads: int) -> Proposal:
    """Return the proposal of claws: a random star of three edges, if no two of its leaves are joined."""
    rows = neighbours(oriented, threads=threads)
    before = sums_before(stars_at(oriented.degree), "stars of three edges")

    def draw(key: int, numbers: Int64Array) -> Drawn:
        ranks = int_empty((len(numbers), 4))
        draw_stars(rows, before, np.uint64(key), numbers, ranks)
        return ranks, _codes_of(oriented, ranks[:, 1:].copy()) == 0

    return Proposal(int(before[-1]), draw)


def check_enough(found: int, samples: int, made: int, what: str) -> None:
    """Raise if draws ended before there were enough samples."""
    if found < samples:
        raise ArgumentError(
            f"samples={samples}: {made:,} draws met {found:,} {what}, which are too rare; ask for fewer samples, "
            "or raise max_draws"
        )
