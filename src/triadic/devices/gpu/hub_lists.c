/* Triangles {u, v, w} of ranks u > v > w in which w is a hub and v is none, by the middle vertex v.
 *
 * Computes: with NUMBER a count from each team, in `parts`; with BY_VERTEX the number of triangles at each vertex.
 *   `hub_units` writes the hubs of the rows as the count reads them.
 * Requires: the rows of an oriented graph and its list tasks (list_walk.h) for the v that are no hubs; `split`, where
 *   the hubs of each row end; at most 65,472 HUBS, a multiple of 64. The hubs of row u stand in `units` from
 *   `unit_ptr[u]` up to `unit_ptr[u + 1]`, eight in 16 bytes; the last unit of a row is filled up with the number HUBS.
 * Idea: most columns of a row are hubs. A team marks the hubs of v in a bitmap in local memory, one bit for each hub of
 *   the graph, and tests the hubs of each row u of the list there: no hash, no search, and two bytes a hub, as in LOTUS
 *   (Koohi Esfahani, Kilpatrick and Vandierendonck 2022, PPoPP, 219). The place of w among the hubs of v is the number
 *   of marks below it. A count at w in one task is at most the number of its rows, so that 16 bits hold it.
 * Cost: a test in local memory for each hub of each listed row, again for each further MARKED hubs of v.
 */

#define WIDTH 4u /* lanes that walk one row of a list */
#define ROWS (LANES / WIDTH)
#define UNIT 8u /* hubs in a unit */
#define BITMAP (HUBS / 32 + 1)
#ifdef BY_VERTEX
#define MARKED 1024u /* hubs of v that are marked at once */
#else
#define MARKED HUBS
#endif

KERNEL void hub_units(GLOBAL const i64 *RESTRICT indptr, GLOBAL const u32 *RESTRICT indices,
                      GLOBAL const i64 *RESTRICT split, GLOBAL const u32 *RESTRICT unit_ptr, u64 rows,
                      GLOBAL unsigned short *hubs) {
    u64 u = GLOBAL_THREAD / UNIT;
    if (u < rows) {
        i64 start = indptr[u], length = split[u] - start;
        u64 place = (u64)unit_ptr[u] * UNIT;
        i64 places = (i64)(unit_ptr[u + 1] - unit_ptr[u]) * UNIT;
        for (i64 i = GLOBAL_THREAD % UNIT; i < places; i += UNIT)
            hubs[place + i] = (unsigned short)(i < length ? indices[start + i] : HUBS);
    }
}

#ifdef NUMBER
#define TEST(w) hits += marks[(w) >> 5] >> ((w) & 31) & 1
#else
#define TEST(w)                                                                                                        \
    {                                                                                                                  \
        u32 word = marks[(w) >> 5], bit = 1u << ((w) & 31);                                                            \
        if (word & bit) {                                                                                              \
            u32 place = below[(w) >> 5] + POPCOUNT32(word & (bit - 1));                                                \
            ADD_U32(&at_w[place >> 1], 1u << 16 * (place & 1));                                                        \
            hits += 1;                                                                                                 \
        }                                                                                                              \
    }
#endif
#define TEST_PAIR(pair)                                                                                                \
    TEST((pair) & 0xffff);                                                                                            \
    TEST((pair) >> 16);

KERNEL void hub_lists(LIST_TASKS, GLOBAL const i64 *RESTRICT split, GLOBAL const u32 *RESTRICT unit_ptr,
                      GLOBAL const uint4 *RESTRICT units, GLOBAL u32 *counts, GLOBAL u64 *parts) {
    LOCAL_ARRAY(u32, bitmaps, TEAMS * BITMAP);
    LOCAL_ARRAY(u32, scratch, TEAMS * LANES);
#ifdef BY_VERTEX
    LOCAL_ARRAY(unsigned short, marks_below, TEAMS * BITMAP);
    LOCAL_ARRAY(u32, collected, TEAMS * MARKED / 2);
#endif
    TEAM_LIST;
    LOCAL u32 *marks = OWN(bitmaps, BITMAP), *own = OWN(scratch, LANES);
#ifdef BY_VERTEX
    LOCAL unsigned short *below = OWN(marks_below, BITMAP);
    LOCAL u32 *at_w = OWN(collected, MARKED / 2);
#endif
    u64 total = 0;
    for (i64 first = indptr[v]; first < split[v]; first += MARKED) {
        i64 last = split[v] < first + MARKED ? split[v] : first + MARKED;
        u32 begin = 0, end = 0;
        TEAM_BARRIER();
        for (u32 i = lane; i < BITMAP; i += LANES)
            marks[i] = 0;
#ifdef BY_VERTEX
        for (u32 i = lane; i < MARKED / 2; i += LANES)
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
        if (start + lane / WIDTH < stop) {
            u32 u = ends[start + lane / WIDTH];
            begin = unit_ptr[u];
            end = unit_ptr[u + 1];
        }
        for (i64 base = start; base < stop; base += ROWS) {
            i64 k = base + lane / WIDTH;
            u32 hits = 0, next_begin = 0, next_end = 0;
            if (k + ROWS < stop) { /* the place of the next row is read while this row is tested */
                u32 next = ends[k + ROWS];
                next_begin = unit_ptr[next];
                next_end = unit_ptr[next + 1];
            }
            for (u32 i = begin + lane % WIDTH; i < end; i += WIDTH) {
                uint4 unit = units[i];
                TEST_PAIR(unit.x)
                TEST_PAIR(unit.y)
                TEST_PAIR(unit.z)
                TEST_PAIR(unit.w)
            }
            total += hits;
#ifdef BY_VERTEX
            TEAM_SUM(hits, WIDTH, own);
            if (lane % WIDTH == 0 && hits > 0)
                ADD_WIDE(counts, ends[k] + u_base, hits);
#endif
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
#ifdef BY_VERTEX
    if (lane == 0)
        ADD_WIDE(counts, v_rank, total);
#else
    if (lane == 0)
        parts[task] = total;
#endif
}
