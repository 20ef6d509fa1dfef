/* Triangles {u, v, w} of ranks u > v > w whose vertex w is among the marked ranks, by the middle vertex v.
 *
 * Computes: with NUMBER a count from each team, in `parts`; with BY_VERTEX the number of triangles at each vertex.
 * Requires: the rows of an oriented graph and its list tasks (list_walk.h); `low_end`, where the columns below MARKED,
 *   at most 65,472 and a multiple of 64, end in each row. These columns of row u stand in `units` from `unit_ptr[u]` up
 *   to `unit_ptr[u + 1]`, eight in 16 bytes; the last unit of a row is filled up with the number MARKED. ACROSS lanes,
 *   a power of two, walk a row.
 * Idea: most columns of a row have low ranks. A team marks those of v in a bitmap in local memory, a bit for each rank
 *   below MARKED, and tests those of each row u of the list there: no hash, no search, and two bytes a column, as in
 *   LOTUS (Koohi Esfahani, Kilpatrick and Vandierendonck 2022, PPoPP, 219). The place of w in the row of v is the
 *   number of marks below it. A task has so few rows that 16 bits hold its count at w.
 * Cost: a test in local memory for each marked column of each listed row up to v; with BY_VERTEX again for each
 *   further COLLECTED marked columns of v.
 */

#define UNIT 8u /* columns in a unit */
#define BITMAP (MARKED / 32 + 1)
#define ROWS (LANES / ACROSS) /* rows that a team walks at once */
#ifdef BY_VERTEX
#define COLLECTED 1024u /* columns of v that are marked at once */
#else
#define COLLECTED MARKED
#endif

#ifdef BY_VERTEX
#define TEST(w)                                                                                                        \
    {                                                                                                                  \
        u32 word = marks[(w) >> 5], bit = 1u << ((w) & 31);                                                            \
        if (word & bit) {                                                                                              \
            u32 place = below[(w) >> 5] + POPCOUNT32(word & (bit - 1));                                                \
            ADD_U32(&at_w[place >> 1], 1u << 16 * (place & 1));                                                        \
            hits += 1;                                                                                                 \
        }                                                                                                              \
    }
#else
#define TEST(w) hits += marks[(w) >> 5] >> ((w) & 31) & 1
#endif
#define TEST_PAIR(pair)                                                                                                \
    TEST((pair) & 0xffff);                                                                                             \
    TEST((pair) >> 16);

KERNEL void hub_lists(LIST_TASKS, GLOBAL const i64 *RESTRICT low_end, GLOBAL const u32 *RESTRICT unit_ptr,
                      GLOBAL const uint4 *RESTRICT units, GLOBAL u32 *counts, GLOBAL u64 *parts) {
    LOCAL_ARRAY(u32, bitmaps, TEAMS * BITMAP);
    LOCAL_ARRAY(u32, scratch, TEAMS * LANES);
#ifdef BY_VERTEX
    LOCAL_ARRAY(unsigned short, marks_below, TEAMS * BITMAP);
    LOCAL_ARRAY(u32, collected, TEAMS * COLLECTED / 2);
#endif
    TEAM_LIST;
    LOCAL u32 *marks = OWN(bitmaps, BITMAP), *own = OWN(scratch, LANES);
#ifdef BY_VERTEX
    LOCAL unsigned short *below = OWN(marks_below, BITMAP);
    LOCAL u32 *at_w = OWN(collected, COLLECTED / 2);
#endif
    u64 total = 0;
    for (i64 first = indptr[v]; first < low_end[v]; first += COLLECTED) {
        i64 last = low_end[v] < first + COLLECTED ? low_end[v] : first + COLLECTED;
        u32 beyond = last < low_end[v] ? indices[last] : v_rank;
        u32 begin = 0, end = 0, u = 0;
        TEAM_BARRIER();
        for (u32 i = lane; i < BITMAP; i += LANES)
            marks[i] = 0;
#ifdef BY_VERTEX
        for (u32 i = lane; i < COLLECTED / 2; i += LANES)
            at_w[i] = 0;
#endif
        TEAM_BARRIER();
        for (i64 i = first + lane; i < last; i += LANES) {
            u32 w = indices[i];
            OR_U32(&marks[w >> 5], 1u << (w & 31));
#ifdef BY_VERTEX
            if (i == first || indices[i - 1] >> 5 != w >> 5)
                below[w >> 5] = (unsigned short)(i - first);
#endif
        }
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
                if ((unit.x & 0xffff) >= beyond)
                    break;
                TEST_PAIR(unit.x)
                TEST_PAIR(unit.y)
                TEST_PAIR(unit.z)
                TEST_PAIR(unit.w)
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
#ifdef BY_VERTEX
        TEAM_BARRIER();
        for (i64 i = first + lane; i < last; i += LANES) {
            u32 here = at_w[(i - first) >> 1] >> 16 * ((i - first) & 1) & 0xffff;
            if (here > 0)
                ADD_WIDE(counts, indices[i], here);
        }
#endif
    }
    TEAM_SUM_WIDE(total, LANES, own)
    if (lane == 0)
#ifdef BY_VERTEX
        ADD_WIDE(counts, v_rank, total);
#else
        parts[task] = total;
#endif
}
