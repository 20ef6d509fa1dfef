/* Random wedges of oriented rows: the closed ones by code, and the sums of their weights, the same numbers as in
 * devices/cpu/draws/wedge_sampling.py.
 *
 * Computes: for the draws first .. first + count - 1 a row u, two of its entries v > w, and whether v and w are joined;
 *   the number of closed draws of each code, and if LOCAL the sums of their weights and of the squares of these.
 * Requires: the rows of an oriented graph; `before`, `guide` and `step` of the table of its rows (weighted_choice.py);
 *   with STATES the states of the entries; with LOCAL the degrees, and arithmetic of 64 bits.
 * Idea: one work-item makes a draw at a time; many of them hide the time of memory. Blocks add to COPIES of the sums.
 * Cost: a search of the table, up to 64 ends of rows, and a bisection of the row of v.
 */

#define COLUMNS 66
#define GROUP_SHIFT 6

#ifdef LOCAL_WEIGHTS
#if defined(__OPENCL_VERSION__)
#if !defined(cl_khr_fp64)
#error "no arithmetic of 64 bits"
#endif
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF
#endif

FUNCTION u64 row_weight(u64 length, u64 degree, u32 shift) {
    double share;
    if (length < 2)
        return 0;
    share = ((double)length * (double)(length - 1)) / ((double)degree * (double)(degree - 1));
    return (u64)(share * (double)((u64)1 << shift)) + 1;
}

FUNCTION double closed_weight(u64 u, u64 v, u64 w) {
    double pairs = (double)u * (double)(u - 1);
    return 1.0 + (pairs / ((double)v * (double)(v - 1)) + pairs / ((double)w * (double)(w - 1)));
}
#define WEIGHT_OF(u) row_weight((u64)(indptr[(u) + 1] - indptr[u]), (u64)degree[u], shift)
#else
#define WEIGHT_OF(u)                                                                                                   \
    (((u64)(indptr[(u) + 1] - indptr[u]) * (u64)(indptr[(u) + 1] - indptr[u]) - (u64)(indptr[(u) + 1] - indptr[u])) >> 1)
#endif

KERNEL void tally_wedges(GLOBAL const i64 *RESTRICT indptr, GLOBAL const u32 *RESTRICT indices,
                         GLOBAL const unsigned char *RESTRICT state, GLOBAL const i64 *RESTRICT degree,
                         GLOBAL const u64 *RESTRICT before, GLOBAL const i64 *RESTRICT guide, u64 step, u64 total,
                         u32 shift, u64 key, u64 first, u64 count, u64 threads, GLOBAL u32 *sums) {
    u64 copy = COLUMNS * (BLOCK % COPIES);
    for (u64 i = GLOBAL_THREAD; i < count; i += threads) {
        u64 number = below(draw(key, first + i, 0), total), weight, rest, length, place, other;
        i64 group = guide[number / step], u, large, small, at, stop;
        u32 v, w, code = 63;
        while (before[group + 1] <= number)
            group++;
        rest = number - before[group];
        u = group << GROUP_SHIFT;
        for (weight = WEIGHT_OF(u); rest >= weight; weight = WEIGHT_OF(u)) {
            rest -= weight;
            u++;
        }
        length = (u64)(indptr[u + 1] - indptr[u]);
        place = below(draw(key, first + i, 1), length);
        other = below(draw(key, first + i, 2), length - 1);
        other += other >= place ? 1 : 0;
        large = indptr[u] + (i64)(place > other ? place : other);
        small = indptr[u] + (i64)(place > other ? other : place);
        v = indices[large];
        w = indices[small];
        stop = indptr[v + 1];
        at = first_from(indices, indptr[v], stop, w);
        if (at < stop && indices[at] == w) {
#ifdef STATES
            code = state[large] + 4u * state[small] + 16u * state[at];
#endif
            ADD_WIDE(sums, copy + code, 1);
#ifdef LOCAL_WEIGHTS
            {
                double found = closed_weight((u64)degree[u], (u64)degree[v], (u64)degree[w]);
                ADD_WIDE(sums, copy + 64, (u64)(found * UNIT + 0.5));
                ADD_WIDE(sums, copy + 65, (u64)(found * found * UNIT + 0.5));
            }
#endif
        }
    }
}
