/* Triangles {u, v, w} of ranks u > v > w in which v and w are hubs, the vertices of lowest rank.
 *
 * Computes: a count from each team, in `parts`; or, with BY_VERTEX, the number of triangles at each vertex.
 * Requires: the rows of an oriented graph; `split`, where the hubs of each row end; `bits`, for each hub the hubs of
 *   lower rank in its row as WORDS words of 64 bits. The first rows are those of the hubs, and the rank of any row u is
 *   u + u_base.
 * Idea: a dense bit matrix for the few vertices that most triangles pass through, as in LOTUS (Koohi Esfahani,
 *   Kilpatrick and Vandierendonck 2022, PPoPP, 219). A team takes one row u. It compresses the sorted hubs of u to the
 *   words that hold any, each with its place. A lane takes one of these words, or a few one after another, and
 *   intersects it with the same word of each hub's row by AND. The sum of the bits over all lanes is the count at v; the
 *   sums of each bit over all hubs, which every lane adds up in registers (digits.h), are the counts at w. Reads of STEP
 *   rows begin before the first is needed. If u has at most FEW hubs, a test of the bit of each pair is cheaper; ACROSS
 *   lanes share it, since most such rows have few pairs.
 * Cost: 8 bytes for each hub of u and each word that holds hubs of u, mostly from the second-level cache.
 */

#define STEP 8u /* hubs that a group of lanes reads at once */

KERNEL void hub_bits(GLOBAL const i64 *RESTRICT indptr, GLOBAL const u32 *RESTRICT indices, GLOBAL u32 *bits) {
    u64 u = BLOCK;
    for (i64 i = indptr[u] + THREAD; i < indptr[u + 1]; i += LANES * TEAMS)
        OR_U32(&bits[u * 2 * WORDS + (indices[i] >> 5)], 1u << (indices[i] & 31));
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

/* Rows with more hubs: intersect the row of each hub with the words that hold any hub of u. */
KERNEL void hub_words(ROW_TASKS, GLOBAL const i64 *RESTRICT split, GLOBAL const u64 *RESTRICT bits,
                      u32 u_base, GLOBAL u32 *counts, GLOBAL u64 *parts) {
    LOCAL_ARRAY(u64, masks, TEAMS * WORDS);
    LOCAL_ARRAY(unsigned short, places, TEAMS * WORDS);
    LOCAL_ARRAY(u32, begins, TEAMS * (WORDS + 1));
    LOCAL_ARRAY(u32, scratch, TEAMS * (LANES + 1));
#ifdef BY_VERTEX
    LOCAL_ARRAY(unsigned short, places_of, TEAMS * WORDS);
    LOCAL_ARRAY(u64, of_block, TEAMS * DIGITS * LANES);
    LOCAL_ARRAY(unsigned short, of_hubs, TEAMS * MOST_ADDED);
#endif
    TEAM_ROW;
    LOCAL u64 *mask = OWN(masks, WORDS);
    LOCAL unsigned short *place = OWN(places, WORDS);
    LOCAL u32 *begin = OWN(begins, WORDS + 1);
    LOCAL u32 *own = OWN(scratch, LANES + 1);
#ifdef BY_VERTEX
    LOCAL unsigned short *place_of = OWN(places_of, WORDS);
    LOCAL u64 *digits = OWN(of_block, DIGITS * LANES);
    LOCAL unsigned short *as_v = OWN(of_hubs, MOST_ADDED);
#endif
    u32 length = (u32)(split[u] - start), used = 0, width = STEP, groups;
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
            begin[at] = i;
            mask[at] = 0;
#ifdef BY_VERTEX
            place_of[hub >> 6] = (unsigned short)at;
#endif
        }
        TEAM_BARRIER();
        if (i < length)
            OR_U32((LOCAL u32 *)(mask + at) + ((hub >> 5) & 1), 1u << (hub & 31));
        used += POPCOUNT32(votes);
    }
    if (lane == 0)
        begin[used] = length;
    TEAM_BARRIER();
    while (width < used && width < LANES)
        width *= 2;
    groups = LANES / width;
    for (u32 block = 0; block < used; block += width) {
        u32 k = block + lane % width, at = k < used ? place[k] : 0xffffffffu, group = lane / width;
        u64 of_u = k < used ? mask[k] : 0;
        u32 base = begin[block];
#ifdef BY_VERTEX
        u32 past = begin[block + width < used ? block + width : used];
        while (base < length) {
            u32 first = base, stop = length - base > MOST_ADDED ? base + MOST_ADDED : length;
            u32 most = (stop - base + groups - 1) / groups;
            u64 sums[DIGITS] = {0};
#else
            u32 stop = length;
#endif
            for (; base < stop; base += STEP * groups) {
                u32 v[STEP];
                u64 x[STEP];
#pragma unroll
                for (u32 t = 0; t < STEP; t++) {
                    u32 i = base + t * groups + group;
                    v[t] = i < stop ? indices[start + i] : 0xffffffffu;
                }
#pragma unroll
                for (u32 t = 0; t < STEP; t++)
                    x[t] = v[t] != 0xffffffffu && at <= (v[t] >> 6) ? bits[(u64)v[t] * WORDS + at] & of_u : 0;
#ifdef BY_VERTEX
                u32 mine = 0, sum_of = base + lane % width * groups + group;
#pragma unroll
                for (u32 t = 0; t < STEP; t += 2) {
                    u32 two = POPCOUNT64(x[t]) + (POPCOUNT64(x[t + 1]) << 16);
                    TEAM_SUM(two, width, own);
                    if (lane % width / 2 == t / 2)
                        mine = lane % 2 == 0 ? two & 0xffff : two >> 16;
                }
                if (lane % width < STEP && sum_of < stop)
                    as_v[sum_of - first] = (unsigned short)mine;
                total += mine;
                add_eight(sums, x);
#else
#pragma unroll
                for (u32 t = 0; t < STEP; t++)
                    total += POPCOUNT64(x[t]);
#endif
            }
#ifdef BY_VERTEX
            base = stop;
#pragma unroll
            for (u32 d = 0; d < DIGITS; d++)
                digits[d * LANES + lane] = sums[d];
            TEAM_BARRIER();
            for (u32 i = begin[block] + lane; i < past; i += LANES) { /* the hubs of the block as w, and as v if here */
                u32 x = indices[start + i], found = i >= first && i < stop ? as_v[i - first] : 0;
                for (u32 g = 0; g < groups; g++)
                    found += sum_of_column(digits + g * width + place_of[x >> 6] - block, LANES, x & 63, most);
                if (found > 0)
                    ADD_WIDE(counts, x, found);
            }
            for (u32 i = (first < past ? past : first) + lane; i < stop; i += LANES) /* the other hubs as v */
                if (as_v[i - first] > 0)
                    ADD_WIDE(counts, indices[start + i], as_v[i - first]);
            TEAM_BARRIER();
        }
#endif
    }
    TEAM_SUM_WIDE(total, LANES, own)
    if (lane == 0)
#ifdef BY_VERTEX
        ADD_WIDE(counts, (u32)u + u_base, total);
#else
        parts[task] = total;
#endif
}
