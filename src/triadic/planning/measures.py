"""What can be planned: every declared count, and the commands that add passes over tiles and results to a count."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from triadic.counts.closed_triads import CENSUS_OF_VERTICES, CLOSED_TRIADS, CLOSED_TRIADS_OF_VERTICES
from triadic.counts.count import declared
from triadic.counts.triangles import TRIANGLE_COUNT, TRIANGLES
from triadic.errors import ArgumentError, UnsupportedError

if TYPE_CHECKING:
    from triadic.counts.count import Count


@dataclass(frozen=True, slots=True)
class Measure:
    """A count, and what a command adds to it."""

    name: str
    count: Count[Any]  # in memory
    tile_count: Count[Any]  # in each tile, or in each triple of tiles
    rank_columns: int = 0  # columns of 8 bytes a vertex of the result files by rank
    vertex_columns: int = 0  # columns of the result files by vertex, or of the results in memory
    passes: int = 0  # over all tiles, beside the count

    @property
    def columns(self) -> int:
        """Number of columns of the sums at ranks; 0 for a count in total."""
        return self.tile_count.columns if self.tile_count.gives == "vertices" else 0

    @property
    def has_hubs(self) -> bool:
        """Whether the CPU counts the triangles of hubs by rows of bits."""
        return self.count in (TRIANGLE_COUNT, TRIANGLES)

    def check_tiled(self) -> None:
        """Raise UnsupportedError if a tiled graph does not have the count."""
        if not self.count.runs_over_tiles:
            raise UnsupportedError(
                f"a tiled graph has no {self.count.name}: {self.count.not_tiled}; allow the memory to count it untiled"
            )


_CENSUS_OF_VERTICES = Measure("census-by-vertex", CENSUS_OF_VERTICES, CLOSED_TRIADS_OF_VERTICES, 16, 16, passes=2)
MEASURES = {
    "clustering": Measure("clustering", TRIANGLES, TRIANGLES, 3, 3),
    "census": Measure("census", CLOSED_TRIADS, CLOSED_TRIADS, 3, 0, passes=1),
    "census-by-vertex": _CENSUS_OF_VERTICES,
    "graphlets": Measure("graphlets", TRIANGLES, TRIANGLES, 3, 5, passes=1),
}
"""Commands by name; `graphlets` counts the first five."""


def measure_of(name: str) -> Measure:
    """Return the command or the declared count of this name.

    Raises
    ------
    ArgumentError
        Neither has this name.
    """
    if name in MEASURES:
        return MEASURES[name]
    counts = declared()
    if name not in counts:
        raise ArgumentError(f"of={name!r}: expected one of {', '.join([*MEASURES, *counts])}")
    count = counts[name]
    if count is CENSUS_OF_VERTICES:
        return replace(_CENSUS_OF_VERTICES, name=name)
    columns = count.columns if count.gives == "vertices" else 0
    return Measure(name, count, count, rank_columns=columns)
