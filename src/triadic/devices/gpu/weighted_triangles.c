/* Sums over the triangles {u, v, w}, u > v > w, at each vertex of x_uv x_uw x_vw, by the middle vertex v.
 *
 * Computes: for each vertex the sum over its triangles of the product of the values of their three edges.
 * Requires: rows of an oriented graph with a finite value for each entry; tasks as `list_triangles` has them; the
 *   values of `list_entries`; a device with 64-bit floats, and where it is reached by OpenCL with 64-bit atomics.
 * Idea: that of `list_triangles`: N+(v) in a table, ACROSS lanes for each row u. What u has is added up over its lanes,
 *   what w has in local memory until the list is done, and v has what all its w have. OpenCL 1.2 adds no floats: there
 *   a sum is swapped for a larger one until nobody came between. The order of addition, and with it the last bits,
 *   differ from run to run.
 * Cost: a look-up for each two entries of a row that are listed, a local addition for each triangle; a global one for
 *   each row of a list, and each entry of N+(v) and task.
 */

#if defined(__OPENCL_VERSION__)
#if !defined(cl_khr_fp64) || !defined(cl_khr_int64_base_atomics)
#error "sums of weights need 64-bit floats and 64-bit atomics, which this device does not have"
#endif
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#define ADD_F64(SPACE, place, value)                                                                                   \
    do {                                                                                                               \
        volatile SPACE u64 *sum_word = (volatile SPACE u64 *)(place);                                                  \
        double sum_more = (value);                                                                                     \
        u64 sum_before, sum_found = *sum_word;                                                                         \
        do {                                                                                                           \
            sum_before = sum_found;                                                                                    \
            sum_found = atom_cmpxchg(sum_word, sum_before, as_ulong(as_double(sum_before) + sum_more));                \
        } while (sum_found != sum_before);                                                                             \
    } while (0)
#else
#define ADD_F64(SPACE, place, value) atomicAdd(place, value)
#endif

#define ROWS (LANES / ACROSS)

/* Add up over groups of `width` neighbouring lanes, in the first of each. */
#define SUM_LANES(sums, width)                                                                                         \
    for (u32 reach = (width) / 2; reach > 0; reach /= 2) {                                                             \
        TEAM_BARRIER();                                                                                                \
        if (lane % (width) < reach)                                                                                    \
            (sums)[lane] += (sums)[lane + reach];                                                                      \
    }                                                                                                                  \
    TEAM_BARRIER()

KERNEL void weighted_triangles(GLOBAL const i64 *RESTRICT indptr, GLOBAL const u32 *RESTRICT indices,
                               GLOBAL const double *RESTRICT x, GLOBAL const i64 *RESTRICT list_ptr,
                               GLOBAL const u32 *RESTRICT ends, GLOBAL const double *RESTRICT list_x,
                               GLOBAL const u32 *RESTRICT middles, GLOBAL const i64 *RESTRICT starts, u64 first_task,
                               u64 step, u64 count, u32 part, GLOBAL double *sums) {
    LOCAL_ARRAY(double, values, TEAMS * ENTRIES);
    LOCAL_ARRAY(double, collected, TEAMS * ENTRIES);
    LOCAL_ARRAY(double, by_row, TEAMS * LANES);
    LOCAL_ARRAY(double, middle, TEAMS * LANES);
    LOCAL_ARRAY(u32, tables, TEAMS * TABLE);
    LOCAL_ARRAY(unsigned short, places, TEAMS * TABLE);
    u32 lane = THREAD % LANES;
    LOCAL double *x_vw = values + THREAD / LANES * ENTRIES;
    LOCAL double *at_w = collected + THREAD / LANES * ENTRIES;
    LOCAL double *at_u = by_row + THREAD / LANES * LANES;
    LOCAL double *at_v = middle + THREAD / LANES * LANES;
    LOCAL u32 *table = tables + THREAD / LANES * TABLE;
    LOCAL unsigned short *place_of = places + THREAD / LANES * TABLE;
    u64 task = BLOCK * TEAMS + THREAD / LANES;
    u32 v;
    i64 start, stop;
#if TEAMS > 1
    if (task >= count)
        return;
#endif
    v = middles[first_task + step * task];
    start = starts[first_task + step * task];
    stop = end_of_task(indptr, list_ptr, v, start, part);
    at_v[lane] = 0;
    for (i64 first = indptr[v]; first < indptr[v + 1]; first += ENTRIES) {
        i64 last = indptr[v + 1] < first + ENTRIES ? indptr[v + 1] : first + ENTRIES;
        u32 lowest = first > indptr[v] ? indices[first] : 0;
        u32 beyond = last < indptr[v + 1] ? indices[last] : v;
        u32 mask = slots_for(SPREAD / 2 * (u32)(last - first));
        TEAM_BARRIER();
        for (u32 i = lane; i <= mask; i += LANES)
            table[i] = EMPTY;
        TEAM_BARRIER();
        for (u32 i = lane; i < (u32)(last - first); i += LANES) {
            place_of[put_in(table, mask, indices[first + i])] = (unsigned short)i;
            x_vw[i] = x[first + i];
            at_w[i] = 0;
        }
        TEAM_BARRIER();
        for (i64 base = start; base < stop; base += ROWS) {
            i64 k = base + lane / ACROSS;
            if (k < stop) {
                u32 u = ends[k], w;
                double x_uv = list_x[k], total = 0;
                i64 p = indptr[u], end = indptr[u + 1];
                if (lowest > 0)
                    p = first_from(indices, p, end, lowest);
                p += lane % ACROSS;
                w = p < end ? indices[p] : beyond;
                while (w < beyond) { /* the next column is asked for before it is needed */
                    u32 slot = slot_of(table, mask, w);
                    i64 next = p + ACROSS;
                    w = next < end ? indices[next] : beyond;
                    if (slot != EMPTY) {
                        u32 place = place_of[slot];
                        double x_uw = x[p];
                        total += x_uw * x_vw[place];
#if ROWS > 1
                        ADD_F64(LOCAL, &at_w[place], x_uw * x_uv);
#else
                        at_w[place] += x_uw * x_uv; /* one row at a time has each w once */
#endif
                    }
                    p = next;
                }
                at_u[lane] = total * x_uv;
            }
            SUM_LANES(at_u, ACROSS);
            if (k < stop && lane % ACROSS == 0 && at_u[lane] != 0)
                ADD_F64(GLOBAL, &sums[ends[k]], at_u[lane]);
            TEAM_BARRIER();
        }
        for (u32 i = lane; i < (u32)(last - first); i += LANES) {
            double here = at_w[i] * x_vw[i];
            if (here != 0) {
                ADD_F64(GLOBAL, &sums[indices[first + i]], here);
                at_v[lane] += here;
            }
        }
    }
    SUM_LANES(at_v, LANES);
    if (lane == 0 && at_v[0] != 0)
        ADD_F64(GLOBAL, &sums[v], at_v[0]);
}
