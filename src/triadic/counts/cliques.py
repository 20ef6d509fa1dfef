"""Cliques of every size, and simplices, the cliques of a directed graph in an order that all their arcs follow.

Totals are Python ints. Counts at vertices and edges wrap modulo 2**64, so that where a total reaches 2**63 they are
added up from digits of binomials, each in a search of its own.
"""

from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.counts.count import Count, Work, run
from triadic.devices.cpu import cliques as cpu

if TYPE_CHECKING:
    from triadic.core.array_types import AnyArray
    from triadic.core.oriented import Oriented

    BySize = dict[int, AnyArray]

# Bits of totals of which counts fit 64 bits, and of binomials that are counted at once where totals have more.
_NARROW, _DIGIT = 63, 16

CLIQUES = Count(
    name="cliques",
    gives="total",
    cpu=cpu.search,
    bytes=cpu.bytes_of_search,
    work=Work(edge=100, pair=20),
    not_tiled="the vertices of a clique lie in tiles all over the graph",
)
"""Leaves of the search for cliques by held vertices and pivots, and tables at ranks and at entries."""


def clique_totals(oriented: Oriented, sizes: tuple[int, int], *, simplices: bool, **machine: Any) -> dict[int, int]:  # noqa: ANN401 - threads, device and progress
    """Return the number of cliques, or simplices, of each size from the first to the second that occurs."""
    tally, _, _ = run(CLIQUES, oriented, sizes, simplices=simplices, **machine)
    found: dict[int, int] = {}
    for held, pivots in np.argwhere(tally).tolist():
        leaves = int(tally[held, pivots])
        for size in range(max(held, sizes[0]), min(held + pivots, sizes[1]) + 1):
            found[size] = found.get(size, 0) + leaves * comb(pivots, size - held)
    return dict(sorted(found.items()))


def clique_tables(
    oriented: Oriented,
    totals: dict[int, int],
    *,
    simplices: bool,
    edges: bool = False,
    **machine: Any,  # noqa: ANN401 - as above
) -> tuple[BySize, BySize]:
    """Return by size the counts at each rank, int64 of shape (1 or 3, n), and at each entry, of shape (m,).

    Parameters
    ----------
    totals : dict of int to int
        The totals of the sizes that are wanted; if one is 2**63 or more, arrays have Python ints.

    Returns
    -------
    at_rank, at_entry : dict of int to array
        Simplices by their source, their inner vertices and their sinks; those of one vertex are at their source.
    """
    if not totals:
        return {}, {}
    sizes, row = (min(totals), max(totals)), oriented.sizes.longest_row
    # A leaf counts no more cliques of a size than there are.
    bits = max(totals.values()).bit_length()
    wide = bits > _NARROW
    of_digit = _DIGIT if wide else 64
    found: tuple[BySize, BySize] = ({}, {})
    for shift in range(0, bits, of_digit):
        mask = (1 << of_digit) - 1
        digits = [[comb(p, chosen) >> shift & mask for chosen in range(sizes[1] + 1)] for p in range(row + 3)]
        table = np.array(digits, dtype=np.uint64).view(np.int64)
        _, *tables = run(CLIQUES, oriented, sizes, table, simplices=simplices, edges=edges, **machine)
        for counts, sums in zip(tables, found, strict=True):
            for size in totals:
                digit = np.ascontiguousarray(counts[..., size])
                sums[size] = sums.get(size, 0) + digit.astype(object) * (1 << shift) if wide else digit
    return found
