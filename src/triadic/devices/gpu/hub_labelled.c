/* Closed triads {u, v, w} of ranks u > v > w in which v and w are hubs, by code and by the order of the original ids.
 *
 * Computes: the number of triangles with each code and order, as `closed_triads` with LABELLED.
 * Requires: what `hub_codes` requires, with the third plane of hub_planes.h, and `order`, the original id of each rank.
 * Idea: that of `hub_codes`. Whether the id of w is below the ids of u and v are two more bits for each w, one of u and
 *   one of v, which split each of the nine sets in three: below both, between them, and above both. Of 27 counts two
 *   share a word, since there are fewer than 2^16 hubs; a team adds them to a histogram in local memory.
 * Cost: 24 bytes and 27 population counts for each hub of u and each word that holds hubs of u.
 */

#define PLACES 512u
#define MOST_WIDE 4u /* lanes that share one hub: few, since their counts are added up for each hub */
#define SETS 9u
#define FOUND (SETS + (SETS + 1) / 2) /* below and between in one word, two counts above in one word */

FUNCTION u32 place_of_code(u32 uv, u32 uw, u32 vw, u32 below) { return uv + 4 * uw + 16 * vw + 64 * below; }

FUNCTION void add_histogram(GLOBAL u32 *counts, LOCAL u32 *histogram, u32 lane) {
    for (u32 i = lane; i < PLACES; i += LANES)
        ADD_WIDE(counts, BLOCK % COPIES * PLACES + i, histogram[i]);
}

/* Rows with few hubs: test the bits of each pair of hubs. */
KERNEL void hub_pairs(ROW_TASKS, GLOBAL const unsigned char *RESTRICT state, GLOBAL const u32 *RESTRICT order,
                            GLOBAL const i64 *RESTRICT split, GLOBAL const u64 *RESTRICT bits, u32 u_base,
                            GLOBAL u32 *counts) {
    LOCAL_ARRAY(u32, met, TEAMS * PLACES);
    TEAM_ROW;
    LOCAL u32 *own = OWN(met, PLACES);
    u32 length = (u32)(split[u] - start), pairs = length * (length - 1) / 2;
    for (u32 i = lane; i < PLACES; i += LANES)
        own[i] = 0;
    TEAM_BARRIER();
    for (u32 pair = lane; pair < pairs; pair += LANES) {
        u32 i = 1, before = 0, vw;
        u64 v, w, at;
        while (before + i <= pair)
            before += i++;
        v = indices[start + i];
        w = indices[start + (pair - before)];
        at = PLANES * (v * WORDS + (w >> 6));
        vw = (u32)(bits[at] >> (w & 63) & 1) + 2 * (u32)(bits[at + 1] >> (w & 63) & 1);
        if (vw > 0) {
            u32 below = (order[u] < order[v] ? 1u : 0u) + (order[u] < order[w] ? 2u : 0u) +
                        (order[v] < order[w] ? 4u : 0u);
            ADD_U32(&own[place_of_code(state[start + i], state[start + (pair - before)], vw, below)], 1);
        }
    }
    TEAM_BARRIER();
    add_histogram(counts, own, lane);
}

/* Rows with more hubs: intersect the row of each hub with the words that hold any hub of u. */
KERNEL void hub_words(ROW_TASKS, GLOBAL const unsigned char *RESTRICT state, GLOBAL const u32 *RESTRICT order,
                            GLOBAL const i64 *RESTRICT split, GLOBAL const u64 *RESTRICT bits, u32 u_base,
                            GLOBAL u32 *counts) {
    LOCAL_ARRAY(u64, masks, TEAMS * PLANES * WORDS);
    LOCAL_ARRAY(unsigned short, places, TEAMS * WORDS);
    LOCAL_ARRAY(u32, histograms, TEAMS * PLACES);
    LOCAL_ARRAY(u32, sums, TEAMS * FOUND * LANES);
    LOCAL_ARRAY(u32, scratch, TEAMS * (LANES + 1));
    TEAM_ROW;
    LOCAL u64 *mask = OWN(masks, PLANES * WORDS);
    LOCAL unsigned short *place = OWN(places, WORDS);
    LOCAL u32 *histogram = OWN(histograms, PLACES), *found = OWN(sums, FOUND * LANES), *own = OWN(scratch, LANES + 1);
    u32 length = (u32)(split[u] - start), used, width = 1;
    for (u32 i = lane; i < PLACES; i += LANES)
        histogram[i] = 0;
    used = words_of_row(indices, state, ORDER u, start, length, lane, mask, place, own + LANES);
    while (width < used && width < MOST_WIDE)
        width *= 2;
    for (u32 base = 0; base < length; base += LANES / width) {
        u32 i = base + lane / width, groups = LANES / width;
        u32 met[FOUND] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
        if (i < length) {
            u32 v = indices[start + i];
            GLOBAL const u64 *row = bits + PLANES * (u64)v * WORDS;
            for (u32 k = lane % width; k < used; k += width) {
                u32 at = place[k];
                u64 of_u[3], of_v[3], below_u = mask[PLANES * k + 2], below_v;
                if (at > (v >> 6))
                    break;
                below_v = row[PLANES * at + 2];
                sets_of(mask[PLANES * k], mask[PLANES * k + 1], of_u);
                sets_of(row[PLANES * at], row[PLANES * at + 1], of_v);
                for (u32 c = 0; c < SETS; c++) {
                    u64 shared = of_u[c % 3] & of_v[c / 3];
                    met[c] += POPCOUNT64(shared & below_u & below_v) +
                              (POPCOUNT64(shared & (below_u ^ below_v)) << 16);
                    met[SETS + c / 2] += POPCOUNT64(shared & ~(below_u | below_v)) << (c % 2 * 16);
                }
            }
        }
        for (u32 c = 0; c < FOUND; c++) {
            TEAM_SUM(met[c], width, own);
            if (lane % width == 0)
                found[lane / width * FOUND + c] = met[c];
        }
        TEAM_BARRIER();
        if (groups > length - base)
            groups = length - base;
        for (u32 at = lane; at < groups * 3 * SETS; at += LANES) {
            u32 group = at / (3 * SETS), side = at / SETS % 3, c = at % SETS, entry = base + group;
            u32 word = found[group * FOUND + (side == 2 ? SETS + c / 2 : c)];
            u32 value = (side == 2 ? c % 2 : side) == 0 ? word & 0xffff : word >> 16;
            if (value > 0) {
                u32 u_below = order[u] < order[indices[start + entry]] ? 1u : 0u;
                u32 below = side == 0 ? u_below : side == 2 ? u_below + 6 : u_below ? 3u : 4u;
                ADD_U32(&histogram[place_of_code(state[start + entry], c % 3 + 1, c / 3 + 1, below)], value);
            }
        }
        TEAM_BARRIER();
    }
    add_histogram(counts, histogram, lane);
}
