/* Triangles {u, v, w} of ranks u > v > w in which v and w are hubs, the vertices of lowest rank.
 *
 * Computes: a count from each team, in `parts`; or, with BY_VERTEX, the number of triangles at each vertex.
 * Requires: the rows of an oriented graph; `split`, where the hubs of each row end; `bits`, for each hub its row among
 *   the hubs as WORDS words of 64 bits: the hubs of lower rank, or with BY_VERTEX all hubs. The first rows are those of
 *   the hubs, and the rank of any row u is u + u_base.
 * Idea: a dense bit matrix for the few vertices that most triangles pass through, as in LOTUS (Koohi Esfahani,
 *   Kilpatrick and Vandierendonck 2022, PPoPP, 219). A team takes one row u. It compresses the sorted hubs of u to the
 *   words that hold any, each with its place, and intersects these words of each hub's row with them by AND and a
 *   population count. If u has few hubs, a test of the bit of each pair is cheaper.
 * Cost: 8 bytes for each hub of u and each word that holds hubs of u, mostly from the second-level cache.
 */

KERNEL void hub_bits(GLOBAL const i64 *RESTRICT indptr, GLOBAL const u32 *RESTRICT indices, u32 symmetric,
                     GLOBAL u32 *bits) {
    u64 u = BLOCK;
    u64 words = 2 * (u64)WORDS;
    for (i64 i = indptr[u] + THREAD; i < indptr[u + 1]; i += LANES * TEAMS) {
        u64 v = indices[i];
        OR_U32(&bits[u * words + (v >> 5)], 1u << (v & 31));
        if (symmetric)
            OR_U32(&bits[v * words + (u >> 5)], 1u << (u & 31));
    }
}

/* Rows with few hubs: test the bit of each pair of hubs. */
KERNEL void hub_pairs(ROW_TASKS, GLOBAL const i64 *RESTRICT split, GLOBAL const u64 *RESTRICT bits,
                      u32 u_base, GLOBAL u32 *counts, GLOBAL u64 *parts) {
    LOCAL_ARRAY(u32, met, TEAMS * LANES);
    TEAM_ROW;
    LOCAL u32 *own = OWN(met, LANES);
    u32 length = (u32)(split[u] - start), pairs = length * (length - 1) / 2;
    u64 total = 0;
#ifdef BY_VERTEX
    own[lane] = 0;
    TEAM_BARRIER();
#endif
    for (u32 pair = lane; pair < pairs; pair += LANES) {
        u32 i = 1, before = 0;
        u64 v, w;
        while (before + i <= pair)
            before += i++;
        v = indices[start + i];
        w = indices[start + (pair - before)];
        if (bits[v * WORDS + (w >> 6)] >> (w & 63) & 1) {
#ifdef BY_VERTEX
            ADD_U32(&own[i], 1);
            ADD_U32(&own[pair - before], 1);
            ADD_U32(&own[LANES - 1], 1);
#else
            total += 1;
#endif
        }
    }
#ifdef BY_VERTEX
    TEAM_BARRIER();
    if (lane < length)
        ADD_WIDE(counts, indices[start + lane], own[lane]);
    if (lane == LANES - 1)
        ADD_WIDE(counts, (u32)u + u_base, own[lane]);
#else
    TEAM_SUM_WIDE(total, LANES, own)
    if (lane == 0)
        parts[task] = total;
#endif
}

/* Rows with more hubs: intersect the row of each hub with the words that hold any hub of u. */
KERNEL void hub_words(ROW_TASKS, GLOBAL const i64 *RESTRICT split, GLOBAL const u64 *RESTRICT bits,
                      u32 u_base, GLOBAL u32 *counts, GLOBAL u64 *parts) {
    LOCAL_ARRAY(u64, masks, TEAMS * WORDS);
    LOCAL_ARRAY(unsigned short, places, TEAMS * WORDS);
    LOCAL_ARRAY(u32, scratch, TEAMS * (LANES + 1));
    TEAM_ROW;
    LOCAL u64 *mask = OWN(masks, WORDS);
    LOCAL unsigned short *place = OWN(places, WORDS);
    LOCAL u32 *own = OWN(scratch, LANES + 1);
    u32 length = (u32)(split[u] - start), used = 0, width = 1;
    u64 total = 0;
    for (u32 base = 0; base < length; base += LANES) {
        u32 i = base + lane, hub = 0, first = 0, votes, at;
        if (i < length) {
            hub = indices[start + i];
            first = i == 0 ? 1 : (indices[start + i - 1] >> 6) != (hub >> 6);
        }
        TEAM_BALLOT(votes, first, own + LANES);
        at = used + POPCOUNT32(votes & (0xffffffffu >> (31 - lane))) - 1;
        if (first) {
            place[at] = (unsigned short)(hub >> 6);
            mask[at] = 0;
        }
        TEAM_BARRIER();
        if (i < length)
            OR_U32((LOCAL u32 *)(mask + at) + ((hub >> 5) & 1), 1u << (hub & 31));
        used += POPCOUNT32(votes);
    }
    TEAM_BARRIER();
    if (lane == 0)
        own[LANES] = 0;
    TEAM_BARRIER();
    while (width < used && width < LANES)
        width *= 2;
    for (u32 base = 0; base < length; base += LANES / width) {
        u32 i = base + lane / width, shared = 0, v = 0;
        if (i < length) {
            GLOBAL const u64 *row;
            v = indices[start + i];
            row = bits + (u64)v * WORDS;
            for (u32 k = lane % width; k < used; k += width) {
                u32 at = place[k];
#ifndef BY_VERTEX
                if (at > (v >> 6))
                    break;
#endif
                shared += POPCOUNT64(row[at] & mask[k]);
            }
        }
#ifdef BY_VERTEX
        TEAM_SUM(shared, width, own);
        if (i < length && lane % width == 0) {
            ADD_WIDE(counts, v, shared);
            ADD_U32(&own[LANES], shared);
        }
#else
        total += shared;
#endif
    }
#ifdef BY_VERTEX
    TEAM_BARRIER();
    if (lane == 0)
        ADD_WIDE(counts, (u32)u + u_base, own[LANES] / 2); /* each triangle was counted at v and at w */
#else
    TEAM_SUM_WIDE(total, LANES, own)
    if (lane == 0)
        parts[task] = total;
#endif
}
