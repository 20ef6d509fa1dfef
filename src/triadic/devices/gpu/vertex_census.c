/* The triads of every vertex by type, from the dyads, wedge ends and closed triads of ranks.
 *
 * Computes: row v of `census`, 16 counts in the order of TRIAD_NAMES, for each vertex v.
 * Requires: `rank` of each vertex; `dyads`, `ends` and `closed` at ranks (wedge_ends.c, closed_triads_by_role.c); `tables`,
 *   the place of each of the 6 open and of the 7 closed types among the 16, then the open triples of each type that each closed
 *   type holds, 7 x 6, then the asymmetric and the mutual dyads of each type, 2 x 16; `asymmetric` and `mutual`, the dyads of
 *   the graph.
 * Idea: as in devices/cpu/triads/vertex_census.py. Sums are taken modulo 2^64, as there.
 * Cost: 17 reads at random places and 16 writes for each vertex.
 */

#define OPEN 6u
#define CLOSED 7u
#define TYPES 16u
#define CLOSED_PLACES (tables + OPEN)
#define HELD (tables + OPEN + CLOSED)
#define IN_TYPE (tables + OPEN + CLOSED + CLOSED * OPEN)

KERNEL void fill_census(GLOBAL const u32 *RESTRICT rank, GLOBAL const u32 *RESTRICT dyads,
                        GLOBAL const i64 *RESTRICT ends, GLOBAL const i64 *RESTRICT closed,
                        GLOBAL const u32 *RESTRICT tables, u64 vertices, u64 asymmetric, u64 mutual,
                        GLOBAL i64 *census) {
    u64 v = GLOBAL_THREAD;
    if (v < vertices) {
        u64 r = rank[v];
        i64 n = (i64)vertices, m = dyads[3 * r], o = dyads[3 * r + 1], i = dyads[3 * r + 2];
        i64 pairs[OPEN] = {o * (o - 1) / 2, i * (i - 1) / 2, o * i, m * i, m * o, m * (m - 1) / 2};
        i64 one_asymmetric = (i64)asymmetric + (o + i) * (n - 3), one_mutual = (i64)mutual + m * (n - 3);
        i64 rest = (n - 1) * (n - 2) / 2;
        GLOBAL i64 *row = census + TYPES * v;
        for (u32 t = 0; t < OPEN; t++)
            pairs[t] += ends[OPEN * r + t];
        for (u32 c = 0; c < CLOSED; c++) {
            i64 count = closed[CLOSED * r + c];
            u32 place = CLOSED_PLACES[c];
            row[place] = count;
            one_asymmetric -= IN_TYPE[place] * count;
            one_mutual -= IN_TYPE[TYPES + place] * count;
            rest -= count;
            for (u32 t = 0; t < OPEN; t++)
                pairs[t] -= HELD[OPEN * c + t] * count;
        }
        for (u32 t = 0; t < OPEN; t++) {
            u32 place = tables[t];
            row[place] = pairs[t];
            one_asymmetric -= IN_TYPE[place] * pairs[t];
            one_mutual -= IN_TYPE[TYPES + place] * pairs[t];
            rest -= pairs[t];
        }
        row[0] = rest - one_asymmetric - one_mutual;
        row[1] = one_asymmetric;
        row[2] = one_mutual;
    }
}
