/* Tables of the vertices within two steps of each vertex of a batch, in global memory.
 *
 * The table of u begins at slot offset[u] - first_slot. With mask ALL it has a slot for each vertex; otherwise it is a
 * hash table of mask + 1 slots, at most half full, whose key is the vertex plus one. Without a table the mask is 0.
 */

#define ALL 0xffffffffu
#define ABSENT 0xffffffffffffffffUL

FUNCTION u32 hashed(u32 w, u32 mask) {
    u32 h = w * 2654435761u;
    return (h ^ h >> 15) & mask;
}

/* Return the slot of w in the table that begins at `base`, where w is put unless it is there. */
FUNCTION u64 put_at(GLOBAL u32 *keys, u64 base, u32 mask, u32 w) {
    u32 slot, found;
    if (mask == ALL)
        return base + w;
    slot = hashed(w, mask);
    found = keys[base + slot];
    while (found != w + 1) {
        if (found == 0)
            found = SWAP_U32(&keys[base + slot], 0, w + 1);
        if (found == 0 || found == w + 1)
            break;
        slot = (slot + 1) & mask;
        found = keys[base + slot];
    }
    return base + slot;
}

/* Return the slot of w, or ABSENT. */
FUNCTION u64 slot_at(GLOBAL const u32 *keys, u64 base, u32 mask, u32 w) {
    u32 slot, found;
    if (mask == ALL)
        return base + w;
    slot = hashed(w, mask);
    found = keys[base + slot];
    while (found != w + 1) {
        if (found == 0)
            return ABSENT;
        slot = (slot + 1) & mask;
        found = keys[base + slot];
    }
    return base + slot;
}

/* Return the last of the rows from `row` below `last` whose table begins at or before `slot`. */
FUNCTION u64 row_of_slot(GLOBAL const i64 *RESTRICT offset, u64 row, u64 last, i64 slot) {
    while (row + 1 < last) {
        u64 middle = (row + last) >> 1;
        if (offset[middle] <= slot)
            row = middle;
        else
            last = middle;
    }
    return row;
}

/* The parameters that kernels over the entries of a batch of whole rows begin with, and over its slots. */
#define BATCH_ENTRIES                                                                                                  \
    GLOBAL const i64 *RESTRICT indptr, GLOBAL const i64 *RESTRICT ptr, GLOBAL const u32 *RESTRICT ends,                \
        GLOBAL const u32 *RESTRICT edges, GLOBAL const u32 *RESTRICT owners, u64 first_entry, u64 count,               \
        GLOBAL const i64 *RESTRICT offset, GLOBAL const u32 *RESTRICT masks, i64 first_slot, GLOBAL u32 *keys

/* Declare the entry p of the team's task, its owner u and end x, the table of u, and the end of the row of x, which is
 * empty if u has no table. */
#define TEAM_ENTRY                                                                                                     \
    TEAM_TASK;                                                                                                         \
    u64 p = first_entry + task;                                                                                        \
    u32 u = owners[p], x = ends[p], mask = masks[u];                                                                   \
    u64 base = (u64)(offset[u] - first_slot);                                                                          \
    i64 row_end = mask == 0 ? ptr[x] : ptr[x + 1];                                                                     \
    SKIP_IF(mask == 0)
