/* The states of dyads among hubs as planes of bits, and those of a row in words that hold any of its hubs.
 *
 * PLANES 64-bit words hold the states of a vertex and 64 hubs: bit 0 of each state in the first, bit 1 in the second.
 * The state is that of an entry of the oriented rows, as the vertex of larger rank sees the dyad. With LABELLED a bit of
 * a third word says whether the hub is a neighbour with a smaller original id; `order` has the id of each rank.
 */

#ifdef LABELLED
#define PLANES 3
#define ORDER_PARAMETER GLOBAL const u32 *RESTRICT order,
#define ORDER order,
#else
#define PLANES 2
#define ORDER_PARAMETER
#define ORDER
#endif

/* Fill for each hub WORDS times PLANES words: the hubs of lower rank, or if `symmetric` all hubs. */
KERNEL void hub_bits(GLOBAL const i64 *RESTRICT indptr, GLOBAL const u32 *RESTRICT indices,
                     GLOBAL const unsigned char *RESTRICT state, ORDER_PARAMETER u32 symmetric, GLOBAL u32 *bits) {
    u64 v = BLOCK;
    for (i64 i = indptr[v] + THREAD; i < indptr[v + 1]; i += LANES * TEAMS) {
        u64 w = indices[i];
        u32 s = state[i];
#ifdef LABELLED
        s += order[w] < order[v] ? 4 : 0;
#endif
        for (u32 plane = 0; plane < PLANES; plane++)
            if (s >> plane & 1) {
                OR_U32(&bits[2 * (PLANES * (v * WORDS + (w >> 6)) + plane) + ((w >> 5) & 1)], 1u << (w & 31));
                if (symmetric)
                    OR_U32(&bits[2 * (PLANES * (w * WORDS + (v >> 6)) + plane) + ((v >> 5) & 1)], 1u << (v & 31));
            }
    }
}

/* Write the words that hold any of the `length` sorted hubs of u, from `start` on, and their places; return the number
 * of places. */
FUNCTION u32 words_of_row(GLOBAL const u32 *RESTRICT indices, GLOBAL const unsigned char *RESTRICT state,
                          ORDER_PARAMETER u64 u, i64 start, u32 length, u32 lane, LOCAL u64 *mask,
                          LOCAL unsigned short *place, LOCAL u32 *ballot) {
    u32 used = 0;
    for (u32 base = 0; base < length; base += LANES) {
        u32 i = base + lane, hub = 0, first = 0, votes, at;
        if (i < length) {
            hub = indices[start + i];
            first = i == 0 ? 1 : (indices[start + i - 1] >> 6) != (hub >> 6);
        }
        TEAM_BALLOT(votes, first, ballot);
        at = used + POPCOUNT32(votes & (0xffffffffu >> (31 - lane))) - 1;
        if (first) {
            place[at] = (unsigned short)(hub >> 6);
            for (u32 plane = 0; plane < PLANES; plane++)
                mask[PLANES * at + plane] = 0;
        }
        TEAM_BARRIER();
        if (i < length) {
            LOCAL u32 *word = (LOCAL u32 *)(mask + PLANES * at) + ((hub >> 5) & 1);
            u32 s = state[start + i];
#ifdef LABELLED
            s += order[hub] < order[u] ? 4 : 0;
#endif
            for (u32 plane = 0; plane < PLANES; plane++)
                if (s >> plane & 1)
                    OR_U32(word + 2 * plane, 1u << (hub & 31));
        }
        used += POPCOUNT32(votes);
    }
    TEAM_BARRIER();
    return used;
}

/* Write the three disjoint sets of a pair of words: states 1, 2 and 3. */
FUNCTION void sets_of(u64 low, u64 high, u64 *sets) {
    sets[0] = low & ~high;
    sets[1] = high & ~low;
    sets[2] = low & high;
}
