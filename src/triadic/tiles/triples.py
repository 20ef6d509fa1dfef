"""Triples of ranges: every triangle lies in one, so that triples are counted apart and added up.

A triangle {u, v, w}, u > v > w by rank, has u in a range i, v in a range j and w in a range k, i >= j >= k, and its
edges in the tiles (i, j), (i, k) and (j, k).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from triadic.tiles.layout import Layout


class Triple(NamedTuple):
    """Ranges of u, v and w."""

    i: int
    j: int
    k: int

    @property
    def tiles(self) -> tuple[tuple[int, int], ...]:
        """The different tiles that hold its edges."""
        return tuple(dict.fromkeys([(self.i, self.j), (self.i, self.k), (self.j, self.k)]))

    @property
    def ranges(self) -> tuple[int, ...]:
        """The different ranges, as its local ranks follow each other: w's, v's, u's."""
        return tuple(dict.fromkeys([self.k, self.j, self.i]))


def triples(layout: Layout) -> Iterator[Triple]:
    """Give the triples that can hold a triangle: none of whose tiles is empty."""
    edges = layout.tile_edges
    for i in range(layout.ranges):
        for j in range(i + 1):
            for k in range(j + 1):
                if edges[i, j] and edges[i, k] and edges[j, k]:
                    yield Triple(i, j, k)
