"""GAP Benchmark Suite's serialized graphs: ``.sg`` and, with weights, ``.wsg``.

Layout, little-endian, of ``writer.h`` in https://github.com/sbeamer/gapbs: one byte, 1 if the graph is directed; int64
number of arcs m; int64 number of vertices n; int64 offsets[n + 1]; int32 neighbours[m], or in ``.wsg`` pairs of int32
neighbour and weight. For a directed graph, the offsets and neighbours of the incoming arcs follow. An undirected graph
holds each edge from both its ends.
"""

from __future__ import annotations

import struct
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from triadic.core.arcs import Arcs
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


def read_gap(source: Source, options: ReadOptions) -> Arcs:
    """Read a serialized graph.

    Parameters
    ----------
    source : Source
        The suffix of its name, ``.wsg`` or ``.sg``, states whether there are weights.
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
    weighted = wants_weights(source, options)
    has_weights = suffix_of(source.path)[0] == ".wsg"
    directed, offsets, neighbours = mapped_rows(source, has_weights=has_weights)
    arcs, vertices = len(neighbours), len(offsets) - 1
    target = (neighbours["vertex"] if has_weights else neighbours).astype(np.int32)
    source_of = np.repeat(np.arange(vertices, dtype=np.int32), np.diff(offsets))
    weights = neighbours["weight"].astype(np.float64) if weighted else None
    if arcs and not 0 <= int(target.min()) <= int(target.max()) < vertices:
        raise _outside(source, int(target.min()), int(target.max()), vertices)
    return Arcs(
        source=source_of,
        target=target,
        vertices=options.vertices_at_least(source, vertices),
        directed=directed if options.directed is None else options.directed,
        weights=weights,
        both_ends=not directed and options.directed is not True,
    )


def wants_weights(source: Source, options: ReadOptions) -> bool:
    """Return whether to read weights; raise a ReadError if the file has none."""
    weighted = options.wants_natural_weights(source, "a serialized graph")
    if weighted and suffix_of(source.path)[0] != ".wsg":
        raise source.error("weights=True: a .sg has no weights; expected a .wsg")
    return weighted


def _outside(source: Source, least: int, greatest: int, vertices: int) -> ReadError:
    return source.error(f"its neighbours go from {least} to {greatest}, expected 0 to {vertices - 1}")


def mapped_rows(source: Source, *, has_weights: bool) -> tuple[bool, Int64Array, AnyArray]:
    """Return the direction, the offsets and the neighbours (with their weights), mapped into memory."""
    held = source.mapped()
    directed, arcs, vertices = _header(source, held, weighted=has_weights)
    offsets = np.frombuffer(held, dtype="<i8", count=vertices + 1, offset=_HEADER.size)
    if offsets[0] != 0 or offsets[-1] != arcs or (np.diff(offsets) < 0).any():
        raise source.error(f"its offsets are damaged; expected them to rise from 0 to {arcs}")
    kind = _WEIGHTED_NEIGHBOUR if has_weights else _NEIGHBOUR
    return directed, offsets, np.frombuffer(held, dtype=kind, count=arcs, offset=_HEADER.size + offsets.nbytes)


def _header(source: Source, held: memoryview, *, weighted: bool) -> tuple[bool, int, int]:
    size = len(held)
    if size < _HEADER.size:
        raise source.error(f"found {size} bytes, expected the {_HEADER.size} bytes of a serialized graph's header")
    directed, arcs, vertices = _HEADER.unpack_from(held)
    kind = _WEIGHTED_NEIGHBOUR if weighted else _NEIGHBOUR
    expected = _HEADER.size + (8 * (vertices + 1) + kind.itemsize * arcs) * (2 if directed else 1)
    if directed > 1 or arcs < 0 or not 0 <= vertices <= 2**31 or size != expected:
        found = f"found {size} bytes whose header states directed={directed}, {vertices} vertices and {arcs} arcs"
        raise source.error(f"{found}; expected a serialized graph, which would then have {expected} bytes")
    return bool(directed), arcs, vertices


def _stream(source: Source, options: ReadOptions, limits: StreamLimits) -> ArcStream:
    from triadic.io.vertex_stream import RowStream  # noqa: PLC0415 - its kernels take long to import

    weighted = wants_weights(source, options)
    directed, offsets, neighbours = _rows(source)
    vertices = len(offsets) - 1
    return RowStream(
        offsets,
        neighbours,
        vertices=options.vertices_at_least(source, vertices),
        directed=directed if options.directed is None else options.directed,
        labels=None,
        damaged=lambda least, greatest: _outside(source, least, greatest, vertices),
        dtype=np.int32,
        piece_arcs=limits.piece_arcs,
        both_ends=not directed and options.directed is not True,
        weights=mapped_rows(source, has_weights=True)[2]["weight"] if weighted else None,
    )


def _sample(source: Source, options: ReadOptions, threads: int) -> FileSample:  # noqa: ARG001 - as of all formats
    from triadic.io.sampling import MAPPED_ROWS, sample_rows  # noqa: PLC0415 - only plans need it

    wants_weights(source, options)  # an error if the file has none
    directed, offsets, neighbours = _rows(source)
    return sample_rows(
        offsets,
        neighbours,
        vertices=options.vertices_at_least(source, len(offsets) - 1),
        directed=directed if options.directed is None else options.directed,
        labels=None,
        input_bytes=Path(source.path).stat().st_size,
        read_bytes=MAPPED_ROWS,
        both_ends=not directed and options.directed is not True,
    )


def _rows(source: Source) -> tuple[bool, Int64Array, AnyArray]:
    """Return the direction, the offsets and the neighbours without their weights."""
    has_weights = suffix_of(source.path)[0] == ".wsg"
    directed, offsets, neighbours = mapped_rows(source, has_weights=has_weights)
    return directed, offsets, neighbours["vertex"] if has_weights else neighbours


GAP = Format(name="gap", suffixes=(".sg", ".wsg"), read=read_gap, stream=_stream, sample=_sample)
