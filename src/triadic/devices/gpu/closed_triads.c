/* Closed triads of a directed graph by code, by the middle vertex v of each triangle {u, v, w}, u > v > w.
 *
 * Computes: the number of triangles with each code s(uv) + 4 s(uw) + 16 s(vw), where the state s of an entry is 1 for
 *   an arc from the larger rank, 2 for an arc to it and 3 for both (codes of triads: Batagelj and Mrvar 2001, Social
 *   Networks 23, 237). With LABELLED the counts stand at 64 o + code, where the bits of o are u < v, u < w and v < w by
 *   original id.
 * Requires: the rows of an oriented graph with states; list tasks (list_walk.h); `list_state`, the states of
 *   `list_entries`; with LABELLED `order`, the original id of each rank.
 * Idea: that of `list_triangles`, with the state of each entry of N+(v) beside its column in the table. Codes are
 *   counted in local memory. With LABELLED all lanes add to one histogram atomically; otherwise each lane has its own
 *   27 counts, since most triangles have one of few codes and lanes would wait for each other. For the same reason
 *   `counts` has COPIES, to which different blocks add.
 * Cost: a look-up for each two entries of a listed row, a local addition for each triangle.
 */

#ifdef LABELLED
#define CODES 512u
#define PLACES CODES
#else
#define PLACES (KINDS * LANES)
#endif

KERNEL void closed_triads(LIST_TASKS, GLOBAL const unsigned char *RESTRICT state,
                          GLOBAL const unsigned char *RESTRICT list_state, GLOBAL const u32 *RESTRICT order,
                          GLOBAL u32 *counts) {
    LOCAL_ARRAY(u32, tables, TEAMS * TABLE);
    LOCAL_ARRAY(unsigned char, states, TEAMS * TABLE);
    LOCAL_ARRAY(u32, histograms, TEAMS * PLACES);
    TEAM_LIST;
    LOCAL u32 *table = OWN(tables, TABLE), *histogram = OWN(histograms, PLACES);
    LOCAL unsigned char *state_of = OWN(states, TABLE);
    for (u32 i = lane; i < PLACES; i += LANES)
        histogram[i] = 0;
    FOR_EACH_PART_OF_ROW {
        BEGIN_PART_OF_ROW;
        TEAM_BARRIER();
        for (i64 i = first + lane; i < last; i += LANES)
            state_of[put_in(table, mask, indices[i])] = state[i];
        TEAM_BARRIER();
        for (i64 k = start + lane / WIDTH; k < stop; k += LANES / WIDTH) {
            u32 u = ends[k], uv = list_state[k];
            BEGIN_WALK(WIDTH);
            while (w < beyond) { /* reads of global memory begin before their values are needed */
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
