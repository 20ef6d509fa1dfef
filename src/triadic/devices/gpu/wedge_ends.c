/* The dyads of every vertex of a directed graph, and the pairs of dyads that a vertex is the centre or an end of.
 *
 * Computes: the mutual, only-out and only-in neighbours of each vertex; and by open type, in the order of OPEN_NAMES,
 *   the pairs of dyads that share another vertex and of which this vertex is an end, whether a third dyad closes them
 *   or not; and the pairs with a common vertex of the whole graph, by open type, in two halves of 32 bits.
 * Requires: the rows of an oriented graph with states; `add_ends` and `add_pairs` read the sums of `add_dyads`.
 * Idea: the dyads of v, added at a neighbour u of v, are pairs of dyads whose type follows from the dyad of u and v (as
 *   in devices/cpu/triads/vertex_census.py). A team takes a row; its lanes keep the sums of the row's own vertex in
 *   registers and add them at the end.
 * Cost: one pass over the entries for each kernel; one addition for each entry at its other end for dyads, three for
 *   pairs.
 */

KERNEL void add_dyads(GLOBAL const i64 *RESTRICT indptr, GLOBAL const u32 *RESTRICT indices,
                      GLOBAL const unsigned char *RESTRICT state, u64 rows, GLOBAL u32 *dyads) {
    u64 u = BLOCK * TEAMS + THREAD / LANES;
    if (u < rows) {
        u32 own[3] = {0, 0, 0};
        for (i64 i = indptr[u] + THREAD % LANES; i < indptr[u + 1]; i += LANES) {
            u32 s = state[i];
            own[0] += s == 3;
            own[1] += s == 1;
            own[2] += s == 2;
            ADD_U32(&dyads[3 * (u64)indices[i] + (3 - s)], 1u);
        }
        for (u32 kind = 0; kind < 3; kind++)
            if (own[kind] > 0)
                ADD_U32(&dyads[3 * u + kind], own[kind]);
    }
}

/* Compute types and numbers of the pairs at a vertex through a neighbour with m mutual, o out and i in dyads, where `s`
 * is the state of the dyad of both as the vertex sees it. */
FUNCTION void pairs_of(u32 s, GLOBAL const u32 *dyads, u32 *type, u32 *pairs) {
    u32 m = dyads[0], o = dyads[1], i = dyads[2];
    type[0] = s == 3 ? 5 : s == 1 ? 3 : 4;
    pairs[0] = s == 3 ? m - 1 : m;
    type[1] = s == 3 ? 4 : s == 1 ? 2 : 0;
    pairs[1] = s == 2 ? o - 1 : o;
    type[2] = s == 3 ? 3 : s == 1 ? 1 : 2;
    pairs[2] = s == 1 ? i - 1 : i;
}

KERNEL void add_ends(GLOBAL const i64 *RESTRICT indptr, GLOBAL const u32 *RESTRICT indices,
                     GLOBAL const unsigned char *RESTRICT state, u64 rows, GLOBAL const u32 *RESTRICT dyads,
                     GLOBAL u32 *ends) {
    u64 u = BLOCK * TEAMS + THREAD / LANES;
    if (u < rows) {
        u64 own[6] = {0, 0, 0, 0, 0, 0};
        u32 type[3], pairs[3];
        for (i64 i = indptr[u] + THREAD % LANES; i < indptr[u + 1]; i += LANES) {
            u64 v = indices[i];
            u32 s = state[i];
            pairs_of(s, &dyads[3 * v], type, pairs);
            for (u32 k = 0; k < 3; k++)
                for (u32 t = 0; t < 6; t++) /* a constant index keeps `own` in registers */
                    own[t] += type[k] == t ? pairs[k] : 0;
            pairs_of(s == 3 ? 3 : 3 - s, &dyads[3 * u], type, pairs);
            for (u32 k = 0; k < 3; k++)
                ADD_WIDE(ends, 6 * v + type[k], pairs[k]);
        }
        for (u32 t = 0; t < 6; t++)
            ADD_WIDE(ends, 6 * u + t, own[t]);
    }
}

/* Add the pairs of dyads of each vertex: the low 32 bits to the first six sums, the rest to the other six, so that no
 * sum over up to 2^32 vertices passes 64 bits. `step` is the number of work-items of all blocks. */
KERNEL void add_pairs(GLOBAL const u32 *RESTRICT dyads, u64 rows, u64 step, GLOBAL u32 *sums) {
    LOCAL_ARRAY(u64, team_sums, TEAMS * LANES);
    u64 own[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    for (u64 v = GLOBAL_THREAD; v < rows; v += step) {
        u64 m = dyads[3 * v], o = dyads[3 * v + 1], i = dyads[3 * v + 2];
        u64 pairs[6] = {o * (o - 1) / 2, i * (i - 1) / 2, o * i, m * i, m * o, m * (m - 1) / 2};
        for (u32 t = 0; t < 6; t++) {
            own[t] += pairs[t] & 0xffffffffu;
            own[6 + t] += pairs[t] >> 32;
        }
    }
    for (u32 t = 0; t < 12; t++) {
        TEAM_SUM_U64(own[t], &team_sums[THREAD / LANES * LANES]);
        if (THREAD % LANES == 0)
            ADD_WIDE(sums, t, own[t]);
    }
}
