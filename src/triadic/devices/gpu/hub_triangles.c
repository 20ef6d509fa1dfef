/* Triangles {u, v, w} of ranks u > v > w in which v and w are hubs, the vertices of lowest rank.
 *
 * Computes: a count from each team, in `parts`; or, with BY_VERTEX, the number of triangles at each vertex.
 * Requires: the rows of an oriented graph; `split`, where the hubs of each row end; `bits`, for each hub its row among
 *   the hubs as WORDS words of 64 bits: the hubs of lower rank, or with BY_VERTEX all hubs. The first rows are those of
 *   the hubs, and the rank of any row u is u + u_base.
 * Idea: a dense bit matrix for the few vertices that most triangles pass through, as in LOTUS (Koohi Esfahani,
 *   Kilpatrick and Vandierendonck 2022, PPoPP, 219). A team takes one row u. It compresses the sorted hubs of u to the
 *   words that hold any, each with its place, and intersects these words of each hub's row with them by AND and a
 *   population count. Reads of AT_ONCE such rows begin before the first is needed, since in a small graph everything
 *   waits for the longest row u. If u has at most FEW hubs, a test of the bit of each pair is cheaper; ACROSS lanes
 *   share it, since most such rows have few pairs.
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

/* Rows with up to FEW hubs: test the bit of each pair of hubs, ACROSS lanes to a row. `count` is the number of rows. */
KERNEL void hub_pairs(ROW_TASKS, GLOBAL const i64 *RESTRICT split, GLOBAL const u64 *RESTRICT bits,
                      u32 u_base, GLOBAL u32 *counts, GLOBAL u64 *parts) {
    LOCAL_ARRAY(u32, met, TEAMS * (LANES / ACROSS) * (FEW + 1) + TEAMS * LANES);
    u32 lane = THREAD % LANES, team = THREAD / LANES, own_lane = lane % ACROSS;
    u64 task = BLOCK * TEAMS + team, number = task * (LANES / ACROSS) + lane / ACROSS;
    LOCAL u32 *own = met + (THREAD / ACROSS) * (FEW + 1);
    u32 length = 0, pairs;
    u64 u = 0, total = 0;
    i64 start = 0;
    if (number < count) {
        u = rows[first_task + step * number];
        start = indptr[u];
        length = (u32)(split[u] - start);
    }
    pairs = length > 0 ? length * (length - 1) / 2 : 0;
#ifdef BY_VERTEX
    for (u32 i = own_lane; i <= FEW; i += ACROSS)
        own[i] = 0;
    TEAM_BARRIER();
#endif
    for (u32 pair = own_lane, i = 1, before = 0; pair < pairs; pair += ACROSS) {
        u64 v, w;
        while (before + i <= pair)
            before += i++;
        v = indices[start + i];
        w = indices[start + (pair - before)];
        if (bits[v * WORDS + (w >> 6)] >> (w & 63) & 1) {
#ifdef BY_VERTEX
            ADD_U32(&own[i], 1);
            ADD_U32(&own[pair - before], 1);
            ADD_U32(&own[FEW], 1);
#else
            total += 1;
#endif
        }
    }
#ifdef BY_VERTEX
    TEAM_BARRIER();
    for (u32 i = own_lane; i < length; i += ACROSS)
        if (own[i] > 0)
            ADD_WIDE(counts, indices[start + i], own[i]);
    if (own_lane == 0 && own[FEW] > 0)
        ADD_WIDE(counts, (u32)u + u_base, own[FEW]);
#else
    own = met + TEAMS * (LANES / ACROSS) * (FEW + 1) + team * LANES;
    TEAM_SUM_WIDE(total, LANES, own)
    if (lane == 0 && task * (LANES / ACROSS) < count)
        parts[task] = total;
#endif
}

/* The words of a hub's row that are read: all of them, or those of hubs of lower rank. */
#ifdef BY_VERTEX
#define NO_HUB 0xffffffffu
#define IS_READ(hub, at) ((hub) != NO_HUB)
#else
#define NO_HUB 0u /* whose row is empty */
#define IS_READ(hub, at) ((at) <= (hub) >> 6)
#endif

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
    for (u32 base = 0; base < length; base += AT_ONCE * (LANES / width)) {
        u32 hubs[AT_ONCE], shared[AT_ONCE]; /* reads of several rows begin before the first one ends */
        u32 last = 0;
        for (u32 j = 0; j < AT_ONCE; j++) {
            u32 i = base + j * (LANES / width) + lane / width;
            hubs[j] = i < length ? indices[start + i] : NO_HUB;
            shared[j] = 0;
            if (i < length)
                last = hubs[j];
        }
        for (u32 k = lane % width; k < used; k += width) {
            u32 at = place[k];
            u64 bits_of_u = mask[k];
            if (!IS_READ(last, at))
                break;
            for (u32 j = 0; j < AT_ONCE; j++)
                if (IS_READ(hubs[j], at))
                    shared[j] += POPCOUNT64(bits[(u64)hubs[j] * WORDS + at] & bits_of_u);
        }
        for (u32 j = 0; j < AT_ONCE; j++) {
#ifdef BY_VERTEX
            TEAM_SUM(shared[j], width, own);
            if (lane % width == 0 && shared[j] > 0) {
                ADD_WIDE(counts, hubs[j], shared[j]);
                ADD_U32(&own[LANES], shared[j]);
            }
#else
            total += shared[j];
#endif
        }
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
