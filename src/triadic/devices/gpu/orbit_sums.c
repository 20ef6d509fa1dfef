/* The raw frequencies of all 73 orbits at each vertex, from the counts of the other passes, by sums over rows.
 *
 * Computes: `raw`, 73 64-bit numbers for each vertex, by the relations that tools/orbit_relations.py proves.
 * Requires: whole rows, triangles at each edge, and the counts of orbit_columns.h; `raw` zero; kernels run in the order
 *   of this file, which is that of `devices/cpu/orbits/orbit_sums.py`, whose comments say what each column is.
 * Idea: sums modulo 2^64 in any order; a number that is divided is below 2^64.
 * Cost: O(edges) thrice, O(triangles) once.
 */

#define ORBITS 73

FUNCTION u64 pairs_of(u64 x) { return x & 1 ? x * ((x - 1) >> 1) : (x >> 1) * (x - 1); }

FUNCTION u64 triples_of(u64 x) {
    u64 pairs = pairs_of(x);
    return x < 3 ? 0 : pairs / 3 * (x - 2) + pairs % 3 * (x - 2) / 3;
}

FUNCTION u64 fours_of(u64 x) {
    u64 triples = triples_of(x);
    return x < 4 ? 0 : triples / 4 * (x - 3) + triples % 4 * (x - 3) / 4;
}

#define DEGREE(v) ((u64)(ptr[(v) + 1] - ptr[v]))

/* Write the columns that need the degrees of neighbours, and counts at the edges of a vertex. */
KERNEL void sum_over_edges(GLOBAL const i64 *RESTRICT ptr, GLOBAL const u32 *RESTRICT ends,
                           GLOBAL const u32 *RESTRICT edges, GLOBAL const u32 *RESTRICT support,
                           GLOBAL const u64 *RESTRICT near, GLOBAL const u64 *RESTRICT squares,
                           GLOBAL const u64 *RESTRICT cliques, GLOBAL const u64 *RESTRICT counts, u64 n, u64 first_row,
                           u64 count, GLOBAL u64 *raw) {
    LOCAL_ARRAY(u64, scratch, TEAMS *LANES);
    LOCAL_ARRAY(u64, ways, TEAMS *LANES);
    TEAM_TASK;
    LOCAL u64 *own = OWN(scratch, LANES), *way = OWN(ways, LANES);
    u64 u = first_row + task, k = DEGREE(u);
    GLOBAL u64 *d = raw + ORBITS * u;
    u64 d1 = 0, d3 = 0, d6 = 0, d10 = 0, d13 = 0, d17 = 0, d22 = 0, d32 = 0, d37 = 0, d41 = 0, d43 = 0, d48 = 0;
    u64 d53 = 0, d55 = 0, d57 = 0, d67 = 0, four = 0;
    for (i64 i = ptr[u] + lane; i < ptr[u + 1]; i += LANES) {
        u64 e = edges[i], kx = DEGREE(ends[i]), s = support[e], chords, q;
        d17 += (kx - 1) * d1; /* pairs of neighbours: d1 has the neighbours before */
        d1 += kx - 1;
        d6 += pairs_of(kx - 1);
        d22 += triples_of(kx - 1);
        d37 += squares[e] * (kx - 2);
        if (s == 0)
            continue;
        d3 += s;
        d10 += s * (kx - 2);
        d32 += s * pairs_of(kx - 2);
        chords = s * (s - 1) / 2;
        d13 += chords;
        d41 += chords * (kx - 3);
        d43 -= s * s;
        d48 += (s - 1) * (near[e] - 2 * s);
        d53 += squares[e] * s;
        d55 += triples_of(s);
        q = cliques[e] >> 1;
        four += q;
        d57 += q * (kx - 3);
        d67 += q * (s - 2);
    }
    /* Pairs of neighbours in the entries of two lanes. */
    TEAM_BARRIER();
    way[lane] = d1;
    TEAM_BARRIER();
    for (u32 before = 0; before < lane; before++)
        d17 += d1 * way[before];
    TEAM_SUM_U64(d1, own);
    TEAM_SUM_U64(d3, own);
    TEAM_SUM_U64(d6, own);
    TEAM_SUM_U64(d10, own);
    TEAM_SUM_U64(d13, own);
    TEAM_SUM_U64(d17, own);
    TEAM_SUM_U64(d22, own);
    TEAM_SUM_U64(d32, own);
    TEAM_SUM_U64(d37, own);
    TEAM_SUM_U64(d41, own);
    TEAM_SUM_U64(d43, own);
    TEAM_SUM_U64(d48, own);
    TEAM_SUM_U64(d53, own);
    TEAM_SUM_U64(d55, own);
    TEAM_SUM_U64(d57, own);
    TEAM_SUM_U64(d67, own);
    TEAM_SUM_U64(four, own);
    if (lane == 0) {
        GLOBAL const u64 *at = counts + u;
        d[0] = k;
        d[1] = d1;
        d[2] = pairs_of(k);
        d[3] = d3 >> 1;
        d[6] = d6;
        d[7] = triples_of(k);
        d[8] = at[SQUARES * n];
        d[10] = d10;
        d[13] = d13;
        d[14] = four / 3;
        d[17] = d17;
        d[22] = d22;
        d[23] = fours_of(k);
        d[32] = d32;
        d[34] = at[CYCLES * n] + at[CYCLE_HALVES * n] + (at[CYCLE_ODD * n] >> 1);
        d[36] = at[SQUARE_DEGREES * n] - d13;
        d[37] = d37;
        d[41] = d41;
        d[43] = d43;
        d[48] = d48;
        d[49] = at[ORBIT_49 * n];
        d[50] = at[ORBIT_50 * n];
        d[51] = at[FAR_TRIANGLES * n];
        d[53] = d53;
        d[55] = d55;
        d[57] = d57;
        d[62] = at[ORBIT_62 * n] - d13;
        d[63] = at[ORBIT_63 * n];
        d[64] = at[ORBIT_64 * n];
        d[66] = at[ORBIT_66 * n];
        d[67] = d67;
        d[68] = at[RIM * n];
        d[69] = at[TWICE_HUB * n] >> 1;
        d[70] = at[ORBIT_70 * n];
        d[71] = at[ORBIT_71 * n];
        d[72] = at[FIVE_OTHERS * n] / 3 + at[FIVE_LOWEST * n] / 4;
    }
}

/* Add the columns that are sums over the triangles {u, x, y} of a vertex, by values of their edges; a team for each
 * entry x of the row of u. */
KERNEL void sum_over_triangles(GLOBAL const i64 *RESTRICT ptr, GLOBAL const u32 *RESTRICT ends,
                               GLOBAL const u32 *RESTRICT edges, GLOBAL const u32 *RESTRICT owners,
                               GLOBAL const i64 *RESTRICT triangle_ptr, GLOBAL const u32 *RESTRICT third,
                               GLOBAL const u32 *RESTRICT low, GLOBAL const u32 *RESTRICT high,
                               GLOBAL const u32 *RESTRICT support, GLOBAL const u64 *RESTRICT near,
                               GLOBAL const u64 *RESTRICT beside, GLOBAL const u64 *RESTRICT squares,
                               GLOBAL const u64 *RESTRICT cliques, u64 first_entry, u64 count, GLOBAL u32 *raw) {
    LOCAL_ARRAY(u64, scratch, TEAMS *LANES);
    TEAM_TASK;
    LOCAL u64 *own = OWN(scratch, LANES);
    u64 p = first_entry + task, u = owners[p], x = ends[p], e = edges[p], kx = DEGREE(x), at_x = (u64)support[e] - 1;
    i64 stop = triangle_ptr[e + 1];
    i64 first = first_from(third, triangle_ptr[e], stop, (u32)x);
    u64 d12 = 0, d25 = 0, d40 = 0, d46 = 0, d52 = 0, d54 = 0, d59 = 0, d60 = 0, d61 = 0, d65 = 0;
    SKIP_IF(first == stop);
    for (i64 t = first + lane; t < stop; t += LANES) {
        u64 ky = DEGREE(third[t]), xy = x > u ? low[t] : high[t], uy = x > u ? high[t] : low[t];
        u64 others = (u64)support[xy] - 1, at_y = (u64)support[uy] - 1;
        d12 += others;
        d25 += (kx - 2) * (ky - 2) - others;
        d40 += others * (kx + ky - 6);
        d46 += near[xy] - 2 * others;
        d52 += squares[xy];
        d54 += others * (others - 1) / 2;
        d59 += beside[xy];
        d60 += others * (at_x + at_y);
        d61 += at_x * at_y;
        d65 += cliques[xy] >> 1;
    }
#define ADD_SUM(column, value)                                                                                         \
    TEAM_SUM_U64(value, own);                                                                                          \
    if (lane == 0)                                                                                                     \
    ADD_WIDE(raw, ORBITS * u + (column), value)
    ADD_SUM(12, d12);
    ADD_SUM(25, d25);
    ADD_SUM(40, d40);
    ADD_SUM(46, d46);
    ADD_SUM(52, d52);
    ADD_SUM(54, d54);
    ADD_SUM(59, d59);
    ADD_SUM(60, d60);
    ADD_SUM(61, d61);
    ADD_SUM(65, d65);
}

/* Write the columns that are sums over neighbours, take copies that fold away, and write columns that are products. */
KERNEL void sum_over_neighbours(GLOBAL const i64 *RESTRICT ptr, GLOBAL const u32 *RESTRICT ends,
                                GLOBAL const u32 *RESTRICT edges, GLOBAL const u32 *RESTRICT support, u64 first_row,
                                u64 count, GLOBAL u64 *raw) {
    LOCAL_ARRAY(u64, scratch, TEAMS *LANES);
    TEAM_TASK;
    LOCAL u64 *own = OWN(scratch, LANES);
    u64 u = first_row + task, k = DEGREE(u), paths = 0, triangles = 0, forks = 0;
    GLOBAL u64 *d = raw + ORBITS * u;
    u64 d19 = 0, d24 = 0, d29 = 0, d31 = 0, d35 = 0, d39 = 0, d43 = 0, d45 = 0, d56 = 0;
    for (i64 i = ptr[u] + lane; i < ptr[u + 1]; i += LANES) {
        GLOBAL const u64 *by = raw + ORBITS * (u64)ends[i];
        u64 s = support[edges[i]], kx = by[0];
        paths += by[1];
        triangles += by[3];
        forks += by[6];
        d19 += by[1] * (kx - 2) - 2 * by[3] - (k - 1) * (kx - 2);
        d24 += by[10];
        d29 += s * (by[1] - (kx - 1));
        d31 += (by[3] - s) * (kx - 3);
        d35 += by[8];
        d39 += by[13];
        d43 += s * by[3];
        d45 += by[12];
        d56 += by[14];
    }
    TEAM_SUM_U64(paths, own);
    TEAM_SUM_U64(triangles, own);
    TEAM_SUM_U64(forks, own);
    TEAM_SUM_U64(d19, own);
    TEAM_SUM_U64(d24, own);
    TEAM_SUM_U64(d29, own);
    TEAM_SUM_U64(d31, own);
    TEAM_SUM_U64(d35, own);
    TEAM_SUM_U64(d39, own);
    TEAM_SUM_U64(d43, own);
    TEAM_SUM_U64(d45, own);
    TEAM_SUM_U64(d56, own);
    if (lane == 0) {
        u64 t = d[3], squares = d[8], off = d[12], on = d[13], four = d[14];
        u64 at_leaves = d[10], at_ends = d[10] + 2 * t, d9 = triangles - 2 * t;
        d[4] = paths - k * (k - 1) - 2 * t;
        d[5] = d[1] * (k - 1) - 2 * t;
        d[9] = d9;
        d[11] = (k - 2) * t;
        d[17] -= (at_leaves + t + squares);
        d[18] = forks - k * pairs_of(k - 1) - at_leaves;
        d[19] = d19 + 4 * t - at_leaves;
        d[20] = (k - 1) * d[6] - at_leaves;
        d[21] = d[1] * pairs_of(k - 1) - 2 * t * (k - 2);
        d[24] = d24 - (2 * t * (k - 2) + at_leaves + 2 * off);
        d[26] = (k - 2) * at_leaves - 2 * on;
        d[28] = (k - 1) * d9 - 2 * off;
        d[29] = d29 - (2 * t * (k - 1) + 2 * on + 2 * off);
        d[30] = t * d[1] - at_ends - 2 * on;
        d[31] = d31;
        d[33] = t * pairs_of(k - 2);
        d[35] = d35 - (2 * squares + on);
        d[37] -= 2 * off;
        d[38] = squares * (k - 2) - on;
        d[39] = d39 - (on + 2 * off);
        d[42] = on * (k - 3);
        d[43] += d43 - 2 * off;
        d[44] = pairs_of(t) - on;
        d[45] = d45 - (2 * on + 3 * four);
        d[46] -= (k * t + 3 * four);
        d[47] = off * (k - 2) - 3 * four;
        d[48] -= 6 * four;
        d[51] -= (2 * on + 2 * off);
        d[52] -= 2 * on;
        d[53] -= (2 * on + 2 * off);
        d[56] = d56 - 3 * four;
        d[58] = four * (k - 3);
        d[59] -= (2 * on + 6 * four);
        d[60] -= 6 * four;
        d[61] -= 3 * four;
        d[65] -= 3 * four;
    }
}

/* Write the columns that need sums over the neighbours of neighbours. */
KERNEL void sum_over_paths(GLOBAL const i64 *RESTRICT ptr, GLOBAL const u32 *RESTRICT ends, u64 first_row, u64 count,
                           GLOBAL u64 *raw) {
    LOCAL_ARRAY(u64, scratch, TEAMS *LANES);
    TEAM_TASK;
    LOCAL u64 *own = OWN(scratch, LANES);
    u64 u = first_row + task, paths = 0, triangles = 0;
    for (i64 i = ptr[u] + lane; i < ptr[u + 1]; i += LANES) {
        GLOBAL const u64 *by = raw + ORBITS * (u64)ends[i];
        paths += by[4];
        triangles += by[9] + 2 * by[3];
    }
    TEAM_SUM_U64(paths, own);
    TEAM_SUM_U64(triangles, own);
    if (lane == 0) {
        GLOBAL u64 *d = raw + ORBITS * u;
        u64 k = d[0], t = d[3], squares = d[8], on = d[13];
        d[15] = paths - (k - 1) * d[1] + 2 * t - 2 * t * (k - 2) - 2 * squares;
        d[16] = d[4] * (k - 1) - d[10] - 2 * squares;
        d[27] = triangles - 2 * (d[9] + 2 * t) - k * t + 2 * t - 2 * on;
    }
}
