/* Triangles {u, v, w}, u > v > w, by the middle vertex v, for the v and u that are listed.
 *
 * Computes: their number, a part from each team; or, with BY_VERTEX, how many each vertex is in; or, with BY_EDGE, how
 *   many each entry of the rows is in.
 * Requires: rows of an oriented graph; for each task a middle vertex and where its part of the list begins: the rows u
 *   that hold v, at most `part` of them.
 * Idea: a team puts N+(v) into a hash table in local memory, at most half full, then walks each row u up to v, four
 *   entries at a time, and looks each up. What w collects stays in the table until the end.
 *   Each launch takes every `step`th of the tasks from `first_task` on, so that several devices share them.
 * Cost: a look-up for each two entries of a row that are listed; the rows are read once for each v in them.
 */

KERNEL void list_triangles(GLOBAL const i64 *RESTRICT indptr, GLOBAL const u32 *RESTRICT indices,
                           GLOBAL const i64 *RESTRICT list_ptr, GLOBAL const u32 *RESTRICT ends,
                           GLOBAL const u32 *RESTRICT middles, GLOBAL const i64 *RESTRICT starts,
                           u64 first_task, u64 step, u64 count, u32 part, GLOBAL u32 *counts, GLOBAL u64 *parts) {
    LOCAL_ARRAY(u32, tables, TEAMS * SLOTS);
    LOCAL_ARRAY(u32, scratch, TEAMS * (LANES + 1));
    LOCAL u32 *own = scratch + THREAD / LANES * (LANES + 1);
#ifndef NUMBER
    LOCAL_ARRAY(u32, collected, TEAMS * SLOTS);
    LOCAL u32 *collect = collected + THREAD / LANES * SLOTS;
    LOCAL u32 *at_v = own + LANES;
#endif
    u32 lane = THREAD % LANES;
    LOCAL u32 *table = tables + THREAD / LANES * SLOTS;
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
    stop = list_ptr[v + 1];
    if (stop > start + part)
        stop = start + part;
#ifndef NUMBER
    if (lane == 0)
        *at_v = 0;
#endif
    /* N+(v), as much at a time as fills half the table. */
    for (i64 first = indptr[v]; first < indptr[v + 1]; first += HALF) {
        i64 last = indptr[v + 1] < first + HALF ? indptr[v + 1] : first + HALF;
        u32 mask = slots_for((u32)(last - first));
        TEAM_BARRIER();
        for (u32 i = lane; i <= mask; i += LANES) {
            table[i] = EMPTY;
#ifndef NUMBER
            collect[i] = 0;
#endif
        }
        TEAM_BARRIER();
        for (i64 i = first + lane; i < last; i += LANES)
            put_in(table, mask, indices[i]);
        TEAM_BARRIER();
        for (i64 base = start; base < stop; base += LANES / WIDTH) {
            i64 k = base + lane / WIDTH;
            u32 hits = 0;
#ifndef NUMBER
            u32 u = 0;
            i64 entry = -1;
#endif
            if (k < stop) {
                u32 end_row = ends[k];
                i64 end = indptr[end_row + 1];
#ifndef NUMBER
                u = end_row;
#endif
                for (i64 p = indptr[end_row] + lane % WIDTH; p < end; p += WIDTH) {
                    u32 w = indices[p], slot;
                    if (w >= v) {
#ifndef NUMBER
                        if (w == v)
                            entry = p;
#endif
                        break;
                    }
                    slot = slot_of(table, mask, w);
                    if (slot != EMPTY) {
                        hits += 1;
#ifndef NUMBER
                        ADD_U32(&collect[slot], 1);
#endif
#ifdef BY_EDGE
                        ADD_U32(&counts[p], 1);
#endif
                    }
                }
            }
#ifdef NUMBER
            total += hits;
#else
            TEAM_SUM(hits, WIDTH, own);
#ifdef BY_EDGE
            if (entry >= 0)
                ADD_U32(&counts[entry], hits);
#else
            if (lane % WIDTH == 0) {
                add_count(counts, u, hits);
                ADD_U32(at_v, hits);
            }
#endif
#endif
        }
#ifndef NUMBER
        TEAM_BARRIER();
        for (i64 i = first + lane; i < last; i += LANES) {
            u32 here = collect[slot_of(table, mask, indices[i])];
#ifdef BY_EDGE
            if (here > 0)
                ADD_U32(&counts[i], here);
#else
            add_count(counts, indices[i], here);
#endif
        }
#endif
    }
#ifdef NUMBER
    TEAM_SUM_WIDE(total, own)
    if (lane == 0)
        parts[task] = total;
#endif
#ifdef BY_VERTEX
    TEAM_BARRIER();
    if (lane == 0)
        add_count(counts, v, *at_v);
#endif
}
