/* Triangles {u, v, w}, u > v > w, by the middle vertex v, for the v and u that are listed.
 *
 * Computes: their number, a part from each team; or, with BY_VERTEX, how many each vertex is in; or, with BY_EDGE, how
 *   many each entry of the rows is in.
 * Requires: rows of an oriented graph; for each task a middle vertex and where its part of the list begins: the rows u
 *   that hold v, at most `part` of them.
 * Idea: a team puts N+(v), part by part, into a hash table in local memory, then walks each row u, four entries at a
 *   time, where it can meet the part, and looks each up. What w collects stays in local memory until the end. Each
 *   launch takes every `step`th of the tasks from `first_task` on, so that several devices share them.
 * Cost: a look-up for each two entries of a row that are listed; the rows are read once for each v in them, and
 *   searched once for each further part of N+(v).
 */

#define ROWS (LANES / WIDTH)

KERNEL void list_triangles(GLOBAL const i64 *RESTRICT indptr, GLOBAL const u32 *RESTRICT indices,
                           GLOBAL const i64 *RESTRICT list_ptr, GLOBAL const u32 *RESTRICT ends,
                           GLOBAL const u32 *RESTRICT middles, GLOBAL const i64 *RESTRICT starts,
                           u64 first_task, u64 step, u64 count, u32 part, GLOBAL u32 *counts, GLOBAL u64 *parts) {
    LOCAL_ARRAY(u32, tables, TEAMS * TABLE);
    LOCAL_ARRAY(u32, scratch, TEAMS * (LANES + 1));
    LOCAL u32 *own = scratch + THREAD / LANES * (LANES + 1);
#ifndef NUMBER
    LOCAL_ARRAY(unsigned short, places, TEAMS * TABLE);
    LOCAL_ARRAY(u32, collected, TEAMS * ENTRIES);
    LOCAL unsigned short *place_of = places + THREAD / LANES * TABLE;
    LOCAL u32 *at_w = collected + THREAD / LANES * ENTRIES;
    LOCAL u32 *at_v = own + LANES;
#endif
    u32 lane = THREAD % LANES;
    LOCAL u32 *table = tables + THREAD / LANES * TABLE;
    u64 task = BLOCK * TEAMS + THREAD / LANES;
    u64 total = 0;
    u32 v;
    i64 start, stop;
#if TEAMS > 1
    if (task >= count)
        return;
#endif
    v = middles[first_task + step * task];
    start = starts[first_task + step * task];
    stop = end_of_task(indptr, list_ptr, v, start, part);
#ifndef NUMBER
    if (lane == 0)
        *at_v = 0;
#endif
    for (i64 first = indptr[v]; first < indptr[v + 1]; first += ENTRIES) {
        i64 last = indptr[v + 1] < first + ENTRIES ? indptr[v + 1] : first + ENTRIES;
        u32 lowest = first > indptr[v] ? indices[first] : 0;
        u32 beyond = last < indptr[v + 1] ? indices[last] : v;
        u32 mask = slots_for(SPREAD / 2 * (u32)(last - first));
        TEAM_BARRIER();
        for (u32 i = lane; i <= mask; i += LANES)
            table[i] = EMPTY;
#ifndef NUMBER
        for (u32 i = lane; i < (u32)(last - first); i += LANES)
            at_w[i] = 0;
#endif
        TEAM_BARRIER();
        for (i64 i = first + lane; i < last; i += LANES) {
#ifdef NUMBER
            put_in(table, mask, indices[i]);
#else
            place_of[put_in(table, mask, indices[i])] = (unsigned short)(i - first);
#endif
        }
        TEAM_BARRIER();
        for (i64 base = start; base < stop; base += ROWS) {
            i64 k = base + lane / WIDTH;
            u32 u = 0, hits = 0;
            if (k < stop) {
                i64 p, end;
                u32 w;
                u = ends[k];
                p = indptr[u];
                end = indptr[u + 1];
                if (lowest > 0)
                    p = first_from(indices, p, end, lowest);
                p += lane % WIDTH;
                w = p < end ? indices[p] : beyond;
                while (w < beyond) { /* what is read of global memory is asked for before it is needed */
                    i64 ahead = p + WIDTH;
                    u32 next = ahead < end ? indices[ahead] : beyond;
                    u32 slot = slot_of(table, mask, w);
                    if (slot != EMPTY) {
                        hits += 1;
#ifndef NUMBER
                        ADD_U32(&at_w[place_of[slot]], 1);
#endif
#ifdef BY_EDGE
                        ADD_U32(&counts[p], 1);
#endif
                    }
                    p = ahead;
                    w = next;
                }
            }
#ifdef NUMBER
            total += hits;
#else
            TEAM_SUM(hits, WIDTH, own);
            if (lane % WIDTH == 0 && hits > 0) {
#ifdef BY_EDGE
                ADD_U32(&counts[first_from(indices, indptr[u], indptr[u + 1], v)], hits);
#else
                ADD_WIDE(counts, u, hits);
                ADD_U32(at_v, hits);
#endif
            }
#endif
        }
#ifndef NUMBER
        TEAM_BARRIER();
        for (i64 i = first + lane; i < last; i += LANES) {
            u32 here = at_w[i - first];
            if (here > 0) {
#ifdef BY_EDGE
                ADD_U32(&counts[i], here);
#else
                ADD_WIDE(counts, indices[i], here);
#endif
            }
        }
#endif
    }
#ifdef NUMBER
    TEAM_SUM_WIDE(total, LANES, own)
    if (lane == 0)
        parts[task] = total;
#endif
#ifdef BY_VERTEX
    TEAM_BARRIER();
    if (lane == 0)
        ADD_WIDE(counts, v, *at_v);
#endif
}
