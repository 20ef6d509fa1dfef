/* Columns of some entries of the rows of a graph, and whether each entry is the first of its row.
 *
 * Requires: the rows; `entries`, places in `indices`.
 * Cost: O(log(rows)) for each entry.
 */

KERNEL void entry_samples(GLOBAL const i64 *RESTRICT indptr, GLOBAL const u32 *RESTRICT indices, u64 rows,
                          GLOBAL const i64 *RESTRICT entries, u64 count, GLOBAL u32 *RESTRICT columns,
                          GLOBAL u32 *RESTRICT firsts) {
    u64 i = GLOBAL_THREAD;
    if (i < count) {
        u64 low = 0, high = rows; /* the first row that begins at the entry or later */
        while (low < high) {
            u64 middle = (low + high) >> 1;
            if (indptr[middle] < entries[i])
                low = middle + 1;
            else
                high = middle;
        }
        columns[i] = indices[entries[i]];
        firsts[i] = indptr[low] == entries[i] ? 1 : 0;
    }
}
