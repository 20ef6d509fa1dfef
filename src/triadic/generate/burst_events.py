"""Timed events in bursts: groups of vertices with power-law degrees exchange events for a short time.

Computes: the ends and the time of event `i`, by hashing (seed, i), without a table of the other events.
Requires: at least as many vertices as a group has members.
Idea: events follow one another in bursts of `length` events. The members of a burst are drawn with weights j^(-2/3) for
  vertex j, so that degrees have a power law with exponent 2.5. A burst begins at a random time, and its events lie
  behind that time by spans v^(-1/2) - 1 for uniform v, which have a mean but no variance. Each event runs between two
  random members, so that there are replies, repeats, stars and triangles.
Cost: six hashes for each event, and the sort by time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from triadic.core import blocks
from triadic.core.compiled import kernel
from triadic.core.draws import below, derive_keys, draw
from triadic.generate.arguments import MOST_VERTICES, check_seed, check_whole
from triadic.graph.temporal import TemporalGraph

if TYPE_CHECKING:
    from numpy.typing import NDArray

_MOST_EVENTS = 1 << 40
_MOST_SPAN = 1 << 40
_PIECE = 1 << 16
_UNIT = 1.0 / (1 << 53)
_SHIFT = np.uint64(11)


def bursts(
    vertices: int,
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
    vertices : int
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
    members = check_whole("members", members, 2, 64)
    n = check_whole("vertices", vertices, members, MOST_VERTICES)
    m = check_whole("events", events, 0, _MOST_EVENTS)
    length = check_whole("length", length, 1, _MOST_EVENTS)
    spread = check_whole("spread", spread, 0, _MOST_SPAN)
    duration = check_whole("duration", duration, 1, _MOST_SPAN)
    workers = blocks.resolve_threads(threads)
    keys = derive_keys(check_seed(seed), 2)
    source, target = np.empty(m, dtype=np.int32), np.empty(m, dtype=np.int32)
    time = np.empty(m, dtype=np.int64)
    cuts = blocks.cut_evenly(m, -(-m // _PIECE))
    blocks.run(
        lambda _, b: make_events(
            keys, cuts[b], cuts[b + 1], n, members, length, spread, duration, source, target, time
        ),
        len(cuts) - 1,
        threads=workers,
    )  # fmt: skip
    return TemporalGraph.from_edges(source, target, time, vertices=n)


@kernel
def member_of(key: np.uint64, burst: int, member: np.uint64, vertices: int) -> int:
    """Return a member of a burst: floor(n u^3)."""
    u = np.float64(draw(key, np.uint64(burst), member + np.uint64(1)) >> _SHIFT) * _UNIT
    return min(int(vertices * (u * u * u)), vertices - 1)


@kernel
def make_events(
    keys: NDArray[np.uint64], first: int, last: int, vertices: int, members: int, length: int, spread: int,
    duration: int, source: NDArray[np.int32], target: NDArray[np.int32], time: NDArray[np.int64],
) -> None:  # fmt: skip
    """Write the events from `first` to `last`."""
    for i in range(first, last):
        burst = i // length
        one = below(draw(keys[1], np.uint64(i), np.uint64(0)), np.uint64(members))
        step = below(draw(keys[1], np.uint64(i), np.uint64(1)), np.uint64(members - 1)) + np.uint64(1)
        a = member_of(keys[0], burst, one, vertices)
        b = member_of(keys[0], burst, (one + step) % np.uint64(members), vertices)
        if a == b:
            b = (a + 1) % vertices
        v = np.float64((draw(keys[1], np.uint64(i), np.uint64(2)) >> _SHIFT) + np.uint64(1)) * _UNIT
        begin = np.int64(below(draw(keys[0], np.uint64(burst), np.uint64(0)), np.uint64(duration)))
        source[i] = a
        target[i] = b
        time[i] = begin + np.int64(spread * (1.0 / np.sqrt(v) - 1.0))
