/* Triangles at each vertex by the poster's two algorithms: one thread per vertex, or one thread per arc.
 *
 * Computes: the number of triangles at each vertex.
 * Requires: sorted rows of neighbours, each edge in both; fewer than 2^32 vertices.
 * Idea: the rows of a vertex v and its neighbour e are merged from e on. By arcs, `tails` holds the tail of each arc
 *   and then the count over the arc, so that no two threads add to the same number.
 * Cost: the lengths of both rows for each arc; a warp is as slow as its slowest lane.
 */

FUNCTION u32 count_triangles(GLOBAL const i64 *RESTRICT indptr, GLOBAL const u32 *RESTRICT indices, u32 v, u32 e) {
    i64 degree_v = indptr[v + 1] - indptr[v], degree_e = indptr[e + 1] - indptr[e];
    u32 longer = degree_v > degree_e ? v : e, shorter = degree_v > degree_e ? e : v;
    i64 i = indptr[longer], last_i = indptr[longer + 1];
    i64 j = indptr[shorter], last_j = indptr[shorter + 1];
    u32 found = 0;
    while (i < last_i && j < last_j) {
        u32 a = indices[j], b = indices[i];
        if (shorter == e && a < e)
            j++;
        else if (longer == e && b < e)
            i++;
        else if (a == b) {
            i++;
            j++;
            found++;
        } else if (a > b)
            i++;
        else
            j++;
    }
    return found;
}

KERNEL void vertex_centric(GLOBAL const i64 *RESTRICT indptr, GLOBAL const u32 *RESTRICT indices, u64 vertices,
                           GLOBAL u64 *triangles) {
    u64 v = GLOBAL_THREAD, total = 0;
    if (v < vertices) {
        for (i64 x = indptr[v]; x < indptr[v + 1]; x++)
            total += count_triangles(indptr, indices, (u32)v, indices[x]);
        triangles[v] = total;
    }
}

KERNEL void initialise_arcs(GLOBAL const i64 *RESTRICT indptr, u64 vertices, GLOBAL u32 *tails) {
    u64 v = GLOBAL_THREAD;
    if (v < vertices)
        for (i64 x = indptr[v]; x < indptr[v + 1]; x++)
            tails[x] = (u32)v;
}

KERNEL void count_over_arcs(GLOBAL const i64 *RESTRICT indptr, GLOBAL const u32 *RESTRICT indices, u64 arcs,
                            GLOBAL u32 *tails) {
    u64 x = GLOBAL_THREAD;
    if (x < arcs)
        tails[x] = count_triangles(indptr, indices, tails[x], indices[x]);
}

KERNEL void sum_over_arcs(GLOBAL const i64 *RESTRICT indptr, GLOBAL const u32 *RESTRICT over_arcs, u64 vertices,
                          GLOBAL u64 *triangles) {
    u64 v = GLOBAL_THREAD, total = 0;
    if (v < vertices) {
        for (i64 x = indptr[v]; x < indptr[v + 1]; x++)
            total += over_arcs[x];
        triangles[v] = total;
    }
}
