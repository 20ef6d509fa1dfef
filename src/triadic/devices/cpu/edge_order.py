"""Values at the entries of the oriented rows, put in the order of the graph's edges.

Computes: the values of an undirected graph's entries, sorted by the smaller vertex of their edge, then by the larger.
Requires: values from 0 on; the bits of a value, a row within its bucket and a column are 62 together at most.
Idea: a value travels in the lowest bits of its edge's key through a radix sort by buckets (`row_sort`), so that no edge
  is searched for, and neither the edges nor symmetric rows are made. The sort puts an edge in the row of its larger
  end; vertices are numbered from the last one on, so that this is the smaller vertex, and the order is turned at last.
Cost: one sort of the edges; 8 bytes an edge beside the result.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core import blocks
from triadic.core.compiled import kernel
from triadic.core.oriented import frozen
from triadic.devices.cpu.intrinsics import AHEAD_KEY, prefetch
from triadic.devices.cpu.row_buckets import ORIENT, arcs_of, plan_buckets
from triadic.devices.cpu.row_sort import DIGIT_BITS, DIGITS, PASSES
from triadic.devices.cpu.rows import CsrArcs

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from triadic.core.oriented import Oriented

    Ids = NDArray[np.integer[Any]]

_KEY_BITS = 62


def in_edge_order(oriented: Oriented, at_entry: NDArray[np.int32], *, threads: int) -> NDArray[np.int64] | None:
    """Return the value of each edge, sorted by smaller vertex, then larger: int64, shape (m,).

    Returns None if the keys would have too many bits.
    """
    n, m = oriented.num_vertices, oriented.num_edges
    source = CsrArcs(oriented.indptr, oriented.indices)
    backward = oriented.order
    np.subtract(n - 1, backward, out=backward)
    plan = plan_buckets(source, n, backward, ORIENT, threads=threads)
    value_bits = int(at_entry.max(initial=0)).bit_length()
    bits = [plan.key_bits(b) - 1 for b in range(plan.buckets)]  # a key here has no bit for the direction
    if value_bits + max(bits, default=0) > _KEY_BITS:
        return None
    keys, values = np.empty(m, dtype=np.int64), frozen(at_entry)

    def scatter_piece(_: int, i: int) -> None:
        row, column = arcs_of(source, i)
        scatter_values(row, column, values[source.part(i)], value_bits, plan.place, *plan.of_piece(i), keys)

    blocks.run(scatter_piece, source.pieces, threads=threads)
    spare = [np.empty(plan.longest, dtype=np.int64) for _ in range(min(threads, max(1, plan.buckets)))]
    digits = np.empty((len(spare), PASSES, DIGITS), dtype=np.int64)
    in_order = np.empty(m, dtype=np.int64)
    start = plan.start

    def sort(worker: int, b: int) -> None:
        first, last = start[b], start[b + 1]
        turned = in_order[m - last : m - first]
        sort_values(keys[first:last], spare[worker], value_bits, bits[b], digits[worker], turned)

    blocks.run(sort, plan.buckets, threads=threads)
    return in_order


@kernel
def scatter_values(
    row: Ids,
    column: Ids,
    values: NDArray[np.int32],
    value_bits: int,
    place: Ids,
    group_shift: int,
    bucket_of: NDArray[np.int64],
    first_row: NDArray[np.int64],
    column_bits: int,
    position: NDArray[np.int64],
    keys: NDArray[np.int64],
) -> None:
    """Write the key and the value of each edge at the next free position of its bucket."""
    for i in range(row.size):
        a = np.int64(place[row[i]])
        b = np.int64(place[column[i]])
        x, y = max(a, b), min(a, b)
        bucket = bucket_of[x >> group_shift]
        free = position[bucket]
        keys[free] = ((((x - first_row[bucket]) << column_bits) | y) << value_bits) | np.int64(values[i])
        position[bucket] = free + 1
        prefetch(keys, free + AHEAD_KEY)


@kernel
def sort_values(
    keys: NDArray[np.int64],
    spare: NDArray[np.int64],
    value_bits: int,
    bits: int,
    digit_start: NDArray[np.int64],
    turned: NDArray[np.int64],
) -> None:
    """Sort the keys of one bucket by the `bits` above their values, and write the values from the last one on."""
    size = keys.size
    a = keys
    b = spare[:size]
    passes = (bits + DIGIT_BITS - 1) // DIGIT_BITS
    digit_bits = (bits + passes - 1) // max(1, passes)  # short tables stay in the first-level cache
    digits = 1 << digit_bits
    digit_start[:passes] = 0
    for i in range(size):
        rest = a[i] >> value_bits
        for d in range(passes):
            digit_start[d, rest & (digits - 1)] += 1
            rest >>= digit_bits
    for d in range(passes):
        running = 0
        for digit in range(digits):
            count = digit_start[d, digit]
            digit_start[d, digit] = running
            running += count
        shift = value_bits + d * digit_bits
        for i in range(size):
            digit = (a[i] >> shift) & (digits - 1)
            b[digit_start[d, digit]] = a[i]
            digit_start[d, digit] += 1
        a, b = b, a
    for i in range(size):
        turned[size - 1 - i] = a[i] & ((1 << value_bits) - 1)
