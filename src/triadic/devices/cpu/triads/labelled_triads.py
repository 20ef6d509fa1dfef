"""Triads by the original ids of their vertices: lists of a type, and wedges by state and order.

Computes: the next triples u < v < w whose code is wanted, as many as the result has room for.
Requires: `id_rows.IdRows`: `neighbours` holds all higher neighbours, `above` and `below` the neighbours by a dyad that
  the type can hold; `starts` the vertices with a row in `above`. Marks all zero at first.
Idea: once u and v are chosen, the type still needs two, one or none of the dyads (u, w) and (v, w): then w is in the
  rows of both u and v, of one of them, or of neither. The number of dyads of the type decides which v are possible.
Cost: about the number of triples whose dyads are of the right kinds, whichever way their arcs run.

Batagelj and Mrvar (2001), Social Networks 23, 237, for triads as u < v < w and the codes of their types.

A mark holds the state of u and v; FAR if u and v are not joined and v has been noted as sharing a neighbour with u.
Listing can stop after any triple and continue in another call: `cursor` holds u, the index of v among the vertices that
can be second, the least w, and the number of such v.

Pairs of dyads that share a vertex, by their states and by the place of the shared vertex among the three ids.

Computes: for each pair of states (x, y), the number of pairs of neighbours of a vertex c whose dyads with c have these
  states, separately for c with the lowest, the middle and the highest of the three ids; and for the dyads of each
  state, how many ids lie above, between and below the two ids.
Requires: an oriented graph.
Idea: sort the rows of lower neighbours and read each in rising order with counts of the states read so far; then the
  same with the rows of higher neighbours. A wedge with the middle id at its centre has one end in either row.
Cost: two sorts of the arcs, O(edges) beside them; a sort key an arc, 5 bytes an edge and 48 a vertex of memory.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from triadic.core import blocks
from triadic.core.compiled import kernel
from triadic.core.oriented import int_zeros
from triadic.devices.cpu.intrinsics import Whole, position
from triadic.devices.cpu.orient.id_rows import rows_above, rows_below
from triadic.devices.cpu.triangles.triangle_listing import write_triple

if TYPE_CHECKING:
    from triadic.core.array_types import BoolArray, Ids, Int64Array, IntegerArray, ObjectArray, Uint8Array
    from triadic.core.oriented import Oriented
    from triadic.devices.cpu.orient.id_rows import IdRows


FAR = 4
NOT_BEGUN = -1
_PIECE = 1 << 18


@kernel
def next_triads(
    neighbours: IdRows,
    above: IdRows,
    below: IdRows,
    starts: Ids,
    dyads: int,
    wanted: BoolArray,
    cursor: Int64Array,
    stop: int,
    seconds: Ids,
    mark: Uint8Array,
    found: Int64Array,
) -> int:
    """Write the next triples of a type with this number of `dyads` to `found`, shape (room, 3); return their number.

    The first vertices of the triples are below `stop`.
    """
    # numba would compile each kernel that is called with a plain 0 twice: for 0, and for any integer.
    filled: int = np.int64(0)  # type: ignore[assignment]
    while cursor[0] < stop:
        u = cursor[0]
        if cursor[3] == NOT_BEGUN:
            for p in range(neighbours.indptr[u], neighbours.indptr[u + 1]):
                mark[neighbours.indices[p]] = neighbours.state[p]
            cursor[1] = 0
            cursor[2] = 0
            cursor[3] = _seconds(above, below, starts, dyads, wanted, u, mark, seconds)
        while cursor[1] < cursor[3]:
            v = seconds[cursor[1]]
            least = max(cursor[2], v + 1)
            uv = mark[v] & 3
            needed = dyads - int(uv != 0)
            if needed == 2:
                filled = _in_both(above, wanted, u, v, uv, least, mark, found, filled)
            elif needed == 1:
                filled = _in_one(neighbours, above, wanted, u, v, uv, least, mark, found, filled)
            else:
                filled = _in_neither(neighbours, u, v, least, mark, found, filled)
            if filled == found.shape[0]:
                cursor[2] = found[filled - 1, 2] + 1
                return filled
            cursor[1] += 1
            cursor[2] = 0
        for p in range(neighbours.indptr[u], neighbours.indptr[u + 1]):
            mark[neighbours.indices[p]] = 0
        for p in range(cursor[3]):
            mark[seconds[p]] = 0
        cursor[0] += 1
        cursor[3] = NOT_BEGUN
    return filled


@kernel
def _seconds(
    above: IdRows,
    below: IdRows,
    starts: Ids,
    dyads: int,
    wanted: BoolArray,
    u: int,
    mark: Uint8Array,
    seconds: Ids,
) -> int:
    """Write the vertices that can come second, rising; return their number."""
    first, last = above.indptr[u], above.indptr[u + 1]
    n = mark.size
    count: int = np.int64(0)  # type: ignore[assignment] # as in `next_triads`
    if dyads >= 2:
        for p in range(first, last):
            seconds[count] = above.indices[p]
            count += 1
        if dyads == 2:
            count = _far(above, below, wanted, u, mark, seconds, count)
        return count
    # Below `reach` some w > v is joined to u, so every v is possible. From `reach` on, v itself has to be joined to u
    # or to some w.
    reach = n if dyads == 0 else (above.indices[last - 1] + 1 if first < last else u + 1)
    for v in range(u + 1, reach):
        if mark[v] == 0 or (dyads == 1 and wanted[mark[v]]):
            seconds[count] = v
            count += 1
    if dyads == 1:
        for p in range(position(starts, 0, starts.size, reach), starts.size):
            if mark[starts[p]] == 0:
                seconds[count] = starts[p]
                count += 1
    return count


@kernel
def _far(above: IdRows, below: IdRows, wanted: BoolArray, u: int, mark: Uint8Array, seconds: Ids, count: int) -> int:
    """Note each vertex v that is not joined to u and shares with u a neighbour w above both."""
    for p in range(above.indptr[u], above.indptr[u + 1]):
        w = above.indices[p]
        code = 4 * above.state[p]
        for q in range(*_from(below, w, u + 1)):
            v = below.indices[q]
            if mark[v] == 0 and wanted[code + 16 * below.state[q]]:
                mark[v] = FAR
                seconds[count] = v
                count += 1
    seconds[:count].sort()
    return count


@kernel
def _from(rows: IdRows, u: int, least: int) -> tuple[Whole, Whole]:
    """Return the place of the first neighbour of u of at least `least`, and the end of the row."""
    end = rows.indptr[u + 1]
    return position(rows.indices, rows.indptr[u], end, least), end


@kernel
def _in_both(
    above: IdRows,
    wanted: BoolArray,
    u: int,
    v: int,
    uv: int,
    least: int,
    mark: Uint8Array,
    found: Int64Array,
    filled: int,
) -> int:
    """Write the triples whose w is joined to u and to v: the shorter row is walked, the longer one searched."""
    p, end_u = _from(above, u, least)
    q, end_v = _from(above, v, least)
    if end_v - q <= end_u - p:
        while q < end_v and filled < found.shape[0]:
            w = above.indices[q]
            if mark[w] & 3 and wanted[uv + 4 * (mark[w] & 3) + 16 * above.state[q]]:
                filled = write_triple(u, v, w, found, filled)
            q += 1
        return filled
    while p < end_u and filled < found.shape[0]:
        w = above.indices[p]
        q = position(above.indices, q, end_v, w)
        if q < end_v and above.indices[q] == w and wanted[uv + 4 * above.state[p] + 16 * above.state[q]]:
            filled = write_triple(u, v, w, found, filled)
        p += 1
    return filled


@kernel
def _in_one(
    neighbours: IdRows,
    above: IdRows,
    wanted: BoolArray,
    u: int,
    v: int,
    uv: int,
    least: int,
    mark: Uint8Array,
    found: Int64Array,
    filled: int,
) -> int:
    """Write the triples whose w is joined to u alone or to v alone."""
    p, end_u = _from(above, u, least)
    q, end_v = _from(above, v, least)
    if not (wanted[uv + 4] or wanted[uv + 8] or wanted[uv + 12]):
        p = end_u
    if not (wanted[uv + 16] or wanted[uv + 32] or wanted[uv + 48]):
        q = end_v
    r, end_neighbours = neighbours.indptr[v], neighbours.indptr[v + 1]
    while (p < end_u or q < end_v) and filled < found.shape[0]:
        if q == end_v or (p < end_u and above.indices[p] <= above.indices[q]):
            w = above.indices[p]
            r = position(neighbours.indices, r, end_neighbours, w)
            joined = r < end_neighbours and neighbours.indices[r] == w
            if not joined and wanted[uv + 4 * above.state[p]]:
                filled = write_triple(u, v, w, found, filled)
            p += 1
        else:
            w = above.indices[q]
            if mark[w] & 3 == 0 and wanted[uv + 16 * above.state[q]]:
                filled = write_triple(u, v, w, found, filled)
            q += 1
    return filled


@kernel
def _in_neither(
    neighbours: IdRows, u: int, v: int, least: int, mark: Uint8Array, found: Int64Array, filled: int
) -> int:
    """Write the triples whose w is joined to neither u nor v."""
    p, end = _from(neighbours, v, least)
    w = least
    while w < mark.size and filled < found.shape[0]:
        if p < end and neighbours.indices[p] == w:
            p += 1
        elif mark[w] & 3 == 0:
            filled = write_triple(u, v, w, found, filled)
        w += 1
    return filled


class LabelledWedges(NamedTuple):
    """Exact sums, Python ints in object arrays.

    Attributes
    ----------
    lowest, middle, highest : object array, shape (4, 4)
        Pairs of dyads at c by their states, the dyad to the lower of the other two ends first; c has the lowest, the
        middle or the highest id.
    above, between, below : object array, shape (4,)
        Over dyads p < q of each state: the numbers of ids above q, between the two, and below p.
    """

    lowest: ObjectArray
    middle: ObjectArray
    highest: ObjectArray
    above: ObjectArray
    between: ObjectArray
    below: ObjectArray


def labelled_wedges(oriented: Oriented, *, threads: int) -> LabelledWedges:
    """Count the wedges of a graph by states and by the order of their original ids."""
    n = oriented.num_vertices
    rows = rows_below(oriented, threads=threads)
    below = np.zeros((n, 4), oriented.rank.dtype)
    cuts = blocks.cut(rows.indptr, _PIECE)
    highest = int_zeros((len(cuts), 4, 4))
    singles = int_zeros((len(cuts), 3, 4))

    blocks.run(
        lambda _, k: scan_below(*rows, cuts[k], cuts[k + 1], below, highest[k], singles[k]),
        len(cuts) - 1,
        threads=threads,
    )
    del rows  # frees memory before the next sort
    rows = rows_above(oriented, threads=threads)
    cuts = blocks.cut(rows.indptr, _PIECE)
    lowest, middle = int_zeros((2, len(cuts), 4, 4))

    blocks.run(
        lambda _, k: scan_above(rows.indptr, rows.state, cuts[k], cuts[k + 1], below, lowest[k], middle[k]),
        len(cuts) - 1,
        threads=threads,
    )

    pairs = (part.astype(object).sum(axis=0) for part in (lowest, middle, highest))
    return LabelledWedges(*pairs, *singles.astype(object).sum(axis=0))


@kernel
def scan_below(
    indptr: Int64Array,
    indices: IntegerArray,
    state: Uint8Array,
    first: int,
    last: int,
    below: IntegerArray,
    pairs: Int64Array,
    singles: Int64Array,
) -> None:
    """Add up pairs, shape (4, 4), and singles, shape (3, 4), of the rows `first` .. `last` - 1 of lower neighbours.

    Counts the neighbours of each vertex by state, in `below`, shape (n, 4).
    """
    n = indptr.size - 1
    for c in range(first, last):
        for p in range(indptr[c], indptr[c + 1]):
            q = np.int64(indices[p])
            y = state[p]
            for x in range(1, 4):
                pairs[x, y] += below[c, x]
            below[c, y] += 1
            singles[0, y] += n - 1 - c
            singles[1, y] += c - q - 1
            singles[2, y] += q


@kernel
def scan_above(
    indptr: Int64Array,
    state: Uint8Array,
    first: int,
    last: int,
    below: IntegerArray,
    lowest: Int64Array,
    middle: Int64Array,
) -> None:
    """Add up pairs, shape (4, 4), within rows of higher neighbours, and of higher with lower neighbours."""
    above = np.zeros(4, np.int64)
    for c in range(first, last):
        above[:] = 0
        for p in range(indptr[c], indptr[c + 1]):
            y = state[p]
            for x in range(1, 4):
                lowest[x, y] += above[x]
                middle[x, y] += below[c, x]
            above[y] += 1
