/* The first five graphlets at each vertex, raw and net: section 2.1 of "FGLT with CUDA".
 *
 * Computes: d0 to d4, and the two net frequencies that differ from them.
 * Requires: sorted rows of neighbours, each edge in both; any grid; blocks of THREADS threads.
 * Idea: d0, d1, d3 and the net frequencies take one thread per vertex. For d2 and d4 block b of B takes the rows b,
 *   b + B, ...; its threads share the entries of a row and add up their sums in shared memory.
 * Cost: for d4 the lengths of both rows for each entry; a row is as slow as its longest neighbour's row.
 */

#if defined(__OPENCL_VERSION__)
#define BLOCKS ((u64)get_num_groups(0))
#define BLOCK_BARRIER() barrier(CLK_LOCAL_MEM_FENCE)
#else
#define BLOCKS ((u64)gridDim.x)
#define BLOCK_BARRIER() __syncthreads()
#endif

/* Add up one number per thread into the first, for any number of threads. */
#define BLOCK_SUM(sums)                                                                                                \
    for (u32 left = THREADS, kept; left > 1; left = kept) {                                                            \
        kept = (left + 1) / 2;                                                                                         \
        BLOCK_BARRIER();                                                                                               \
        if (THREAD + kept < left)                                                                                      \
            (sums)[THREAD] += (sums)[THREAD + kept];                                                                   \
    }                                                                                                                  \
    BLOCK_BARRIER()

KERNEL void count_d0(u64 n, GLOBAL i64 *d0) {
    for (u64 i = GLOBAL_THREAD; i < n; i += BLOCKS * THREADS)
        d0[i] = 1;
}

KERNEL void count_d1(GLOBAL const i64 *RESTRICT col_ptr, u64 n, GLOBAL i64 *d1) {
    for (u64 i = GLOBAL_THREAD; i < n; i += BLOCKS * THREADS)
        d1[i] = col_ptr[i + 1] - col_ptr[i];
}

KERNEL void count_d3(GLOBAL const i64 *RESTRICT p1, u64 n, GLOBAL i64 *d3) {
    for (u64 i = GLOBAL_THREAD; i < n; i += BLOCKS * THREADS)
        d3[i] = p1[i] * (p1[i] - 1) / 2;
}

KERNEL void count_d2(GLOBAL const i64 *RESTRICT col_ptr, GLOBAL const u32 *RESTRICT row_idx,
                     GLOBAL const i64 *RESTRICT p1, u64 n, GLOBAL i64 *d2) {
    LOCAL_ARRAY(i64, sums, THREADS);
    for (u64 i = BLOCK; i < n; i += BLOCKS) {
        i64 total = 0;
        for (i64 j_ptr = col_ptr[i] + THREAD; j_ptr < col_ptr[i + 1]; j_ptr += THREADS)
            total += p1[row_idx[j_ptr]];
        sums[THREAD] = total;
        BLOCK_SUM(sums);
        if (THREAD == 0)
            d2[i] = sums[0] - p1[i];
    }
}

/* Return the entry (i, j) of A^2: the number of indices that the sorted rows i and j share. */
FUNCTION i64 entry_of_square(GLOBAL const i64 *RESTRICT col_ptr, GLOBAL const u32 *RESTRICT row_idx, u64 i, u64 j) {
    i64 k = col_ptr[i], last_k = col_ptr[i + 1];
    i64 h = col_ptr[j], last_h = col_ptr[j + 1];
    i64 shared = 0;
    while (k < last_k && h < last_h) {
        u32 a = row_idx[k], b = row_idx[h];
        shared += a == b ? 1 : 0;
        k += a <= b ? 1 : 0;
        h += b <= a ? 1 : 0;
    }
    return shared;
}

KERNEL void count_d4(GLOBAL const i64 *RESTRICT col_ptr, GLOBAL const u32 *RESTRICT row_idx, u64 n, GLOBAL i64 *d4) {
    LOCAL_ARRAY(i64, sums, THREADS);
    for (u64 i = BLOCK; i < n; i += BLOCKS) {
        i64 total = 0;
        for (i64 j_ptr = col_ptr[i] + THREAD; j_ptr < col_ptr[i + 1]; j_ptr += THREADS)
            total += entry_of_square(col_ptr, row_idx, i, row_idx[j_ptr]);
        sums[THREAD] = total;
        BLOCK_SUM(sums);
        if (THREAD == 0)
            d4[i] = sums[0] / 2;
    }
}

KERNEL void count_net(GLOBAL const i64 *RESTRICT d2, GLOBAL const i64 *RESTRICT d3, GLOBAL const i64 *RESTRICT d4,
                      u64 n, GLOBAL i64 *net2, GLOBAL i64 *net3) {
    for (u64 i = GLOBAL_THREAD; i < n; i += BLOCKS * THREADS) {
        net2[i] = d2[i] - 2 * d4[i];
        net3[i] = d3[i] - d4[i];
    }
}
