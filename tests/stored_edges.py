"""The edges of tiles and of oriented graphs by vertex, to compare graphs with different ranks."""

from __future__ import annotations

import numpy as np


def ranks_of(tiles):
    """Return the rank of each vertex."""
    rank = np.empty(tiles.layout.vertices, dtype=np.int32)
    tiles.fill_ranks(rank)
    return rank


def by_vertex(row, column, state):
    """Return (smaller vertex, larger vertex, state seen from the smaller vertex) of each edge, in order."""
    state = np.zeros(len(row), dtype=np.uint8) if state is None else state
    turned = (state >> 1) | ((state & 1) << 1)
    low, high = np.minimum(row, column), np.maximum(row, column)
    return sorted(zip(low.tolist(), high.tolist(), np.where(row < column, state, turned).tolist(), strict=True))


def of_oriented(oriented):
    order = oriented.order
    return by_vertex(np.repeat(order, np.diff(oriented.indptr)), order[oriented.indices], oriented.state)


def of_tiles(tiles):
    """Return the edges of all tiles, and check each tile against the layout."""
    layout, rank = tiles.layout, ranks_of(tiles)
    order = np.argsort(rank)
    rows, columns, states = [], [], []
    for i in range(layout.ranges):
        for j in range(i + 1):
            tile = tiles.tile(i, j)
            assert len(tile.indices) == layout.tile_edges[i, j]
            assert len(tile.indptr) == layout.length(i) + 1
            row = np.repeat(np.arange(layout.length(i)), np.diff(tile.indptr))
            if i == j:
                assert np.all(tile.indices < row)
            assert np.all((np.diff(tile.indices) > 0) | (np.diff(row) > 0))
            rows.append(order[row + layout.cuts[i]])
            columns.append(order[tile.indices + layout.cuts[j]])
            states.append(np.zeros(len(row), dtype=np.uint8) if tile.state is None else tile.state)
    return by_vertex(np.concatenate(rows), np.concatenate(columns), np.concatenate(states))


def files_of(folder):
    """Return the content of each file of a folder, by name; nothing if there is no folder."""
    return {file.name: file.read_bytes() for file in folder.iterdir()} if folder.exists() else {}
