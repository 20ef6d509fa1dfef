"""The figures of ``triadic graphlets``: the graphlet transform of a network, and its sums."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from triadic.cli.counting import count_file

if TYPE_CHECKING:
    from pathlib import Path
    from typing import Unpack

    import numpy as np
    from numpy.typing import NDArray

    from triadic.cli.counting import Counted, Keywords, Options
    from triadic.cli.locations import Url
    from triadic.graph.graph import Graph
    from triadic.measures.graphlet_result import GraphletTransform

# What the reference program of the fast graphlet transform calls its columns.
REFERENCE_NAMES = (
    "[0] vertex (==1)",
    "[1] degree",
    "[2] 2-path",
    "[3] bifork",
    "[4] 3-cycle",
    "[5] 3-path, end",
    "[6] 3-path, interior",
    "[7] claw, leaf",
    "[8] claw, root",
    "[9] paw, handle",
    "[10] paw, base",
    "[11] paw, center",
    "[12] 4-cycle",
    "[13] diamond, off-cord",
    "[14] diamond, on-cord",
    "[15] 4-clique",
)


@dataclass(frozen=True, slots=True, eq=False)
class Graphlets:
    """The graphlets of a network, worked out and added up."""

    transform: GraphletTransform
    totals: dict[str, int]
    raw_sums: tuple[int, ...]
    net_sums: tuple[int, ...]

    def sums(self) -> dict[str, Any]:
        """Give the whole graphlets and the sums over all vertices as plain numbers, for JSON."""
        return {
            "graphlets": self.totals,
            "raw": list(self.raw_sums),
            "net": list(self.net_sums),
        }

    def columns(self) -> dict[str, NDArray[np.int64]]:
        """Give the net frequencies at every vertex, by the reference program's names."""
        return dict(zip(REFERENCE_NAMES, self.transform.net.T, strict=False))  # the first 5 where only those are known


def count_graphlets(path: Path | Url, *, graphlets: int, **options: Unpack[Options]) -> Counted[Graphlets]:
    """Read a network and count its graphlets."""
    from triadic.measures import graphlets as measures  # noqa: F401 - the engine: loaded before the clock runs

    what = "graphlets" if graphlets == 16 else "triangles"  # all that the first five need
    return count_file(path, partial(_graphlets, graphlets=graphlets), what=what, **options)


def _graphlets(graph: Graph, keywords: Keywords, *, graphlets: int) -> Graphlets:
    from triadic.measures.graphlets import graphlet_transform

    transform = graphlet_transform(graph, graphlets=graphlets, **keywords)
    # All that is printed is worked out here, where the clock runs; the transform alone would put the net off.
    return Graphlets(transform, transform.totals, transform.raw_sums, transform.net_sums)
