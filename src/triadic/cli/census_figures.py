"""The figures of ``triadic census``: the triads of a network, and of each vertex where they are asked for."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from math import isnan
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
    from triadic.measures.census import Census


@dataclass(frozen=True, slots=True, eq=False)
class Triads:
    """The census of a network."""

    census: Census
    by_vertex: NDArray[np.int64] | None = None

    def totals(self) -> dict[str, Any]:
        """Give the totals as plain numbers, for JSON, which has no nan."""
        from triadic.measures.triad_null import TriadCensus

        found: dict[str, Any] = {"census": self.census.to_dict()}
        if isinstance(self.census, TriadCensus):
            found["expected"] = self.census.expected()
            found["z"] = {name: None if isnan(z) else z for name, z in self.census.z_scores().items()}
        return found

    def columns(self) -> dict[str, NDArray[np.int64]]:
        """Give what every vertex has, by type."""
        from triadic.core.triad_types import TRIAD_NAMES

        return {} if self.by_vertex is None else dict(zip(TRIAD_NAMES, self.by_vertex.T, strict=True))


def take_census(path: Path | Url, *, types: int, by_vertex: bool, **options: Unpack[Options]) -> Counted[Triads]:
    """Read a network and count its triads."""
    from triadic.measures import triads  # noqa: F401 - the engine: loaded before the clock runs

    what = "triads of vertices" if by_vertex else "closed triads"
    return count_file(path, partial(_triads, types=types, by_vertex=by_vertex), what=what, **options)


def _triads(graph: Graph, keywords: Keywords, *, types: int, by_vertex: bool) -> Triads:
    from triadic.measures import triads as measures

    if not by_vertex:
        return Triads(measures.triad_census(graph, types=types, **keywords))
    of_vertices = measures.triad_census_by_vertex(graph, **keywords)
    return Triads(measures.census_of(graph, of_vertices), of_vertices)
