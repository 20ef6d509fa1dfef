/* The entries of tiles joined to the entries of one oriented graph.
 *
 * Computes: the entries of one tile copied to a place; or the entries of two tiles joined row by row, with the columns
 *   of the second tile shifted by `moved`. With STATES the entries are states instead of columns.
 * Requires: two tiles with the same rows, and in `indptr` where the rows of the result begin.
 * Idea: a team for each row; neighbouring columns are neighbours in memory, so that lanes read and write side by side.
 * Cost: a read and a write for each entry.
 */

#ifdef STATES
#define ENTRY unsigned char
#else
#define ENTRY u32
#endif

KERNEL void copy_entries(GLOBAL const ENTRY *RESTRICT from, u64 count, u64 at, GLOBAL ENTRY *to) {
    u64 i = GLOBAL_THREAD;
    if (i < count)
        to[at + i] = from[i];
}

KERNEL void interleave(GLOBAL const i64 *RESTRICT near_ptr, GLOBAL const ENTRY *RESTRICT near,
                       GLOBAL const i64 *RESTRICT far_ptr, GLOBAL const ENTRY *RESTRICT far,
                       GLOBAL const i64 *RESTRICT indptr, u64 start, u64 rows, u32 moved, GLOBAL ENTRY *to) {
    u64 row = BLOCK * TEAMS + THREAD / LANES;
    if (row < rows) {
        i64 at = indptr[start + row];
        i64 length = near_ptr[row + 1] - near_ptr[row];
        for (i64 i = THREAD % LANES; i < length; i += LANES)
            to[at + i] = near[near_ptr[row] + i];
        at += length;
        length = far_ptr[row + 1] - far_ptr[row];
        for (i64 i = THREAD % LANES; i < length; i += LANES)
            to[at + i] = (ENTRY)(far[far_ptr[row] + i] + moved);
    }
}
