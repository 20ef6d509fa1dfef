/* Sums over the neighbours of each vertex, and over its edges.
 *
 * Computes: `neighbour_sums`, the sum of the values of each vertex's neighbours; `support_sums`, the sums of c, of C(c,
 *   2) and of c times the neighbour's degree over the edges of each vertex, where c is the support of an edge.
 * Requires: the rows of an oriented graph; sums zero at first.
 * Idea: an edge adds to both its ends, so that a team reads each row once. These sums are the products of the adjacency
 *   matrix with a vector in the Fast Graphlet Transform (Floros, Pitsianis and Sun 2020, High Performance Extreme
 *   Computing Conference).
 * Cost: O(edges), with two or six 64-bit additions for each edge.
 */

KERNEL void neighbour_sums(GLOBAL const i64 *RESTRICT indptr, GLOBAL const u32 *RESTRICT indices, u64 rows,
                           GLOBAL const u64 *RESTRICT values, GLOBAL u32 *sums) {
    u64 u = BLOCK * TEAMS + THREAD / LANES;
    if (u < rows) {
        u64 at_u = 0, of_u = values[u];
        for (i64 i = indptr[u] + THREAD % LANES; i < indptr[u + 1]; i += LANES) {
            u64 v = indices[i];
            at_u += values[v];
            ADD_WIDE(sums, v, of_u);
        }
        ADD_WIDE(sums, u, at_u);
    }
}

KERNEL void support_sums(GLOBAL const i64 *RESTRICT indptr, GLOBAL const u32 *RESTRICT indices, u64 rows,
                         GLOBAL const u32 *RESTRICT support, GLOBAL const u64 *RESTRICT degree, GLOBAL u32 *supports,
                         GLOBAL u32 *pairs, GLOBAL u32 *degrees) {
    u64 u = BLOCK * TEAMS + THREAD / LANES;
    if (u < rows) {
        u64 supports_at_u = 0, pairs_at_u = 0, degrees_at_u = 0;
        for (i64 i = indptr[u] + THREAD % LANES; i < indptr[u + 1]; i += LANES) {
            u64 c = support[i];
            if (c > 0) {
                u64 v = indices[i];
                supports_at_u += c;
                pairs_at_u += c * (c - 1) / 2;
                degrees_at_u += c * degree[v];
                ADD_WIDE(supports, v, c);
                ADD_WIDE(pairs, v, c * (c - 1) / 2);
                ADD_WIDE(degrees, v, c * degree[u]);
            }
        }
        ADD_WIDE(supports, u, supports_at_u);
        ADD_WIDE(pairs, u, pairs_at_u);
        ADD_WIDE(degrees, u, degrees_at_u);
    }
}
