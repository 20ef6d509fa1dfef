"""The figures of ``triadic census``: the triads of a network, and of each vertex where they are asked for."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from triadic.cli.counting import count_file

if TYPE_CHECKING:
    from pathlib import Path
    from typing import Unpack

    import numpy as np
    from numpy.typing import NDArray

    from triadic.cli.counting import Counted, Keywords, Options
    from triadic.graph import Graph
    from triadic.measures.census import Census


@dataclass(frozen=True, slots=True, eq=False)
class Triads:
    """The census of a network."""

    census: Census
    by_vertex: NDArray[np.int64] | None = None

    def columns(self) -> dict[str, NDArray[np.int64]]:
        """Give what every vertex has, by type."""
        from triadic.triad_types import TRIAD_NAMES

        return {} if self.by_vertex is None else dict(zip(TRIAD_NAMES, self.by_vertex.T, strict=True))


def take_census(path: Path, *, types: int, by_vertex: bool, **options: Unpack[Options]) -> Counted[Triads]:
    """Read a network and count its triads."""
    from triadic.measures import triads  # noqa: F401 - the engine: loaded before the clock runs

    return count_file(path, partial(_triads, types=types, by_vertex=by_vertex), what="closed triads", **options)


def _triads(graph: Graph, keywords: Keywords, *, types: int, by_vertex: bool) -> Triads:
    from triadic.measures import triads as measures

    census = measures.triad_census(graph, types=types, **keywords)
    return Triads(census, measures.triad_census_by_vertex(graph, **keywords) if by_vertex else None)
