"""Triples of ranges: every triangle lies in exactly one, so that triples are counted separately and added up.

A triangle {u, v, w} with ranks u > v > w has u in a range i, v in a range j and w in a range k, where i >= j >= k. Its
edges are in the tiles (i, j), (i, k) and (j, k).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from triadic.tiles.layout import Layout


class Triple(NamedTuple):
    """The ranges of u, v and w."""

    i: int
    j: int
    k: int

    @property
    def tiles(self) -> tuple[tuple[int, int], ...]:
        """The one, two or three different tiles that hold the edges of the triple's triangles."""
        return tuple(dict.fromkeys([(self.i, self.j), (self.i, self.k), (self.j, self.k)]))

    @property
    def ranges(self) -> tuple[int, ...]:
        """The different ranges, in the order of local ranks: the range of w, of v, of u."""
        return tuple(dict.fromkeys([self.k, self.j, self.i]))


def triples(layout: Layout) -> Iterator[Triple]:
    """Yield the triples that can hold a triangle: all three tiles have edges."""
    edges = layout.tile_edges
    for i in range(layout.ranges):
        for j in range(i + 1):
            for k in range(j + 1):
                if edges[i, j] and edges[i, k] and edges[j, k]:
                    yield Triple(i, j, k)
