/* The graphs that rows' vertices form, and sums over their edges, by the middle vertices of triangles.
 *
 * Computes: `row_bits`, for each entry v of a row u which of the entries before v are neighbours of v, as bits, and the
 *   number of triangles {u, v, w} of ranks u > v > w at the entries w of each row v. `across_middles` adds to each u the
 *   support of {v, w} minus one for each of these triangles: that edge is the chord of as many diamonds with u off it.
 * Requires: the rows of an oriented graph, its lists and the places of their entries (rows.c). A task is a middle
 *   vertex v and a part of its list, PART rows u, of which those from `first_row` up to `last_row` are walked. The bits of the
 *   entry at place i of row u begin i (length + 63) / 64 words of 64 bits after word_ptr[u] - word_ptr[first_row]; they
 *   are zero at first. `across_middles` needs the complete supports.
 * Idea: the row of v stands in a hash table in local memory, each entry with its place. A team walks row u as far as v
 *   and looks 32 entries up at a time, so that its ballot is a word of bits.
 * Cost: a look-up for each pair of entries of a row.
 */

#define ENTRIES (HALF / 2) /* of row v in the table at a time; a quarter of the slots */
#define TEAM (THREAD / LANES)

#define MIDDLE_TASKS                                                                                                   \
    GLOBAL const i64 *RESTRICT indptr, GLOBAL const u32 *RESTRICT indices, GLOBAL const i64 *RESTRICT list_ptr,        \
        GLOBAL const u32 *RESTRICT list_ends, GLOBAL const u32 *RESTRICT places, GLOBAL const u32 *RESTRICT middles,   \
        GLOBAL const u32 *RESTRICT parts, u32 first_row, u32 last_row

/* Declare the middle vertex v of the block's task and its part of the list of v. */
#define BLOCK_MIDDLE                                                                                                   \
    u32 lane = THREAD % LANES, v = middles[BLOCK];                                                                     \
    i64 start = list_ptr[v] + (i64)parts[BLOCK] * PART, stop = list_ptr[v + 1];                                        \
    stop = start + PART < stop ? start + PART : stop;                                                                  \
    if (list_ends[start] < first_row)                                                                                  \
        start = first_from(list_ends, start, stop, first_row);                                                         \
    if (start < stop && list_ends[stop - 1] >= last_row)                                                               \
        stop = first_from(list_ends, start, stop, last_row);                                                           \
    if (start == stop)                                                                                                 \
    return

#define FOR_EACH_PART_OF_ROW for (i64 first = indptr[v]; first < indptr[v + 1]; first += ENTRIES)

/* Fill the table with a part of row v. */
#define FILL_TABLE                                                                                                     \
    i64 left = indptr[v + 1] - first;                                                                                  \
    u32 filled = left < (i64)ENTRIES ? (u32)left : ENTRIES, mask = slots_for(2 * filled);                              \
    BLOCK_BARRIER();                                                                                                   \
    for (u32 i = THREAD; i <= mask; i += THREADS)                                                                      \
        table[i] = EMPTY;                                                                                              \
    BLOCK_BARRIER();                                                                                                   \
    for (u32 i = THREAD; i < filled; i += THREADS)                                                                     \
    place_of[put_in(table, mask, indices[first + i])] = (unsigned short)i

/* Look the entries of row u before v up, 32 at a time: `slot` is the slot of a lane's entry, or EMPTY. */
#define FOR_EACH_ENTRY_BEFORE(...)                                                                                     \
    for (u32 base = 0; base < length; base += LANES) {                                                                 \
        u32 w = next, slot = EMPTY;                                                                                    \
        if (base + LANES + lane < length)                                                                              \
            next = row[base + LANES + lane];                                                                           \
        if (base + lane < length)                                                                                      \
            slot = slot_of(table, mask, w);                                                                            \
        __VA_ARGS__                                                                                                    \
    }

KERNEL void row_bits(MIDDLE_TASKS, GLOBAL const i64 *RESTRICT word_ptr, GLOBAL u32 *bits, GLOBAL u32 *support) {
    LOCAL_ARRAY(u32, table, SLOTS);
    LOCAL_ARRAY(u32, at_w, ENTRIES);
    LOCAL_ARRAY(unsigned short, place_of, SLOTS);
    LOCAL_ARRAY(u32, scratch, THREADS);
    BLOCK_MIDDLE;
    LOCAL u32 *own = scratch + TEAM * LANES;
    FOR_EACH_PART_OF_ROW {
        FILL_TABLE;
        for (u32 i = THREAD; i < filled; i += THREADS)
            at_w[i] = 0;
        BLOCK_BARRIER();
        for (i64 k = start + TEAM; k < stop; k += THREADS / LANES) {
            u32 u = list_ends[k], length = places[k], next = 0;
            i64 begin = indptr[u];
            u64 words = (u64)(indptr[u + 1] - begin + 63) / 64;
            GLOBAL const u32 *row = indices + begin;
            GLOBAL u32 *out = bits + 2 * ((u64)(word_ptr[u] - word_ptr[first_row]) + length * words);
            if (lane < length)
                next = row[lane];
            FOR_EACH_ENTRY_BEFORE(u32 votes; if (slot != EMPTY) ADD_U32(&at_w[place_of[slot]], 1);
                                  TEAM_BALLOT(votes, slot != EMPTY, own);
                                  if (lane == 0 && votes != 0) out[base / LANES] |= votes;)
        }
        BLOCK_BARRIER();
        for (u32 i = THREAD; i < filled; i += THREADS)
            if (at_w[i] > 0)
                ADD_U32(&support[first + i], at_w[i]);
    }
}

KERNEL void across_middles(MIDDLE_TASKS, GLOBAL const u32 *RESTRICT support, GLOBAL u32 *counts) {
    LOCAL_ARRAY(u32, table, SLOTS);
    LOCAL_ARRAY(u32, across, ENTRIES);
    LOCAL_ARRAY(unsigned short, place_of, SLOTS);
    LOCAL_ARRAY(u32, scratch, THREADS);
    BLOCK_MIDDLE;
    LOCAL u32 *own = scratch + TEAM * LANES;
    FOR_EACH_PART_OF_ROW {
        FILL_TABLE;
        for (u32 i = THREAD; i < filled; i += THREADS)
            across[i] = support[first + i] - 1;
        BLOCK_BARRIER();
        for (i64 k = start + TEAM; k < stop; k += THREADS / LANES) {
            u32 u = list_ends[k], length = places[k], next = 0;
            GLOBAL const u32 *row = indices + indptr[u];
            u64 at_u = 0;
            if (lane < length)
                next = row[lane];
            FOR_EACH_ENTRY_BEFORE(if (slot != EMPTY) at_u += across[place_of[slot]];)
            TEAM_SUM_WIDE(at_u, LANES, own)
            if (lane == 0 && at_u > 0)
                ADD_WIDE(counts, u, at_u);
        }
    }
}
