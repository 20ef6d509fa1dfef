"""The figures of ``triadic clustering``: triangles counted once, everything else arithmetic on them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from triadic.cli.counting import count_file

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path
    from typing import Unpack

    import numpy as np
    from numpy.typing import NDArray

    from triadic.cli.counting import Counted, Keywords, Options
    from triadic.cli.locations import Url
    from triadic.graph.graph import Graph


@dataclass(frozen=True, slots=True, eq=False)
class Clustering:
    """Clustering of one network, by vertex and in total."""

    degree: NDArray[np.int64]
    triangles: NDArray[np.int64]
    clustering: NDArray[np.float64]
    triangle_count: int
    transitivity: float
    average_clustering: float

    def totals(self) -> dict[str, Any]:
        """Give the totals as plain numbers, for JSON."""
        return {
            "triangles": self.triangle_count,
            "transitivity": self.transitivity,
            # The mean over no vertices at all is not a number, which JSON cannot write.
            "average_clustering": None if math.isnan(self.average_clustering) else self.average_clustering,
        }

    def columns(self) -> Mapping[str, NDArray[np.int64] | NDArray[np.float64]]:
        """Give what every vertex has, by name."""
        return {"degree": self.degree, "triangles": self.triangles, "clustering": self.clustering}


def analyse(path: Path | Url, **options: Unpack[Options]) -> Counted[Clustering]:
    """Read a network and give its clustering."""
    from triadic.measures import clustering  # noqa: F401 - the engine: loaded before the clock runs

    return count_file(path, _clustering, what="triangles", **options)


def _clustering(graph: Graph, keywords: Keywords) -> Clustering:
    from triadic.graph.graph import Graph
    from triadic.measures import clustering as measures
    from triadic.measures import triangles as triangle_measures

    triangles, degree = triangle_measures.triangles(graph, **keywords), graph.degree
    in_memory = isinstance(graph, Graph)  # by tiles results are in files, and what is counted is kept
    clustering = measures.local_clustering(triangles, degree) if in_memory else measures.clustering(graph, **keywords)
    return Clustering(
        degree=degree,
        triangles=triangles,
        clustering=clustering,
        triangle_count=measures.count_of(triangles),
        transitivity=measures.transitivity_of(triangles, degree),
        average_clustering=measures.mean_clustering(clustering),
    )
