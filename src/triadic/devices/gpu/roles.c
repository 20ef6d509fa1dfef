/* Closed triads of a directed graph at each vertex by role, by the middle vertex v of triangles {u, v, w}, u > v > w.
 *
 * Computes: how many triads each vertex is in by role, which `roles` gives for u, v and w, 64 codes each.
 * Requires: rows of an oriented graph with states; tasks as `list_triangles` has them, of at most MOST rows; the states
 *   of `list_entries`.
 * Idea: that of `closed_triads`. For one w in N(v) only s(uv) and s(uw) vary, and for one u only s(uw) and s(vw): nine
 *   counts each, kept in three words as digits to the base MOST + 1, so that a triad is one addition in local memory
 *   and one in a register. What u and w collect is added to global memory when the row, or the list, is done; v has
 *   what all its w have.
 * Cost: that of `closed_triads`, and for each row, and each entry of N(v) and task, as many global additions as it
 *   meets codes.
 */

#define BASE (MOST + 1u) /* its cube fits a word; ENTRIES are at most MOST too */
#define ROWS (LANES / WIDTH)
#define ROLES 16u

/* What one more of state 1, 2 or 3 adds to a word of three counts. */
FUNCTION u32 one_more(u32 s) { return s == 1 ? 1u : s == 2 ? BASE : BASE * BASE; }

KERNEL void closed_triads_by_role(GLOBAL const i64 *RESTRICT indptr, GLOBAL const u32 *RESTRICT indices,
                                  GLOBAL const unsigned char *RESTRICT state, GLOBAL const i64 *RESTRICT list_ptr,
                                  GLOBAL const u32 *RESTRICT ends, GLOBAL const unsigned char *RESTRICT list_state,
                                  GLOBAL const u32 *RESTRICT middles, GLOBAL const i64 *RESTRICT starts,
                                  u64 first_task, u64 step, u64 count, u32 part,
                                  GLOBAL const unsigned char *RESTRICT roles, u32 width, GLOBAL u32 *counts) {
    LOCAL_ARRAY(u32, tables, TEAMS * TABLE);
    LOCAL_ARRAY(unsigned short, places, TEAMS * TABLE);
    LOCAL_ARRAY(u32, by_entry, TEAMS * 3 * ENTRIES);
    LOCAL_ARRAY(u32, by_row, TEAMS * 3 * ROWS);
    LOCAL_ARRAY(u32, middle, TEAMS * ROLES);
    u32 lane = THREAD % LANES;
    LOCAL u32 *table = tables + THREAD / LANES * TABLE;
    LOCAL unsigned short *place_of = places + THREAD / LANES * TABLE; /* 4 × where in N(v), and the state */
    LOCAL u32 *at_w = by_entry + THREAD / LANES * 3 * ENTRIES;        /* word s(uw), digit s(uv) */
    LOCAL u32 *at_u = by_row + THREAD / LANES * 3 * ROWS;             /* word s(uw), digit s(vw) */
    LOCAL u32 *at_v = middle + THREAD / LANES * ROLES;
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
    if (lane < ROLES)
        at_v[lane] = 0;
    if (lane < 3 * ROWS)
        at_u[lane] = 0;
    for (i64 first = indptr[v]; first < indptr[v + 1]; first += ENTRIES) {
        i64 last = indptr[v + 1] < first + ENTRIES ? indptr[v + 1] : first + ENTRIES;
        u32 lowest = first > indptr[v] ? indices[first] : 0;
        u32 beyond = last < indptr[v + 1] ? indices[last] : v;
        u32 mask = slots_for(SPREAD / 2 * (u32)(last - first));
        TEAM_BARRIER();
        for (u32 i = lane; i <= mask; i += LANES)
            table[i] = EMPTY;
        for (u32 i = lane; i < 3 * (u32)(last - first); i += LANES)
            at_w[i] = 0;
        TEAM_BARRIER();
        for (i64 i = first + lane; i < last; i += LANES)
            place_of[put_in(table, mask, indices[i])] = (unsigned short)(4 * (i - first) + state[i]);
        TEAM_BARRIER();
        for (i64 base = start; base < stop; base += ROWS) {
            i64 k = base + lane / WIDTH;
            if (k < stop) {
                u32 u = ends[k], of_uv = one_more(list_state[k]), met[3] = {0, 0, 0}, w;
                i64 p = indptr[u], end = indptr[u + 1];
                if (lowest > 0)
                    p = first_from(indices, p, end, lowest);
                p += lane % WIDTH;
                w = p < end ? indices[p] : beyond;
                while (w < beyond) { /* what is read of global memory is asked for before it is needed */
                    u32 uw = state[p] - 1u, next, slot;
                    p += WIDTH;
                    next = p < end ? indices[p] : beyond;
                    slot = slot_of(table, mask, w);
                    if (slot != EMPTY) {
                        u32 place = place_of[slot], of_vw = one_more(place % 4);
                        ADD_U32(&at_w[3 * (place / 4) + uw], of_uv);
                        for (u32 word = 0; word < 3; word++) /* a place that is known makes `met` registers */
                            met[word] += uw == word ? of_vw : 0;
                    }
                    w = next;
                }
                for (u32 word = 0; word < 3; word++)
                    if (met[word] > 0)
                        ADD_U32(&at_u[3 * (lane / WIDTH) + word], met[word]);
            }
            TEAM_BARRIER();
            if (lane < 3 * ROWS) {
                u32 word = at_u[lane];
                if (word > 0) {
                    i64 row = base + lane / 3;
                    u32 code = list_state[row] + 4 * (lane % 3 + 1);
                    u64 at = (u64)ends[row] * width;
                    for (u32 vw = 1; vw <= 3; vw++) {
                        ADD_WIDE(counts, at + roles[code + 16 * vw], word % BASE);
                        word /= BASE;
                    }
                    at_u[lane] = 0;
                }
            }
            TEAM_BARRIER();
        }
        for (u32 i = lane; i < 3 * (u32)(last - first); i += LANES) {
            u32 word = at_w[i];
            if (word > 0) {
                i64 entry = first + i / 3;
                u32 code = 4 * (i % 3 + 1) + 16 * state[entry];
                u64 at = (u64)indices[entry] * width;
                for (u32 uv = 1; uv <= 3; uv++) {
                    u32 here = word % BASE;
                    if (here > 0) {
                        ADD_WIDE(counts, at + roles[128 + code + uv], here);
                        ADD_U32(&at_v[roles[64 + code + uv]], here);
                    }
                    word /= BASE;
                }
            }
        }
    }
    TEAM_BARRIER();
    if (lane < width)
        ADD_WIDE(counts, (u64)v * width + lane, at_v[lane]);
}
