/* Links between the neighbours of each vertex, from a table of padded rows: listing 2, corrected and as printed.
 *
 * Computes: the number of adjacent pairs of neighbours of each vertex.
 * Requires: the table, `max_links` numbers per row: one that is not read, the neighbours, then -1; GROUP, the number of
 *   work-items of a group, a power of two.
 * Idea: one work-group per vertex. The row of its neighbour k is copied to local memory tile by tile, and each
 *   work-item searches it for some of the neighbours before k.
 * Cost: O(sum over vertices of degree^2 / group + degree) times the width.
 */

#if defined(__OPENCL_VERSION__)
#define GROUP_BARRIER() barrier(CLK_LOCAL_MEM_FENCE)
#else
#define GROUP_BARRIER() __syncthreads()
#endif

/* Add up one number per work-item into the first; `sums` is an array of GROUP words in local memory. */
#define GROUP_SUM(sums)                                                                                                \
    for (u32 reach = GROUP / 2; reach > 0; reach /= 2) {                                                               \
        GROUP_BARRIER();                                                                                               \
        if (THREAD < reach)                                                                                            \
            (sums)[THREAD] += (sums)[THREAD + reach];                                                                  \
    }                                                                                                                  \
    GROUP_BARRIER()

KERNEL void links(GLOBAL const int *RESTRICT input, u32 max_links, u64 vertices, GLOBAL u32 *output) {
    LOCAL_ARRAY(int, tile, GROUP);
    LOCAL_ARRAY(u32, sums, GROUP);
    LOCAL_ARRAY(u32, degrees, GROUP);
    u32 degree;
    GLOBAL const int *row = input + (BLOCK < vertices ? BLOCK : 0) * max_links;
    degrees[THREAD] = 0;
    sums[THREAD] = 0;
    if (BLOCK < vertices)
        for (u32 z = 1 + THREAD; z < max_links; z += GROUP)
            degrees[THREAD] += row[z] >= 0 ? 1 : 0;
    GROUP_SUM(degrees);
    degree = degrees[0];
    for (u32 k = 2; k <= degree; k++) {
        GLOBAL const int *searched = input + (u64)row[k] * max_links;
        for (u32 z = 1; z < max_links; z += GROUP) {
            u32 size = max_links - z < GROUP ? max_links - z : GROUP;
            GROUP_BARRIER();
            if (THREAD < size)
                tile[THREAD] = searched[z + THREAD];
            GROUP_BARRIER();
            for (u32 j = 1 + THREAD; j < k; j += GROUP) {
                int first = row[j];
                u32 found = 0;
                for (u32 i = 0; i < size; i++)
                    found += tile[i] == first ? 1 : 0;
                sums[THREAD] += found;
            }
        }
    }
    GROUP_SUM(sums);
    if (THREAD == 0 && BLOCK < vertices)
        output[BLOCK] = sums[0];
}

/* As printed: one work-item per vertex. Defined only if all degrees are equal, so that all work-items reach all
 * barriers, and if every work-item has a vertex. */
KERNEL void links_as_printed(GLOBAL const int *RESTRICT input, u32 max_links, u64 node_size, GLOBAL u32 *output) {
    LOCAL_ARRAY(int, sh_tmp, GROUP);
    u64 gid = GLOBAL_THREAD;
    u32 lid = THREAD, lsize = GROUP, ki = 0, Ei = 0;
    if (gid < node_size)
        for (u32 z = 1; z < max_links; z++)
            ki += input[gid * max_links + z] >= 0 ? 1 : 0;
    for (u32 j = 1; j <= ki; j++) {
        int first = input[gid * max_links + j];
        for (u32 k = j + 1; k <= ki; k++) {
            u64 search_index = (u64)input[gid * max_links + k] * max_links;
            for (u32 z = 1; z < max_links; z += lsize) {
                if (z + lsize > max_links)
                    lsize = max_links - z;
                if (z + lid < max_links)
                    sh_tmp[lid] = input[search_index + z + lid];
                GROUP_BARRIER();
                for (u32 i = 0; i < lsize; i++)
                    Ei += sh_tmp[i] == first ? 1 : 0;
                GROUP_BARRIER();
            }
        }
    }
    if (gid < node_size)
        output[gid] = Ei;
}
