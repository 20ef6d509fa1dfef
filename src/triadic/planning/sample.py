"""A sample of a network's arcs, and what it says of the whole."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.io.sampling import PLACES

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.io.sampling import FileSample


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


def sample_of_parts(file: FileSample) -> Sample:
    """Return the sample whose arcs were read from a file, each part from a place of its own."""
    parts = [part for part in file.parts or [] if len(part[0])]
    lengths = [len(source) for source, _ in parts]
    sampled = sum(lengths)
    whole = sampled >= file.arcs
    source, target, place = (np.empty(0, dtype=np.int64) for _ in range(3))
    splits = -(-PLACES // max(1, len(parts)))  # a long part counts as several places
    if parts:
        source, target = (np.concatenate([part[end] for part in parts]) for end in (0, 1))
        place = np.concatenate([i * splits + np.arange(n) * splits // n for i, n in enumerate(lengths)])
    places = splits * len(parts)
    basis = f"from a sample of {sampled:,} of about {file.arcs:,} arcs, from {len(parts)} places"
    return Sample(
        source,
        target,
        np.zeros(sampled, dtype=np.int64) if whole else place,
        1 if whole else places,
        1.0 if whole else max(1.0, places * file.arcs / sampled),
        file.arcs,
        file.vertices,
        file.directed,
        file.labels,
        file.input_bytes,
        file.reads,
        file.read_bytes,
        file.survey,
        file.again,
        f"from all of its {sampled:,} arcs" if whole else basis,
        file.kept,
    )


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
