"""A sample of a network's arcs, and what it says of the whole."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ends = tuple[NDArray[np.integer[Any]], NDArray[np.integer[Any]]]

# So many arcs are looked at, or this part of them if that is more.
MOST_ARCS = 2_000_000
SHARE = 0.05
PLACES = 64
# Bytes an arc that reading leaves in memory: two columns of 64-bit ids and two of vertices.
COLUMNS = 24
# Bytes an arc that streams keep: two columns of 64-bit ids, of codes of names, or of vertices.
NUMBER_COLUMNS, NAME_COLUMNS, ENTRIES = 16, 8, 8


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """Some of a network's arcs, taken in places that are spread over it.

    Attributes
    ----------
    source, target : int array, shape (sampled,)
        Ends of arcs, as numbers from 0 that mean nothing else.
    place : int array, shape (sampled,)
        Which place each arc is from, 0 to ``places`` - 1.
    places : int
    of_places : float
        How many such places the whole network has.
    arcs : int
        Arcs of the whole network, counted or estimated.
    vertices : int or None
        Vertices of the whole network, where the file says how many.
    directed : bool
    labels : str or None
        Whether the network's ids are kept beside it, as ``"numbers"`` or ``"names"``.
    input_bytes : int
        Bytes of the input; 0 of a model.
    reads : int
        How often tiling reads the input, where it keeps nothing of the first time.
    read_bytes : int
        Bytes an arc that reading it into memory leaves there: columns of ids, and arcs.
    survey, again : float
        Seconds that the first and the second pass take for each arc.
    basis : str
        What was looked at, in words.
    kept : int
        Bytes an arc that tiling keeps of the first time, if there is room; 0 where it never does.
    """

    source: NDArray[np.integer[Any]]
    target: NDArray[np.integer[Any]]
    place: NDArray[np.integer[Any]]
    places: int
    of_places: float
    arcs: int
    vertices: int | None
    directed: bool
    labels: str | None
    input_bytes: int
    reads: int
    read_bytes: int
    survey: float
    again: float
    basis: str
    kept: int = 0

    @property
    def whole(self) -> bool:
        """Whether it is all of the network."""
        return self.places >= self.of_places

    @property
    def share(self) -> float:
        """What part of the network it is."""
        return min(1.0, self.places / self.of_places)


def joined(
    ends: list[Ends],
    arcs: int,
    vertices: int | None,
    directed: bool,
    labels: str | None,
    size: int,
    survey: float,
    again: float,
    *,
    reads: int = 2,
    read_bytes: int = COLUMNS,
    kept: int = 0,
) -> Sample:
    """Make a sample of arcs taken in some places, one after another; the arguments are as the attributes."""
    ends = [(source, target) for source, target in ends if len(source)]
    lengths = [len(source) for source, _ in ends]
    taken = sum(lengths)
    whole = taken >= arcs
    nothing = np.empty(0, dtype=np.int64)
    source = np.concatenate([part[0] for part in ends]) if ends else nothing
    target = np.concatenate([part[1] for part in ends]) if ends else nothing
    parts = -(-PLACES // max(1, len(ends)))  # long places count as several
    place = np.concatenate([i * parts + np.arange(n) * parts // n for i, n in enumerate(lengths)]) if ends else nothing
    places = parts * len(ends)
    read = f"from all of its {taken:,} arcs"
    part = f"from a sample of {taken:,} of about {arcs:,} arcs, from {len(ends)} places"
    return Sample(
        source,
        target,
        np.zeros(taken, dtype=np.int64) if whole else place,
        1 if whole else places,
        1.0 if whole else max(1.0, places * arcs / taken),
        arcs,
        vertices,
        directed,
        labels,
        size,
        reads,
        read_bytes,
        survey,
        again,
        read if whole else part,
        kept,
    )


def scattered(last: int, count: int) -> list[int]:
    """Give so many places from 0 to `last`, rising: one at random in each of as many equal parts.

    Places at equal distances would all miss what lies at another distance, as the rows of a lattice do.
    """
    within = np.random.default_rng(1).random(count)
    places: list[int] = ((np.arange(count) + within) * (max(0, last) / max(1, count))).astype(np.int64).tolist()
    return places


def runs(keys: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Give the different keys, rising, and how often each is there.

    By a sort: NumPy's own way, a hash table, takes many times as long on keys by the million.
    """
    keys = np.sort(keys)
    first = np.flatnonzero(np.concatenate([[True], keys[1:] != keys[:-1]])) if len(keys) else np.empty(0, np.int64)
    return keys[first], np.diff(first, append=len(keys))


def distinct(things: NDArray[np.int64], place: NDArray[np.integer[Any]], sample: Sample) -> float:
    """Estimate how many different things the whole has, by capture and recapture over the places of a sample.

    Those that were met in one place alone say how many were met in none. The estimate is a lower bound in expectation.

    Parameters
    ----------
    things : int64 array
        Not negative.
    place : int array, same shape
        Where each was met.
    sample : Sample

    References
    ----------
    Chao and Lin (2012), Biometrics 68, 912: sampling without replacement.

    Examples
    --------
    >>> import numpy as np
    >>> every = np.arange(1000)
    >>> half = Sample(every, every, every, 10, 20.0, 2000, None, False, None, 0, 2, 24, 0.0, 0.0, "")
    >>> round(distinct(every, every % 10, half))  # nothing was met twice: as many again
    2000
    """
    if len(things) == 0:
        return 0.0
    t, share = sample.places, sample.share
    pairs, _ = runs(things * t + place)
    _, met = runs(pairs // t)
    if share >= 1 or t < 2:
        return len(met) / share
    once, twice = float((met == 1).sum()), float((met == 2).sum())
    bottom = 2 * twice * t / (t - 1) + once * share / (1 - share)
    return len(met) + (once * once / bottom if bottom else 0.0)


def degrees(sample: Sample, seen: int) -> NDArray[np.float64]:
    """Estimate the degree of each vertex that was met, repeats and loops included: float64, shape (seen,).

    A row of a sorted file lies in one place as a whole: what the richest place has of a vertex counts as it is, and
    only what the others have stands for more.
    """
    ends = np.concatenate([sample.source, sample.target]).astype(np.int64)
    if sample.whole:
        return np.bincount(ends, minlength=seen).astype(np.float64)
    place = np.concatenate([sample.place, sample.place])
    keys, times = runs(ends * sample.places + place)
    total = np.zeros(seen)
    richest = np.zeros(seen)
    np.add.at(total, keys // sample.places, times)
    np.maximum.at(richest, keys // sample.places, times)
    more = (sample.of_places - 1) / max(1, sample.places - 1)
    return richest + (total - richest) * more
