/* Cycles of five vertices, with or without chords, at each vertex.
 *
 * Computes: the columns CYCLES, CYCLE_HALVES and CYCLE_ODD (orbit_columns.h).
 * Requires: whole rows, triangles at each edge; for `count_later_paths`, `close_cycles` and `cycles_at_middles`, in this
 *   order, tables of a batch of vertices u (pair_table.h), zero, which `clear` makes so again.
 * Idea: as on the CPU (`devices/cpu/orbits/cycle_walks.py`), a cycle is met at its vertex u of smallest rank, as an edge {w, x}
 *   and a 2-path from u to each of its ends. A value of the table has the number c of 2-paths from u to w, with the bit
 *   NEIGHBOUR if w is a neighbour of u; `other` has the sum of c over the row of w, less what passes u's edges. Walks
 *   that fold around a triangle are taken away by `take_folded`, for which the runtime adds up `found` over all rows.
 * Cost: for each u the rows of the vertices within two steps, larger ranks only; the triangles at edges.
 *
 * References: Pinar, Seshadhri and Vishal (2017), ESCAPE, WWW, for 5-cycles by 2-paths that an edge closes.
 */

#define NEIGHBOUR 0x80000000u
#define PATHS(value) ((u64)((value) & ~NEIGHBOUR))

/* The entry of the row of x past the neighbour u of smaller rank, whose edge is e. */
#define PAST(x, e) (ptr[x] + ((i64)(e) - indptr[x]) + 1)

KERNEL void count_later_paths(BATCH_ENTRIES, GLOBAL u32 *values) {
    TEAM_ENTRY;
    if (x > u && mask != 0) {
        if (lane == 0)
            OR_U32(&values[put_at(keys, base, mask, x)], NEIGHBOUR);
        for (i64 q = PAST(x, edges[p]) + lane; q < row_end; q += LANES)
            ADD_U32(&values[put_at(keys, base, mask, ends[q])], 1);
    }
}

/* Take the slots of a table that are a number of slots apart, so that hubs are spread over teams. */
KERNEL void close_cycles(GLOBAL const i64 *RESTRICT ptr, GLOBAL const u32 *RESTRICT ends, u64 first_row, u64 last_row,
                         GLOBAL const i64 *RESTRICT offset, GLOBAL const u32 *RESTRICT masks, i64 first_slot,
                         u64 count, GLOBAL const u32 *RESTRICT keys, GLOBAL const u32 *RESTRICT values,
                         GLOBAL u64 *RESTRICT other, u64 n, GLOBAL u32 *counts) {
    LOCAL_ARRAY(u64, scratch, TEAMS *LANES);
    LOCAL_ARRAY(i64, begins, TEAMS *LANES);
    LOCAL_ARRAY(u32, vertices, TEAMS *LANES);
    LOCAL_ARRAY(u32, found, TEAMS *LANES);
    LOCAL_ARRAY(u32, ballots, TEAMS);
    TEAM_TASK;
    LOCAL u64 *own = OWN(scratch, LANES);
    LOCAL i64 *begin = OWN(begins, LANES);
    LOCAL u32 *vertex = OWN(vertices, LANES), *value = OWN(found, LANES);
    i64 first = first_slot + (i64)(task * LANES);
    u64 u = row_of_slot(offset, first_row, last_row, first);
    u32 mask = masks[u], votes;
    u64 base = (u64)(offset[u] - first_slot), step = (u64)(offset[u + 1] - offset[u]) / LANES;
    u64 slot = base + (u64)(first - offset[u]) / LANES + step * lane, halves = 0, odd = 0;
    u32 mine = values[slot];
    if (PATHS(mine) > 0) {
        u32 w = mask == ALL ? (u32)(slot - base) : keys[slot] - 1;
        vertex[lane] = w;
        value[lane] = mine;
        begin[lane] = first_from(ends, ptr[w], ptr[w + 1], (u32)u + 1);
    }
    TEAM_BALLOT(votes, PATHS(mine) > 0, OWN(ballots, 1));
    TEAM_BARRIER();
    while (votes != 0) {
        u32 at = LOWEST_BIT((u64)votes);
        u32 w = vertex[at];
        u64 c = PATHS(value[at]), joined = value[at] >> 31, paths = 0, near_u = 0, at_w;
        i64 stop = ptr[w + 1];
        votes &= votes - 1;
        for (i64 q = begin[at] + lane; q < stop; q += LANES) {
            u64 there = slot_at(keys, base, mask, ends[q]);
            if (there != ABSENT) {
                u32 met = values[there];
                paths += PATHS(met);
                if (met & NEIGHBOUR)
                    near_u += PATHS(met);
            }
        }
        TEAM_SUM_U64(paths, own);
        TEAM_SUM_U64(near_u, own);
        paths -= joined * (u64)(stop - begin[at]);
        at_w = c * paths - near_u + joined * c;
        if (lane == 0) {
            other[base + (u64)(first - offset[u]) / LANES + step * at] = paths;
            ADD_AT(CYCLES, w, at_w);
        }
        halves += (u64)((i64)at_w >> 1);
        odd += at_w & 1;
    }
    if (lane == 0 && (halves != 0 || odd != 0)) {
        ADD_AT(CYCLE_HALVES, u, halves);
        ADD_AT(CYCLE_ODD, u, odd);
    }
}

KERNEL void cycles_at_middles(BATCH_ENTRIES, GLOBAL const u32 *RESTRICT values, GLOBAL const u64 *RESTRICT other, u64 n,
                              GLOBAL u32 *counts) {
    LOCAL_ARRAY(u64, scratch, TEAMS *LANES);
    TEAM_ENTRY;
    LOCAL u64 *own = OWN(scratch, LANES);
    u64 at_x = 0;
    i64 past = x > u ? PAST(x, edges[p]) : row_end;
    SKIP_IF(x < u);
    for (i64 q = past + lane; q < row_end; q += LANES)
        at_x += other[slot_at(keys, base, mask, ends[q])];
    TEAM_SUM_U64(at_x, own);
    if (lane == 0 && x > u && mask != 0) {
        at_x -= (u64)(row_end - past - 1) * PATHS(values[slot_at(keys, base, mask, x)]);
        ADD_AT(CYCLES, x, at_x);
    }
}

KERNEL void clear(u64 slots, GLOBAL u32 *keys, GLOBAL u32 *values, GLOBAL u64 *other) {
    u64 slot = GLOBAL_THREAD;
    if (slot < slots) {
        keys[slot] = 0;
        values[slot] = 0;
        other[slot] = 0;
    }
}

/* Write for each entry the triangles at its edge whose third vertex is past the entry. */
KERNEL void later_triangles(GLOBAL const u32 *RESTRICT ends, GLOBAL const u32 *RESTRICT edges,
                            GLOBAL const i64 *RESTRICT triangle_ptr, GLOBAL const u32 *RESTRICT third, u64 entries,
                            GLOBAL i64 *RESTRICT found) {
    u64 p = GLOBAL_THREAD;
    if (p < entries) {
        i64 stop = triangle_ptr[edges[p] + 1];
        found[p] = stop - first_from(third, triangle_ptr[edges[p]], stop, ends[p]);
    }
}

/* Take away the walks u - a - w - x - a - u around triangles {a, w, x}, for all neighbours u of a whose rank is below a,
 * w and x. */
KERNEL void take_folded(GLOBAL const i64 *RESTRICT indptr, GLOBAL const i64 *RESTRICT ptr,
                        GLOBAL const u32 *RESTRICT ends, GLOBAL const u32 *RESTRICT edges,
                        GLOBAL const u32 *RESTRICT owners, u64 first_entry, u64 count,
                        GLOBAL const i64 *RESTRICT triangle_ptr, GLOBAL const u32 *RESTRICT third,
                        GLOBAL const i64 *RESTRICT before, u64 n, GLOBAL u32 *counts) {
    TEAM_TASK;
    u64 p = first_entry + task, a = owners[p], x = ends[p];
    i64 higher = indptr[a + 1] - indptr[a], found = before[p + 1] - before[p];
    i64 walks = (i64)p - ptr[a] < higher ? (i64)p - ptr[a] : higher, stop = triangle_ptr[edges[p] + 1];
    if (higher == 0)
        return;
    for (i64 t = stop - found + lane; t < stop; t += LANES)
        ADD_AT(CYCLES, third[t], 0 - (u64)walks);
    if (lane == 0) {
        u64 at_x = (u64)(walks * found);
        ADD_AT(CYCLES, a, 0 - 2 * at_x);
        if (x < a)
            at_x += (u64)(before[ptr[a + 1]] - before[p + 1]);
        ADD_AT(CYCLES, x, 0 - at_x);
    }
}
