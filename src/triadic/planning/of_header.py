"""Samples of large files whose header says how large the network is: METIS, and Matrix Market's coordinates."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from triadic.io.arrow_arrays import to_array
from triadic.io.file_source import Source
from triadic.io.matrix_market import read_header, unparsable
from triadic.io.metis_lines import not_a_number, rows_of
from triadic.io.metis_lines import read_header as read_metis_header
from triadic.io.number_rows import NotNumbersError
from triadic.io.streams.columns import Reported
from triadic.io.streams.text import Way, tables
from triadic.io.text_rows import IrregularError
from triadic.planning.of_sizes import sample_of_sizes
from triadic.planning.sample import ENTRIES, NUMBER_COLUMNS, joined

if TYPE_CHECKING:
    from triadic.io.asked import Asked
    from triadic.io.matrix_market import Header
    from triadic.planning.sample import Ends, Sample


def of_header(source: Source, asked: Asked, name: str, threads: int) -> Sample | None:
    """Take a sample of a file of the format `name`, read in places; None where its header does not say enough.

    Raises
    ------
    ReadError
    """
    if name == "metis":
        return _of_metis(source, asked)
    if name != "matrix-market":
        return None
    header = read_header(source)
    return None if header.entries is None else _of_matrix(source, header, header.entries, asked, threads)


def _of_metis(source: Source, asked: Asked) -> Sample:
    """Take R-MAT of the sizes in the header: lines do not say which vertex's they are, so none tells anything alone."""
    header, size = read_metis_header(source), Path(source.path).stat().st_size
    if source.packing is None and header.vertices > size:
        raise source.error(f"is too short for a line of each of the {header.vertices} vertices of its header")
    vertices, directed = asked.vertices_at_least(source, header.vertices), asked.directed is True
    chunk = next(source.chunks())
    started = time.perf_counter()
    try:
        numbers = len(rows_of(chunk).values)
    except NotNumbersError:
        raise not_a_number(Source(source.path)) from None  # in all lines
    each = (1 + header.weighted) * (time.perf_counter() - started) / max(1, numbers)
    # Repeats and loops count in the header.
    n = max(vertices, 2)
    like = sample_of_sizes(n, min(max(header.edges, 1), n * (n - 1) // 2), directed=directed)
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
        kept=ENTRIES,
    )


def _of_matrix(source: Source, header: Header, entries: int, asked: Asked, threads: int) -> Sample:
    layout = header.layout(weighted=False)
    problem = ""
    for way in (Way(layout, numeric=True, unchanged=True, columns=layout.columns), Way(layout, numeric=True)):
        started = time.perf_counter()
        try:
            parts = list(tables(source, way, chunk_bytes=0, threads=threads, reported=Reported(None, 0)))
        except IrregularError as error:
            problem = str(error)
            continue
        ends: list[Ends] = [(to_array(part["source"], np.int64), to_array(part["target"], np.int64)) for part in parts]
        each = (time.perf_counter() - started) / max(1, sum(len(part[0]) for part in ends))
        directed = not header.is_undirected(asked)
        mirrored = header.symmetry != "general" and directed
        if mirrored:
            ends = [(np.concatenate(both), np.concatenate(both[::-1])) for both in ends]
        return joined(
            ends,
            entries * (1 + mirrored),
            asked.vertices_at_least(source, header.vertices),
            directed,
            None,
            Path(source.path).stat().st_size,
            each,
            each,
            reads=2 + mirrored,
            kept=NUMBER_COLUMNS // (1 + mirrored),
        )
    raise unparsable(source, layout, problem)
