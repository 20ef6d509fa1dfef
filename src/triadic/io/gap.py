"""GAP Benchmark Suite's serialized graphs: ``.sg`` and, with weights, ``.wsg``.

Layout, little-endian, as its ``writer.h`` writes it (https://github.com/sbeamer/gapbs): one byte that says whether the
graph is directed, int64 number of arcs m, int64 number of vertices n, int64 offsets[n + 1], int32 neighbours[m]
(in ``.wsg`` pairs of int32 neighbour and weight); then, for a directed graph, offsets and neighbours once more for the
incoming arcs. An undirected graph holds each edge from both its ends.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.arcs import Arcs
from triadic.io.detect import suffix_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.io.asked import Asked
    from triadic.io.file_source import Source

_HEADER = struct.Struct("<Bqq")
_NEIGHBOUR = np.dtype("<i4")
_WEIGHTED_NEIGHBOUR = np.dtype([("vertex", "<i4"), ("weight", "<i4")])


def read_gap(source: Source, asked: Asked) -> Arcs:
    """Read a serialized graph.

    Parameters
    ----------
    source : Source
        Its name tells ``.wsg`` from ``.sg``.
    asked : Asked
        ``weights=True`` takes the weights of a ``.wsg``.

    Returns
    -------
    Arcs
        Outgoing arcs in the order of their sources.

    Raises
    ------
    ReadError
        The header does not fit the file's size, or offsets or neighbours are out of range.
    """
    weighted = asked.wants_natural_weights(source, "a serialized graph")
    has_weights = suffix_of(source.path)[0] == ".wsg"
    if weighted and not has_weights:
        raise source.error("weights=True: a .sg has no weights; expected a .wsg")
    directed, offsets, neighbours = mapped_rows(source, has_weights=has_weights)
    arcs, vertices = len(neighbours), len(offsets) - 1
    target = (neighbours["vertex"] if has_weights else neighbours).astype(np.int32)
    source_of = np.repeat(np.arange(vertices, dtype=np.int32), np.diff(offsets))
    weights = neighbours["weight"].astype(np.float64) if weighted else None
    if arcs and not 0 <= int(target.min()) <= int(target.max()) < vertices:
        raise source.error(f"its neighbours go from {target.min()} to {target.max()}, expected 0 to {vertices - 1}")
    return Arcs(
        source=source_of,
        target=target,
        vertices=asked.vertices_at_least(source, vertices),
        directed=directed if asked.directed is None else asked.directed,
        weights=weights,
        both_ends=not directed and asked.directed is not True,
    )


def mapped_rows(source: Source, *, has_weights: bool) -> tuple[bool, NDArray[np.int64], NDArray[Any]]:
    """Return the direction, the offsets and the neighbours (with their weights) as they lie in the file."""
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
        found = f"found {size} bytes whose header says directed={directed}, {vertices} vertices and {arcs} arcs"
        raise source.error(f"{found}; expected a serialized graph, which would then have {expected} bytes")
    return bool(directed), arcs, vertices
