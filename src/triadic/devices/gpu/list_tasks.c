/* Where the hubs of each row end, and the tasks of middle vertices: the list of each vertex cut into parts.
 *
 * Computes: `split_rows`, the place in each row of the first column that is no hub; `count_tasks`, the number of tasks
 *   of each vertex, at the place after its own; `list_tasks`, the middle vertex of each task and where its part of the
 *   list begins.
 * Requires: the rows of an oriented graph; for tasks the lists; for `list_tasks` also in `place` the number of tasks of
 *   the vertices before each vertex.
 * Cost: O(log(length)) for each row; O(vertices + tasks).
 */

KERNEL void split_rows(GLOBAL const i64 *RESTRICT indptr, GLOBAL const u32 *RESTRICT indices, u32 hubs, u64 rows,
                       GLOBAL i64 *split) {
    u64 u = GLOBAL_THREAD;
    if (u < rows)
        split[u] = first_from(indices, indptr[u], indptr[u + 1], hubs);
}

KERNEL void count_tasks(GLOBAL const i64 *RESTRICT indptr, GLOBAL const i64 *RESTRICT list_ptr, u64 rows, u32 part,
                        GLOBAL i64 *place) {
    u64 v = GLOBAL_THREAD;
    if (v < rows) {
        i64 length = indptr[v + 1] - indptr[v];
        i64 most = rows_of_a_task(length, part);
        place[v + 1] = length > 0 ? (list_ptr[v + 1] - list_ptr[v] + most - 1) / most : 0;
        if (v == 0)
            place[0] = 0;
    }
}

KERNEL void list_tasks(GLOBAL const i64 *RESTRICT indptr, GLOBAL const i64 *RESTRICT list_ptr,
                       GLOBAL const i64 *RESTRICT place, u64 rows, u32 part, GLOBAL u32 *middles, GLOBAL i64 *starts) {
    u64 v = GLOBAL_THREAD;
    if (v < rows) {
        i64 start = list_ptr[v];
        part = rows_of_a_task(indptr[v + 1] - indptr[v], part);
        for (i64 at = place[v]; at < place[v + 1]; at++) {
            middles[at] = (u32)v;
            starts[at] = start;
            start += part;
        }
    }
}
