/* The state s(uv) of each row u in the list of each middle vertex v.
 *
 * Computes: for each place in the lists the state of the entry v in the row of u.
 * Requires: rows of an oriented graph with states; tasks as `list_triangles` has them.
 * Idea: a search in each row, once a graph: whoever walks the row later need not find v in it first.
 * Cost: the logarithm of a row for each of its entries.
 */

KERNEL void list_states(GLOBAL const i64 *RESTRICT indptr, GLOBAL const u32 *RESTRICT indices,
                        GLOBAL const unsigned char *RESTRICT state, GLOBAL const i64 *RESTRICT list_ptr,
                        GLOBAL const u32 *RESTRICT ends, GLOBAL const u32 *RESTRICT middles,
                        GLOBAL const i64 *RESTRICT starts, u64 count, u32 part, GLOBAL unsigned char *found) {
    u64 task = BLOCK * TEAMS + THREAD / LANES;
    if (task < count) {
        u32 v = middles[task];
        i64 start = starts[task];
        i64 stop = list_ptr[v + 1];
        part = rows_of_a_task(indptr[v + 1] - indptr[v], part);
        if (stop > start + part)
            stop = start + part;
        for (i64 k = start + THREAD % LANES; k < stop; k += LANES)
            found[k] = state[first_from(indices, indptr[ends[k]], indptr[ends[k] + 1], v)];
    }
}
