"""Samples of files: some of their arcs, read in random places, to estimate the cost of counting the whole."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from triadic.core.records import record
from triadic.errors import ArgumentError
from triadic.io.blocks import BlockFiles
from triadic.io.file_source import Source, one_line_end

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from triadic.core.arcs import Arcs
    from triadic.core.array_types import AnyArray
    from triadic.io.arc_stream import ArcStream
    from triadic.io.format import ReadOptions

    Part = tuple[AnyArray, ...]

# A sample holds 2 million arcs, or a twentieth of all arcs if that is more.
MOST_ARCS = 2_000_000
SHARE = 0.05
PLACES = 64
# Bytes per arc that reading leaves in memory: two columns of 64-bit ids and two of vertices.
COLUMNS = 24
# Bytes per arc in the cache of a stream: two columns of 64-bit ids, of codes of names, or of vertices.
NUMBER_COLUMNS, NAME_COLUMNS, ENTRIES = 16, 8, 8
# Bytes per arc of the weights: in the cache of a stream, and in memory after reading, as a column and as an array.
WEIGHT_CACHE, WEIGHT_COLUMNS = 8, 16
# Bytes per arc that reading the rows of a mapped file leaves in memory.
MAPPED_ROWS = 8

_TEXT_BYTES_AN_ARC = 16
# Files of formats without a sample of their own are read whole up to this size, unpacked.
_WHOLE_BYTES = 1 << 26
# Bytes of text read in one place.
_PLACE_BYTES = 1 << 19
FEWEST_PLACES = 8
_WHOLE_PIECES = 1 << 40


@record(kw_only=True)
class FileSample:
    """Some of the arcs of a file, and what reading all of it will take.

    Attributes
    ----------
    parts : list of (source, target) arrays, or None
        The arcs read in each place, as numbers that identify vertices within this sample. None where only a header was
        read; then ``arcs`` counts each edge from both its ends, and ``vertices`` is known.
    arcs : int
        Arcs in the whole file, counted or estimated.
    vertices : int or None
        Vertices of the whole network, where the file or the options state them.
    directed : bool
    labels : {"numbers", "names"} or None
        Kind of the labels of vertices.
    input_bytes : int
        Size of the file.
    survey, again : float
        Seconds per arc of the first and of the second pass.
    reads : int, default 2
        How often tiling reads the file if it keeps nothing from the first pass.
    read_bytes : int, default 24
        Bytes per arc that reading the file leaves in memory, besides the graph.
    kept : int, default 0
        Bytes per arc that tiling keeps from the first pass if memory allows; 0 for a stream without a cache.
    both_ends : bool, default False
        Whether tiling reads each edge of an undirected network at both its ends.
    """

    parts: list[Part] | None
    arcs: int
    vertices: int | None
    directed: bool
    labels: str | None
    input_bytes: int
    survey: float
    again: float
    reads: int = 2
    read_bytes: int = COLUMNS
    kept: int = 0
    both_ends: bool = False


def kind_of_labels(labels: AnyArray | None) -> str | None:
    """Return ``"names"`` for labels that are strings, ``"numbers"`` for integers, None without labels."""
    return None if labels is None else "names" if labels.dtype == np.object_ else "numbers"


def random_places(last: int, count: int) -> list[int]:
    """Return `count` rising positions from 0 to `last`: a random one in each of `count` equal parts.

    Positions at equal distances would miss whatever lies at another distance, such as the rows of a lattice.
    """
    within = np.random.default_rng(1).random(count)
    return ((np.arange(count) + within) * (max(0, last) / max(1, count))).astype(np.int64).tolist()


def is_small(source: Source) -> bool:
    """Whether a file is small enough, unpacked, to be read whole for a sample."""
    return source.unpacked_bytes <= _WHOLE_BYTES


def too_large(source: Source, reason: str) -> ArgumentError:
    """Return the error for a file that cannot be sampled, and is too large to be read whole."""
    return ArgumentError(
        f"{source.name}: {reason}, and this one is too large to plan for; expected an edge list, Parquet (triadic "
        "convert writes it), or --num-vertices N --edges M"
    )


def sample_whole(
    name: str, read: Callable[[Source, ReadOptions], Arcs], source: Source, options: ReadOptions
) -> FileSample:
    """Read a file whole, as the sample of a format that cannot be read in parts; tiling reads it once, too.

    Raises
    ------
    ArgumentError
        The file is too large for that.
    """
    from triadic.io.arc_stream import stream_of_arcs  # noqa: PLC0415 - Arrow takes long to import

    if not is_small(source):
        raise too_large(source, f"a file of the format {name} is read whole")
    started = time.perf_counter()
    arcs = read(source, options)
    if arcs.weights is None and options.wants_weights:
        raise source.error(f"weights={options.weights!r}: the file has no weights")
    seconds = (time.perf_counter() - started) / max(1, len(arcs))
    sample = sample_stream(stream_of_arcs(arcs, piece_arcs=_WHOLE_PIECES), source, options)
    return replace(sample, vertices=arcs.vertices, survey=seconds, again=0.0, reads=1, both_ends=False)


def sample_stream(stream: ArcStream, source: Source, options: ReadOptions) -> FileSample:
    """Return the sample of a stream that reads a part of a file only; ``arcs`` is the number that the survey counts."""
    started = time.perf_counter()
    survey = stream.survey()
    surveyed = time.perf_counter()
    parts: list[Part] = [piece[:2] for piece in stream.pieces()]
    read = time.perf_counter()
    sampled = max(1, sum(len(part[0]) for part in parts))
    # A header or an option states the number of vertices where it exceeds the number that occur.
    is_stated = survey.labels is None and survey.vertices > int(np.count_nonzero(survey.degree))
    return FileSample(
        parts=parts,
        arcs=survey.arcs,
        vertices=options.num_vertices if options.num_vertices is not None else survey.vertices if is_stated else None,
        directed=stream.directed,
        labels=kind_of_labels(survey.labels),
        input_bytes=source.stored_bytes,
        survey=(surveyed - started) / sampled,
        again=(read - surveyed) / sampled,
        both_ends=stream.both_ends,
    )


def most_text(size: int) -> int:
    """Return the bytes of text to read of `size` bytes: for 2 million arcs, or a twentieth if that is more."""
    return max(MOST_ARCS * _TEXT_BYTES_AN_ARC, int(SHARE * size))


class SampledSource(Source):
    """A text file of which only some places are read; of a packed file only the start.

    Parameters
    ----------
    source : Source
        The opened file.
    most : int
        Bytes to read, about.

    Attributes
    ----------
    size : int
        Bytes of the file.
    share : float
        Share of the file that :meth:`chunks` has yielded.
    """

    def __init__(self, source: Source, most: int) -> None:
        self.__dict__.update(vars(source))  # not opened again: a pipe can be read only once
        self.size = self.stored_bytes
        self._most = most
        self.share = 1.0

    def chunks(self, size: int | None = None) -> Iterator[bytes]:  # noqa: ARG002 - as the class above has it
        """Yield whole lines, a chunk for each place."""
        if self.whole or self._held is not None:
            yield from super().chunks(_PLACE_BYTES)
        elif self.packing is not None:
            yield from self._start()
        elif self.size <= self._most:
            yield from super().chunks(max(_PLACE_BYTES, self.size // FEWEST_PLACES))
        else:
            yield from self._places()

    def _start(self) -> Iterator[bytes]:
        with self.raw_and_unpacked() as (raw, unpacked):
            taken = 0
            rest = b""
            while taken < self._most and (block := unpacked.read(_PLACE_BYTES)):
                taken += len(block)
                cut = block.rfind(b"\n") + 1
                yield one_line_end(rest + block[:cut])
                rest = block[cut:]
            ended = taken < self._most
            # Packed bytes that are read ahead are few compared with the rest.
            self.share = 1.0 if ended else raw.tell() / self.size
            if rest and ended:
                yield one_line_end(rest)

    def _places(self) -> Iterator[bytes]:
        count = max(FEWEST_PLACES, self._most // _PLACE_BYTES)
        starts = [0, *random_places(self.size - _PLACE_BYTES, count)[1:]]
        taken = 0
        with Path(self.path).open("rb") as file:
            for start in starts:
                file.seek(start)
                block = file.read(_PLACE_BYTES)
                first = 0 if start == 0 else block.find(b"\n") + 1
                last = block.rfind(b"\n") + 1 if start + len(block) < self.size else len(block)
                if last > first:
                    taken += last - first
                    yield one_line_end(block[first:last])
        self.share = taken / self.size


def sample_blocks(network: BlockFiles) -> FileSample:
    """Read a sample of the arcs of a network: some places of text, some row groups of Parquet, some rows of batches."""
    from triadic.io.arc_stream import BlockStream, StreamLimits  # noqa: PLC0415 - Arrow takes long to import

    source, options = network.source, network.options
    found = network.first.sampled(network.files)
    if found is None and not is_small(source):
        raise too_large(source, "files of its format are not sampled")
    chosen = network.files if found is None else found[0]
    stream = BlockStream(BlockFiles(source, chosen, options), StreamLimits(_WHOLE_PIECES))
    sample = replace(sample_stream(stream, source, options), kept=network.first.kept)
    completed: FileSample = sample if found is None else found[1](sample)
    return completed
