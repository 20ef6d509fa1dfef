"""Estimates from paths of three edges: the induced subgraphs of four vertices, and their orbits.

With S paths of three edges in the graph (triangles included), of which the share p induces a subgraph that has a such
paths, there are p S / a of these subgraphs: a is 1 for the 3-path, 2 for the paw, 4 for the 4-cycle, 6 for the diamond
and 12 for the 4-clique. The last three are met more often by centred paths, of which a 4-cycle and a diamond have one,
and a 4-clique three. Claws have no such path: the number of stars is exact, and paws (1), diamonds (2) and 4-cliques
(4) are subtracted from it.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from triadic.core.exact import exact_sum
from triadic.devices.cpu.neighbour_choice import neighbours
from triadic.devices.cpu.path_sampling import CLASSES, CLIQUE, CYCLE, DIAMOND, PATH, PAW, PathTables
from triadic.devices.cpu.wedge_sampling import CODES
from triadic.measures.estimates.sampler import ClassSampler, Quantities, largest_of
from triadic.measures.estimates.wedges import closed_wedges, parts_of, wedges_at

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.graph.graph import Graph
    from triadic.measures.estimates.wedges import Draw

_WEDGES, _PATHS, _CENTRED = range(3)
_NANOSECONDS = 700.0
_TWELFTHS = 12  # values of classes are twelfths of a subgraph
# Name, stratum, and the twelfths of a subgraph that a path of each class stands for.
_DRAWN = {
    "3-path": (_PATHS, {PATH: 12}),
    "paw": (_PATHS, {PAW: 6}),
    "4-cycle": (_CENTRED, {CYCLE: 12}),
    "diamond": (_CENTRED, {DIAMOND: 12}),
    "4-clique": (_CENTRED, {CLIQUE: 4}),
}
_IN_STARS = {PAW: 6, DIAMOND: 4, CLIQUE: 4}  # stars of three edges in a paw, 1 in 2 paths; 2 in 6; and 4 in 12
NAMES = ("2-path", "triangle", "3-path", "claw", "paw", "4-cycle", "diamond", "4-clique")


# Vertices at which each of the orbits 0 to 14 of a subgraph occurs.
_ORBITS = (
    ("edge", 2), ("2-path", 2), ("2-path", 1), ("triangle", 3), ("3-path", 2), ("3-path", 2), ("claw", 3), ("claw", 1),
    ("4-cycle", 4), ("paw", 1), ("paw", 2), ("paw", 1), ("diamond", 2), ("diamond", 2), ("4-clique", 4),
)  # fmt: skip


def graphlets(graph: Graph, *, threads: int, device: str) -> ClassSampler:
    """Return the sampler of the numbers of induced connected subgraphs of three and four vertices."""
    return _sampler(graph, [(name, name, 1) for name in NAMES], threads=threads, device=device)


def orbits(graph: Graph, *, threads: int, device: str) -> ClassSampler:
    """Return the sampler of the sums of orbits 0 to 14 over all vertices, by ORCA's numbers."""
    wanted = [(f"orbit {i}", name, vertices) for i, (name, vertices) in enumerate(_ORBITS)]
    return _sampler(graph, wanted, threads=threads, device=device)


def _sampler(graph: Graph, wanted: list[tuple[str, str, int]], *, threads: int, device: str) -> ClassSampler:
    """Return the sampler of the numbers of subgraphs: each with its name, that of the subgraph, and a factor."""
    oriented = graph.oriented(threads=threads)
    degree = oriented.degree
    in_rows, draw_wedges = closed_wedges(graph, threads=threads, device=device)
    rows = neighbours(oriented, threads=threads)
    paths = PathTables(oriented, rows, centred=False, threads=threads)
    centred = PathTables(oriented, rows, centred=True, threads=threads)
    wedges = wedges_at(degree)
    stars = sum(exact_sum(product) for part in parts_of(degree) for product in _stars(part))
    totals, classes = (in_rows, paths.table.total, centred.table.total), (CODES, CLASSES, CLASSES)
    names, stratum, offset, scale, values = [], [], [], [], []
    for name, subgraph, factor in wanted:
        exact, sign, of, parts = _parts(subgraph, wedges, stars, oriented.num_edges)
        value = np.zeros(classes[of], dtype=np.int64)
        for kind, twelfths in parts.items() if totals[of] else ():
            value[kind] = twelfths
        names.append(name)
        stratum.append(of)
        offset.append(float(factor * exact))
        scale.append(sign * factor * totals[of] / _TWELFTHS)
        values.append(value)
    quantities = Quantities(names, np.array(stratum), np.array(offset), np.array(scale), largest_of(values))
    draws: list[Draw] = [draw_wedges, partial(paths.tally, threads=threads), partial(centred.tally, threads=threads)]
    return ClassSampler(quantities, values, draws, nanoseconds=_NANOSECONDS)


def _parts(name: str, wedges: int, stars: int, edges: int) -> tuple[int, int, int, dict[int, int]]:
    """Return the exact part of the number of a subgraph, the sign of the drawn part, its stratum and its classes."""
    if name == "edge":
        return edges, 1, _WEDGES, {}
    if name == "2-path":
        return wedges, -1, _WEDGES, dict.fromkeys(range(CODES), 3 * _TWELFTHS)
    if name == "triangle":
        return 0, 1, _WEDGES, dict.fromkeys(range(CODES), _TWELFTHS)
    if name == "claw":
        return stars, -1, _PATHS, _IN_STARS
    return 0, 1, *_DRAWN[name]


def _stars(degree: NDArray[np.int64]) -> list[NDArray[np.int64]]:
    """Return the stars of three edges at each rank in parts of which each fits 64 bits."""
    pairs = degree * (degree - 1) // 2
    return [pairs // 3 * (degree - 2), pairs % 3 * (degree - 2) // 3]
