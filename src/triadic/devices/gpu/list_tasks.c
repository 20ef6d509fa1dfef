/* Tasks of middle vertices: the list of each cut into parts.
 *
 * Computes: for each task which middle vertex it has and where its part of the list begins.
 * Requires: lists, and for each vertex the number of its first task, `place`, as many apart as there are parts.
 * Cost: O(vertices + tasks).
 */

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
