"""Tiles that are sorted strip by strip have the same edges as a dictionary of edges."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from triadic.tiles import spill
from triadic.tiles.partition import Grid
from triadic.tiles.sorting import sort_tile
from triadic.tiles.spill import bucket

_MOST_VERTICES, _MOST_ARCS = 300, 400


@settings(max_examples=40, deadline=None)
@given(data=st.data(), seed=st.integers(0, 2**32 - 1), directed=st.booleans(), threads=st.integers(1, 2))
def test_a_tile_of_any_fine_ranges_has_each_edge_once_in_order(tmp_path_factory, data, seed, directed, threads):
    n = data.draw(st.integers(1, _MOST_VERTICES))
    inner = data.draw(st.sets(st.integers(1, n - 1), max_size=8)) if n > 1 else set()
    cuts = np.array([0, *sorted(inner), n], dtype=np.int64)
    grid = Grid(cuts, 0)
    random = np.random.default_rng(seed)
    # Skewed, for repeated and reversed arcs, and strips of very different sizes.
    source, target = (random.random((2, data.draw(st.integers(0, _MOST_ARCS)))) ** 2 * n).astype(np.int32)
    rank = random.permutation(n).astype(np.int32)
    pieces = zip(np.array_split(source, 3), np.array_split(target, 3), strict=True)
    folder = tmp_path_factory.mktemp("spill")
    held = data.draw(st.booleans())
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(spill, "_SHORTEST", data.draw(st.sampled_from([8, 1 << 14])))  # capacity of the buffers
        index, _ = bucket(pieces, len(source), rank, grid, folder, held=held, memory=0, threads=threads, progress=None)
    assert index.held_bytes == (8 * index.keys().sum() if held else 0)
    assert any(folder.iterdir()) != held

    expected: dict[tuple[int, int], int] = {}
    for x, y in zip(rank[source].tolist(), rank[target].tolist(), strict=True):
        if x != y:
            edge = max(x, y), min(x, y)
            expected[edge] = expected.get(edge, 0) | (1 if x > y else 2)
    joined = [0, *sorted(data.draw(st.sets(st.integers(1, grid.ranges), max_size=3)) - {grid.ranges}), grid.ranges]
    found: dict[tuple[int, int], int] = {}
    arcs = 0
    for i, rows in enumerate(map(range, joined[:-1], joined[1:])):
        for columns in map(range, joined[: i + 1], joined[1 : i + 2]):
            tile = sort_tile(index, grid, rows, columns, directed=directed, threads=threads)
            assert len(tile.lengths) == cuts[rows.stop] - cuts[rows.start]
            row = np.repeat(np.arange(len(tile.lengths)), tile.lengths) + cuts[rows.start]
            column = tile.indices + cuts[columns.start]
            edges = list(zip(row.tolist(), column.tolist(), strict=True))
            assert edges == sorted(set(edges))
            states = tile.state.tolist() if directed else [expected[edge] for edge in edges]
            found |= dict(zip(edges, states, strict=True))
            arcs += tile.arcs
    assert found == expected
    assert arcs == sum(state.bit_count() for state in expected.values())
