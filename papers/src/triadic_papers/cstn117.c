/* Triangles and paths of a digraph, one thread per arc: algorithm 8 of CSTN-117 with the optimisations of algorithm 9.
 *
 * Computes: circuits of three arcs and paths of two arcs for `count` arcs from `first` on; added to `totals`, two
 *   64-bit numbers in two words each, exact modulo 2^64 since paths may be subtracted.
 * Requires: lists in the form of figure 1, without arcs from a vertex to itself; S, the source of each arc, or with
 *   PAIRS its source and its end, in any order.
 * Idea: an arc from v_i to v_j is continued by all of A_j, except back to v_i; a circuit is found at its largest vertex
 *   v_i only.
 * SHARED_COUNTERS: registers, then shared memory, then one addition per block to global memory; without it, each hit is
 *   added to global memory at once. TEXTURE: lists are read through CUDA's read-only path, the successor of texture
 *   fetches. PREFETCH: number of entries of A_j prefetched into shared memory. AS_PRINTED: the comparison of algorithm
 *   8 and the 32-bit counters of algorithm 9.
 * Cost: the sum over v_k of A_j of their lists' lengths for arcs with v_i > v_j; a warp waits for its longest.
 */

#define BLOCK_SIZE (TEAMS * LANES)

#if defined(__OPENCL_VERSION__)
#define WAIT_FOR_BLOCK() barrier(CLK_LOCAL_MEM_FENCE)
#else
#define WAIT_FOR_BLOCK() __syncthreads()
#endif

/* Without the texture path the lists are not declared read-only. */
#if defined(TEXTURE) && !defined(__OPENCL_VERSION__)
#define FETCH(place) __ldg(&A[place])
#else
#define FETCH(place) A[place]
#endif
#ifdef TEXTURE
#define LISTS GLOBAL const u32 *RESTRICT
#else
#define LISTS GLOBAL const u32 *
#endif

#ifdef SHARED_COUNTERS
#ifdef AS_PRINTED
#define TRIANGLES u32
#define PATHS int
#else
#define TRIANGLES u64
#define PATHS i64
#endif
#define FOUND_TRIANGLES(number) t += (number)
#define FOUND_PATHS(number) p += (number)
#else
#define FOUND_TRIANGLES(number) ADD_WIDE(totals, 0, (u64)(number))
#define FOUND_PATHS(number) ADD_WIDE(totals, 1, (u64)(i64)(number))
#endif

KERNEL void count_arcs(GLOBAL const i64 *RESTRICT V, LISTS A, GLOBAL const u32 *RESTRICT S, u64 first, u64 count,
                       GLOBAL u32 *totals) {
#ifdef PREFETCH
    LOCAL_ARRAY(u32, prefetched, PREFETCH *BLOCK_SIZE);
#endif
#ifdef SHARED_COUNTERS
    LOCAL_ARRAY(u32, block_totals, 4);
    if (THREAD < 4)
        block_totals[THREAD] = 0;
    WAIT_FOR_BLOCK();
#endif
    if (GLOBAL_THREAD < count) {
        u64 i = first + GLOBAL_THREAD;
#ifdef PAIRS
        u32 v_i = S[2 * i], v_j = S[2 * i + 1];
#else
        u32 v_i = S[i], v_j = FETCH(i);
#endif
        i64 begin_j = V[v_j], end_j = V[v_j + 1];
#ifdef SHARED_COUNTERS
        TRIANGLES t = 0;
        PATHS p = 0;
#endif
        FOUND_PATHS(end_j - begin_j);
        if (v_i > v_j) {
            for (i64 at_k = begin_j; at_k < end_j; at_k++) {
                u32 v_k;
#ifdef PREFETCH
                u32 kept = (u32)(at_k - begin_j) % (PREFETCH + 1);
                if (kept == 0) {
                    v_k = FETCH(at_k);
                    for (u32 ahead = 0; ahead < PREFETCH && at_k + ahead + 1 < end_j; ahead++)
                        prefetched[ahead * BLOCK_SIZE + THREAD] = FETCH(at_k + ahead + 1);
                } else {
                    v_k = prefetched[(kept - 1) * BLOCK_SIZE + THREAD];
                }
#else
                v_k = FETCH(at_k);
#endif
                if (v_k == v_i) {
                    FOUND_PATHS(-2);
                    continue;
                }
#ifdef AS_PRINTED
                if (v_j > v_k) {
#else
                if (v_i > v_k) {
#endif
                    i64 end_k = V[v_k + 1];
                    for (i64 at_l = V[v_k]; at_l < end_k; at_l++) {
#ifdef SHARED_COUNTERS
                        t += FETCH(at_l) == v_i ? 1 : 0;
#else
                        if (FETCH(at_l) == v_i)
                            FOUND_TRIANGLES(1);
#endif
                    }
                }
            }
        }
#ifdef SHARED_COUNTERS
#ifdef AS_PRINTED
        ADD_U32(&block_totals[0], t);
        ADD_U32(&block_totals[2], (u32)p);
#else
        ADD_WIDE_LOCAL(block_totals, 0, t);
        ADD_WIDE_LOCAL(block_totals, 1, (u64)p);
#endif
#endif
    }
#ifdef SHARED_COUNTERS
    WAIT_FOR_BLOCK();
    if (THREAD == 0) {
        /* As printed, the upper words stay 0, so a negative count becomes 2^32 too large. */
        ADD_WIDE(totals, 0, (u64)block_totals[1] << 32 | block_totals[0]);
        ADD_WIDE(totals, 1, (u64)block_totals[3] << 32 | block_totals[2]);
    }
#endif
}
