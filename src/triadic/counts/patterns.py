"""Patterns of two to six vertices counted in a graph: in total, at vertices, at edges, by types, and listed.

A count is a number of embeddings: maps of the pattern's vertices to different vertices of the graph that have every
present arc, no absent arc, and meet every condition. The number of subgraphs is that divided by `automorphisms`.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import permutations
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from triadic.core.blocks import one_team
from triadic.core.graphlets import EDGES_OF_GRAPHLETS, ORBITS, ORBITS_OF_GRAPHLETS, ORBITS_OF_SIZE, raw_from_net
from triadic.core.memory import check_memory
from triadic.core.oriented import NO_NUMBERS, int_empty, int_zeros
from triadic.core.pattern import ANY, BACKWARD, NONE, Shape, image_of, states_between
from triadic.core.progress import reporting
from triadic.counts.count import Count, run
from triadic.counts.graphlet_formulas import raw_of
from triadic.counts.graphlets import FIVE_VERTEX_COUNTS, FOUR_VERTEX_COUNTS
from triadic.counts.homomorphisms import Homomorphisms, images_in_triangles, passes_of, sum_for
from triadic.counts.pattern_matching import Job
from triadic.devices.cpu.patterns.matcher import FIRST_FLAG
from triadic.devices.cpu.triads.closed_triads import by_cell
from triadic.errors import ArgumentError, CountOverflowError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from triadic.core.array_types import Int64Array
    from triadic.core.blocks import Progress
    from triadic.core.progress import ProgressKeyword
    from triadic.graph.graph import Graph

_LABEL = "counting pattern"
_MATCHING = 4.0  # times that an expected step of matching takes longer than one of other ways
# Counts of orbits, and how much longer they take than they say.
_ORBITS: dict[int, tuple[Count[Any], float]] = {4: (FOUR_VERTEX_COUNTS, 1.0), 5: (FIVE_VERTEX_COUNTS, 5.0)}
_TABLE = 1 << 20  # tuples of types that are counted in a table
_UNDIRECTED = (0b1110, 0b0001, ANY)


class PatternPlan(NamedTuple):
    """How a pattern is counted.

    Attributes
    ----------
    way : {"homomorphisms", "orbits", "matching"}
        What counts: `triadic.counts.homomorphisms`, orbits of graphlets, or the matcher.
    order : tuple of int
        Vertices of the pattern in the order in which they would be matched.
    work : float
        Expected number of entries of rows that are read.
    memory : int
        Expected bytes beside the graph.
    """

    way: str
    order: tuple[int, ...]
    work: float
    memory: int


def count_pattern(graph: Graph, shape: Shape, *, threads: int | None = None, progress: ProgressKeyword = False) -> int:
    """Return the number of embeddings of a pattern."""
    job = Job(graph, shape, threads)
    with reporting(progress, _LABEL) as report:
        sums = _sums(job, (None,), report)
        return job.matcher(0).count(report) * len(job.automorphisms) if sums is None else int(sums[0].sum())


def pattern_at_vertices(
    graph: Graph, shape: Shape, *, threads: int | None = None, progress: ProgressKeyword = False
) -> Int64Array:
    """Count the embeddings in which each vertex of the graph is each vertex of the pattern: int64, shape (n, k).

    Columns of vertices that automorphisms exchange are equal.
    """
    job = Job(graph, shape, threads)
    images = list(zip(*job.automorphisms, strict=True))
    roots = sorted({min(image) for image in images})
    with reporting(progress, _LABEL) as report:
        sums = _sums(job, roots, report)
        if sums is not None:
            return np.stack([sums[roots.index(min(image))] for image in images], axis=1)[graph.oriented().rank]
        at_rank = job.matcher(8 * shape.size * (job.threads + 2)).at_ranks(report)
    return _over_orbits(at_rank[graph.oriented().rank][:, np.argsort(job.best[1])], images)


@one_team()
def _sums(job: Job, roots: Sequence[int | None], progress: Progress | None) -> list[Int64Array] | None:
    """Return the embeddings by the rank of each of some vertices; of None only their sum is right; None to match."""
    way, _, plan = _way(job, roots)
    oriented = job.graph.oriented(threads=job.threads)
    if way == "homomorphisms":
        rows = job.rows(12 * job.shape.size * (job.threads + 1))
        engine = Homomorphisms(oriented, rows, job.prepared.flags, plan, job.threads, progress, totals=None in roots)
        return [engine.sum(terms) for terms in plan]
    if way == "orbits":
        raw = _raw_orbits(job, progress)
        return [raw @ _orbit_table(job.shape)[:, root or 0] for root in roots]
    return None


def _way(job: Job, roots: Sequence[int | None]) -> tuple[str, float, list[Any]]:
    """Return how a pattern is counted, the expected work, and the plan of homomorphisms."""
    shape, oriented = job.shape, job.graph.oriented()
    # No tree of this size has more homomorphisms than a star.
    fits = float((oriented.degree.astype(np.float64) ** (shape.size - 1)).sum()) < 2.0**62
    ways: dict[str, float] = {}
    plan = []
    if fits and not job.prepared.arcs and not job.prepared.comparisons:
        found = [sum_for(shape, _masks(shape), root) for root in roots]
        plan = [terms for terms in found if terms is not None]
        if len(plan) == len(roots):
            ways["homomorphisms"] = sum(work for _, work in passes_of(plan, oriented))
        if not shape.conditions and shape.size in _ORBITS and set(shape.allowed) <= set(_UNDIRECTED):
            count, times = _ORBITS[shape.size]
            ways["orbits"] = times * count.work(oriented.sizes)
    if shape.conditions or not ways:
        ways["matching"] = _MATCHING * job.best[0]
    way = min(ways, key=ways.__getitem__)
    return way, ways[way], plan


def _masks(shape: Shape) -> tuple[int, ...]:
    """Return the flag of each vertex that has conditions, the same for vertices that have the same ones."""
    own = [
        {(c.left.column, c.operator, c.right) for c in shape.conditions if c.left.vertices == (v,)}
        for v in range(shape.size)
    ]
    return tuple(1 << FIRST_FLAG + own.index(each) if each else 0 for each in own)


def _raw_orbits(job: Job, progress: Progress | None) -> Int64Array:
    """Return the raw frequencies of orbits at each rank: int64, shape (n, 15) or (n, 73)."""
    oriented = job.graph.oriented()
    machine: Any = {"threads": job.threads, "device": "cpu", "progress": progress or False}
    if job.shape.size == 5:
        return run(FIVE_VERTEX_COUNTS, oriented, **machine)
    counts = run(FOUR_VERTEX_COUNTS, oriented, **machine)
    raw = int_empty((oriented.num_vertices, 16))
    return raw_of(oriented, counts, threads=job.threads, out=raw)[oriented.order][:, ORBITS]


@lru_cache(maxsize=256)
def _orbit_table(shape: Shape) -> Int64Array:
    """Return how often each raw frequency of an orbit counts for each vertex: int64, shape (15, 4) or (73, 5)."""
    table = int_zeros((ORBITS_OF_SIZE[shape.size], shape.size))
    for edges, orbits in zip(EDGES_OF_GRAPHLETS, ORBITS_OF_GRAPHLETS, strict=True):
        if len(orbits) == shape.size:
            joined = {frozenset(map(int, edge)) for edge in edges.split()}
            for image in permutations(range(shape.size)):
                pairs = zip(shape.allowed, [(i, j) for j in range(shape.size) for i in range(j)], strict=True)
                if all(allowed >> 3 * ({image[i], image[j]} in joined) & 1 for allowed, (i, j) in pairs):
                    for vertex, place in enumerate(image):
                        table[orbits[place], vertex] += 60 // orbits.count(orbits[place])
    table //= 60  # each orbit has been counted at all its places
    for (orbit, other), copies in sorted(raw_from_net(at_edges=False).items(), key=lambda entry: entry[0][::-1]):
        if other < len(table):
            table[other] -= copies * table[orbit]
    return table


def pattern_at_edges(
    graph: Graph,
    shape: Shape,
    arcs: Sequence[tuple[int, int]],
    *,
    threads: int | None = None,
    progress: ProgressKeyword = False,
) -> Int64Array:
    """Count the embeddings in which each edge, or arc, of the graph is each edge, or arc, of the pattern.

    Parameters
    ----------
    arcs : sequence of (int, int)
        Tail and head of each arc of the pattern that has to be present; of a pair that may have either direction, or of
        an undirected graph, the smaller vertex first.

    Returns
    -------
    int64 array, shape (edges, arcs)
        In the order of ``graph.edges()``. A mutual pair that meets a pair of either direction counts at both its arcs.
    """
    job = Job(graph, shape, threads)
    edges = graph.num_arcs if graph.directed else graph.num_edges
    what = f"the count of a pattern at {edges:,} {'arcs' if graph.directed else 'edges'}"
    check_memory(8 * edges * (2 * len(arcs) + 4), what, "count it at vertices")
    counts = int_zeros((edges, len(arcs)))
    source, target = graph.edges()
    n = np.int64(graph.num_vertices)
    keys = source * n + target
    with reporting(progress, _LABEL) as report:
        for matches in job.lists(report):
            for column, (i, j) in enumerate(arcs):
                ends = matches[:, (i, j)] if graph.directed else np.sort(matches[:, (i, j)], axis=1)
                free = graph.directed and states_between(shape, i, j) & 1 << BACKWARD
                for tail, head in [ends.T, ends.T[::-1]] if free else [ends.T]:
                    wanted = tail * n + head
                    place = np.searchsorted(keys, wanted).clip(max=edges - 1)
                    counts[:, column] += np.bincount(place[keys[place] == wanted], minlength=edges)
    images = [[arcs.index(image_of(shape, arc, to)) for to in job.automorphisms] for arc in arcs]
    return _over_orbits(counts, images)


def pattern_by_type(
    graph: Graph,
    shape: Shape,
    types: Int64Array,
    *,
    listed: Int64Array | None = None,
    threads: int | None = None,
    progress: ProgressKeyword = False,
) -> tuple[Int64Array, Int64Array]:
    """Count subgraphs by the types of their vertices.

    Parameters
    ----------
    types : int64 array, shape (n,)
        Type of each vertex, from 0; a subgraph with a vertex of type -1 is left out.
    listed : int64 array, shape (subgraphs, k), optional
        The subgraphs, as `list_pattern` lists them, if they are known.

    Returns
    -------
    types : int64 array, shape (rows, k)
        Type of each vertex of the pattern, rising; of tuples that automorphisms exchange the first one.
    counts : int64 array, shape (rows,)
        Number of subgraphs, that is embeddings over all these tuples divided by the number of automorphisms.
    """
    job = Job(graph, shape, threads)
    base = int(types.max(initial=0)) + 1
    cells = base**shape.size
    if cells >= 2**63:
        raise ArgumentError(
            f"types: {base:,} types make too many tuples for {shape.size} vertices; merge types, or use fewer vertices"
        )
    powers = np.array([base**i for i in reversed(range(shape.size))], np.int64)
    found = [(NO_NUMBERS, NO_NUMBERS)]
    with reporting(progress, _LABEL) as report:
        if listed is None and cells <= _TABLE:
            oriented = graph.oriented()
            at_rank = types[oriented.order]
            if shape.size == 3 and not shape.conditions and not any(s >> NONE & 1 for s in shape.allowed):
                added = _added_by_code(job, powers)
                table = by_cell(oriented, at_rank, added, cells, threads=job.threads, progress=report)
            else:
                job.prepared.flags[at_rank < 0] = 0  # meets no conditions
                matcher = job.matcher(8 + 8 * job.threads * cells // max(1, graph.num_vertices))
                table = matcher.by_types(at_rank, powers[list(job.best[1])], cells, report)
            numbers = np.flatnonzero(table)
            found = [(numbers, table[numbers])]
        else:
            parts = job.lists(report) if listed is None else np.array_split(listed, 1 + len(listed) // _TABLE)
            for matches in parts:
                of = types[matches]
                found.append(np.unique((of @ powers)[(of >= 0).all(axis=1)], return_counts=True))
                if sum(len(numbers) for numbers, _ in found[1:]) > max(_TABLE, len(found[0][0])):
                    found = [_added(found)]
    numbers, counts = _added(found)
    tuples = numbers[:, None] // powers % base
    first = np.min([tuples[:, moved] @ powers for moved in job.automorphisms], axis=0)
    numbers, counts = _added([(first, counts)])
    return numbers[:, None] // powers % base, counts


def _added_by_code(job: Job, powers: Int64Array) -> Int64Array:
    """Return what each vertex of a triangle adds to the cell of a pattern of three vertices, see `ByCell`."""
    images = images_in_triangles(job.shape.allowed)
    found = np.full((len(images), 6, 3), -1, np.int64)
    for code, each in enumerate(images):
        different = {min(tuple(image[v] for v in moved) for moved in job.automorphisms) for image in each}
        for row, image in enumerate(sorted(different)):
            found[code, row, image] = powers
    return found


def _added(found: list[tuple[Int64Array, Int64Array]]) -> tuple[Int64Array, Int64Array]:
    """Return the different numbers, rising, and the sums of their counts."""
    numbers, counts = map(np.concatenate, zip(*found, strict=True))
    different, inverse = np.unique(numbers, return_inverse=True)
    total = int_zeros(len(different))
    np.add.at(total, inverse.reshape(-1), counts)
    return different, total


def list_pattern(
    graph: Graph,
    shape: Shape,
    limit: int | None = None,
    *,
    threads: int | None = None,
    progress: ProgressKeyword = False,
) -> Int64Array:
    """List subgraphs, at most `limit`: the numbers of their vertices, int64, shape (subgraphs, k).

    Always the same ones in the same order; of the orders that automorphisms exchange, one is listed.
    """
    job = Job(graph, shape, threads)
    if limit is None:
        limit = job.matcher(0).count()
    bytes_of_list = 8 * (shape.size + 1) * limit
    check_memory(bytes_of_list, f"a list of {limit:,} subgraphs", "list fewer with `limit`")
    with reporting(progress, _LABEL) as report:
        return _listed(job, np.arange(limit), report)


def sample_pattern(graph: Graph, shape: Shape, samples: int, key: int, *, threads: int | None) -> Int64Array:
    """Draw subgraphs at random, each with the same probability: the numbers of their vertices, int64, (samples, k).

    They are the subgraphs at random places of the list of all, which is walked and not held.

    Raises
    ------
    ArgumentError
        If no subgraph matches.
    """
    job = Job(graph, shape, threads)
    total = job.matcher(0).count()
    if samples and not total:
        raise ArgumentError("of: the graph has no subgraph that matches the pattern")
    places = np.random.Generator(np.random.Philox(key=key)).integers(max(1, total), size=samples)
    different, inverse = np.unique(places, return_inverse=True)
    return _listed(job, different, None)[inverse]


def _listed(job: Job, places: Int64Array, progress: Progress | None) -> Int64Array:
    """Return the subgraphs at some places of the list of all, rising."""
    found = int_empty((len(places), job.shape.size))
    done, first = 0, 0
    for matches in job.lists(progress) if len(places) else ():
        last = int(np.searchsorted(places, first + len(matches)))
        found[done:last] = matches[places[done:last] - first]
        done, first = last, first + len(matches)
        if done == len(places):
            break
    return found[:done]


def plan_of(graph: Graph, shape: Shape) -> PatternPlan:
    """Return how a pattern is counted in a graph, and what that is expected to take."""
    job = Job(graph, shape, None)
    way, work, _ = _way(job, (None,))
    bytes_of_vertex = (12 * shape.size if way == "homomorphisms" else 4) * (job.threads + 1)
    return PatternPlan(way, job.best[1], work, job.bytes_of_rows + graph.num_vertices * bytes_of_vertex)


def _over_orbits(counts: Int64Array, images: Sequence[Sequence[int]]) -> Int64Array:
    """Return counts of embeddings by column from those of one embedding a subgraph."""
    if len(counts) and float(counts.sum(axis=1, dtype=np.float64).max()) * len(images[0]) >= 2.0**63:
        raise CountOverflowError("pattern: a count at a vertex or an edge exceeds 2**63; count it in total")
    return counts @ np.stack([np.bincount(image, minlength=len(images)) for image in images], axis=1)
