"""``sample_of``: a sample of a file's arcs, whatever its format."""

from __future__ import annotations

import tempfile
import time
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.errors import ArgumentError
from triadic.io.asked import Asked
from triadic.io.detect import detect, known_format, suffix_of
from triadic.planning.sample import (
    ENTRIES,
    MOST_ARCS,
    NAME_COLUMNS,
    NUMBER_COLUMNS,
    PLACES,
    SHARE,
    joined,
    scattered,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from os import PathLike

    from triadic.io.file_source import Source
    from triadic.planning.sample import Ends, Sample

_BYTES_AN_ARC = 16  # of text, about, for how much of it is read
# Up to so many bytes of text a file is read whole.
_WHOLE_BYTES = 1 << 26
# Bytes an arc that reading rows leaves in memory; of GAP's, which are mapped.
_ROWS = 8


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
    source = SpreadSource(path, max(MOST_ARCS * _BYTES_AN_ARC, int(SHARE * size)))
    asked = Asked(directed, vertices, False, "source", "target")
    name = None if format is None else known_format(format)
    name = name or detect(source)
    if source.folder or name in ("triadic", "gap"):
        return _of_rows(source, asked, name)
    if name in ("text", "csv", "tsv"):
        return _of_text(source, asked, name, threads)
    if name == "parquet":
        return _of_parquet(source, asked, threads)
    return _of_held(source, asked, name, threads)


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
    return joined(ends, arcs, n, wanted, labels, size, each / 4, each / 4, read_bytes=_ROWS if name == "gap" else 0)


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
    return joined(
        ends,
        round(survey.arcs / source.share),
        stated if asked.vertices is None else asked.vertices,
        stream.directed,
        kind,
        source.size,
        (surveyed - started) / taken,
        (read - surveyed) / taken,
        kept=NAME_COLUMNS if kind == "names" else NUMBER_COLUMNS,
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
    return joined(
        ends,
        stream.arcs,
        stated if asked.vertices is None else asked.vertices,
        stream.directed,
        kind,
        Path(source.path).stat().st_size,
        (surveyed - started) / taken,
        (read - surveyed) / taken,
    )


def _of_held(source: Source, asked: Asked, name: str, threads: int) -> Sample:
    """Take the whole of a file that is small; of a larger one what its header says, if it does."""
    from triadic.io.file_source import Source  # noqa: PLC0415 - Arrow takes long to import
    from triadic.io.reading import arcs_of_format  # noqa: PLC0415 - as there
    from triadic.io.streams.text import UNPACKED  # noqa: PLC0415 - likewise
    from triadic.planning.of_header import of_header  # noqa: PLC0415 - likewise

    size = Path(source.path).stat().st_size
    if size * (1 if source.packing is None else UNPACKED) > _WHOLE_BYTES:
        found = of_header(source, asked, name, threads)
        if found is None:
            raise ArgumentError(
                f"{source.path}: a file of the format {name} is read whole, and this one is too large to plan for; "
                "expected an edge list, Parquet, or --vertices N --edges M"
            )
        return found
    source = Source(source.path) if size else source  # all of it, but a pipe was read already
    started = time.perf_counter()
    arcs = arcs_of_format(source, asked, name)
    each = (time.perf_counter() - started) / max(1, len(arcs))
    kind = None if arcs.labels is None else "names" if arcs.labels.dtype == np.object_ else "numbers"
    ends = [(arcs.source, arcs.target)]
    kept = {"matrix-market": NUMBER_COLUMNS, "metis": ENTRIES}.get(name, 0)
    reads = 2 if kept else 1
    return joined(
        ends, len(arcs), arcs.vertices, arcs.directed, kind, size, each, each * (reads - 1), reads=reads, kept=kept
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
    taken = max(MOST_ARCS, int(SHARE * arcs))
    return (1, arcs) if arcs <= taken else (PLACES, taken // PLACES)
