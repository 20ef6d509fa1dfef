"""GAP Benchmark Suite's serialized graphs: ``.sg`` and, with weights, ``.wsg``.

Layout, little-endian, of ``writer.h`` in https://github.com/sbeamer/gapbs: one byte, 1 if the graph is directed; int64
number of arcs m; int64 number of vertices n; int64 offsets[n + 1]; int32 neighbours[m], or in ``.wsg`` pairs of int32
neighbour and weight. For a directed graph, the offsets and neighbours of the incoming arcs follow. An undirected graph
holds each edge from both its ends.
"""

from __future__ import annotations

import struct
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from triadic.core.arcs import Arcs
from triadic.core.oriented import rows_of_entries
from triadic.io.file_source import suffix_of
from triadic.io.format import Format

if TYPE_CHECKING:
    from triadic.core.array_types import AnyArray, Int64Array
    from triadic.errors import ReadError
    from triadic.io.arc_stream import ArcStream, StreamLimits
    from triadic.io.file_source import Source
    from triadic.io.format import ReadOptions
    from triadic.io.sampling import FileSample

_HEADER = struct.Struct("<Bqq")
_NEIGHBOUR = np.dtype("<i4")
_WEIGHTED_NEIGHBOUR = np.dtype([("vertex", "<i4"), ("weight", "<i4")])


class _Rows(NamedTuple):
    """The neighbours of each vertex, mapped into memory, and the weights if they are asked for.

    ``graph`` holds the keywords that describe the network to all its readers.
    """

    offsets: Int64Array
    neighbours: AnyArray
    weights: AnyArray | None
    graph: dict[str, Any]


def _rows(source: Source, options: ReadOptions) -> _Rows:
    """Return the rows of a file, whose suffix, ``.wsg`` or ``.sg``, states whether there are weights."""
    weighted = options.wants_natural_weights(source, "a serialized graph")
    has_weights = suffix_of(source.path)[0] == ".wsg"
    if weighted and not has_weights:
        raise source.error("weights=True: a .sg has no weights; expected a .wsg")
    held = source.mapped()
    size = len(held)
    if size < _HEADER.size:
        raise source.error(f"found {size} bytes, expected the {_HEADER.size} bytes of a serialized graph's header")
    directed, arcs, vertices = _HEADER.unpack_from(held)
    kind = _WEIGHTED_NEIGHBOUR if has_weights else _NEIGHBOUR
    expected = _HEADER.size + (8 * (vertices + 1) + kind.itemsize * arcs) * (2 if directed else 1)
    if directed > 1 or arcs < 0 or not 0 <= vertices <= 2**31 or size != expected:
        found = f"found {size} bytes whose header states directed={directed}, {vertices} vertices and {arcs} arcs"
        raise source.error(f"{found}; expected a serialized graph, which would then have {expected} bytes")
    offsets = np.frombuffer(held, dtype="<i8", count=vertices + 1, offset=_HEADER.size)
    if offsets[0] != 0 or offsets[-1] != arcs or (np.diff(offsets) < 0).any():
        raise source.error(f"its offsets are damaged; expected them to rise from 0 to {arcs}")
    neighbours: AnyArray = np.frombuffer(held, dtype=kind, count=arcs, offset=_HEADER.size + offsets.nbytes)
    return _Rows(
        offsets,
        neighbours["vertex"] if has_weights else neighbours,
        neighbours["weight"] if weighted else None,
        {
            "vertices": options.vertices_at_least(source, vertices),
            "directed": options.direction(bool(directed))[0],
            "both_ends": not directed and options.directed is not True,
            "labels": None,
        },
    )


def _outside(source: Source, rows: _Rows, least: int, greatest: int) -> ReadError:
    expected = f"expected 0 to {len(rows.offsets) - 2}"
    return source.error(f"its neighbours go from {least} to {greatest}, {expected}")


def read_gap(source: Source, options: ReadOptions) -> Arcs:
    """Read a serialized graph.

    Parameters
    ----------
    source : Source
    options : ReadOptions
        ``weights=True`` takes the weights of a ``.wsg``.

    Returns
    -------
    Arcs
        Outgoing arcs in the order of their sources.

    Raises
    ------
    ReadError
        The header does not agree with the size of the file, or offsets or neighbours are out of range.
    """
    rows = _rows(source, options)
    target, vertices = rows.neighbours.astype(np.int32), len(rows.offsets) - 1
    if len(target) and not 0 <= target.min() <= target.max() < vertices:
        raise _outside(source, rows, target.min(), target.max())
    return Arcs(
        source=rows_of_entries(rows.offsets, np.int32),
        target=target,
        weights=None if rows.weights is None else rows.weights.astype(np.float64),
        **rows.graph,
    )


def _stream(source: Source, options: ReadOptions, limits: StreamLimits) -> ArcStream:
    from triadic.io.arc_stream import RowStream  # noqa: PLC0415 - its kernels take long to import

    rows = _rows(source, options)
    return RowStream(
        rows.offsets,
        rows.neighbours,
        rows.graph,
        weights=rows.weights,
        damaged=partial(_outside, source, rows),
        piece_arcs=limits.piece_arcs,
    )


def _sample(source: Source, options: ReadOptions, threads: int) -> FileSample:  # noqa: ARG001 - as of all formats
    from triadic.io.sampling import MAPPED_ROWS, sample_rows  # noqa: PLC0415 - only plans need it

    rows = _rows(source, options)
    size = source.stored_bytes
    return sample_rows(rows.offsets, rows.neighbours, rows.graph, input_bytes=size, read_bytes=MAPPED_ROWS)


GAP = Format(name="gap", suffixes=(".sg", ".wsg"), read=read_gap, stream=_stream, sample=_sample)
