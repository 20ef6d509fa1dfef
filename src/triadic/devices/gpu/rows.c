/* The lists of columns of a matrix in rows, by way of sorted keys.
 *
 * Computes: a key for each entry, its column in the upper 32 bits and its row in the lower; after the runtime has
 *   sorted the keys, where each column begins.
 *   `list_places` finds where in its row each entry of a list stands.
 * Requires: fewer than 2^32 rows and columns.
 * Cost: O(entries + rows log(entries)) beside the sort.
 */

/* Write the entries of each row from `walked_from` on as keys (column, row), from `place` on. */
KERNEL void column_keys(GLOBAL const i64 *RESTRICT indptr, GLOBAL const u32 *RESTRICT indices,
                        GLOBAL const i64 *RESTRICT walked_from, GLOBAL const i64 *RESTRICT place, u64 rows,
                        GLOBAL u64 *keys) {
    u64 u = BLOCK * TEAMS + THREAD / LANES;
    if (u < rows) {
        i64 first = walked_from[u];
        for (i64 i = first + THREAD % LANES; i < indptr[u + 1]; i += LANES)
            keys[place[u] + (i - first)] = (u64)indices[i] << 32 | u;
    }
}

/* Write the number of entries of each row from `walked_from` on, at the place after its own. */
KERNEL void walked_lengths(GLOBAL const i64 *RESTRICT indptr, GLOBAL const i64 *RESTRICT walked_from, u64 rows,
                           GLOBAL i64 *RESTRICT lengths) {
    u64 u = GLOBAL_THREAD;
    if (u < rows) {
        i64 length = indptr[u + 1] - walked_from[u];
        lengths[u + 1] = length > 0 ? length : 0;
        if (u == 0)
            lengths[0] = 0;
    }
}

/* Write the lower 32 bits of each key. */
KERNEL void rows_of_keys(GLOBAL const u64 *RESTRICT keys, u64 count, GLOBAL u32 *RESTRICT ends) {
    u64 i = GLOBAL_THREAD;
    if (i < count)
        ends[i] = (u32)keys[i];
}

/* Find where each value of the upper 32 bits begins in sorted keys; `ptr` has rows + 1 places. */
KERNEL void row_starts(GLOBAL const u64 *RESTRICT keys, u64 count, u64 rows, GLOBAL i64 *ptr) {
    u64 row = GLOBAL_THREAD;
    if (row <= rows) {
        u64 low = 0, high = count;
        while (low < high) {
            u64 middle = (low + high) >> 1;
            if (keys[middle] >> 32 < row)
                low = middle + 1;
            else
                high = middle;
        }
        ptr[row] = (i64)low;
    }
}

/* Write for each entry of each list, a row w that holds v, the place of v in row w. */
KERNEL void list_places(GLOBAL const i64 *RESTRICT indptr, GLOBAL const u32 *RESTRICT indices,
                        GLOBAL const i64 *RESTRICT list_ptr, GLOBAL const u32 *RESTRICT list_ends, u64 rows,
                        GLOBAL u32 *RESTRICT places) {
    u64 v = BLOCK * TEAMS + THREAD / LANES;
    if (v < rows)
        for (i64 k = list_ptr[v] + THREAD % LANES; k < list_ptr[v + 1]; k += LANES) {
            u32 w = list_ends[k];
            places[k] = (u32)(first_from(indices, indptr[w], indptr[w + 1], (u32)v) - indptr[w]);
        }
}
