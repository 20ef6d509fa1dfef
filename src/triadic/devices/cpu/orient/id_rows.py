"""Rows, and values of edges, in the order of the original ids.

Computes: rows of an oriented graph sorted again by vertex instead of by rank.
Requires: an oriented graph, with states if it is directed.
Idea: rows of higher neighbours are rows of lower neighbours with the vertices numbered backwards, read backwards.
Cost: one sort of the arcs (`row_sort`), a sort key an arc of memory.

Values at the entries of the oriented rows, put in the order of the graph's edges.

Computes: the values of an undirected graph's entries, sorted by the smaller vertex of their edge, then by the larger.
Requires: values from 0 on; the bits of a value, a row within its bucket and a column are 62 together at most.
Idea: a value travels in the lowest bits of its edge's key through a radix sort by buckets (`row_sort`), so that no edge
  is searched for, and neither the edges nor symmetric rows are made. The sort puts an edge in the row of its larger
  end; vertices are numbered from the last one on, so that this is the smaller vertex, and the order is turned at last.
Cost: one sort of the edges; 8 bytes an edge beside the result.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from triadic.core import blocks
from triadic.core.compiled import kernel
from triadic.core.memory import check_memory
from triadic.core.oriented import frozen, int_empty
from triadic.devices.cpu.intrinsics import AHEAD_KEY, prefetch
from triadic.devices.cpu.orient.bucket_keys import DIGITS, PASSES, radix_sort
from triadic.devices.cpu.orient.row_sort import ORIENT, EndsAndPlaces, arcs_of, plan_buckets, sort_rows
from triadic.devices.cpu.orient.rows import CsrArcs

if TYPE_CHECKING:
    from triadic.core.array_types import Ids, Int32Array, Int64Array, Uint8Array
    from triadic.core.oriented import Oriented
    from triadic.devices.cpu.orient.row_sort import RowBuckets, Rows


# States seen from the other end: the first bit of a state is an arc from the row, the second an arc to it.
_TURNED = np.array([0, 2, 1, 3], np.uint8)
_KEY_BITS = 62


class IdRows(NamedTuple):
    """Neighbours on one side of each vertex.

    Attributes
    ----------
    indptr : int64 array, shape (n + 1,)
    indices : int32 or int64 array, shape (entries,)
        Rising within a row.
    state : uint8 array, shape (entries,)
        State of the dyad seen from its lower id: 1 for an arc to the higher id, 2 for an arc from it, 3 for both.
    """

    indptr: Int64Array
    indices: Ids
    state: Uint8Array


def rows_below(oriented: Oriented, *, dyads: str = "all", threads: int) -> IdRows:
    """Return the neighbours of lower id of each vertex; `dyads` is "all", "mutual" or "asymmetric"."""
    below = _sorted(oriented, oriented.order, dyads, threads)
    return IdRows(below.indptr, below.indices, _TURNED[_state(below)])


def rows_above(oriented: Oriented, *, dyads: str = "all", threads: int) -> IdRows:
    """Return the neighbours of higher id of each vertex; `dyads` is "all", "mutual" or "asymmetric"."""
    n = oriented.num_vertices
    place = oriented.order
    np.subtract(n - 1, place, out=place)
    above = _sorted(oriented, place, dyads, threads)
    # Vertices are numbered from the last one on, so rows and columns both fall; read backwards, both rise.
    np.subtract(n - 1, above.indices, out=above.indices)
    indptr = len(above.indices) - above.indptr[::-1]
    return IdRows(indptr, np.ascontiguousarray(above.indices[::-1]), _state(above)[::-1].copy())


def sorting_bytes(oriented: Oriented) -> int:
    """Estimate the peak bytes of one sort by ids: a sort key an arc, the rows, and a few arrays of n."""
    return 13 * oriented.num_edges + 8 * oriented.num_edges * (oriented.state is not None) + 32 * oriented.num_vertices


def _state(by_id: Rows) -> Uint8Array:
    return np.full(len(by_id.indices), 3, np.uint8) if by_id.state is None else by_id.state


def _sorted(oriented: Oriented, place: Ids, dyads: str, threads: int) -> Rows:
    check_memory(sorting_bytes(oriented), f"sorting {oriented.num_edges:,} edges by vertex", "use more memory")
    state = oriented.state
    taken = None if state is None else (state, np.array([dyads != "mutual", dyads != "asymmetric"]))
    source = CsrArcs(oriented.indptr, oriented.indices, taken)
    return sort_rows(source, oriented.num_vertices, place, ORIENT, with_state=state is not None, threads=threads)


def in_edge_order(oriented: Oriented, at_entry: Int32Array, *, threads: int) -> Int64Array | None:
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
    keys, values, buckets = int_empty(m), frozen(at_entry), plan.of_rows

    def scatter_piece(_: int, i: int) -> None:
        edges = EndsAndPlaces(*arcs_of(source, i), plan.place)
        scatter_values(edges, values[source.part(i)], value_bits, buckets, plan.position[i], keys)

    blocks.run(scatter_piece, source.pieces, threads=threads)
    spare = [int_empty(plan.longest) for _ in range(min(threads, max(1, plan.buckets)))]
    digits = int_empty((len(spare), PASSES, DIGITS))
    in_order = int_empty(m)
    start = plan.start

    def sort(worker: int, b: int) -> None:
        first, last = start[b], start[b + 1]
        turned = in_order[m - last : m - first]
        sort_values(keys[first:last], spare[worker], value_bits, bits[b], digits[worker], turned)

    blocks.run(sort, plan.buckets, threads=threads)
    return in_order


@kernel
def scatter_values(
    edges: EndsAndPlaces,
    values: Int32Array,
    value_bits: int,
    buckets: RowBuckets,
    position: Int64Array,
    keys: Int64Array,
) -> None:
    """Write the key and the value of each edge at the next free position of its bucket."""
    row, column, place = edges
    group_shift, bucket_of, first_row, column_bits = buckets
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
    keys: Int64Array, spare: Int64Array, value_bits: int, bits: int, digit_start: Int64Array, turned: Int64Array
) -> None:
    """Sort the keys of one bucket by the `bits` above their values, and write the values from the last one on."""
    size = keys.size
    in_place = radix_sort(keys, spare[:size], value_bits, value_bits + bits, digit_start, None)
    found = keys if in_place else spare
    for i in range(size):
        turned[size - 1 - i] = found[i] & ((1 << value_bits) - 1)
