/* Closed triads of a directed graph by code, by the middle vertex v of each triangle {u, v, w}, u > v > w.
 *
 * Computes: how many triangles have each code s(uv) + 4 s(uw) + 16 s(vw), where s is the state of the entry: 1 for an arc
 *   from the larger rank, 2 for one to it, 3 for both; with LABELLED, at 64 o + code, where the bits of o say u < v,
 *   u < w and v < w by original id.
 * Requires: rows of an oriented graph with states; tasks as `list_triangles` has them; `order`, the original id at each
 *   rank, with LABELLED.
 * Idea: that of `list_triangles`, the states of N(v) beside its entries in the table. Where v stands in the row of u,
 *   which is what s(uv) is read from, is searched for first. Codes are counted in local memory.
 * Cost: a look-up for each two entries of a row, a local addition for each triangle.
 */

#ifdef LABELLED
#define CODES 512u
#else
#define CODES 64u
#endif

KERNEL void closed_triads(GLOBAL const i64 *RESTRICT indptr, GLOBAL const u32 *RESTRICT indices,
                          GLOBAL const unsigned char *RESTRICT state, GLOBAL const i64 *RESTRICT list_ptr,
                          GLOBAL const u32 *RESTRICT ends, GLOBAL const u32 *RESTRICT middles,
                          GLOBAL const i64 *RESTRICT starts, u64 first_task, u64 step, u64 count, u32 part,
                          GLOBAL const u32 *RESTRICT order, GLOBAL u32 *counts) {
    LOCAL_ARRAY(u32, tables, TEAMS * SLOTS);
    LOCAL_ARRAY(unsigned char, states, TEAMS * SLOTS);
    LOCAL_ARRAY(u32, histograms, TEAMS * CODES);
    u32 lane = THREAD % LANES;
    LOCAL u32 *table = tables + THREAD / LANES * SLOTS;
    LOCAL unsigned char *state_of = states + THREAD / LANES * SLOTS;
    LOCAL u32 *histogram = histograms + THREAD / LANES * CODES;
    u64 task = BLOCK * TEAMS + THREAD / LANES;
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
    for (u32 i = lane; i < CODES; i += LANES)
        histogram[i] = 0;
    /* N+(v), as much at a time as fills half the table. */
    for (i64 first = indptr[v]; first < indptr[v + 1]; first += HALF) {
        i64 last = indptr[v + 1] < first + HALF ? indptr[v + 1] : first + HALF;
        u32 mask = slots_for((u32)(last - first));
        TEAM_BARRIER();
        for (u32 i = lane; i <= mask; i += LANES)
            table[i] = EMPTY;
        TEAM_BARRIER();
        for (i64 i = first + lane; i < last; i += LANES)
            state_of[put_in(table, mask, indices[i])] = state[i];
        TEAM_BARRIER();
        for (i64 k = start + lane / WIDTH; k < stop; k += LANES / WIDTH) {
            u32 u = ends[k], uv;
            i64 low = indptr[u], high = indptr[u + 1];
            while (low < high) {
                i64 middle = (low + high) >> 1;
                if (indices[middle] < v)
                    low = middle + 1;
                else
                    high = middle;
            }
            uv = state[low];
            for (i64 p = indptr[u] + lane % WIDTH; p < low; p += WIDTH) {
                u32 w = indices[p];
                u32 slot = slot_of(table, mask, w);
                if (slot != EMPTY) {
                    u32 code = uv + 4u * state[p] + 16u * state_of[slot];
#ifdef LABELLED
                    code += 64u * ((order[u] < order[v] ? 1u : 0u) + (order[u] < order[w] ? 2u : 0u) +
                                   (order[v] < order[w] ? 4u : 0u));
#endif
                    ADD_U32(&histogram[code], 1);
                }
            }
        }
    }
    TEAM_BARRIER();
    for (u32 i = lane; i < CODES; i += LANES)
        add_count(counts, i, histogram[i]);
}
