/* Squares, the 4-cycles with and without chords, at each vertex.
 *
 * Computes: for each listed u the squares u - v - w - v' in which u has the smallest rank, at all four vertices.
 * Requires: the rows of an oriented graph, and for each vertex v the list of all rows that hold it. A batch of vertices
 *   with many 2-paths needs its segments, the number of 2-paths before each segment, and `paths`, n counters for each
 *   u, zero at first and left zero.
 * Idea: the squares of u and w are the pairs of 2-paths u - v - w with v and w of larger rank than u (Chiba and
 *   Nishizeki 1985, SIAM Journal on Computing 14, 210). If u has few 2-paths, a team counts them by w in a hash table.
 *   Otherwise all teams count the 2-paths of a batch of vertices in global memory, an equal slice each, and walk them a
 *   second time: the counter of w then gives the squares at v and u. The squares at w come from the counters of the
 *   batch if the 2-paths are a good part of these, and otherwise from a third walk. At u each square is found twice, so
 *   these counts are added up apart, at n + u, and halved by the host.
 * Cost: two or three walks over the 2-paths, at most the sum over the edges of the smaller degree; 4 n bytes for each
 *   vertex of a batch.
 */

/* Return the last of `count` places whose value is at most `at`. Values never fall; the first is at most `at`. */
FUNCTION u64 last_not_after(GLOBAL const i64 *values, u64 count, i64 at) {
    u64 low = 0, high = count;
    while (low + 1 < high) {
        u64 middle = (low + high) >> 1;
        if (values[middle] <= at)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Count the 2-paths u - v - w of each u with v and w of larger rank, and w from rank `beyond` up to `last`. */
KERNEL void number_of_paths(GLOBAL const i64 *RESTRICT indptr, GLOBAL const u32 *RESTRICT indices,
                            GLOBAL const i64 *RESTRICT ptr, GLOBAL const u32 *RESTRICT ends, u64 rows, u32 beyond,
                            u32 last, GLOBAL u32 *number) {
    u64 v = BLOCK * TEAMS + THREAD / LANES;
    if (v < rows) {
        i64 start = indptr[v], length = indptr[v + 1] - start, all = length + ptr[v + 1] - ptr[v], below = 0;
        if (beyond > 0)
            below = first_from(indices, start, start + length, beyond) - start +
                    first_from(ends, ptr[v], ptr[v + 1], beyond) - ptr[v];
        if (last < rows)
            all = first_from(indices, start, start + length, last) - start +
                  first_from(ends, ptr[v], ptr[v + 1], last) - ptr[v];
        for (i64 i = THREAD % LANES; i < length; i += LANES) {
            i64 from = i < below ? below : i + 1;
            if (from < all)
                ADD_WIDE(number, indices[start + i], (u64)(all - from));
        }
    }
}

KERNEL void squares_of_few(ROW_TASKS, GLOBAL const i64 *RESTRICT ptr, GLOBAL const u32 *RESTRICT ends,
                           GLOBAL const u64 *RESTRICT number, GLOBAL u32 *counts) {
    LOCAL_ARRAY(u32, tables, TEAMS * SLOTS);
    LOCAL_ARRAY(u32, found, TEAMS * SLOTS);
    LOCAL_ARRAY(u32, scratch, TEAMS * (LANES + 1));
    TEAM_TASK;
    LOCAL u32 *table = OWN(tables, SLOTS), *paths = OWN(found, SLOTS), *own = OWN(scratch, LANES + 1);
    u32 u = rows[first_task + step * task], mask = slots_for((u32)number[u]);
    i64 start = ptr[u], stop = ptr[u + 1];
    for (u32 i = lane; i <= mask; i += LANES) {
        table[i] = EMPTY;
        paths[i] = 0;
    }
    if (lane == 0)
        own[LANES] = 0;
    TEAM_BARRIER();
    for (i64 k = start + lane / WIDTH; k < stop; k += LANES / WIDTH) {
        u32 v = ends[k];
        i64 entry = first_from(indices, indptr[v], indptr[v + 1], u + 1);
        i64 in_row = indptr[v + 1] - entry, all = in_row + ptr[v + 1] - ptr[v];
        for (i64 i = lane % WIDTH; i < all; i += WIDTH) {
            u32 w = i < in_row ? indices[entry + i] : ends[ptr[v] + i - in_row];
            ADD_U32(&paths[put_in(table, mask, w)], 1);
        }
    }
    TEAM_BARRIER();
    for (i64 base = start; base < stop; base += LANES / WIDTH) {
        i64 k = base + lane / WIDTH;
        u32 at_v = 0, v = 0;
        if (k < stop) {
            i64 entry, in_row, all;
            v = ends[k];
            entry = first_from(indices, indptr[v], indptr[v + 1], u + 1);
            in_row = indptr[v + 1] - entry;
            all = in_row + ptr[v + 1] - ptr[v];
            for (i64 i = lane % WIDTH; i < all; i += WIDTH) {
                u32 w = i < in_row ? indices[entry + i] : ends[ptr[v] + i - in_row];
                at_v += paths[slot_of(table, mask, w)] - 1;
            }
        }
        TEAM_SUM(at_v, WIDTH, own);
        if (k < stop && lane % WIDTH == 0 && at_v > 0) {
            ADD_WIDE(counts, v, at_v);
            ADD_U32(&own[LANES], at_v);
        }
    }
    TEAM_BARRIER();
    if (own[LANES] > 0) {
        for (u32 i = lane; i <= mask; i += LANES)
            if (paths[i] > 1)
                ADD_WIDE(counts, table[i], paths[i] * (paths[i] - 1) / 2);
        if (lane == 0)
            ADD_WIDE(counts, u, own[LANES] / 2);
    }
}

/* List the 2-paths of a batch of vertices as segments, one after another: one for each u and each v in its list. */
KERNEL void segments(GLOBAL const i64 *RESTRICT indptr, GLOBAL const u32 *RESTRICT indices,
                     GLOBAL const i64 *RESTRICT ptr, GLOBAL const u32 *RESTRICT ends, GLOBAL const u32 *RESTRICT rows,
                     u64 first_row, u64 batch, u32 beyond, u32 last, GLOBAL const i64 *RESTRICT segment_ptr, u64 count,
                     GLOBAL u32 *RESTRICT owners, GLOBAL u32 *RESTRICT middles, GLOBAL i64 *RESTRICT entries,
                     GLOBAL i64 *RESTRICT lists, GLOBAL i64 *RESTRICT lengths, GLOBAL u32 *RESTRICT in_rows) {
    u64 segment = GLOBAL_THREAD;
    if (segment < count) {
        u64 owner = last_not_after(segment_ptr, batch, (i64)segment);
        u32 u = rows[first_row + owner], v = ends[ptr[u] + ((i64)segment - segment_ptr[owner])];
        i64 entry = first_from(indices, indptr[v], indptr[v + 1], u + 1 < beyond ? beyond : u + 1);
        i64 list = beyond <= v ? ptr[v] : first_from(ends, ptr[v], ptr[v + 1], beyond);
        i64 row_end = last > v ? indptr[v + 1] : first_from(indices, entry, indptr[v + 1], last);
        i64 list_end = first_from(ends, list, ptr[v + 1], last);
        owners[segment] = (u32)owner;
        middles[segment] = v;
        entries[segment] = entry;
        in_rows[segment] = (u32)(row_end - entry);
        lists[segment] = list;
        lengths[segment] = row_end - entry + list_end - list;
    }
}

#define PATHS_OF_A_BATCH                                                                                               \
    GLOBAL const u32 *RESTRICT indices, GLOBAL const u32 *RESTRICT ends, GLOBAL const u32 *RESTRICT rows,              \
        u64 first_row, GLOBAL const u32 *RESTRICT owners, GLOBAL const u32 *RESTRICT middles,                          \
        GLOBAL const i64 *RESTRICT entries, GLOBAL const i64 *RESTRICT lists, GLOBAL const u32 *RESTRICT in_rows,      \
        GLOBAL const i64 *RESTRICT before, u64 count, u64 all, u64 vertices, u64 columns, u32 beyond,                     \
        GLOBAL u32 *RESTRICT paths,                                                                                    \
        GLOBAL u32 *RESTRICT counts

/* Walk SLICE 2-paths with a team, segment by segment. EACH runs in one lane for each w, whose counter is path[w]; the
 * statement after EACH runs in all lanes at the end of each segment. */
#define FOR_EACH_PATH(EACH, ...)                                                                                       \
    i64 begin = (i64)((BLOCK * TEAMS + THREAD / LANES) * SLICE);                                                       \
    i64 stop = begin + SLICE < (i64)all ? begin + SLICE : (i64)all;                                                    \
    if (begin < stop) {                                                                                                \
        for (u64 segment = last_not_after(before, count, begin); begin < stop; segment++) {                            \
            i64 from = before[segment], next = before[segment + 1], to = next < stop ? next : stop;                    \
            i64 row = entries[segment] - from, row_end = from + in_rows[segment], list = lists[segment] - row_end;     \
            GLOBAL u32 *path = paths + owners[segment] * columns;                                                        \
            for (i64 at = begin + THREAD % LANES; at < to; at += LANES) {                                              \
                u32 w = at < row_end ? indices[row + at] : ends[list + at];                                            \
                EACH;                                                                                                  \
            }                                                                                                          \
            __VA_ARGS__;                                                                                               \
            begin = to;                                                                                                \
        }                                                                                                              \
    }

KERNEL void count_paths(PATHS_OF_A_BATCH) { FOR_EACH_PATH(ADD_U32(&path[w - beyond], 1), ) }

KERNEL void squares_at_middles(PATHS_OF_A_BATCH) {
    LOCAL_ARRAY(u32, scratch, TEAMS * LANES);
    LOCAL u32 *own = scratch + THREAD / LANES * LANES;
    u64 found = 0, at_u = 0;
    u32 owner = 0;
    FOR_EACH_PATH(found += path[w - beyond] - 1, {
        TEAM_SUM_WIDE(found, LANES, own)
        if (owners[segment] != owner) {
            if (THREAD % LANES == 0)
                ADD_WIDE(counts, vertices + rows[first_row + owner], at_u);
            owner = owners[segment];
            at_u = 0;
        }
        if (THREAD % LANES == 0)
            ADD_WIDE(counts, middles[segment], found);
        at_u += found;
        found = 0;
    })
    if (THREAD % LANES == 0)
        ADD_WIDE(counts, vertices + rows[first_row + owner], at_u);
}

/* The squares at w, found by the 2-paths: the lane that comes first takes the counter. */
KERNEL void squares_across(PATHS_OF_A_BATCH) {
    FOR_EACH_PATH(
        u32 c = TAKE_U32(&path[w - beyond]); if (c > 1) ADD_WIDE(counts, w, (u64)c * (c - 1) / 2), )
}

/* The squares at w, found by the counters of all vertices of the batch. */
KERNEL void squares_of_counters(u64 vertices, u32 batch, u32 beyond, GLOBAL u32 *paths, GLOBAL u32 *counts) {
    u64 w = GLOBAL_THREAD;
    if (w < vertices) {
        u64 at_w = 0;
        for (u32 owner = 0; owner < batch; owner++) {
            u64 c = paths[owner * vertices + w];
            if (c > 0) {
                paths[owner * vertices + w] = 0;
                at_w += c * (c - 1) / 2;
            }
        }
        ADD_WIDE(counts, w + beyond, at_w);
    }
}
