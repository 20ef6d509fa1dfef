/* What the entry v of each row u in the list of each middle vertex v has: the state s(uv), or with VALUES its value.
 *
 * Computes: for each place in the lists what stands at the entry of v in the row of u.
 * Requires: rows of an oriented graph with a state or a value an entry; tasks as `list_triangles` has them. Values are
 *   64 bits of any kind, so that no device need know what they mean.
 * Idea: a search in each row, once a graph: whoever walks the row later need not find v in it first.
 * Cost: the logarithm of a row for each of its entries.
 */

#ifdef VALUES
#define ENTRY u64
#else
#define ENTRY unsigned char
#endif

KERNEL void list_entries(GLOBAL const i64 *RESTRICT indptr, GLOBAL const u32 *RESTRICT indices,
                         GLOBAL const ENTRY *RESTRICT entries, GLOBAL const i64 *RESTRICT list_ptr,
                         GLOBAL const u32 *RESTRICT ends, GLOBAL const u32 *RESTRICT middles,
                         GLOBAL const i64 *RESTRICT starts, u64 count, u32 part, GLOBAL ENTRY *found) {
    u64 task = BLOCK * TEAMS + THREAD / LANES;
    if (task < count) {
        u32 v = middles[task];
        i64 stop = end_of_task(indptr, list_ptr, v, starts[task], part);
        for (i64 k = starts[task] + THREAD % LANES; k < stop; k += LANES)
            found[k] = entries[first_from(indices, indptr[ends[k]], indptr[ends[k] + 1], v)];
    }
}
