/* Squares, the 4-cycles with and without chords, by windows of opposite vertices.
 *
 * Computes: for each listed u and window of ranks, the squares u - v - w - v' in which u has the smallest rank and w is
 *   in the window, at all four vertices. `joined_rows` writes the rows that the count reads.
 * Requires: whole rows of all vertices of at least two neighbours: the oriented row followed by the list, both rising;
 *   the place of u in the row of each v of its list; for each of these v where its row begins, in two
 *   words, and how many entries of its row are below each multiple of CELLS, up to `bounds` - 1 times CELLS. A task is a u and the first multiple of its window. The window
 *   is 2 CELLS wide if fewer than 2^16 vertices can be between u and each w in it, otherwise CELLS.
 * Idea: the squares of u and w are the pairs of 2-paths u - v - w with v and w of larger rank than u (Chiba and
 *   Nishizeki 1985, SIAM Journal on Computing 14, 210). A block counts the 2-paths into a window in local memory, where
 *   a word has the counters of two ranks, CELLS apart, so that neighbouring ranks lie in different banks. Then it walks
 *   the 2-paths again, for the squares at v, and reads all counters, for the squares at u and w.
 * Cost: two walks over the 2-paths in local memory, a few reads for each v of the list of u in each window, and CELLS
 *   steps for each window.
 */

/* Write the whole row of each vertex v, and how it is cut by windows. */
KERNEL void joined_rows(GLOBAL const i64 *RESTRICT indptr, GLOBAL const u32 *RESTRICT indices,
                        GLOBAL const i64 *RESTRICT list_ptr, GLOBAL const u32 *RESTRICT list_ends, u64 rows, u64 joined,
                        u32 bounds, GLOBAL u32 *RESTRICT ends, GLOBAL u32 *RESTRICT below) {
    u64 v = BLOCK * TEAMS + THREAD / LANES;
    if (v < rows) {
        i64 start = indptr[v], length = indptr[v + 1] - start;
        i64 list = list_ptr[v], listed = list_ptr[v + 1] - list, row = start + list;
        for (i64 i = THREAD % LANES; i < length; i += LANES)
            ends[row + i] = indices[start + i];
        for (i64 i = THREAD % LANES; i < listed; i += LANES)
            ends[row + length + i] = list_ends[list + i];
        if (v < joined) {
            GLOBAL u32 *cuts = below + v * (bounds + 2);
            if (THREAD % LANES == 0) {
                cuts[0] = (u32)row;
                cuts[1] = (u32)(row >> 32);
            }
            for (u32 b = THREAD % LANES; b < bounds; b += LANES) {
                i64 in_row = first_from(indices, start, start + length, b * CELLS) - start;
                i64 in_list = first_from(list_ends, list, list + listed, b * CELLS) - list;
                cuts[2 + b] = (u32)(in_row + in_list);
            }
        }
    }
}

/* Run EACH for each w at the end of the block's 2-paths to its window, with `x` for w less the first rank of the
 * window, and AFTER at the end of the 2-paths through each v, in all threads. WIDTH lanes walk the row of a v. */
#define FOR_EACH_PATH(EACH, AFTER)                                                                                     \
    for (i64 base = start; base < stop; base += across) {                                                              \
        NEXT_ROW(base + mine)                                                                                          \
        if (entry < end) {                                                                                             \
            u32 i = entry + of_mine;                                                                                   \
            for (; i + 3 * width < end; i += 4 * width) {                                                              \
                u32 x0 = row[i] - low, x1 = row[i + width] - low;                                                      \
                u32 x2 = row[i + 2 * width] - low, x3 = row[i + 3 * width] - low;                                      \
                EACH(x0);                                                                                              \
                EACH(x1);                                                                                              \
                EACH(x2);                                                                                              \
                EACH(x3);                                                                                              \
            }                                                                                                          \
            for (; i < end; i += width) {                                                                              \
                u32 x = row[i] - low;                                                                                  \
                EACH(x);                                                                                               \
            }                                                                                                          \
        }                                                                                                              \
        AFTER                                                                                                          \
    }

/* Read where the part of the row of v in the window begins and ends, v being entry k of the list of u. */
#define READ_ROW(k, v, row, entry, end)                                                                                \
    if ((k) < stop) {                                                                                                  \
        v = list_ends[k];                                                                                              \
        if (v < joined) {                                                                                              \
            GLOBAL const u32 *cuts = below + (u64)v * (bounds + 2);                                                    \
            u32 after_u = places[k] + 1;                                                                               \
            row = ends + (cuts[0] | (u64)cuts[1] << 32);                                                               \
            entry = cuts[2 + first];                                                                                   \
            entry = entry < after_u ? after_u : entry;                                                                 \
            end = cuts[2 + first + halves];                                                                            \
        }                                                                                                              \
    }
#define NEXT_ROW(k)                                                                                                    \
    u32 v = 0, entry = 0, end = 0;                                                                                     \
    GLOBAL const u32 *row = ends;                                                                                      \
    READ_ROW(k, v, row, entry, end)

#define NO_VERTEX 0xffffffffu
#define COUNT(x) ADD_U32(&cells[(x) < CELLS ? (x) : (x) - CELLS], (x) < CELLS ? 1u : 0x10000u)
#define LOOK_UP(x) at_v += ((x) < CELLS ? cells[x] & mask : cells[(x) - CELLS] >> 16) - 1
#if defined(WARPS)
#define SUM_OF_ROW                                                                                                     \
    TEAM_SUM_WIDE(at_v, width, own)                                                                                    \
    if (of_mine == 0)                                                                                                  \
        ADD_WIDE(counts, v, at_v);
#else
#define SUM_OF_ROW                                                                                                     \
    if (at_v > 0)                                                                                                      \
        ADD_WIDE(counts, v, at_v);
#endif

KERNEL void squares_of_windows(GLOBAL const i64 *RESTRICT list_ptr, GLOBAL const u32 *RESTRICT list_ends, GLOBAL const u32 *RESTRICT ends,
                               GLOBAL const u32 *RESTRICT places, GLOBAL const u32 *RESTRICT below, u32 bounds,
                               u32 joined, GLOBAL const u32 *RESTRICT rows, GLOBAL const u32 *RESTRICT windows,
                               GLOBAL const u32 *RESTRICT widths, u64 first_task, u64 step, GLOBAL u32 *counts) {
    LOCAL_LARGE(u32, cells, CELLS);
    LOCAL_ARRAY(u32, scratch, THREADS);
    u64 task = first_task + step * BLOCK;
    u32 u = rows[task], window = windows[task], halves = 1 + (window & 1), first = window >> 1;
    u32 low = first * CELLS, mask = halves == 1 ? 0xffffffffu : 0xffffu, width = widths[first];
    u32 across = THREADS / width, mine = THREAD / width, of_mine = THREAD % width;
    i64 start = list_ptr[u], stop = list_ptr[u + 1];
    LOCAL u32 *own = scratch + THREAD / LANES * LANES;
    u64 at_u = 0;
    for (u32 i = THREAD; i < CELLS; i += THREADS)
        cells[i] = 0;
    BLOCK_BARRIER();
    FOR_EACH_PATH(COUNT, )
    BLOCK_BARRIER();
    for (u32 i = THREAD; i < CELLS; i += THREADS) {
        u32 cell = cells[i];
        u64 c = cell & mask;
        if (c > 1) {
            u64 squares = c * (c - 1) / 2;
            ADD_WIDE(counts, low + i, squares);
            at_u += squares;
        }
        c = halves == 1 ? 0 : cell >> 16;
        if (c > 1) {
            u64 squares = c * (c - 1) / 2;
            ADD_WIDE(counts, low + CELLS + i, squares);
            at_u += squares;
        }
    }
    TEAM_SUM_WIDE(at_u, LANES, own)
    if (THREAD % LANES == 0)
        ADD_WIDE(counts, u, at_u);
    {
        u64 at_v = 0;
        FOR_EACH_PATH(LOOK_UP, {
            SUM_OF_ROW
            at_v = 0;
        })
    }
}

/* The squares of a u whose 2-paths end at so few vertices that a hash table of SLOTS slots, a power of two, is at most
 * half full: all w at once, without windows. A slot has a vertex, and a half of a word of counters. */
#define SLOT_COUNT(slot) (cells[SLOTS + ((slot) >> 1)] >> 16 * ((slot) & 1) & 0xffff)
#define FOR_EACH_END(...)                                                                                              \
    for (i64 base = start; base < stop; base += THREADS / LANES) {                                                     \
        i64 k = base + THREAD / LANES;                                                                                 \
        u32 v = 0;                                                                                                     \
        if (k < stop) {                                                                                                \
            i64 end;                                                                                                   \
            v = list_ends[k];                                                                                          \
            end = indptr[v + 1] + list_ptr[v + 1];                                                                     \
            for (i64 i = indptr[v] + list_ptr[v] + places[k] + 1 + THREAD % LANES; i < end; i += LANES) {              \
                u32 w = ends[i], slot = (w * 2654435761u >> 13) & (SLOTS - 1);                                         \
                __VA_ARGS__                                                                                            \
            }                                                                                                          \
        }                                                                                                              \
        AT_ROW_END                                                                                                     \
    }

KERNEL void squares_of_some(GLOBAL const i64 *RESTRICT indptr, GLOBAL const i64 *RESTRICT list_ptr,
                            GLOBAL const u32 *RESTRICT list_ends, GLOBAL const u32 *RESTRICT ends,
                            GLOBAL const u32 *RESTRICT places, GLOBAL const u32 *RESTRICT rows, u64 first_task,
                            u64 step, GLOBAL u32 *counts) {
    LOCAL_LARGE(u32, cells, CELLS);
    LOCAL_ARRAY(u32, scratch, THREADS);
    u32 u = rows[first_task + step * BLOCK];
    i64 start = list_ptr[u], stop = list_ptr[u + 1];
    LOCAL u32 *own = scratch + THREAD / LANES * LANES;
    u32 width = LANES, of_mine = THREAD % LANES;
    u64 at_u = 0, at_v = 0;
    for (u32 i = THREAD; i < SLOTS; i += THREADS) {
        cells[i] = NO_VERTEX;
        if (i < SLOTS / 2)
            cells[SLOTS + i] = 0;
    }
    BLOCK_BARRIER();
#define AT_ROW_END
    FOR_EACH_END(u32 found = SWAP_U32(&cells[slot], NO_VERTEX, w); while (found != NO_VERTEX && found != w) {
        slot = (slot + 1) & (SLOTS - 1);
        found = SWAP_U32(&cells[slot], NO_VERTEX, w);
    } ADD_U32(&cells[SLOTS + (slot >> 1)], 1u << 16 * (slot & 1));)
#undef AT_ROW_END
    BLOCK_BARRIER();
    for (u32 i = THREAD; i < SLOTS; i += THREADS) {
        u64 c = SLOT_COUNT(i);
        if (c > 1) {
            ADD_WIDE(counts, cells[i], c * (c - 1) / 2);
            at_u += c * (c - 1) / 2;
        }
    }
    TEAM_SUM_WIDE(at_u, LANES, own)
    if (of_mine == 0)
        ADD_WIDE(counts, u, at_u);
#define AT_ROW_END                                                                                                     \
    SUM_OF_ROW                                                                                                         \
    at_v = 0;
    FOR_EACH_END(while (cells[slot] != w) slot = (slot + 1) & (SLOTS - 1); at_v += SLOT_COUNT(slot) - 1;)
}
