/* Pairs of dyads that share a vertex, by their states and by the place of the shared vertex among the three ids.
 *
 * Computes: `wedge_keys`, a key for each entry: a vertex, its neighbour on one side, and the state of their dyad as the
 *   lower id sees it; `wedge_starts`, where the keys of each vertex begin. `add_wedges`, of the sorted keys: with ABOVE,
 *   keys of higher neighbours, the pairs of such neighbours, and of a lower with a higher one; else, keys of lower
 *   neighbours, the pairs of these, the numbers of ids above, between and below the two ids of each dyad, and the lower
 *   neighbours of each vertex by state, `below`.
 * Requires: the rows of an oriented graph with states; ids below 2^31; the runtime sorts the keys between the kernels.
 *   `add_wedges` with ABOVE reads `below`. `step` is the number of teams.
 * Idea: as in devices/cpu/triads/labelled_triads.py: sorted neighbours are read in rising order, with counts of the states read
 *   so far. Lanes read neighbours side by side, and ballots say how many of each state stand before each lane.
 * Cost: one read of the keys of each side; eighteen additions in global memory for each team.
 */

#define ID_BITS 31
#define STATE_BITS 2
#define VERTEX(key) ((key) >> (ID_BITS + STATE_BITS))
#define NEIGHBOUR(key) ((key) >> STATE_BITS & ((1u << ID_BITS) - 1))

KERNEL void wedge_keys(GLOBAL const i64 *RESTRICT indptr, GLOBAL const u32 *RESTRICT indices,
                       GLOBAL const unsigned char *RESTRICT state, GLOBAL const u32 *RESTRICT order, u64 rows,
                       u32 above, GLOBAL u64 *keys) {
    u64 row = BLOCK * TEAMS + THREAD / LANES;
    if (row < rows) {
        u64 u = order[row];
        for (i64 i = indptr[row] + THREAD % LANES; i < indptr[row + 1]; i += LANES) {
            u64 v = order[indices[i]], s = state[i];
            u64 low = u < v ? u : v, high = u < v ? v : u;
            if (v < u && s != 3)
                s = 3 - s;
            keys[i] = ((above ? low : high) << ID_BITS | (above ? high : low)) << STATE_BITS | s;
        }
    }
}

KERNEL void wedge_starts(GLOBAL const u64 *RESTRICT keys, u64 count, u64 vertices, GLOBAL i64 *ptr) {
    u64 vertex = GLOBAL_THREAD;
    if (vertex <= vertices) {
        u64 low = 0, high = count;
        while (low < high) {
            u64 middle = (low + high) >> 1;
            if (VERTEX(keys[middle]) < vertex)
                low = middle + 1;
            else
                high = middle;
        }
        ptr[vertex] = (i64)low;
    }
}

KERNEL void add_wedges(GLOBAL const u64 *RESTRICT keys, GLOBAL const i64 *RESTRICT ptr, u64 vertices, u64 step,
                       GLOBAL u32 *below, GLOBAL u32 *sums) {
    LOCAL_ARRAY(u64, team_sums, TEAMS * LANES);
    LOCAL_ARRAY(u32, votes, TEAMS);
    u32 lane = THREAD % LANES, team = THREAD / LANES;
    u64 own[18] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    for (u64 c = BLOCK * TEAMS + team; c < vertices; c += step) {
        u32 before[3] = {0, 0, 0};
        for (i64 base = ptr[c]; base < ptr[c + 1]; base += LANES) {
            u64 key = base + lane < ptr[c + 1] ? keys[base + lane] : 0;
            u32 s = (u32)key & 3;
#ifndef ABOVE
            u64 q = NEIGHBOUR(key);
#endif
            for (u32 x = 0; x < 3; x++) {
                u32 ballot, until_here;
                TEAM_BALLOT(ballot, s == x + 1, votes + team);
                until_here = before[x] + POPCOUNT32(ballot & ((1u << lane) - 1));
                for (u32 y = 0; y < 3; y++) /* a constant index keeps `own` in registers */
                    own[3 * x + y] += s == y + 1 ? until_here : 0;
                before[x] += POPCOUNT32(ballot);
#ifndef ABOVE
                own[9 + x] += s == x + 1 ? vertices - 1 - c : 0;
                own[12 + x] += s == x + 1 ? c - q - 1 : 0;
                own[15 + x] += s == x + 1 ? q : 0;
#endif
            }
        }
        if (lane < 1)
            for (u32 x = 0; x < 3; x++) {
#ifdef ABOVE
                for (u32 y = 0; y < 3; y++)
                    own[9 + 3 * x + y] += (u64)below[3 * c + x] * before[y];
#else
                below[3 * c + x] = before[x];
#endif
            }
    }
    for (u32 t = 0; t < 18; t++) {
        TEAM_SUM_U64(own[t], &team_sums[team * LANES]);
        if (lane == 0)
            ADD_WIDE(sums, t, own[t]);
    }
}
