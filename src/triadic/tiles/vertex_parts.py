"""The vertices and labels at the ranks of each range, so that no array as long as the graph is needed.

Tiles made on a cluster store for each range which vertex each of its ranks is, and the label of that vertex. Tiles made
on one machine store two whole arrays instead: the rank of each vertex, and the labels of the vertices in their order.

::

    vertex-3.npy       vertex of each rank of range 3: int32, or int64 if there are 2**31 vertices or more
    label-3.npy        label of each rank of range 3: int64, or the bytes of all names in UTF-8, one after the other
    label_ends-3.npy   int64, where in these bytes each name ends; with names only

Vertices from the number `labelled` of the header on have no label; in these files 0 or an empty name stands for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from triadic.errors import ReadError
from triadic.io.folder import names_of
from triadic.tiles.file_format import are_ends, label_ends_name, label_name, put_array, read_array, vertex_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from triadic.core.array_types import AnyArray, Ids, Int64Array, Uint8Array
    from triadic.tiles.file_format import Labels
    from triadic.tiles.layout import Layout
    from triadic.tiles.store import TileStore


_SCANNED = 1 << 22  # ranks that are compared with a range at a time


def put_vertices(
    store: TileStore, i: int, vertices: Ids, labels: Ids | tuple[Uint8Array, Int64Array] | None
) -> dict[str, int]:
    """Write the vertices and labels of range `i`, in order of ranks; return the checksums of the files.

    Parameters
    ----------
    store : TileStore
    i : int
    vertices : int array, shape (ranks of the range,)
    labels : int64 array, or (uint8 array, int64 array), or None
        Numbers, or the bytes of the names and the end of each, or no labels.
    """
    checksums = {vertex_name(i): put_array(store, vertex_name(i), vertices)}
    if labels is None:
        return checksums
    content, ends = labels if isinstance(labels, tuple) else (labels, None)
    checksums[label_name(i)] = put_array(store, label_name(i), content)
    if ends is not None:
        checksums[label_ends_name(i)] = put_array(store, label_ends_name(i), ends)
    return checksums


def read_vertices(store: TileStore, i: int, layout: Layout, checksums: Mapping[str, int]) -> Ids:
    """Return the vertex of each rank of range `i`, an int32 or int64 array, mapped into memory.

    Raises
    ------
    ReadError
        The file is missing or damaged.
    """
    name = vertex_name(i)
    found = read_array(store, name, checksums.get(name))
    n = layout.vertices
    valid = found.dtype in (np.int32, np.int64) and found.shape == (layout.length(i),)
    if not valid or (len(found) and not 0 <= int(found.min()) <= int(found.max()) < n):
        raise ReadError(f"{store.place}/{name}", f"is damaged: expected {layout.length(i)} vertices from 0 to {n - 1}")
    return found


def read_labels_of(store: TileStore, i: int, kind: str | None, length: int, checksums: Mapping[str, int]) -> Labels:
    """Return the label at each of the `length` ranks of range `i`; `kind` is "numbers" or "names".

    Raises
    ------
    ReadError
        A file is missing or damaged.
    """
    name = label_name(i)
    content = read_array(store, name, checksums.get(name))
    if kind == "numbers":
        if content.dtype != np.int64 or content.shape != (length,):
            raise ReadError(f"{store.place}/{name}", f"is damaged: expected {length} labels of int64")
        return content
    ends_name = label_ends_name(i)
    ends = read_array(store, ends_name, checksums.get(ends_name))
    if length == 0 and len(ends) == 0 and len(content) == 0:
        return np.empty(0, dtype=np.object_)
    if ends.dtype != np.int64 or content.dtype != np.uint8 or len(ends) != length or not are_ends(ends, len(content)):
        raise ReadError(f"{store.place}/{ends_name}", f"is damaged: expected numbers that rise to {len(content)}")
    try:
        return names_of(content, ends)
    except UnicodeDecodeError:
        raise ReadError(f"{store.place}/{name}", "is damaged: expected names in UTF-8") from None


def scatter_by_vertex(layout: Layout, of_range: Callable[[int], Ids], values: AnyArray) -> None:
    """Fill `values`, shape (n,), with the rank of each vertex; ``of_range(i)`` returns the vertices of range `i`."""
    for i in range(layout.ranges):
        values[of_range(i)] = np.arange(layout.cuts[i], layout.cuts[i + 1], dtype=values.dtype)


def ranks_are_different(rank: Ids) -> bool:
    """Return whether each of the ranks 0, 1, ... occurs once; -1 stands for a vertex without rank."""
    return len(rank) == 0 or int(rank.min()) >= 0


def vertices_in(rank: Ids, first: int, last: int) -> Int64Array:
    """Return the vertices whose ranks are `first` .. `last` - 1, in order of ranks, from the rank of each vertex."""
    vertices = np.empty(last - first, dtype=np.int64)
    for start, part in _parts(rank):
        inside = np.flatnonzero((part >= first) & (part < last))
        vertices[part[inside] - first] = inside + start
    return vertices


def _parts(rank: Ids) -> Iterator[tuple[int, Ids]]:
    for start in range(0, len(rank), _SCANNED):
        yield start, rank[start : start + _SCANNED]
