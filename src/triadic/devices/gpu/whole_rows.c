/* Whole rows: for each rank all its neighbours, the number of the edge to each, and the place of each edge.
 *
 * Computes: the whole row of each vertex v, the oriented row of v followed by the list of v, both rising; the edge of
 *   each entry, which is its place in the oriented rows; the owner of each entry; for each edge {u, v}, u > v, its
 *   source u, and its place in the row of v. Its place in the row of u is its place in the oriented row.
 * Requires: the rows of an oriented graph, the list of each vertex, and where the whole rows begin.
 * Cost: a binary search for each edge.
 */

KERNEL void whole_rows(GLOBAL const i64 *RESTRICT indptr, GLOBAL const u32 *RESTRICT indices,
                       GLOBAL const i64 *RESTRICT list_ptr, GLOBAL const u32 *RESTRICT list_ends,
                       GLOBAL const i64 *RESTRICT ptr, u64 rows, GLOBAL u32 *RESTRICT ends, GLOBAL u32 *RESTRICT edges,
                       GLOBAL u32 *RESTRICT owners, GLOBAL u32 *RESTRICT places, GLOBAL u32 *RESTRICT sources) {
    u64 v = BLOCK * TEAMS + THREAD / LANES;
    if (v < rows) {
        i64 start = indptr[v], length = indptr[v + 1] - start, listed = list_ptr[v + 1] - list_ptr[v];
        for (i64 i = THREAD % LANES; i < length + listed; i += LANES) {
            i64 entry = start + i;
            u32 end;
            if (i < length) {
                end = indices[entry];
                sources[entry] = (u32)v;
            } else {
                end = list_ends[list_ptr[v] + i - length];
                entry = first_from(indices, indptr[end], indptr[end + 1], (u32)v);
                places[entry] = (u32)i;
            }
            ends[ptr[v] + i] = end;
            edges[ptr[v] + i] = (u32)entry;
            owners[ptr[v] + i] = (u32)v;
        }
    }
}

/* Count for each u the 2-paths u - x - w, with w = u, and those with x and w of larger rank than u. */
KERNEL void path_ends(GLOBAL const i64 *RESTRICT indptr, GLOBAL const i64 *RESTRICT ptr,
                      GLOBAL const u32 *RESTRICT ends, GLOBAL const u32 *RESTRICT edges, u64 rows,
                      GLOBAL u64 *RESTRICT paths, GLOBAL u64 *RESTRICT later) {
    LOCAL_ARRAY(u64, scratch, TEAMS * LANES);
    u64 u = BLOCK * TEAMS + THREAD / LANES, all = 0, beyond = 0;
    LOCAL u64 *own = scratch + THREAD / LANES * LANES;
    if (u < rows) {
        for (i64 p = ptr[u] + THREAD % LANES; p < ptr[u + 1]; p += LANES) {
            u64 x = ends[p];
            u64 length = (u64)(ptr[x + 1] - ptr[x]);
            all += length;
            if (x > u) /* u stands in the oriented row of x */
                beyond += length - (u64)((i64)edges[p] - indptr[x]);
        }
    }
    TEAM_SUM_U64(all, own);
    TEAM_SUM_U64(beyond, own);
    if (u < rows && THREAD % LANES == 0) {
        paths[u] = all;
        later[u] = beyond;
    }
}
