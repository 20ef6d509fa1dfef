"""What can be planned: every declared count, and the commands that add passes over tiles and results to a count."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from triadic.counts.count import declared
from triadic.counts.edges import EDGE_SUPPORT
from triadic.counts.triads import CENSUS_OF_VERTICES, CLOSED_TRIADS, CLOSED_TRIADS_OF_VERTICES
from triadic.counts.triangles import TRIANGLE_COUNT, TRIANGLES
from triadic.counts.weights import EXACT_PAIRS, EXACT_PRODUCTS, MOTIF_INTENSITY, STRENGTHS, WEIGHTED_TRIANGLES
from triadic.errors import ArgumentError, UnsupportedError

if TYPE_CHECKING:
    from triadic.core.oriented import Sizes
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
    weighted: bool = False  # whether the count takes the weights of edges
    undirected: bool = False  # whether the command counts the graph without directions, and makes tiles without them
    parts: tuple[Measure, ...] = ()  # the counts that the command runs one after another, if there are several

    @property
    def columns(self) -> int:
        """Number of columns of the sums at ranks; 0 for a count in total."""
        return self.tile_count.columns if self.tile_count.gives == "vertices" else 0

    @property
    def has_hubs(self) -> bool:
        """Whether the CPU counts the triangles of hubs by rows of bits."""
        return self.count in (TRIANGLE_COUNT, TRIANGLES)

    def work(self, sizes: Sizes) -> float:
        """Estimate the work of all counts in memory; only ratios matter."""
        return sum(part.count.work(sizes) for part in self.parts or (self,))

    def check_tiled(self) -> None:
        """Raise UnsupportedError if a tiled graph does not have the count."""
        count = self.tile_count
        if not count.runs_over_tiles:
            raise UnsupportedError(
                f"a tiled graph has no {count.name}: {count.not_tiled}; allow the memory to count it untiled"
            )


_CENSUS_OF_VERTICES = Measure("census-by-vertex", CENSUS_OF_VERTICES, CLOSED_TRIADS_OF_VERTICES, 16, 16, passes=2)
_CLUSTERING = Measure("clustering", TRIANGLES, TRIANGLES, 3, 3)
# The results by rank are the sums and the coefficients. Both coefficients that take strengths compute them.
_PRODUCTS = Measure("products", WEIGHTED_TRIANGLES, EXACT_PRODUCTS, EXACT_PRODUCTS.columns + 1, 1, weighted=True)
_PAIRS = Measure("pairs", EDGE_SUPPORT, EXACT_PAIRS, EXACT_PAIRS.columns + 1, 1, weighted=True)
_STRENGTHS = Measure("strengths", STRENGTHS, STRENGTHS, STRENGTHS.columns, weighted=True)
_OF_WEIGHTS = (_PRODUCTS, _PAIRS, _STRENGTHS, _PRODUCTS, _STRENGTHS, _CLUSTERING)
WEIGHTED_CLUSTERING = Measure(
    "weighted-clustering", WEIGHTED_TRIANGLES, EXACT_PRODUCTS, vertex_columns=6, weighted=True, undirected=True,
    parts=_OF_WEIGHTS,
)  # fmt: skip
"""The coefficients of Onnela, of Barrat and of Zhang and Horvath, and the unweighted ones; directions are ignored."""

MEASURES = {
    "clustering": _CLUSTERING,
    "weighted-clustering": WEIGHTED_CLUSTERING,
    "census": Measure("census", CLOSED_TRIADS, CLOSED_TRIADS, 3, 0, passes=1),
    "census-by-vertex": _CENSUS_OF_VERTICES,
    "graphlets": Measure("graphlets", TRIANGLES, TRIANGLES, 3, 5, passes=1),
}
"""Commands by name; `graphlets` counts the first five."""

# Counts that take weights and do not run over tiles; those that do have `takes_values`.
_UNTILED_WEIGHTS = (WEIGHTED_TRIANGLES, MOTIF_INTENSITY)


def measure_of(name: str, *, weighted: bool = False) -> Measure:
    """Return the command or the declared count of this name; with weights, "clustering" is "weighted-clustering".

    Raises
    ------
    ArgumentError
        Neither has this name, or a count that takes no weights is asked for with weights.
    """
    if name == "clustering" and weighted:
        return WEIGHTED_CLUSTERING
    measure = _measure_of(name)
    if weighted and not measure.weighted:
        of_weights = (each for each, count in declared().items() if _takes_weights(count))
        raise ArgumentError(
            f"of={name!r} takes no weights; leave weights= out, or expected one of "
            f"{', '.join(['clustering', WEIGHTED_CLUSTERING.name, *of_weights])}"
        )
    return measure


def _takes_weights(count: Count[Any]) -> bool:
    return count.takes_values or count in _UNTILED_WEIGHTS


def _measure_of(name: str) -> Measure:
    if name in MEASURES:
        return MEASURES[name]
    counts = declared()
    if name not in counts:
        raise ArgumentError(f"of={name!r}: expected one of {', '.join([*MEASURES, *counts])}")
    count = counts[name]
    if count is CENSUS_OF_VERTICES:
        return replace(_CENSUS_OF_VERTICES, name=name)
    columns = count.columns if count.gives == "vertices" else 0
    return Measure(name, count, count, rank_columns=columns, weighted=_takes_weights(count))
