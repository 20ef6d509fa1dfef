/* Triangles {u, v, w} of ranks u > v > w whose vertex w is among the marked ranks, by the middle vertex v.
 *
 * Computes: with NUMBER a count from each team, in `parts`; with BY_VERTEX the number of triangles at each vertex.
 * Requires: the rows of an oriented graph and its list tasks (list_walk.h); `low_end`, where the columns below MARKED,
 *   at most 65,472 and a multiple of 64, end in each row. These columns of row u stand in `units` from `unit_ptr[u]` up
 *   to `unit_ptr[u + 1]`, eight in 16 bytes; the last unit of a row is filled up with the number MARKED. ACROSS lanes,
 *   a power of two, walk a row. With BY_VERTEX there are `blocks` blocks, with so few tasks each that counts at w fit 32 bits.
 * Idea: most columns of a row have low ranks. A team marks those of v in a bitmap in local memory, a bit for each rank
 *   below MARKED, and tests those of each row u of the list there: no hash, no search, and two bytes a column, as in
 *   LOTUS (Koohi Esfahani, Kilpatrick and Vandierendonck 2022, PPoPP, 219). Most matches are at the lowest ranks, so
 *   that all teams of a block add to the same COUNTED counts in local memory, and only matches past them to global
 *   memory. The teams of a block take its tasks from one queue. Each block has every `blocks`-th task, since the tasks of
 *   the lowest ranks take longest.
 * Cost: a test in local memory for each marked column of each listed row up to v; with BY_VERTEX an addition there for
 *   each match, and COUNTED additions in global memory for each block.
 */

#define UNIT 8u /* columns in a unit */
#define BITMAP (MARKED / 32 + 1)
#define ROWS (LANES / ACROSS) /* rows that a team walks at once */

#ifdef BY_VERTEX
#define TEST(w)                                                                                                        \
    if (marks[(w) >> 5] >> ((w) & 31) & 1) {                                                                           \
        hits += 1;                                                                                                     \
        before = last;                                                                                                 \
        last = w;                                                                                                      \
        ADD_U32(&at_w[(w) < COUNTED ? (w) : COUNTED], 1);                                                              \
    }
#else
#define TEST(w) hits += marks[(w) >> 5] >> ((w) & 31) & 1;
#endif
#define TEST_PAIR(pair)                                                                                                \
    TEST((pair) & 0xffff)                                                                                              \
    TEST((pair) >> 16)

#ifdef BY_VERTEX
/* Add the matches of a unit past COUNTED other than `last`: few units have any. */
FUNCTION void add_past_counted(uint4 unit, u32 last, LOCAL const u32 *marks, GLOBAL u32 *counts) {
    u32 pairs[4] = {unit.x, unit.y, unit.z, unit.w};
    for (u32 t = 0; t < UNIT; t++) {
        u32 w = pairs[t / 2] >> 16 * (t % 2) & 0xffff;
        if (w >= COUNTED && w < last && (marks[w >> 5] >> (w & 31) & 1))
            ADD_WIDE(counts, w, 1);
    }
}

#endif

#ifdef BY_VERTEX
#define REGISTERS TWICE_ON_A_PROCESSOR(LANES *TEAMS)
#else
#define REGISTERS
#endif

KERNEL void REGISTERS hub_lists(LIST_TASKS, GLOBAL const i64 *RESTRICT low_end, GLOBAL const u32 *RESTRICT unit_ptr,
                                GLOBAL const uint4 *RESTRICT units, u32 blocks, GLOBAL u32 *counts,
                                GLOBAL u64 *parts) {
    LOCAL_ARRAY(u32, scratch, TEAMS * LANES);
#ifdef BY_VERTEX
    LOCAL_LARGE(u32, at_w, COUNTED + 1 + TEAMS * BITMAP); /* at COUNTED the matches past it; then the bitmaps */
    LOCAL_ARRAY(u32, taken, 1 + TEAMS); /* tasks that all teams have taken, and the last one of each team */
    LOCAL u32 *bitmaps = at_w + COUNTED + 1;
#else
    LOCAL_ARRAY(u32, bitmaps, TEAMS * BITMAP);
#endif
#ifdef BY_VERTEX
    u32 lane = THREAD % LANES, team = THREAD / LANES;
    for (u32 i = THREAD; i <= COUNTED; i += LANES * TEAMS)
        at_w[i] = 0;
    if (THREAD == 0)
        taken[0] = 0;
    BLOCK_BARRIER();
    for (;;) {
        u64 task;
        if (lane == 0)
            taken[1 + team] = ADD_U32(&taken[0], 1);
        TEAM_BARRIER();
        task = taken[1 + team];
        TEAM_BARRIER();
        task = BLOCK + task * blocks;
        if (task >= count)
            break;
#else
    TEAM_TASK;
    {
#endif
        u32 v = middles[first_task + step * task], v_rank = v + v_base;
        i64 start = starts[first_task + step * task];
        i64 stop = end_of_task(indptr, list_ptr, v, start, part);
        LOCAL u32 *marks = OWN(bitmaps, BITMAP), *own = OWN(scratch, LANES);
        u32 begin = 0, end = 0, u = 0;
        u64 total = 0;
        for (u32 i = lane; i < BITMAP; i += LANES)
            marks[i] = 0;
        TEAM_BARRIER();
        for (i64 i = indptr[v] + lane; i < low_end[v]; i += LANES)
            OR_U32(&marks[indices[i] >> 5], 1u << (indices[i] & 31));
        TEAM_BARRIER();
        if (start + lane / ACROSS < stop) {
            u = ends[start + lane / ACROSS];
            begin = unit_ptr[u];
            end = unit_ptr[u + 1];
        }
        for (i64 base = start; base < stop; base += ROWS) {
            i64 ahead = base + ROWS + lane / ACROSS;
            u32 hits = 0, next = 0, next_begin = 0, next_end = 0;
            if (ahead < stop) { /* the place of the next row is read while this row is tested */
                next = ends[ahead];
                next_begin = unit_ptr[next];
                next_end = unit_ptr[next + 1];
            }
            for (u32 i = begin + lane % ACROSS; i < end; i += ACROSS) {
                uint4 unit = units[i];
#ifdef BY_VERTEX
                u32 last = 0, before = 0; /* the last two matches of the unit */
#endif
                if ((unit.x & 0xffff) >= v_rank)
                    break;
                TEST_PAIR(unit.x)
                TEST_PAIR(unit.y)
                TEST_PAIR(unit.z)
                TEST_PAIR(unit.w)
#ifdef BY_VERTEX
                if (last >= COUNTED) {
                    ADD_WIDE(counts, last, 1);
                    if (before >= COUNTED)
                        add_past_counted(unit, last, marks, counts);
                }
#endif
            }
            total += hits;
#ifdef BY_VERTEX
            TEAM_SUM(hits, ACROSS, own);
            if (lane % ACROSS == 0 && hits > 0)
                ADD_WIDE(counts, u + u_base, hits);
#endif
            u = next;
            begin = next_begin;
            end = next_end;
        }
        TEAM_SUM_WIDE(total, LANES, own)
        if (lane == 0)
#ifdef BY_VERTEX
            ADD_WIDE(counts, v_rank, total);
        TEAM_BARRIER();
    }
    BLOCK_BARRIER();
    for (u32 i = THREAD; i < COUNTED; i += LANES * TEAMS)
        if (at_w[i] > 0)
            ADD_WIDE(counts, i, at_w[i]);
#else
            parts[task] = total;
    }
#endif
}
