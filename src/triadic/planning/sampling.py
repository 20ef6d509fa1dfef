"""``sample_of``: a sample of a file's arcs, whatever its format; or of a model where sizes are all that is known."""

from __future__ import annotations

import tempfile
import time
from dataclasses import replace
from functools import cache
from math import ceil, log2
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.errors import ArgumentError
from triadic.io.asked import Asked
from triadic.io.detect import detect, known_format, suffix_of
from triadic.planning.sample import Sample, runs, scattered

if TYPE_CHECKING:
    from collections.abc import Iterable
    from os import PathLike

    from numpy.typing import NDArray

    from triadic.io.file_source import Source

    Ends = tuple[NDArray[np.integer[Any]], NDArray[np.integer[Any]]]

MOST_ARCS = 2_000_000
_SHARE = 0.05
_BYTES_AN_ARC = 16  # of text, about, for how much of it is read
_PLACES = 64
_TURNS = 8
# Formats that are read whole anyway, and up to what size that is done for a plan.
_WHOLE_BYTES = 1 << 26
# Bytes an arc that reading leaves in memory: two columns of 64-bit ids and two of vertices; rows are mapped.
_COLUMNS, _ROWS = 24, 8
# What the first pass takes of a model: making arcs, as a file of numbers would be decoded.
_MODEL_SECONDS = 10e-9


def sample_of(
    path: str | PathLike[str],
    *,
    directed: bool | None,
    format: str | None,  # noqa: A002 - the keyword of triadic.read
    vertices: int | None,
    threads: int,
) -> Sample:
    """Take a sample of a file: all of it up to 2 million arcs, else so many or a twentieth, whichever is more.

    Raises
    ------
    MissingFileError, ReadError, ArgumentError
        As `triadic.read`.
    """
    from triadic.planning.spread import SpreadSource  # noqa: PLC0415 - Arrow takes long to import

    _warm()
    size = Path(path).stat().st_size if Path(path).is_file() else 0
    source = SpreadSource(path, max(MOST_ARCS * _BYTES_AN_ARC, int(_SHARE * size)))
    asked = Asked(directed, vertices, False, "source", "target")
    name = None if format is None else known_format(format)
    name = name or detect(source)
    if source.folder or name in ("triadic", "gap"):
        return _of_rows(source, asked, name)
    if name in ("text", "csv", "tsv"):
        return _of_text(source, asked, name, threads)
    if name == "parquet":
        return _of_parquet(source, asked, threads)
    return _of_held(source, asked, name)


def sample_of_sizes(vertices: int, edges: int, *, directed: bool) -> Sample:
    """Take a sample of R-MAT, the model with the skew of a social network, of so many vertices and edges.

    Raises
    ------
    ArgumentError
    """
    from triadic.generate.recursive import RMat  # noqa: PLC0415 - compiled code that files do not need

    if vertices < 2 or edges < 1 or edges > vertices * (vertices - 1) // 2:
        raise ArgumentError(
            f"--vertices {vertices} --edges {edges}: expected 2 or more vertices and edges between them"
        )
    scale = max(2, ceil(log2(vertices)))
    taken = min(edges, max(MOST_ARCS, int(_SHARE * edges)), 1 << 24)
    model = RMat(scale, edge_factor=64, seed=1)
    keys = np.empty(0, dtype=np.int64)
    for turn in range(_TURNS):  # until so many edges are different ones
        source, target = np.empty(taken, dtype=np.int64), np.empty(taken, dtype=np.int64)
        model.fill(turn * taken, source, target)
        low, high = np.minimum(source, target), np.maximum(source, target)
        keys, _ = runs(np.concatenate([keys, (low << scale | high)[low != high]]))
        if len(keys) >= taken:
            break
    np.random.default_rng(1).shuffle(keys)
    keys = keys[:taken]
    source, target = keys >> scale, keys & ((1 << scale) - 1)
    whole = taken == edges
    taken = len(keys)
    return Sample(
        source,
        target,
        np.arange(taken) * _PLACES // taken,
        1 if whole else _PLACES,
        1.0 if whole else _PLACES * edges / taken,
        taken if whole else edges,
        vertices,
        directed,
        None,
        0,
        0,
        _COLUMNS,
        _MODEL_SECONDS,
        _MODEL_SECONDS,
        "assuming degrees as skewed as those of R-MAT",
    )


def _of_rows(source: Source, asked: Asked, name: str) -> Sample:
    if name == "gap":
        from triadic.io.gap import mapped_rows  # noqa: PLC0415 - as in triadic.io.reading

        weighted = suffix_of(source.path)[0] == ".wsg"
        directed, indptr, found = mapped_rows(source, has_weights=weighted)
        indices, labels, size = found["vertex"] if weighted else found, None, Path(source.path).stat().st_size
    else:
        from triadic.io.folder import read_stored  # noqa: PLC0415 - likewise

        stored = read_stored(source, weights=False)
        indptr, indices, directed = stored.indptr, stored.indices, stored.directed
        labels = None if stored.labels is None else "names" if stored.labels.dtype == np.object_ else "numbers"
        size = sum((Path(source.path) / f"{part}.npy").stat().st_size for part in ("indptr", "indices"))
    arcs, n = len(indices), asked.vertices_at_least(source, len(indptr) - 1)
    places, length = _spread(arcs)
    starts = scattered(arcs - length, places)

    def parts() -> Iterable[Ends]:
        for start in starts:
            target = np.array(indices[start : start + length])
            row = np.searchsorted(indptr, np.arange(start, start + len(target)), side="right") - 1
            yield row, target

    started = time.perf_counter()
    ends = list(parts())
    taken = sum(len(target) for _, target in ends)
    each = (time.perf_counter() - started) / max(1, taken)
    wanted = directed if asked.directed is None else asked.directed
    return _joined(ends, arcs, n, wanted, labels, size, each / 4, each / 4, read_bytes=_ROWS if name == "gap" else 0)


def _of_text(source: Any, asked: Asked, name: str, threads: int) -> Sample:  # noqa: ANN401 - a SpreadSource
    from triadic.io.streams.text import TextStream  # noqa: PLC0415 - Arrow takes long to import
    from triadic.io.text_layout import Separator  # noqa: PLC0415 - likewise

    prefer = Separator.COMMA if name == "csv" else Separator.TAB
    stream = TextStream(source, asked, prefer=prefer, piece_arcs=1 << 40, threads=threads)
    started = time.perf_counter()
    survey = stream.survey()
    surveyed = time.perf_counter()
    ends = list(stream.pieces())
    read = time.perf_counter()
    labels = survey.labels
    kind = None if labels is None else "names" if labels.dtype == np.object_ else "numbers"
    taken = max(1, survey.arcs)
    met = int(np.count_nonzero(survey.degree))
    # More vertices than occur are those that a header or --vertices states.
    stated = survey.vertices if survey.vertices > met and labels is None else None
    return _joined(
        ends,
        round(survey.arcs / source.share),
        stated if asked.vertices is None else asked.vertices,
        stream.directed,
        kind,
        source.size,
        (surveyed - started) / taken,
        (read - surveyed) / taken,
    )


def _of_parquet(source: Source, asked: Asked, threads: int) -> Sample:
    from triadic.planning.spread import SpreadParquet  # noqa: PLC0415 - Arrow takes long to import

    stream = SpreadParquet(source, asked, most=MOST_ARCS, threads=threads)
    started = time.perf_counter()
    survey = stream.survey()
    surveyed = time.perf_counter()
    ends = list(stream.pieces())
    read = time.perf_counter()
    taken = max(1, sum(len(part[0]) for part in ends))
    labels = survey.labels
    kind = None if labels is None else "names" if labels.dtype == np.object_ else "numbers"
    stated = survey.vertices if survey.vertices > int(np.count_nonzero(survey.degree)) and labels is None else None
    return _joined(
        ends,
        stream.arcs,
        stated if asked.vertices is None else asked.vertices,
        stream.directed,
        kind,
        Path(source.path).stat().st_size,
        (surveyed - started) / taken,
        (read - surveyed) / taken,
    )


def _of_held(source: Source, asked: Asked, name: str) -> Sample:
    """Take the whole of a format that is read whole, or of a file that is small."""
    from triadic.io.reading import arcs_of_format  # noqa: PLC0415 - as there
    from triadic.io.streams.text import UNPACKED  # noqa: PLC0415 - likewise

    size = Path(source.path).stat().st_size
    unpacked = size * (1 if source.packing is None else UNPACKED)
    if unpacked > _WHOLE_BYTES and name == "metis":
        return _of_metis_header(source, asked, size)
    if unpacked > _WHOLE_BYTES and name != "matrix-market":
        raise ArgumentError(
            f"{source.path}: a file of the format {name} is read whole, and this one is too large to plan for; "
            "expected an edge list, Parquet, or --vertices N --edges M"
        )
    started = time.perf_counter()
    arcs = arcs_of_format(source, asked, name)
    each = (time.perf_counter() - started) / max(1, len(arcs))
    kind = None if arcs.labels is None else "names" if arcs.labels.dtype == np.object_ else "numbers"
    ends = [(arcs.source, arcs.target)]
    reads = 2 if name in ("matrix-market", "metis") else 1
    return _joined(ends, len(arcs), arcs.vertices, arcs.directed, kind, size, each, each * (reads - 1), reads=reads)


def _of_metis_header(source: Source, asked: Asked, size: int) -> Sample:
    """Take a sample of R-MAT of the sizes in the header: lines have no numbers, so none can be read by itself."""
    from triadic.io.metis_lines import read_header, rows_of  # noqa: PLC0415 - Arrow takes long to import

    header = read_header(source)
    vertices, directed = asked.vertices_at_least(source, header.vertices), asked.directed is True
    chunk = next(source.chunks())
    started = time.perf_counter()
    numbers = len(rows_of(chunk).values)
    each = (time.perf_counter() - started) / max(1, numbers)
    like = sample_of_sizes(vertices, header.edges, directed=directed)
    return replace(  # each edge from both its ends
        like,
        source=np.concatenate([like.source, like.target]),
        target=np.concatenate([like.target, like.source]),
        place=np.concatenate([like.place, like.place]),
        arcs=2 * header.edges,
        input_bytes=size,
        reads=2,
        survey=2 * each,
        again=2 * each,
        basis=f"from its header, {like.basis}",
    )


@cache
def _warm() -> None:
    """Have Arrow and the kernels of streams loaded, so that what is timed is reading."""
    from triadic.io.streams import stream_arcs  # noqa: PLC0415 - Arrow takes long to import

    with tempfile.TemporaryDirectory(prefix="triadic-") as folder:
        path = Path(folder) / "edges.txt"
        path.write_text("1 2\n2 4\n")
        stream = stream_arcs(path)
        stream.survey()
        for _ in stream.pieces():
            pass


def _spread(arcs: int) -> tuple[int, int]:
    """Give how many places to look at, and how many arcs in each."""
    taken = max(MOST_ARCS, int(_SHARE * arcs))
    return (1, arcs) if arcs <= taken else (_PLACES, taken // _PLACES)


def _joined(
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
    read_bytes: int = _COLUMNS,
) -> Sample:
    ends = [(source, target) for source, target in ends if len(source)]
    lengths = [len(source) for source, _ in ends]
    taken = sum(lengths)
    whole = taken >= arcs
    nothing = np.empty(0, dtype=np.int64)
    source = np.concatenate([part[0] for part in ends]) if ends else nothing
    target = np.concatenate([part[1] for part in ends]) if ends else nothing
    parts = -(-_PLACES // max(1, len(ends)))  # long places count as several
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
    )
