/* 4-cliques at each edge, and at each vertex orbits 66 and 70 to 72: patterns of 4-cliques with a common triangle.
 *
 * Computes: columns ORBIT_66, ORBIT_70, ORBIT_71, FIVE_LOWEST and FIVE_OTHERS (orbit_columns.h); twice the 4-cliques at
 *   each edge.
 * Requires: whole rows and the triangles at each edge; `bits`, zero, of the rows of a batch of vertices.
 * Idea: each triangle {u, x, y}, u > x > y, is met at u, by its edge {u, x}. `bits` has the adjacency between the
 *   neighbours of u of higher degree and all neighbours of u, so that the vertices joined to all three are an AND of
 *   two rows. A 5-clique is met at its vertex of largest rank too, four times, once without each other vertex.
 * Cost: (degree of u) / 64 words for each triangle, (length of the oriented row) / 64 for each 4-clique.
 *
 * References: Chiba and Nishizeki (1985), SIAM Journal on Computing 14, 210, for cliques in neighbourhoods.
 */

#define EDGE_BATCH                                                                                                     \
    GLOBAL const i64 *RESTRICT indptr, GLOBAL const i64 *RESTRICT ptr, GLOBAL const u32 *RESTRICT ends,                \
        GLOBAL const u32 *RESTRICT sources, GLOBAL const u32 *RESTRICT indices, GLOBAL const u32 *RESTRICT places,     \
        GLOBAL const i64 *RESTRICT triangle_ptr, GLOBAL const u32 *RESTRICT third, GLOBAL const u32 *RESTRICT low,     \
        GLOBAL const u32 *RESTRICT high, u64 first_edge, u64 count, GLOBAL const i64 *RESTRICT word_ptr,               \
        i64 first_word

KERNEL void clique_bits(EDGE_BATCH, GLOBAL u32 *bits) {
    TEAM_TASK;
    u64 e = first_edge + task, u = sources[e], words = (u64)(ptr[u + 1] - ptr[u] + 63) / 64;
    u64 row = (u64)(word_ptr[u] - first_word) + ((i64)e - indptr[u]) * words;
    for (i64 t = triangle_ptr[e] + lane; t < triangle_ptr[e + 1]; t += LANES) {
        i64 column = u > third[t] ? (i64)low[t] - indptr[u] : (i64)places[low[t]];
        OR_U32(&bits[2 * (row + (column >> 6)) + ((column >> 5) & 1)], 1u << (column & 31));
    }
}

/* The counts at the first COLUMNS neighbours of u, and the 5-cliques of the first INNER, are added up in local memory:
 * they are at most twice the triangles of the graph, below 2^32. */
KERNEL void cliques(EDGE_BATCH, GLOBAL const u64 *RESTRICT bits, GLOBAL const u32 *RESTRICT support,
                    GLOBAL u32 *at_edge, u64 n, GLOBAL u32 *counts) {
    LOCAL_ARRAY(u64, scratch, TEAMS *LANES);
    LOCAL_ARRAY(u32, all_others, TEAMS *COLUMNS);
    LOCAL_ARRAY(u32, all_fives, TEAMS *INNER);
    TEAM_TASK;
    LOCAL u64 *own = OWN(scratch, LANES);
    LOCAL u32 *others = OWN(all_others, COLUMNS), *five = OWN(all_fives, INNER);
    u64 e = first_edge + task, u = sources[e], x = indices[e];
    i64 start = ptr[u], i = (i64)e - indptr[u], stop = first_from(third, triangle_ptr[e], triangle_ptr[e + 1], (u32)x);
    u64 words = (u64)(ptr[u + 1] - start + 63) / 64, inner = (u64)(indptr[u + 1] - indptr[u] + 63) / 64;
    u64 last = (indptr[u + 1] - indptr[u]) & 63 ? ((u64)1 << ((indptr[u + 1] - indptr[u]) & 63)) - 1 : ~(u64)0;
    GLOBAL const u64 *matrix = bits + (word_ptr[u] - first_word), *at_x = matrix + i * words;
    u64 all = 0, pairs = 0, of_u = 0, of_x = 0, fives = 0, s = support[e];
    u32 columns = 64 * words < COLUMNS ? (u32)(64 * words) : COLUMNS, inner_columns = columns < INNER ? columns : INNER;
    SKIP_IF(stop == triangle_ptr[e]);
    for (u32 k = lane; k < columns; k += LANES)
        others[k] = 0;
    for (u32 k = lane; k < inner_columns; k += LANES)
        five[k] = 0;
    TEAM_BARRIER();
    for (i64 t = triangle_ptr[e] + lane; t < stop; t += LANES) {
        u64 y = third[t], cliques = 0, two, found_y = 0;
        i64 j = (i64)low[t] - indptr[u];
        GLOBAL const u64 *at_y = matrix + j * words;
        for (u64 z = 0; z < words; z++)
            cliques += POPCOUNT64(at_x[z] & at_y[z]);
        if (cliques == 0)
            continue;
        two = cliques * (cliques - 1) / 2;
        all += cliques;
        pairs += two;
        of_u += cliques * (u64)((i64)support[high[t]] - 2);
        of_x += cliques * (u64)((i64)support[low[t]] - 2);
        ADD_WIDE(at_edge, low[t], cliques);
        ADD_WIDE(at_edge, high[t], cliques);
        ADD_AT(ORBIT_66, y, cliques * (s - 2));
        if (cliques == 1) /* no pair of 4-cliques, and no 5-clique */
            continue;
        ADD_AT(ORBIT_71, y, two);
        for (u64 z = 0; z < words; z++) {
            u64 shared = at_x[z] & at_y[z];
            while (shared != 0) {
                u64 k = 64 * z + LOWEST_BIT(shared);
                if (k < COLUMNS)
                    ADD_U32(&others[k], cliques - 1);
                else
                    ADD_AT(ORBIT_70, ends[start + (i64)k], cliques - 1);
                shared &= shared - 1;
                if ((i64)k < j) {
                    GLOBAL const u64 *at_k = matrix + k * words;
                    u64 found = 0;
                    for (u64 v = 0; v < inner; v++)
                        found += POPCOUNT64(at_x[v] & at_y[v] & at_k[v] & (v + 1 == inner ? last : ~(u64)0));
                    if (k < INNER)
                        ADD_U32(&five[k], found);
                    else
                        ADD_AT(FIVE_OTHERS, ends[start + (i64)k], found);
                    found_y += found;
                }
            }
        }
        if (found_y > 0)
            ADD_AT(FIVE_OTHERS, y, found_y);
        fives += found_y;
    }
    TEAM_BARRIER();
    for (u32 k = lane; k < columns; k += LANES)
        if (others[k] > 0)
            ADD_AT(ORBIT_70, ends[start + k], others[k]);
    for (u32 k = lane; k < inner_columns; k += LANES)
        if (five[k] > 0)
            ADD_AT(FIVE_OTHERS, ends[start + k], five[k]);
    TEAM_SUM_U64(all, own);
    TEAM_SUM_U64(pairs, own);
    TEAM_SUM_U64(of_u, own);
    TEAM_SUM_U64(of_x, own);
    TEAM_SUM_U64(fives, own);
    if (lane == 0 && all > 0) {
        ADD_WIDE(at_edge, e, all);
        ADD_AT(ORBIT_66, u, of_u);
        ADD_AT(ORBIT_66, x, of_x);
        ADD_AT(ORBIT_71, u, pairs);
        ADD_AT(ORBIT_71, x, pairs);
        ADD_AT(FIVE_OTHERS, x, fives);
        ADD_AT(FIVE_LOWEST, u, fives);
    }
}
