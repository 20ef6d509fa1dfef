/* Triangles {u, v, w}, u > v > w, by the middle vertex v, for the v and u that are listed.
 *
 * Computes: their number, a part from each thread; or, with BY_VERTEX, how many each vertex is in; or, with BY_EDGE, how
 *   many each entry of the rows is in.
 * Requires: rows of an oriented graph; for each task a middle vertex and a part of its list, the rows u that hold v.
 * Idea: a team puts N+(v) into a small filter of bits in local memory, then walks each row u up to v, eight entries at
 *   a time: what the filter lets through is looked up in N+(v) by binary search.
 * Cost: a test for each two entries of a row that are listed; the rows are read once for each v in them.
 */

#define FILTER 64u /* words of 32 bits */
#define WIDTH 8u   /* lanes that walk one row: what they read at a time is one sector of memory */

FUNCTION u32 hashed(u32 w) { return (w * 2654435761u) >> 21; }

KERNEL void list_triangles(GLOBAL const i64 *RESTRICT indptr, GLOBAL const u32 *RESTRICT indices,
                           GLOBAL const i64 *RESTRICT list_ptr, GLOBAL const u32 *RESTRICT ends,
                           GLOBAL const u32 *RESTRICT middles, GLOBAL const i64 *RESTRICT starts, u64 count,
                           u32 part, GLOBAL u32 *counts, GLOBAL u64 *parts) {
    LOCAL_ARRAY(u32, filters, TEAMS * FILTER);
    LOCAL_ARRAY(u32, scratch, TEAMS * (LANES + 1));
    u32 lane = THREAD % LANES, team = THREAD / LANES;
    LOCAL u32 *filter = filters + team * FILTER;
    LOCAL u32 *own = scratch + team * (LANES + 1);
    u64 task = BLOCK * TEAMS + team;
    u64 total = 0;
#if TEAMS > 1
    if (task >= count)
        return;
#endif
    u32 v = middles[task];
    i64 first = indptr[v], last = indptr[v + 1];
    i64 start = starts[task], stop = list_ptr[v + 1];
    if (stop > start + part)
        stop = start + part;
    for (u32 i = lane; i < FILTER; i += LANES)
        filter[i] = 0;
    TEAM_BARRIER();
    for (i64 i = first + lane; i < last; i += LANES) {
        u32 place = hashed(indices[i]);
        OR_U32(&filter[place >> 5], 1u << (place & 31));
    }
    TEAM_BARRIER();
#ifdef BY_VERTEX
    LOCAL u32 *at_v = own + LANES;
    if (lane == 0)
        *at_v = 0;
    TEAM_BARRIER();
#endif
    for (i64 base = start; base < stop; base += LANES / WIDTH) {
        i64 k = base + lane / WIDTH;
        u32 hits = 0;
#ifndef NUMBER
        u32 u = 0;
#endif
#ifdef BY_EDGE
        i64 entry = -1;
#endif
        if (k < stop) {
#ifdef NUMBER
            u32 u = ends[k];
#else
            u = ends[k];
#endif
            i64 end = indptr[u + 1];
            for (i64 p = indptr[u] + lane % WIDTH; p < end; p += WIDTH) {
                u32 w = indices[p], place;
                if (w >= v) {
#ifdef BY_EDGE
                    if (w == v)
                        entry = p;
#endif
                    break;
                }
                place = hashed(w);
                if (filter[place >> 5] >> (place & 31) & 1) {
                    i64 low = first, high = last;
                    while (low < high) {
                        i64 middle = (low + high) >> 1;
                        if (indices[middle] < w)
                            low = middle + 1;
                        else
                            high = middle;
                    }
                    if (low < last && indices[low] == w) {
                        hits += 1;
#ifdef BY_VERTEX
                        add_count(counts, w, 1);
#endif
#ifdef BY_EDGE
                        ADD_U32(&counts[p], 1);
                        ADD_U32(&counts[low], 1);
#endif
                    }
                }
            }
        }
#ifdef NUMBER
        total += hits;
#else
        TEAM_SUM(hits, WIDTH, own);
#ifdef BY_VERTEX
        if (lane % WIDTH == 0) {
            add_count(counts, u, hits);
            ADD_U32(at_v, hits);
        }
#endif
#ifdef BY_EDGE
        if (entry >= 0 && hits > 0)
            ADD_U32(&counts[entry], hits);
#endif
#endif
    }
#ifdef BY_VERTEX
    TEAM_BARRIER();
    if (lane == 0)
        add_count(counts, v, *at_v);
#endif
#ifdef NUMBER
    parts[GLOBAL_THREAD] = total;
#endif
}
