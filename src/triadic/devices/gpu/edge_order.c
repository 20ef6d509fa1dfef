/* Values at the entries of the oriented rows, put in the order of the graph's edges.
 *
 * Computes: `edge_keys`, a key for each edge, its lower vertex in the upper 32 bits and its higher one in the lower; with
 *   STATES two keys for each entry, one for each arc, source before target, and NO_KEY for an arc that is not there.
 *   `edge_values`, for each of the sorted keys the value at its entry.
 * Requires: the rows of an oriented graph; `order`, the vertex at each rank; `rank`, its inverse; the runtime sorts the
 *   keys between the kernels.
 * Cost: O(edges) and a binary search in a row for each edge, beside the sort.
 */

#define NO_KEY 0xffffffffffffffffu

KERNEL void edge_keys(GLOBAL const i64 *RESTRICT indptr, GLOBAL const u32 *RESTRICT indices,
                      GLOBAL const unsigned char *RESTRICT state, GLOBAL const u32 *RESTRICT order, u64 rows,
                      GLOBAL u64 *keys) {
    u64 row = BLOCK * TEAMS + THREAD / LANES;
    if (row < rows) {
        u64 u = order[row];
        for (i64 i = indptr[row] + THREAD % LANES; i < indptr[row + 1]; i += LANES) {
            u64 v = order[indices[i]];
#ifdef STATES
            keys[2 * i] = state[i] & 1 ? u << 32 | v : NO_KEY;
            keys[2 * i + 1] = state[i] & 2 ? v << 32 | u : NO_KEY;
#else
            keys[i] = u < v ? u << 32 | v : v << 32 | u;
#endif
        }
    }
}

KERNEL void edge_values(GLOBAL const u64 *RESTRICT keys, u64 count, GLOBAL const u32 *RESTRICT rank,
                        GLOBAL const i64 *RESTRICT indptr, GLOBAL const u32 *RESTRICT indices,
                        GLOBAL const u32 *RESTRICT at_entry, GLOBAL i64 *found) {
    u64 e = GLOBAL_THREAD;
    if (e < count) {
        u32 a = rank[keys[e] >> 32], b = rank[keys[e] & 0xffffffffu];
        u32 u = a > b ? a : b, v = a > b ? b : a;
        found[e] = at_entry[first_from(indices, indptr[u], indptr[u + 1], v)];
    }
}
