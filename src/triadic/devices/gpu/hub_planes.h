/* The states of dyads among hubs as two planes of bits, and those of a row in words that hold any of its hubs.
 *
 * A pair of 64-bit words holds the states of a vertex and 64 hubs: bit 0 of each state in the first, bit 1 in the
 * second. The state is that of an entry of the oriented rows, as the vertex of larger rank sees the dyad.
 */

/* Fill for each hub WORDS pairs of words: the hubs of lower rank, or if `symmetric` all hubs. */
KERNEL void hub_planes(GLOBAL const i64 *RESTRICT indptr, GLOBAL const u32 *RESTRICT indices,
                       GLOBAL const unsigned char *RESTRICT state, u32 symmetric, GLOBAL u32 *bits) {
    u64 v = BLOCK;
    for (i64 i = indptr[v] + THREAD; i < indptr[v + 1]; i += LANES * TEAMS) {
        u64 w = indices[i];
        u32 s = state[i];
        for (u32 plane = 0; plane < 2; plane++)
            if (s >> plane & 1) {
                OR_U32(&bits[4 * (v * WORDS + (w >> 6)) + 2 * plane + ((w >> 5) & 1)], 1u << (w & 31));
                if (symmetric)
                    OR_U32(&bits[4 * (w * WORDS + (v >> 6)) + 2 * plane + ((v >> 5) & 1)], 1u << (v & 31));
            }
    }
}

/* Write the words that hold any of the `length` sorted hubs from `start` on, and their places; return their number. */
FUNCTION u32 words_of_row(GLOBAL const u32 *RESTRICT indices, GLOBAL const unsigned char *RESTRICT state, i64 start,
                          u32 length, u32 lane, LOCAL u64 *mask, LOCAL unsigned short *place, LOCAL u32 *ballot) {
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
            mask[2 * at] = 0;
            mask[2 * at + 1] = 0;
        }
        TEAM_BARRIER();
        if (i < length) {
            LOCAL u32 *word = (LOCAL u32 *)(mask + 2 * at) + ((hub >> 5) & 1);
            u32 s = state[start + i];
            if (s & 1)
                OR_U32(word, 1u << (hub & 31));
            if (s & 2)
                OR_U32(word + 2, 1u << (hub & 31));
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
