"""A sample of the arcs of a network, and estimates for the whole network from it."""

from __future__ import annotations

import tempfile
from dataclasses import field, fields, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.memory import named_memory_errors
from triadic.core.oriented import NO_NUMBERS
from triadic.core.records import record
from triadic.io.blocks import BlockFiles, open_blocks
from triadic.io.format import ReadOptions
from triadic.io.id_tallies import first_of_each
from triadic.io.networks import open_to_read
from triadic.io.reading import stream_arcs
from triadic.io.sampling import PLACES, WEIGHT_CACHE, WEIGHT_COLUMNS, FileSample, sample_blocks, sample_whole

if TYPE_CHECKING:
    from triadic.core.array_types import Float64Array, Int64Array, IntegerArray
    from triadic.io.file_source import NetworkInput
    from triadic.io.sampling import Part

_MODEL_SECONDS = 10e-9  # to make or to decode an arc of a model
SKEWED = "assuming degrees as skewed as those of R-MAT"


def _no_ids() -> IntegerArray:
    return NO_NUMBERS


@record(kw_only=True)
class Sample(FileSample):
    """Some arcs of a network, from places that are spread over its file, and what reading all of it takes.

    Attributes
    ----------
    source, target : int array, shape (sampled,)
        Ends of arcs, as numbers from 0 that identify vertices within this sample.
    place : int array, shape (sampled,)
        Place that each arc is from, 0 to ``places`` - 1.
    places : int
        Number of places in the sample.
    of_places : float
        Number of such places in the whole network.
    edges : int, optional
        Edges of the whole network if nothing but its sizes is known; then no arc is sampled.
    basis : str
        What the sample was taken from, in words.
    """

    source: IntegerArray = field(default_factory=_no_ids)
    target: IntegerArray = field(default_factory=_no_ids)
    place: IntegerArray = field(default_factory=_no_ids)
    places: int = 1
    of_places: float = 1.0
    edges: int | None = None
    basis: str = ""
    parts: list[Part] | None = None
    labels: str | None = None
    input_bytes: int = 0
    survey: float = _MODEL_SECONDS
    again: float = _MODEL_SECONDS

    @property
    def whole(self) -> bool:
        """Whether the sample is the whole network."""
        return self.places >= self.of_places

    @property
    def share(self) -> float:
        """Share of the network that the sample is."""
        return min(1.0, self.places / self.of_places)


def sample_of(
    network: NetworkInput,
    *,
    format: str | None,  # noqa: A002 - the keyword of triadic.read
    weights: bool | str | int | None = None,
    threads: int,
    **reading: Any,  # noqa: ANN401 - keywords of different types
) -> Sample:
    """Take a sample of a file: all its arcs up to 2 million, of more arcs 2 million or a twentieth, whichever is more.

    How the file is read is said by keywords of `triadic.read`.

    Raises
    ------
    MissingFileError, ReadError, ArgumentError
        As `triadic.read`.
    """
    _load_readers()
    options = ReadOptions(weights=False if weights is None else weights, threads=threads, **reading)
    file, known = open_to_read(network, format, options)

    with named_memory_errors(f"{file.name}: reading a sample of the network"):
        if known.sample is not None:
            found = known.sample(file, options, threads)
        elif known.read is not None:
            found = sample_whole(known.name, known.read, file, options)
        else:
            found = sample_blocks(BlockFiles(file, list(open_blocks(file, known, options, twice=False)), options))
        return sample_of_parts(_with_weights(found) if options.wants_weights else found)


def _with_weights(file: FileSample) -> FileSample:
    """Return a sample with the bytes of the weights of arcs; those of mapped files stay in the file."""
    return replace(
        file,
        read_bytes=file.read_bytes and file.read_bytes + WEIGHT_COLUMNS,
        kept=file.kept and file.kept + WEIGHT_CACHE,
    )


def sample_of_parts(file: FileSample) -> Sample:
    """Return the sample of what was read of a file: parts, each from a place of its own, or a header alone."""
    parts = [part for part in file.parts or [] if len(part[0])]
    lengths = [len(source) for source, _ in parts]
    sampled = sum(lengths)
    whole = sampled >= file.arcs and file.parts is not None
    splits = -(-PLACES // max(1, len(parts)))  # a long part counts as several places
    known: dict[str, Any] = {"basis": f"from all of its {sampled:,} arcs"}
    if parts:
        place = np.concatenate([i * splits + np.arange(n) * splits // n for i, n in enumerate(lengths)])
        known["source"], known["target"] = (np.concatenate([part[end] for part in parts]) for end in (0, 1))
        known["place"] = np.zeros(sampled, np.int64) if whole else place
    if file.parts is None:  # the number in the header includes repeats and loops
        known["vertices"] = vertices = max(file.vertices or 0, 2)
        known["edges"] = min(max(file.arcs // 2, 1), vertices * (vertices - 1) // 2)
        known["basis"] = f"from its header, {SKEWED}"
    elif not whole:
        places = splits * len(parts)
        known |= {"places": places, "of_places": max(1.0, places * file.arcs / max(1, sampled))}
        known["basis"] = f"from a sample of {sampled:,} of about {file.arcs:,} arcs, from {len(parts)} places"
    of_file = {each.name: getattr(file, each.name) for each in fields(FileSample)}
    return Sample(**{**of_file, "parts": None, **known})


@cache
def _load_readers() -> None:
    """Read a small file once, so that importing Arrow and compiling kernels is not timed as reading."""
    with tempfile.TemporaryDirectory(prefix="triadic-") as folder:
        path = Path(folder) / "edges.txt"
        path.write_text("1 2\n2 4\n")
        stream = stream_arcs(path)
        stream.survey()
        for _ in stream.pieces():
            pass


def runs(keys: Int64Array) -> tuple[Int64Array, Int64Array]:
    """Return the different keys, rising, and the number of times that each occurs.

    Millions of keys are sorted many times faster than NumPy's hash table counts them.
    """
    keys = np.sort(keys)
    first = first_of_each(keys)
    return keys[first], np.diff(first, append=len(keys))


def distinct(things: Int64Array, place: IntegerArray, sample: Sample) -> float:
    """Estimate the number of different things in the whole network, by capture and recapture over places.

    Things that occur in one place only tell how many occur in none. The estimate is a lower bound in expectation.

    Parameters
    ----------
    things : int64 array
        Identifiers, not negative.
    place : int array, same shape
        Place of each.
    sample : Sample

    References
    ----------
    Chao and Lin (2012), Biometrics 68, 912: sampling without replacement.

    Examples
    --------
    >>> import numpy as np
    >>> half = Sample(arcs=2000, vertices=None, directed=False, basis="", places=10, of_places=20.0)
    >>> round(distinct(np.arange(1000), np.arange(1000) % 10, half))  # nothing occurs twice: there are as many more
    2000
    """
    if len(things) == 0:
        return 0.0
    t, share = sample.places, sample.share
    pairs, _ = runs(things * t + place)
    _, number = runs(pairs // t)
    if share >= 1 or t < 2:
        return len(number) / share
    once, twice = float((number == 1).sum()), float((number == 2).sum())
    bottom = 2 * twice * t / (t - 1) + once * share / (1 - share)
    return len(number) + (once * once / bottom if bottom else 0.0)


def degrees(sample: Sample, seen: int) -> Float64Array:
    """Estimate the degree of each sampled vertex, with repeats and loops: float64, shape (seen,).

    In a sorted file the whole row of a vertex is in one place. So the ends in the place with the most ends of a vertex
    count once, and only those in other places are scaled up.
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
