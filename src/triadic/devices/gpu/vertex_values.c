/* Values of vertices from counts of ranks: triangles, and local clustering coefficients.
 *
 * Computes: for each vertex the triangles t of its rank; or, with COEFFICIENTS, 2 t / (k (k - 1)), where k is the degree
 *   of its rank, and 0 where k < 2. The operations are those of devices/cpu/vertex_arrays.py, each rounded once, so that
 *   both results are equal to the bit.
 * Requires: with COEFFICIENTS, 64-bit floating-point numbers.
 * Cost: one read at a random place for each vertex, or two with COEFFICIENTS.
 */

#if defined(COEFFICIENTS)

#if defined(__OPENCL_VERSION__)
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif

KERNEL void coefficients(GLOBAL const u32 *RESTRICT rank, GLOBAL const i64 *RESTRICT triangles,
                         GLOBAL const i64 *RESTRICT degree, u64 count, GLOBAL double *coefficient) {
    u64 v = GLOBAL_THREAD;
    if (v < count) {
        u64 r = rank[v];
        i64 pairs = degree[r] * (degree[r] - 1);
        coefficient[v] = pairs > 0 ? 2.0 * (double)triangles[r] / (double)pairs : 0.0;
    }
}

#else

KERNEL void take(GLOBAL const u32 *RESTRICT rank, GLOBAL const i64 *RESTRICT at_rank, u64 count,
                 GLOBAL i64 *at_vertex) {
    u64 v = GLOBAL_THREAD;
    if (v < count)
        at_vertex[v] = at_rank[rank[v]];
}

#endif
