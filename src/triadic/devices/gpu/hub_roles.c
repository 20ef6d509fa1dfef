/* Closed triads {u, v, w} of ranks u > v > w in which v and w are hubs, at each vertex by role.
 *
 * Computes: the number of triads that each vertex is in by role, as `closed_triads_by_role`.
 * Requires: the rows of an oriented graph with states; `split`, where the hubs of each row end; `bits`, for each hub
 *   its row of all hubs as WORDS pairs of 64-bit words (hub_planes.h); `roles`, of u, v and w, 64 codes each.
 * Idea: that of `hub_codes`. A hub x of u is v in triads with the hubs below it, and w in triads with those above it.
 *   Eighteen counts, nine codes for each, are kept in nine words, those above in the upper halves: there are fewer than
 *   2^16 hubs. Each count is added at x, and those below also at u.
 * Cost: 16 bytes and nine population counts for each hub of u and each word that holds hubs of u, and up to 18
 *   additions in global memory for each hub of u.
 */

#define ROLES 16u
#define FEW 24u     /* most hubs of a row in `hub_pairs` */
#define MOST_WIDE 8u /* lanes that share one hub: few, since their nine words are added up for each hub */
#define CODES 9u

/* Rows with few hubs: test the bits of each pair of hubs. */
KERNEL void hub_pairs(ROW_TASKS, GLOBAL const unsigned char *RESTRICT state,
                           GLOBAL const unsigned char *RESTRICT roles, u32 roles_of_all, GLOBAL const i64 *RESTRICT split,
                           GLOBAL const u64 *RESTRICT bits, u32 u_base, GLOBAL u32 *counts) {
    LOCAL_ARRAY(u32, met, TEAMS * (FEW + 1) * ROLES);
    TEAM_ROW;
    LOCAL u32 *own = OWN(met, (FEW + 1) * ROLES);
    u32 length = (u32)(split[u] - start), pairs = length * (length - 1) / 2;
    for (u32 at = lane; at < (length + 1) * ROLES; at += LANES)
        own[at] = 0;
    TEAM_BARRIER();
    for (u32 pair = lane; pair < pairs; pair += LANES) {
        u32 i = 1, j, before = 0, vw;
        u64 v, w, at;
        while (before + i <= pair)
            before += i++;
        j = pair - before;
        v = indices[start + i];
        w = indices[start + j];
        at = 2 * (v * WORDS + (w >> 6));
        vw = (u32)(bits[at] >> (w & 63) & 1) + 2 * (u32)(bits[at + 1] >> (w & 63) & 1);
        if (vw > 0) {
            u32 code = state[start + i] + 4 * state[start + j] + 16 * vw;
            ADD_U32(&own[length * ROLES + roles[code]], 1);
            ADD_U32(&own[i * ROLES + roles[64 + code]], 1);
            ADD_U32(&own[j * ROLES + roles[128 + code]], 1);
        }
    }
    TEAM_BARRIER();
    for (u32 at = lane; at < (length + 1) * ROLES; at += LANES)
        if (own[at] > 0) {
            u32 i = at / ROLES;
            u64 vertex = i == length ? (u32)u + u_base : indices[start + i];
            ADD_WIDE(counts, vertex * roles_of_all + at % ROLES, own[at]);
        }
}

/* Rows with more hubs: intersect the row of each hub with the words that hold any hub of u. */
KERNEL void hub_words(ROW_TASKS, GLOBAL const unsigned char *RESTRICT state,
                           GLOBAL const unsigned char *RESTRICT roles, u32 roles_of_all, GLOBAL const i64 *RESTRICT split,
                           GLOBAL const u64 *RESTRICT bits, u32 u_base, GLOBAL u32 *counts) {
    LOCAL_ARRAY(u64, masks, TEAMS * 2 * WORDS);
    LOCAL_ARRAY(unsigned short, places, TEAMS * WORDS);
    LOCAL_ARRAY(u32, sums, TEAMS * CODES * LANES);
    LOCAL_ARRAY(u32, scratch, TEAMS * LANES);
    LOCAL_ARRAY(u32, middle, TEAMS * (ROLES + 1));
    TEAM_ROW;
    LOCAL u64 *mask = OWN(masks, 2 * WORDS);
    LOCAL unsigned short *place = OWN(places, WORDS);
    LOCAL u32 *found = OWN(sums, CODES * LANES), *own = OWN(scratch, LANES), *at_u = OWN(middle, ROLES + 1);
    u32 length = (u32)(split[u] - start), used, width = 1;
    if (lane < ROLES)
        at_u[lane] = 0;
    used = words_of_row(indices, state, u, start, length, lane, mask, place, at_u + ROLES);
    while (width < used && width < MOST_WIDE)
        width *= 2;
    for (u32 base = 0; base < length; base += LANES / width) {
        u32 i = base + lane / width, groups = LANES / width;
        u32 met[CODES] = {0, 0, 0, 0, 0, 0, 0, 0, 0};
        if (i < length) {
            u32 x = indices[start + i];
            GLOBAL const u64 *row = bits + 2 * (u64)x * WORDS;
            for (u32 k = lane % width; k < used; k += width) {
                u32 at = place[k];
                u64 of_u[3], of_x[3];
                sets_of(mask[2 * k], mask[2 * k + 1], of_u);
                sets_of(row[2 * at], row[2 * at + 1], of_x);
                if (at == (x >> 6)) { /* the word of x has hubs below it and hubs above it */
                    u64 below = ((u64)1 << (x & 63)) - 1;
                    for (u32 c = 0; c < CODES; c++) {
                        u64 shared = of_u[c % 3] & of_x[c / 3];
                        met[c] += POPCOUNT64(shared & below) + (POPCOUNT64(shared & ~below) << 16);
                    }
                } else {
                    u32 shift = at > (x >> 6) ? 16 : 0;
                    for (u32 c = 0; c < CODES; c++)
                        met[c] += POPCOUNT64(of_u[c % 3] & of_x[c / 3]) << shift;
                }
            }
        }
        for (u32 c = 0; c < CODES; c++) {
            TEAM_SUM(met[c], width, own);
            if (lane % width == 0)
                found[lane / width * CODES + c] = met[c];
        }
        TEAM_BARRIER();
        if (groups > length - base)
            groups = length - base;
        for (u32 at = lane; at < groups * CODES; at += LANES) {
            u32 word = found[at], c = at % CODES;
            if (word > 0) {
                u32 entry = base + at / CODES, ux = state[start + entry], uy = c % 3 + 1, xy = c / 3 + 1;
                u64 row_of_x = (u64)indices[start + entry] * roles_of_all;
                u32 x_is_v = ux + 4 * uy + 16 * xy, x_is_w = uy + 4 * ux + 16 * xy;
                if ((word & 0xffff) > 0) {
                    ADD_WIDE(counts, row_of_x + roles[64 + x_is_v], word & 0xffff);
                    ADD_U32(&at_u[roles[x_is_v]], word & 0xffff);
                }
                if (word >> 16 > 0)
                    ADD_WIDE(counts, row_of_x + roles[128 + x_is_w], word >> 16);
            }
        }
        TEAM_BARRIER();
    }
    if (lane < roles_of_all)
        ADD_WIDE(counts, (u64)((u32)u + u_base) * roles_of_all + lane, at_u[lane]);
}
