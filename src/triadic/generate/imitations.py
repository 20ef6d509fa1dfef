"""Made-up data with the shape of real data: connectomes, and events in bursts.

A connectome is a directed network with hubs, thousands of types of neurons, and coordinates.

Computes: the type and the coordinates of each vertex, and a given number of different arcs.
Requires: fewer arcs than a twentieth of all pairs, so that repeats are rare.
Idea: vertices are numbered by type along a curve through space, and each has a heavy-tailed weight for its outputs and
  one for its inputs. An arc begins at a vertex drawn by the first weight. Its end is found by a jump along the line of
  all second weights, whose length is spread evenly over all orders of magnitude: near vertices and those with many
  inputs are hit often, and far ones now and then.
Cost: one sort of the arcs; about 2 s for 2.6 million arcs.

Bursts are timed events that groups of vertices with power-law degrees exchange for a short time.

Computes: the ends and the time of event `i`, by hashing (seed, i), without a table of the other events.
Requires: at least as many vertices as a group has members.
Idea: events follow one another in bursts of `length` events. The members of a burst are drawn with weights j^(-2/3) for
  vertex j, so that degrees have a power law with exponent 2.5. A burst begins at a random time, and its events lie
  behind that time by spans v^(-1/2) - 1 for uniform v, which have a mean but no variance. Each event runs between two
  random members, so that there are replies, repeats, stars and triangles.
Cost: six hashes for each event, and the sort by time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from triadic.core import blocks
from triadic.core.checked import check_probability, check_seed, check_whole
from triadic.core.compiled import kernel
from triadic.core.draws import PROBABILITY_SHIFT, below, derive_keys, draw, fill_unit
from triadic.core.oriented import NO_NUMBERS, int_empty
from triadic.core.records import record
from triadic.errors import ArgumentError
from triadic.generate.model import MOST_VERTICES
from triadic.graph.graph import Graph
from triadic.graph.temporal import TemporalGraph

if TYPE_CHECKING:
    from triadic.core.array_types import Float64Array, Int32Array, Int64Array, Uint64Array

_MOST_NEURONS = 1 << 30
_TAIL = 2.2  # exponent of the Pareto distribution of the weights
_LARGEST = 0.002  # largest weight, as a share of their sum
_BOX = (1.0, 0.5, 0.35)  # extent of the centres of types
_SPREAD = 0.03  # standard deviation of neurons around the centre of their type
_NEAREST = 3.0  # shortest jump, in mean weights
_MOST_EVENTS = 1 << 40
_MOST_SPAN = 1 << 40
_PIECE = 1 << 16
_UNIT = 1.0 / (1 << 53)


@record
class Connectome:
    """A made-up connectome.

    Attributes
    ----------
    graph : Graph
        The directed network.
    types : int32 array, shape (n,)
        Type of each vertex.
    positions : float64 array, shape (n, 3)
        Coordinates of each vertex.
    """

    graph: Graph
    types: Int32Array
    positions: Float64Array


def connectome(
    num_vertices: int = 127_978,
    arcs: int = 2_613_129,
    *,
    types: int = 8_000,
    reciprocity: float = 0.1,
    seed: int | None = None,
) -> Connectome:
    """Make a directed network with the size and the shape of a connectome, with types and coordinates of its vertices.

    The defaults are the numbers of neurons and of connections of the brain of a fruit fly. The recipe:

    1. Vertex v has the type ``floor((types + 1) ** u)``, counted from 1, with u drawn uniformly from [0, 1): the
       frequency of types falls as 1 / rank. Types are then numbered anew by the first coordinate of their centres, and
       vertices are sorted by type.
    2. The centre of a type is drawn uniformly from a box of 1 x 0.5 x 0.35, and vertices are scattered around it with
       a standard deviation of 0.03 in each direction.
    3. Each vertex has a weight for its outputs and one for its inputs, both from a Pareto distribution with exponent
       2.2 and cut at 0.2% of their sum.
    4. An arc begins at a vertex drawn in proportion to the first weight. On a line on which each vertex takes a length
       of its second weight, it ends at the vertex that is a jump away from its source, up or down; the logarithm of the
       length of the jump is uniform, from three mean weights to half of the line.
    5. With probability `reciprocity` an arc is the reverse of the arc drawn before it.
    6. Loops and repeats are dropped, until there are `arcs` arcs.

    Parameters
    ----------
    num_vertices : int, default 127978
        Number of vertices, from 2 to 2**30.
    arcs : int, default 2613129
        Number of arcs, at most a twentieth of ``vertices * (vertices - 1)``.
    types : int, default 8000
        Number of types, at most `num_vertices`; rare types may have no vertex.
    reciprocity : float, default 0.1
        Probability that an arc is the reverse of the arc before it.
    seed : int, optional
        Seed of the random draws, from 0 to 2**64 - 1; by default a fresh seed is drawn. The same seed makes the same
        connectome on any machine with the same version of NumPy.

    Returns
    -------
    Connectome
        ``graph``, ``types`` and ``positions``.

    Raises
    ------
    ArgumentError
        An argument is out of its range.

    Notes
    -----
    Takes 60 bytes per arc, and about a microsecond.

    References
    ----------
    S. Dorkenwald and others, *Neuronal wiring diagram of an adult brain*, Nature 634, 124-138, 2024, for the numbers of
    neurons and connections, and P. Schlegel and others, *Whole-brain annotation and multi-connectome cell typing of
    Drosophila*, Nature 634, 139-152, 2024, for the number of types.

    Examples
    --------
    >>> from triadic import generate
    >>> made = generate.connectome(1000, 9000, types=40, seed=1)
    >>> made.graph, made.types.shape, made.positions.shape
    (Graph(directed, 1,000 vertices, 9,000 arcs), (1000,), (1000, 3))
    """
    check_whole("num_vertices", num_vertices, 2, _MOST_NEURONS)
    check_whole("arcs", arcs, 1, max(1, num_vertices * (num_vertices - 1) // 20))
    check_whole("types", types, 1, num_vertices)
    reciprocity = check_probability("reciprocity", reciprocity)
    if reciprocity > 0.5:
        raise ArgumentError(f"reciprocity={reciprocity}: expected at most 0.5, since every second arc may be a reverse")
    keys = derive_keys(check_seed(seed), 12)
    centres = np.stack([_uniform(key, types) for key in keys[:3]], axis=1) * _BOX
    centres = centres[np.argsort(centres[:, 0])]
    rank = np.floor(float(types + 1) ** _uniform(keys[3], num_vertices)).astype(np.int64) - 1
    shuffled = np.argsort(_uniform(keys[4], types))  # the frequency of a type does not depend on its place
    kind = np.sort(shuffled[np.minimum(rank, types - 1)]).astype(np.int32)
    # Box and Muller (1958): normal numbers from uniform ones.
    radius = np.sqrt(-2 * np.log1p(-_uniform(keys[5], 3 * num_vertices)))
    scatter = radius * np.cos(2 * np.pi * _uniform(keys[6], 3 * num_vertices))
    place = centres[kind] + _SPREAD * scatter.reshape(num_vertices, 3)
    out, into = (_weights(_uniform(key, num_vertices)) for key in keys[7:9])
    begin, line = np.cumsum(out), np.cumsum(into)
    wanted = NO_NUMBERS
    drawn = 0
    while len(wanted) < arcs:
        count = arcs - len(wanted) + arcs // 8 + 64
        source = np.searchsorted(begin, _uniform(keys[9], count, drawn) * begin[-1], side="right")
        shape = 2 * _uniform(keys[10], count, drawn) - 1
        length = _NEAREST * (max(line[-1] / 2, _NEAREST) / _NEAREST) ** np.abs(shape)
        goal = (line[np.minimum(source, num_vertices - 1)] + np.sign(shape) * length) % line[-1]
        target = np.searchsorted(line, goal, side="right")
        source, target = np.minimum(source, num_vertices - 1), np.minimum(target, num_vertices - 1)
        back = _uniform(keys[11], count, drawn) < reciprocity
        back[0] = False
        back[1:] &= ~back[:-1]
        before = np.flatnonzero(back) - 1
        source[back], target[back] = target[before], source[before]
        pairs = np.append(wanted, ((source << 32) | target)[source != target])
        first = np.sort(np.unique(pairs, return_index=True)[1])
        wanted, drawn = pairs[first[:arcs]], drawn + count
    ends = (wanted >> 32).astype(np.int32), (wanted & 0xFFFFFFFF).astype(np.int32)
    return Connectome(Graph.from_edges(*ends, directed=True, num_vertices=num_vertices), kind, place)


def _weights(uniform: Float64Array) -> Float64Array:
    """Return heavy-tailed weights whose sum is about their number."""
    weights = (1 - uniform) ** (-1 / (_TAIL - 1))
    weights = np.minimum(weights, max(_LARGEST * weights.sum(), 1.0))
    return weights / weights.mean()


def _uniform(key: np.uint64, count: int, start: int = 0) -> Float64Array:
    values = np.empty(count)
    fill_unit(key, np.uint64(start), values)
    return values


def bursts(
    num_vertices: int,
    events: int,
    *,
    members: int = 4,
    length: int = 16,
    spread: int = 600,
    duration: int = 31_536_000,
    seed: int | None = None,
    threads: int | None = None,
) -> TemporalGraph:
    """Make a temporal graph whose events come in bursts between few vertices, and whose degrees have a power law.

    Parameters
    ----------
    num_vertices : int
        Number of vertices, from `members` to 2**31.
    events : int
        Number of events.
    members : int, default 4
        Number of vertices that are drawn for a burst, from 2 to 64. Fewer vertices take part if one is drawn twice.
    length : int, default 16
        Number of events of a burst.
    spread : int, default 600
        Mean time from the begin of a burst to one of its events, in seconds.
    duration : int, default 31,536,000
        Time in which bursts begin, in seconds: a year.
    seed : int, optional
        Seed of the random draws, from 0 to 2**64 - 1. The same seed gives the same events on any machine and any
        number of threads; by default a fresh seed is drawn.
    threads : int, optional
        Number of threads; by default as many as the process may use.

    Returns
    -------
    TemporalGraph
        Events sorted by time, without loops; times are whole seconds.

    Raises
    ------
    ArgumentError
        If a parameter is out of its range.

    Notes
    -----
    O(events). Burst b begins at a uniform time below `duration`. Its members are floor(n u**3) for uniform u, so that
    the expected number of events of vertex j falls with (j + 1)**(-2/3): a power law of exponent 2.5. An event of the
    burst runs from one random member to another, ``spread * (v**-0.5 - 1)`` seconds after the begin, for uniform v.
    If both are the same vertex, the event runs to the vertex with the next number.

    Examples
    --------
    >>> from triadic import generate
    >>> generate.bursts(100, 1000, seed=1).num_events
    1000
    """
    check_whole("members", members, 2, 64)
    check_whole("num_vertices", num_vertices, members, MOST_VERTICES)
    check_whole("events", events, 0, _MOST_EVENTS)
    check_whole("length", length, 1, _MOST_EVENTS)
    check_whole("spread", spread, 0, _MOST_SPAN)
    check_whole("duration", duration, 1, _MOST_SPAN)
    workers = blocks.resolve_threads(threads)
    model = Bursts(derive_keys(check_seed(seed), 2), num_vertices, members, length, spread, duration)
    source, target = np.empty((2, events), np.int32)
    time = int_empty(events)
    cuts = blocks.cut_pieces(events, _PIECE)
    blocks.run_cuts(lambda _, part: make_events(model, *part, source, target, time), cuts, threads=workers)
    return TemporalGraph.from_edges(source, target, time, num_vertices=num_vertices)


@kernel
def member_of(key: np.uint64, burst: int, member: np.uint64, vertices: int) -> int:
    """Return a member of a burst: floor(n u^3)."""
    u = np.float64(draw(key, np.uint64(burst), member + np.uint64(1)) >> PROBABILITY_SHIFT) * _UNIT
    return min(int(vertices * (u * u * u)), vertices - 1)


class Bursts(NamedTuple):
    """Two keys, and the parameters of `bursts`."""

    keys: Uint64Array
    vertices: int
    members: int
    length: int
    spread: int
    duration: int


@kernel
def make_events(model: Bursts, first: int, last: int, source: Int32Array, target: Int32Array, time: Int64Array) -> None:
    """Write the events from `first` to `last`."""
    keys, vertices, members, length, spread, duration = model
    for i in range(first, last):
        burst = i // length
        one = below(draw(keys[1], np.uint64(i), np.uint64(0)), np.uint64(members))
        step = below(draw(keys[1], np.uint64(i), np.uint64(1)), np.uint64(members - 1)) + np.uint64(1)
        a = member_of(keys[0], burst, one, vertices)
        b = member_of(keys[0], burst, (one + step) % np.uint64(members), vertices)
        if a == b:
            b = (a + 1) % vertices
        v = np.float64((draw(keys[1], np.uint64(i), np.uint64(2)) >> PROBABILITY_SHIFT) + np.uint64(1)) * _UNIT
        begin = np.int64(below(draw(keys[0], np.uint64(burst), np.uint64(0)), np.uint64(duration)))
        source[i] = a
        target[i] = b
        time[i] = begin + np.int64(spread * (1.0 / np.sqrt(v) - 1.0))
