/* Closed triads {u, v, w} of ranks u > v > w in which v and w are hubs, by code.
 *
 * Computes: the number of triangles with each code s(uv) + 4 s(uw) + 16 s(vw), as in `closed_triads`.
 * Requires: the rows of an oriented graph with states; `split`, where the hubs of each row end; `bits`, for each hub
 *   its row of the hubs of lower rank as WORDS pairs of 64-bit words (hub_planes.h).
 * Idea: that of `hub_triangles`. Each pair of words gives three disjoint sets, hubs joined by an arc out only, in only
 *   and both ways; the three sets of u and the three of v have nine intersections, and each is one code.
 * Cost: 16 bytes and nine population counts for each hub of u and each word that holds hubs of u.
 */

/* Rows with few hubs: test the bits of each pair of hubs. */
KERNEL void hub_pairs(ROW_TASKS, GLOBAL const unsigned char *RESTRICT state, GLOBAL const i64 *RESTRICT split,
                           GLOBAL const u64 *RESTRICT bits, u32 u_base, GLOBAL u32 *counts) {
    LOCAL_ARRAY(u32, met, TEAMS * LANES);
    TEAM_ROW;
    LOCAL u32 *own = OWN(met, LANES);
    u32 length = (u32)(split[u] - start), pairs = length * (length - 1) / 2;
    own[lane] = 0;
    TEAM_BARRIER();
    for (u32 pair = lane; pair < pairs; pair += LANES) {
        u32 i = 1, before = 0, vw;
        u64 v, w, at;
        while (before + i <= pair)
            before += i++;
        v = indices[start + i];
        w = indices[start + (pair - before)];
        at = 2 * (v * WORDS + (w >> 6));
        vw = (u32)(bits[at] >> (w & 63) & 1) + 2 * (u32)(bits[at + 1] >> (w & 63) & 1);
        if (vw > 0)
            ADD_U32(&own[kind_of(state[start + i], state[start + (pair - before)], vw)], 1);
    }
    TEAM_BARRIER();
    if (lane < KINDS)
        add_kind(counts, BLOCK % COPIES, lane, own[lane]);
}

/* Rows with more hubs: intersect the row of each hub with the words that hold any hub of u. */
KERNEL void hub_words(ROW_TASKS, GLOBAL const unsigned char *RESTRICT state, GLOBAL const i64 *RESTRICT split,
                           GLOBAL const u64 *RESTRICT bits, u32 u_base, GLOBAL u32 *counts) {
    LOCAL_ARRAY(u64, masks, TEAMS * 2 * WORDS);
    LOCAL_ARRAY(unsigned short, places, TEAMS * WORDS);
    LOCAL_ARRAY(u32, histograms, TEAMS * KINDS * LANES);
    LOCAL_ARRAY(u32, ballots, TEAMS);
    TEAM_ROW;
    LOCAL u64 *mask = OWN(masks, 2 * WORDS);
    LOCAL unsigned short *place = OWN(places, WORDS);
    LOCAL u32 *histogram = OWN(histograms, KINDS * LANES);
    u32 length = (u32)(split[u] - start), used, width = 1;
    for (u32 kind = 0; kind < KINDS; kind++)
        histogram[kind * LANES + lane] = 0;
    used = words_of_row(indices, state, u, start, length, lane, mask, place, ballots + team);
    while (width < used && width < LANES)
        width *= 2;
    for (u32 i = lane / width; i < length; i += LANES / width) {
        u32 v = indices[start + i], uv = state[start + i];
        u32 met[9] = {0, 0, 0, 0, 0, 0, 0, 0, 0};
        GLOBAL const u64 *row = bits + 2 * (u64)v * WORDS;
        for (u32 k = lane % width; k < used; k += width) {
            u32 at = place[k];
            u64 of_u[3], of_v[3];
            if (at > (v >> 6))
                break;
            sets_of(mask[2 * k], mask[2 * k + 1], of_u);
            sets_of(row[2 * at], row[2 * at + 1], of_v);
            for (u32 vw = 0; vw < 3; vw++)
                for (u32 uw = 0; uw < 3; uw++)
                    met[3 * vw + uw] += POPCOUNT64(of_u[uw] & of_v[vw]);
        }
        for (u32 c = 0; c < 9; c++)
            histogram[(uv - 1 + 3 * c) * LANES + lane] += met[c];
    }
    TEAM_BARRIER();
    add_kinds(counts, BLOCK % COPIES, histogram, lane);
}
