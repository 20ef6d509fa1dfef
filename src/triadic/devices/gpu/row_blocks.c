/* Blocks of rows of an oriented graph: their assembly from tiles, and the lists between two blocks.
 *
 * Computes: `add_lengths`, the lengths of the rows of a tile added to places; `add_entries`, the entries of a tile moved
 *   to their rows, the columns shifted by `moved`; with STATES the states of the entries. `part_walks`, for each row u
 *   of a part where its hubs end, if there are hubs, where its entries from rank `low` up to rank `high` begin, and at the place after its
 *   own their number; `part_keys`, these entries as keys (column - low, u).
 * Requires: in `starts`, from `at` on, where the rows of a tile begin, modulo 2^32; rows of less than 2^32 entries.
 * Idea: four lanes move a row, since a row has few entries in one tile, and lanes of neighbouring rows read side by
 *   side. A part is the rows of one block and after them those of another; only the latter are walked, from `first` on.
 * Cost: a read and a write for each entry; a binary search for each bound of a row.
 */

#define WIDTH 4u
#ifdef STATES
#define ENTRY unsigned char
#else
#define ENTRY u32
#endif

KERNEL void add_lengths(GLOBAL const u32 *RESTRICT starts, u64 at, u64 rows, u64 after, GLOBAL i64 *places) {
    u64 row = GLOBAL_THREAD;
    if (row < rows)
        places[row + after] += starts[at + row + 1] - starts[at + row];
}

/* Move the entries of `rows` rows of a tile from the row `first` on; `from` holds the entries from `before` on. */
KERNEL void add_entries(GLOBAL const u32 *RESTRICT starts, u64 at, u64 first, u64 rows, u32 before, u64 place,
                        GLOBAL const ENTRY *RESTRICT from, u32 moved, GLOBAL const i64 *RESTRICT places,
                        GLOBAL ENTRY *to) {
    u64 row = GLOBAL_THREAD / WIDTH;
    if (row < rows) {
        u32 start = starts[at + first + row];
        u32 length = starts[at + first + row + 1] - start;
        i64 goal = places[first + row];
        for (u32 i = GLOBAL_THREAD % WIDTH; i < length; i += WIDTH)
            to[goal + i] = (ENTRY)(from[place + (start - before) + i] + moved);
    }
}

KERNEL void part_walks(GLOBAL const i64 *RESTRICT indptr, GLOBAL const u32 *RESTRICT indices, u64 first, u64 rows,
                       u32 hubs, u32 low, u32 high, GLOBAL i64 *split, GLOBAL i64 *begins, GLOBAL i64 *numbers) {
    u64 u = GLOBAL_THREAD;
    if (u < rows) {
        i64 start = indptr[u], end = indptr[u + 1], begin = start;
        numbers[u + 1] = 0;
        if (u >= first && start < end) {
            if (hubs > 0)
                begin = first_from(indices, start, end, hubs);
            else if (low > 0)
                begin = first_from(indices, start, end, low);
            if (hubs > 0)
                split[u] = begin;
            begin = begin > start ? begin : start + 1; /* before the first entry of a row is no rank w */
            end = begin < end ? first_from(indices, begin, end, high) : begin;
            numbers[u + 1] = end - begin;
        } else if (hubs > 0) {
            split[u] = start;
        }
        begins[u] = begin;
        if (u == 0)
            numbers[0] = 0;
    }
}

/* Write the keys of `rows` rows from the row `first` on; `places` holds the number of keys of the rows before each. */
KERNEL void part_keys(GLOBAL const u32 *RESTRICT indices, GLOBAL const i64 *RESTRICT begins,
                      GLOBAL const i64 *RESTRICT places, u64 first, u64 rows, u32 low, GLOBAL u64 *keys) {
    u64 row = BLOCK * TEAMS + THREAD / LANES;
    if (row < rows) {
        u64 u = first + row;
        i64 at = places[u] - places[first], length = places[u + 1] - places[u];
        for (i64 i = THREAD % LANES; i < length; i += LANES)
            keys[at + i] = (u64)(indices[begins[u] + i] - low) << 32 | u;
    }
}
