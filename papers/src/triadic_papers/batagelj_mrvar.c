/* Batagelj and Mrvar's triad census, one task queue per thread: figure 4.6 and section 5.1.2 of Nagpal's thesis.
 *
 * Computes: all entries of the census except null triads, each in two 32-bit words, the low word first.
 * Requires: sorted rows of arcs and of neighbours; canonical dyads `tail`, `head`, and the start of each thread's
 *   queue; a buffer for each thread, as long as the longest set S of its queue; `table`, the entry of each code, first
 *   for w > v.
 * Idea: as in `batagelj_mrvar_kernels.py`. With SHARED, a block counts connected triads in a census in shared memory
 *   and adds it to the census in global memory at its end (section 5.4.1); dyadic triads are added to global memory at
 *   once.
 * Cost: O(sum over edges of the ends' degrees), times the logarithm of a degree for each look-up, and a block is as
 *   slow as its slowest thread.
 */

#define ENTRIES 64u

#if defined(__OPENCL_VERSION__)
#define BLOCK_BARRIER() barrier(CLK_LOCAL_MEM_FENCE)
#else
#define BLOCK_BARRIER() __syncthreads()
#endif

/* Return the first index in [first, last) with rising[index] >= w, or last. */
FUNCTION i64 lower_bound(GLOBAL const u32 *RESTRICT rising, i64 first, i64 last, u32 w) {
    while (first < last) {
        i64 middle = (first + last) >> 1;
        if (rising[middle] < w)
            first = middle + 1;
        else
            last = middle;
    }
    return first;
}

/* Return 1 if v is in the row of u, else 0: IsEdge and IsNeighbour. */
FUNCTION u32 is_in(GLOBAL const i64 *RESTRICT indptr, GLOBAL const u32 *RESTRICT indices, u32 u, u32 v) {
    i64 last = indptr[u + 1];
    i64 place = lower_bound(indices, indptr[u], last, v);
    return place < last && indices[place] == v ? 1 : 0;
}

/* Write S, the union of N(u) and N(v) without u and v, in rising order; return its size. */
FUNCTION i64 unite(GLOBAL const i64 *RESTRICT indptr, GLOBAL const u32 *RESTRICT indices, u32 u, u32 v,
                   GLOBAL u32 *near) {
    i64 i = indptr[u], last_i = indptr[u + 1];
    i64 j = indptr[v], last_j = indptr[v + 1];
    i64 size = 0;
    while (i < last_i || j < last_j) {
        u32 w;
        if (j == last_j || (i < last_i && indices[i] < indices[j]))
            w = indices[i++];
        else {
            w = indices[j++];
            if (i < last_i && indices[i] == w)
                i++;
        }
        if (w != u && w != v)
            near[size++] = w;
    }
    return size;
}

KERNEL void census(GLOBAL const i64 *RESTRICT arcs_indptr, GLOBAL const u32 *RESTRICT arcs_indices,
                   GLOBAL const i64 *RESTRICT indptr, GLOBAL const u32 *RESTRICT indices, u64 n,
                   GLOBAL const u32 *RESTRICT tail, GLOBAL const u32 *RESTRICT head,
                   GLOBAL const i64 *RESTRICT starts, u64 queues, GLOBAL const i64 *RESTRICT buffer_starts,
                   GLOBAL u32 *buffers, GLOBAL const unsigned char *RESTRICT table, u32 in_order, GLOBAL u32 *counts) {
#ifdef SHARED
    LOCAL_ARRAY(u32, own, 2 * ENTRIES);
    for (u32 i = THREAD; i < 2 * ENTRIES; i += THREADS)
        own[i] = 0;
    BLOCK_BARRIER();
#define COUNT(entry) ADD_WIDE_LOCAL(own, entry, 1)
#else
#define COUNT(entry) ADD_WIDE(counts, entry, 1)
#endif
    if (GLOBAL_THREAD < queues) {
        GLOBAL u32 *near = buffers + buffer_starts[GLOBAL_THREAD];
        for (i64 task = starts[GLOBAL_THREAD]; task < starts[GLOBAL_THREAD + 1]; task++) {
            u32 u = tail[task], v = head[task];
            i64 size = unite(indptr, indices, u, v, near);
            u32 dyad = is_in(arcs_indptr, arcs_indices, u, v) + 2 * is_in(arcs_indptr, arcs_indices, v, u);
            if (in_order) {
                i64 below = lower_bound(near, 0, size, u);
                i64 between = lower_bound(near, below, size, v) - below;
                ADD_WIDE(counts, dyad, n - 1 - v - (u64)(size - below - between));
                ADD_WIDE(counts, 4 * dyad, (u64)(v - u - 1) - (u64)between);
                ADD_WIDE(counts, 16 * dyad, u - (u64)below);
            } else
                ADD_WIDE(counts, dyad == 3 ? 2 : 1, n - (u64)size - 2);
            for (i64 k = 0; k < size; k++) {
                u32 w = near[k];
                if (v < w || (u < w && !is_in(indptr, indices, u, w))) {
                    u32 code = dyad + 4 * is_in(arcs_indptr, arcs_indices, u, w);
                    code += 8 * is_in(arcs_indptr, arcs_indices, w, u);
                    code += 16 * is_in(arcs_indptr, arcs_indices, v, w);
                    code += 32 * is_in(arcs_indptr, arcs_indices, w, v);
                    COUNT(table[(w < v ? ENTRIES : 0) + code]);
                }
            }
        }
    }
#ifdef SHARED
    BLOCK_BARRIER();
    for (u32 i = THREAD; i < ENTRIES; i += THREADS)
        ADD_WIDE(counts, i, own[2 * i] + ((u64)own[2 * i + 1] << 32));
#endif
}
