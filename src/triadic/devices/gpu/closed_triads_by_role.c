/* Closed triads of a directed graph at each vertex by role, by the middle vertex v of triangles {u, v, w}, u > v > w.
 *
 * Computes: the number of triads that each vertex is in by role. `roles` holds the roles of u, v and w, 64 codes each
 *   (the codes of `closed_triads`).
 * Requires: the rows of an oriented graph with states; list tasks (list_walk.h) of at most MOST rows; `list_state`, the
 *   states of `list_entries`.
 * Idea: that of `closed_triads`. For one w in N+(v) only s(uv) and s(uw) vary, and for one u only s(uw) and s(vw): nine
 *   counts each, kept in three words as digits to the base MOST + 1. A triad is then one addition in local memory and
 *   one in a register. The counts of u and w are added to global memory when the row, or the part of N+(v), is done;
 *   the counts of v are the sums over all its w.
 * Cost: that of `closed_triads`, and global additions for each code met, at each row and at each entry of N+(v) of a
 *   task.
 */

#define BASE (MOST + 1u) /* its cube fits a word; ENTRIES must not exceed MOST */
#define ROWS (LANES / WIDTH)
#define ROLES 16u

/* Return what one more entry of state 1, 2 or 3 adds to a word of three counts. */
FUNCTION u32 one_more(u32 s) { return s == 1 ? 1u : s == 2 ? BASE : BASE * BASE; }

KERNEL void closed_triads_by_role(LIST_TASKS, GLOBAL const unsigned char *RESTRICT state,
                                  GLOBAL const unsigned char *RESTRICT list_state,
                                  GLOBAL const unsigned char *RESTRICT roles, u32 width, GLOBAL u32 *counts) {
    LOCAL_ARRAY(u32, tables, TEAMS * TABLE);
    LOCAL_ARRAY(unsigned short, places, TEAMS * TABLE);
    LOCAL_ARRAY(u32, by_entry, TEAMS * 3 * ENTRIES);
    LOCAL_ARRAY(u32, by_row, TEAMS * 3 * ROWS);
    LOCAL_ARRAY(u32, middle, TEAMS * ROLES);
    TEAM_LIST;
    LOCAL u32 *table = OWN(tables, TABLE), *at_v = OWN(middle, ROLES);
    LOCAL unsigned short *place_of = OWN(places, TABLE); /* 4 x the place in the part of N+(v), plus the state */
    LOCAL u32 *at_w = OWN(by_entry, 3 * ENTRIES);        /* word s(uw), digit s(uv) */
    LOCAL u32 *at_u = OWN(by_row, 3 * ROWS);             /* word s(uw), digit s(vw) */
    if (lane < ROLES)
        at_v[lane] = 0;
    if (lane < 3 * ROWS)
        at_u[lane] = 0;
    FOR_EACH_PART_OF_ROW {
        BEGIN_PART_OF_ROW;
        for (u32 i = lane; i < 3 * (u32)(last - first); i += LANES)
            at_w[i] = 0;
        TEAM_BARRIER();
        for (i64 i = first + lane; i < last; i += LANES)
            place_of[put_in(table, mask, indices[i])] = (unsigned short)(4 * (i - first) + state[i]);
        TEAM_BARRIER();
        for (i64 base = start; base < stop; base += ROWS) {
            i64 k = base + lane / WIDTH;
            if (k < stop) {
                u32 u = ends[k], of_uv = one_more(list_state[k]), met[3] = {0, 0, 0};
                BEGIN_WALK(WIDTH);
                while (w < beyond) { /* reads of global memory begin before their values are needed */
                    u32 uw = state[p] - 1u, next, slot;
                    p += WIDTH;
                    next = p < end ? indices[p] : beyond;
                    slot = slot_of(table, mask, w);
                    if (slot != EMPTY) {
                        u32 place = place_of[slot], of_vw = one_more(place % 4);
                        ADD_U32(&at_w[3 * (place / 4) + uw], of_uv);
                        for (u32 word = 0; word < 3; word++) /* a constant index keeps `met` in registers */
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
                    u64 at = (u64)(ends[row] + u_base) * width;
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
        ADD_WIDE(counts, (u64)v_rank * width + lane, at_v[lane]);
}
