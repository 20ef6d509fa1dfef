/* The local clustering coefficient of every vertex, from the triangles and degrees of ranks.
 *
 * Computes: 2 t / (k (k - 1)) for each vertex, from the triangles t and the degree k of its rank; 0 where k < 2. The
 *   operations are those of devices/cpu/vertex_arrays.py, each rounded once, so that both results are equal to the bit.
 * Requires: 64-bit floating-point numbers.
 * Cost: three reads for each vertex, two of them at random places.
 */

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
