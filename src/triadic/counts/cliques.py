"""Cliques of every size, and simplices, the cliques of a directed graph in an order that all their arcs follow.

Totals are Python ints. Counts at vertices and edges wrap modulo 2**64, so that where a total reaches 2**63 they are
added up from digits of binomials, each in a search of its own.
"""

from __future__ import annotations

from contextlib import suppress
from math import comb
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.counts.count import Count, Work, run
from triadic.devices.cpu import cliques as cpu
from triadic.devices.gpu import squares_and_cliques as gpu

if TYPE_CHECKING:
    from triadic.core.array_types import AnyArray, Int64Array
    from triadic.core.oriented import Oriented

    BySize = dict[int, AnyArray]

# Bits of totals of which counts fit 64 bits, and of binomials that are counted at once where totals have more.
_NARROW, _DIGIT = 63, 16
# Most sizes, and bytes of their tables, for a search before it is known which sizes occur.
_TRIED, _TRIED_BYTES = 32, 1 << 28

CLIQUES = Count(
    name="cliques",
    gives="total",
    cpu=cpu.search,
    bytes=cpu.bytes_of_search,
    work=Work(edge=100, pair=20),
    not_tiled="the vertices of a clique lie in tiles all over the graph",
)
"""Leaves of the search for cliques by held vertices and pivots, and tables at ranks and at entries."""


CLIQUES_OF_SIZE = Count(
    name="cliques of one size",
    gives="total",
    cpu=cpu.search,
    gpu=gpu.cliques_of_size,
    bytes=cpu.bytes_of_search,
    work=CLIQUES.work,
    not_tiled=CLIQUES.not_tiled,
)
"""Cliques of one size from 3 to 6, as of `CLIQUES`, also on GPUs."""


def cliques_count(sizes: tuple[int, int], *, simplices: bool, edges: bool = False) -> Count[Any]:
    """Return what counts cliques of some sizes."""
    return CLIQUES_OF_SIZE if sizes[0] == sizes[1] in gpu.SIZES and not (simplices or edges) else CLIQUES


def clique_totals(oriented: Oriented, sizes: tuple[int, int], *, simplices: bool, **machine: Any) -> dict[int, int]:  # noqa: ANN401 - threads, device and progress
    """Return the number of cliques, or simplices, of each size from the first to the second that occurs."""
    tally, _, _ = run(cliques_count(sizes, simplices=simplices), oriented, sizes, simplices=simplices, **machine)
    return _by_size(tally, sizes)


def _by_size(tally: Int64Array, sizes: tuple[int, int]) -> dict[int, int]:
    """Return the totals by size from the leaves of a search."""
    found: dict[int, int] = {}
    for held, pivots in np.argwhere(tally).tolist():
        leaves = int(tally[held, pivots])
        for size in range(max(held, sizes[0]), min(held + pivots, sizes[1]) + 1):
            found[size] = found.get(size, 0) + leaves * comb(pivots, size - held)
    return dict(sorted(found.items()))


def clique_tables(
    oriented: Oriented,
    sizes: tuple[int, int],
    *,
    simplices: bool,
    edges: bool = False,
    **machine: Any,  # noqa: ANN401 - as above
) -> tuple[BySize, BySize]:
    """Return by size the counts at each rank, int64 of shape (1 or 3, n), and at each entry, of shape (m,).

    If a total is 2**63 or more, arrays have Python ints.

    Returns
    -------
    at_rank, at_entry : dict of int to array
        Simplices by their source, their inner vertices and their sinks; those of one vertex are at their source. Sizes
        that do not occur are left out.
    """
    row = oriented.sizes.longest_row

    def search(high: int, shift: int, bits: int, *, complete: bool = False) -> tuple[dict[int, int], list[Int64Array]]:
        mask = (1 << bits) - 1
        digits = [[comb(p, chosen) >> shift & mask for chosen in range(high + 1)] for p in range(row + 3)]
        table, within = np.array(digits, np.uint64).view(np.int64), (sizes[0], high)
        count = cliques_count(within, simplices=simplices, edges=edges)
        tally, *tables = run(
            count, oriented, within, table, simplices=simplices, edges=edges, complete=complete, **machine
        )
        return _by_size(tally, within), tables

    longest = min(sizes[1], row + 1)
    high, bytes_of_size = min(longest, _TRIED), 8 * (3 * oriented.num_edges * edges + 6 * oriented.num_vertices)
    totals: dict[int, int] = {}
    tables: list[Int64Array] = []
    if sizes[0] <= high and bytes_of_size * high <= _TRIED_BYTES:
        with suppress(cpu.LargerCliqueError):
            totals, tables = search(high, 0, 64, complete=high < longest)
    if not tables or (high < longest and high in totals):
        totals, tables = clique_totals(oriented, sizes, simplices=simplices, **machine), []
    # A leaf counts no more cliques of a size than there are.
    bits = max(totals.values(), default=0).bit_length()
    wide = bits > _NARROW
    of_digit = _DIGIT if wide else 64
    found: tuple[BySize, BySize] = ({}, {})
    for shift in range(0, bits, of_digit):
        if wide or not tables:
            _, tables = search(max(totals), shift, of_digit)
        for counts, sums in zip(tables, found, strict=True):
            for size in totals:
                digit = np.ascontiguousarray(counts[..., size])
                sums[size] = sums.get(size, 0) + digit.astype(object) * (1 << shift) if wide else digit
    return found
