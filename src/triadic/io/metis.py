"""METIS: a line for each vertex that lists its neighbours, numbered from 1.

Format: G. Karypis, METIS manual 5.1, section 4.1.1 (also Chaco and the 10th DIMACS challenge). The first line is
``n m [fmt [ncon]]``; the digits of ``fmt`` say whether a line has a vertex size (100), ``ncon`` vertex weights (010)
and a weight after each neighbour (001). ``%`` begins a comment; a blank line is a vertex without neighbours.
Every edge stands in the lines of both its ends, so the file holds 2 m entries.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from triadic.core.arcs import Arcs
from triadic.io.format import Format
from triadic.io.identifiers import index_dtype
from triadic.io.metis_lines import Entries, Tally, entries, one_sided, read_header, rows_of, wants_weights

if TYPE_CHECKING:
    from collections.abc import Iterator

    from triadic.io.arc_stream import ArcStream
    from triadic.io.file_source import Source
    from triadic.io.number_rows import NumberRows
    from triadic.io.options import ReadOptions
    from triadic.io.sampling import FileSample
    from triadic.io.stream_passes import StreamLimits

# Bytes of memory that each neighbour takes when all parts are joined, and each byte of text while it is parsed.
_BYTES_AN_ENTRY, _PARSED_AT_ONCE = 24, 32


def read_metis(source: Source, options: ReadOptions) -> Arcs:
    """Read adjacency lists.

    Parameters
    ----------
    source : Source
    asked : ReadOptions
        ``weights=True`` reads the weights of edges. With ``directed=True`` a line lists the targets of a vertex; the
        reverse arcs may be missing, and the header may count arcs.

    Returns
    -------
    Arcs
        An arc from each end of each edge.

    Raises
    ------
    ReadError
        The lines do not agree with the header or with each other.
    """
    header = read_header(source)
    weighted = wants_weights(source, header, options)
    tally = Tally(header)
    parts = []

    def rows() -> Iterator[NumberRows]:
        text = 0
        for chunk in source.chunks():
            text += len(chunk)
            # All parts are joined at the end.
            source.check_memory(_BYTES_AN_ENTRY * tally.entries + _PARSED_AT_ONCE * len(chunk), text)
            yield rows_of(chunk)

    for part in entries(source, header, rows(), weighted=weighted):
        tally.add(part)
        parts.append(part)
    dtype = index_dtype(header.vertices)
    parts = parts or [Entries(np.empty(0, dtype), np.empty(0, dtype), np.empty(0) if weighted else None)]
    directed = options.directed is True
    arcs = Arcs(
        source=np.concatenate([part.vertex for part in parts]),
        target=np.concatenate([part.neighbour for part in parts]),
        vertices=options.vertices_at_least(source, header.vertices),
        directed=directed,
        weights=np.concatenate([part.weights for part in parts if part.weights is not None]) if weighted else None,
        both_ends=not directed,
    )
    tally.check_number(source, directed=directed)
    if not directed and not tally.both_ends:
        raise one_sided(source, header, parts)
    return arcs


def _stream(source: Source, options: ReadOptions, limits: StreamLimits) -> ArcStream:
    from triadic.io.metis_stream import MetisStream  # noqa: PLC0415 - its kernels take long to import

    return MetisStream(source, options, limits)


def _sample(source: Source, options: ReadOptions, threads: int) -> FileSample:  # noqa: ARG001 - as of all formats
    from triadic.io.sampling import ENTRIES, is_small, sample_whole  # noqa: PLC0415 - only plans need it

    if is_small(source):
        return sample_whole("metis", read_metis, source, options, reads=2, kept=ENTRIES)
    from triadic.io.metis_stream import sample_header  # noqa: PLC0415 - its kernels take long to import

    return sample_header(source, options)


METIS = Format(name="metis", suffixes=(".graph", ".metis"), read=read_metis, stream=_stream, sample=_sample)
