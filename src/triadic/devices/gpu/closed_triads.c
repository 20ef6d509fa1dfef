/* Closed triads of a directed graph by code, by the middle vertex v of each triangle {u, v, w}, u > v > w.
 *
 * Computes: how many triangles have each code s(uv) + 4 s(uw) + 16 s(vw), where s is the state of the entry: 1 for an
 *   arc from the larger rank, 2 for one to it, 3 for both; with LABELLED, at 64 o + code, where the bits of o say u <
 *   v, u < w and v < w by original id.
 * Requires: rows of an oriented graph with states; tasks as `list_triangles` has them; the states of `list_entries`;
 *   `order`, the original id at each rank, with LABELLED.
 * Idea: that of `list_triangles`, the states of N(v) beside its entries in the table. A row is walked only where it can
 *   meet what is in the table. Codes are counted in local memory: with LABELLED by atomic additions; else each lane has
 *   its own 27, since most triangles have few codes, and lanes would wait for each other. As would blocks: `counts` has
 *   COPIES.
 * Cost: a look-up for each two entries of a row, a local addition for each triangle.
 */

#ifdef LABELLED
#define CODES 512u
#define PLACES CODES
#else
#define PLACES (KINDS * LANES)
#endif

KERNEL void closed_triads(GLOBAL const i64 *RESTRICT indptr, GLOBAL const u32 *RESTRICT indices,
                          GLOBAL const unsigned char *RESTRICT state, GLOBAL const i64 *RESTRICT list_ptr,
                          GLOBAL const u32 *RESTRICT ends, GLOBAL const unsigned char *RESTRICT list_state,
                          GLOBAL const u32 *RESTRICT middles, GLOBAL const i64 *RESTRICT starts, u64 first_task,
                          u64 step, u64 count, u32 part, GLOBAL const u32 *RESTRICT order, GLOBAL u32 *counts) {
    LOCAL_ARRAY(u32, tables, TEAMS * TABLE);
    LOCAL_ARRAY(unsigned char, states, TEAMS * TABLE);
    LOCAL_ARRAY(u32, histograms, TEAMS * PLACES);
    u32 lane = THREAD % LANES;
    LOCAL u32 *table = tables + THREAD / LANES * TABLE;
    LOCAL unsigned char *state_of = states + THREAD / LANES * TABLE;
    LOCAL u32 *histogram = histograms + THREAD / LANES * PLACES;
    u64 task = BLOCK * TEAMS + THREAD / LANES;
    u32 v;
    i64 start, stop;
#if TEAMS > 1
    if (task >= count)
        return;
#endif
    v = middles[first_task + step * task];
    start = starts[first_task + step * task];
    stop = end_of_task(indptr, list_ptr, v, start, part);
    for (u32 i = lane; i < PLACES; i += LANES)
        histogram[i] = 0;
    for (i64 first = indptr[v]; first < indptr[v + 1]; first += ENTRIES) {
        i64 last = indptr[v + 1] < first + ENTRIES ? indptr[v + 1] : first + ENTRIES;
        u32 lowest = first > indptr[v] ? indices[first] : 0;
        u32 beyond = last < indptr[v + 1] ? indices[last] : v;
        u32 mask = slots_for(SPREAD / 2 * (u32)(last - first));
        TEAM_BARRIER();
        for (u32 i = lane; i <= mask; i += LANES)
            table[i] = EMPTY;
        TEAM_BARRIER();
        for (i64 i = first + lane; i < last; i += LANES)
            state_of[put_in(table, mask, indices[i])] = state[i];
        TEAM_BARRIER();
        for (i64 k = start + lane / WIDTH; k < stop; k += LANES / WIDTH) {
            u32 u = ends[k], uv = list_state[k], w;
            i64 p = indptr[u], end = indptr[u + 1];
            if (lowest > 0)
                p = first_from(indices, p, end, lowest);
            p += lane % WIDTH;
            w = p < end ? indices[p] : beyond;
            while (w < beyond) { /* what is read of global memory is asked for before it is needed */
                u32 uw = state[p], next, slot;
                p += WIDTH;
                next = p < end ? indices[p] : beyond;
                slot = slot_of(table, mask, w);
                if (slot != EMPTY) {
#ifdef LABELLED
                    u32 code = uv + 4 * uw + 16 * state_of[slot];
                    code += 64u * ((order[u] < order[v] ? 1u : 0u) + (order[u] < order[w] ? 2u : 0u) +
                                   (order[v] < order[w] ? 4u : 0u));
                    ADD_U32(&histogram[code], 1);
#else
                    histogram[kind_of(uv, uw, state_of[slot]) * LANES + lane] += 1;
#endif
                }
                w = next;
            }
        }
    }
    TEAM_BARRIER();
#ifdef LABELLED
    for (u32 i = lane; i < CODES; i += LANES)
        ADD_WIDE(counts, BLOCK % COPIES * CODES + i, histogram[i]);
#else
    add_kinds(counts, BLOCK % COPIES, histogram, lane);
#endif
}
