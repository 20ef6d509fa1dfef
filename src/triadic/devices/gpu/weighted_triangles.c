/* Sums over the triangles {u, v, w}, u > v > w, at each vertex of x_uv x_uw x_vw, by the middle vertex v.
 *
 * Computes: for each vertex the sum over its triangles of the product of the values of their three edges.
 * Requires: the rows of an oriented graph with a finite value for each entry; list tasks (list_walk.h); `list_x`, the
 *   values of `list_entries`; 64-bit floats on the device and, under OpenCL, 64-bit atomics.
 * Idea: that of `list_triangles`, with ACROSS lanes for each row u. The sum at u is added up over its lanes, the sum at
 *   w in local memory until the part of N+(v) is done, and the sum at v is that of all its w. OpenCL 1.2 has no atomic
 *   addition of floats; a compare-and-swap loop does it there. The order of additions, and with it the last bits, vary
 *   from run to run.
 * Cost: a look-up for each two entries of a listed row, a local addition for each triangle; a global one for each row
 *   of a list, and for each entry of N+(v) of a task.
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

/* Add up the values of each group of `width` neighbouring lanes, in the first lane of the group. */
#define SUM_LANES(sums, width)                                                                                         \
    for (u32 reach = (width) / 2; reach > 0; reach /= 2) {                                                             \
        TEAM_BARRIER();                                                                                                \
        if (lane % (width) < reach)                                                                                    \
            (sums)[lane] += (sums)[lane + reach];                                                                      \
    }                                                                                                                  \
    TEAM_BARRIER()

KERNEL void weighted_triangles(LIST_TASKS, GLOBAL const double *RESTRICT x, GLOBAL const double *RESTRICT list_x,
                               GLOBAL double *sums) {
    LOCAL_ARRAY(double, values, TEAMS * ENTRIES);
    LOCAL_ARRAY(double, collected, TEAMS * ENTRIES);
    LOCAL_ARRAY(double, by_row, TEAMS * LANES);
    LOCAL_ARRAY(double, middle, TEAMS * LANES);
    LOCAL_ARRAY(u32, tables, TEAMS * TABLE);
    LOCAL_ARRAY(unsigned short, places, TEAMS * TABLE);
    TEAM_LIST;
    LOCAL double *x_vw = OWN(values, ENTRIES), *at_w = OWN(collected, ENTRIES);
    LOCAL double *at_u = OWN(by_row, LANES), *at_v = OWN(middle, LANES);
    LOCAL u32 *table = OWN(tables, TABLE);
    LOCAL unsigned short *place_of = OWN(places, TABLE);
    at_v[lane] = 0;
    FOR_EACH_PART_OF_ROW {
        BEGIN_PART_OF_ROW;
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
                u32 u = ends[k];
                double x_uv = list_x[k], total = 0;
                BEGIN_WALK(ACROSS);
                while (w < beyond) { /* the read of the next column begins before it is needed */
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
                        at_w[place] += x_uw * x_uv; /* a single row holds each w once */
#endif
                    }
                    p = next;
                }
                at_u[lane] = total * x_uv;
            }
            SUM_LANES(at_u, ACROSS);
            if (k < stop && lane % ACROSS == 0 && at_u[lane] != 0)
                ADD_F64(GLOBAL, &sums[ends[k] + u_base], at_u[lane]);
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
        ADD_F64(GLOBAL, &sums[v_rank], at_v[0]);
}
