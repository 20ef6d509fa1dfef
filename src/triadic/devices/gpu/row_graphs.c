/* The graph that the vertices of a row form among themselves: supports, tetrahedra, and diamonds off their chord.
 *
 * Computes: `tetrahedra` adds, for the rows listed, to the support of each entry the triangles whose largest rank is
 *   the row's, and to each vertex the tetrahedra likewise; `off_chord` adds at each vertex of these triangles one less
 *   than the support of the edge across, which is the chord of so many diamonds that have the vertex off it.
 * Requires: rows of an oriented graph; rows listed of up to SLOTS / 2 entries, or, with LONG, of any length and room
 *   for each one's bits, zero at first, of task t at word_ptr[t] - word_ptr[0]; supports complete for `off_chord`.
 * Idea: a team puts row u into a hash table, each entry with its place, and walks the row of each v in u: what it finds
 *   there is a triangle {u, v, w}, known by two places in u's row and one in v's, so that all three supports are at
 *   hand. The joined pairs of places are bits, both ways: tetrahedra are triangles of this graph, an AND and a
 *   population count for each of its edges. No other row is written but at v's entry.
 * Cost: a look-up for each entry of the rows of a row's entries, twice; (length of the row) / 64 words for a triangle,
 *   twice. For long rows length squared / 8 bytes.
 */

#ifdef LONG
#define SPACE GLOBAL
#else
#define SPACE LOCAL
#endif

KERNEL void tetrahedra(GLOBAL const i64 *RESTRICT indptr, GLOBAL const u32 *RESTRICT indices,
                       GLOBAL const u32 *RESTRICT rows, u64 first_row, u64 step, u64 count,
                       GLOBAL const i64 *RESTRICT word_ptr, GLOBAL u64 *room, GLOBAL u32 *support,
                       GLOBAL u32 *counts) {
    LOCAL_ARRAY(u32, tables, TEAMS * SLOTS);
    LOCAL_ARRAY(u32, places, TEAMS * SLOTS);
    LOCAL_ARRAY(u64, sums, TEAMS * LANES);
    LOCAL_ARRAY(u32, scratch, TEAMS * LANES);
#ifndef LONG
    LOCAL_ARRAY(u64, matrices, TEAMS * HALF);
#endif
    u32 lane = THREAD % LANES;
    LOCAL u32 *table = tables + THREAD / LANES * SLOTS;
    LOCAL u32 *place = places + THREAD / LANES * SLOTS;
    LOCAL u64 *met_at = sums + THREAD / LANES * LANES;
    LOCAL u32 *own = scratch + THREAD / LANES * LANES;
    SPACE u64 *matrix;
    u64 task = BLOCK * TEAMS + THREAD / LANES;
    u64 u;
    i64 start;
    u32 length, words, width = 1;
#if TEAMS > 1
    if (task >= count)
        return;
#endif
    u = rows[first_row + step * task];
    start = indptr[u];
    length = (u32)(indptr[u + 1] - start);
    words = (length + 63) / 64;
#ifdef LONG
    matrix = room + (word_ptr[task] - word_ptr[0]);
#else
    matrix = matrices + THREAD / LANES * HALF;
    for (u32 i = lane; i < length; i += LANES)
        matrix[i] = 0;
#endif
    met_at[lane] = 0;
    for (u32 first = 0; first < length; first += HALF) {
        u32 last = length < first + HALF ? length : first + HALF;
        u32 mask = slots_for(last - first);
        TEAM_BARRIER();
        for (u32 i = lane; i <= mask; i += LANES)
            table[i] = EMPTY;
        TEAM_BARRIER();
        for (u32 i = first + lane; i < last; i += LANES)
            place[put_in(table, mask, indices[start + i])] = i;
        TEAM_BARRIER();
        for (u32 i = lane / WIDTH; i < length; i += LANES / WIDTH) {
            u32 v = indices[start + i];
            i64 end = indptr[v + 1];
            for (i64 p = indptr[v] + lane % WIDTH; p < end; p += WIDTH) {
                u32 slot = slot_of(table, mask, indices[p]);
                if (slot != EMPTY) {
                    u32 j = place[slot];
                    OR_U32((SPACE u32 *)(matrix + (u64)i * words) + (j >> 5), 1u << (j & 31));
                    OR_U32((SPACE u32 *)(matrix + (u64)j * words) + (i >> 5), 1u << (i & 31));
                    ADD_U32(&support[p], 1);
                }
            }
        }
    }
    TEAM_FENCE();
    while (4 * width <= words && width < LANES)
        width *= 2;
    for (u32 base = 0; base < length; base += LANES / width) {
        u32 i = base + lane / width, joined = 0;
        u64 met = 0; /* up to the row's length squared */
        if (i < length) {
            SPACE const u64 *row = matrix + (u64)i * words;
            for (u32 x = 0; x < words; x++) {
                u64 word = row[x];
                joined += POPCOUNT64(word);
                while (word != 0) {
                    SPACE const u64 *other = matrix + (u64)(64 * x + LOWEST_BIT(word)) * words;
                    for (u32 y = lane % width; y < words; y += width)
                        met += POPCOUNT64(row[y] & other[y]);
                    word &= word - 1;
                }
            }
        }
        TEAM_SUM_WIDE(met, width, own)
        if (i < length && lane % width == 0 && joined > 0) {
            ADD_U32(&support[start + i], joined);
            met_at[lane] += met;
            ADD_WIDE(counts, indices[start + i], met / 2); /* each was met at two of its edges */
        }
    }
    TEAM_BARRIER();
    if (lane == 0) {
        u64 met = 0;
        for (u32 i = 0; i < LANES; i++)
            met += met_at[i];
        ADD_WIDE(counts, u, met / 6);
    }
}

KERNEL void off_chord(GLOBAL const i64 *RESTRICT indptr, GLOBAL const u32 *RESTRICT indices,
                      GLOBAL const u32 *RESTRICT rows, u64 first_row, u64 step, u64 count,
                      GLOBAL const u32 *RESTRICT support, GLOBAL u32 *counts) {
    LOCAL_ARRAY(u32, tables, TEAMS * SLOTS);
    LOCAL_ARRAY(unsigned short, places, TEAMS * SLOTS);
    LOCAL_ARRAY(u32, collected, TEAMS * SLOTS);
    LOCAL_ARRAY(u64, sums, TEAMS * LANES);
    u32 lane = THREAD % LANES;
    LOCAL u32 *table = tables + THREAD / LANES * SLOTS;
    LOCAL unsigned short *place = places + THREAD / LANES * SLOTS;
    LOCAL u32 *collect = collected + THREAD / LANES * SLOTS;
    LOCAL u64 *at_u = sums + THREAD / LANES * LANES;
    u64 task = BLOCK * TEAMS + THREAD / LANES;
    u64 u;
    i64 start;
    u32 length;
#if TEAMS > 1
    if (task >= count)
        return;
#endif
    u = rows[first_row + step * task];
    start = indptr[u];
    length = (u32)(indptr[u + 1] - start);
    at_u[lane] = 0;
    for (u32 first = 0; first < length; first += HALF) {
        u32 filled = (length < first + HALF ? length : first + HALF) - first;
        u32 mask = slots_for(filled);
        i64 begin = start + first;
        TEAM_BARRIER();
        for (u32 i = lane; i <= mask; i += LANES) {
            table[i] = EMPTY;
            collect[i] = 0; /* two words for an entry, two slots or more */
        }
        TEAM_BARRIER();
        for (u32 i = lane; i < filled; i += LANES)
            place[put_in(table, mask, indices[begin + i])] = (unsigned short)i;
        TEAM_BARRIER();
        for (u32 i = lane / WIDTH; i < length; i += LANES / WIDTH) {
            u32 v = indices[start + i];
            u64 across_w = (u64)support[start + i] - 1, at_v = 0;
            i64 end = indptr[v + 1];
            for (i64 p = indptr[v] + lane % WIDTH; p < end; p += WIDTH) {
                u32 slot = slot_of(table, mask, indices[p]);
                if (slot != EMPTY) {
                    u32 j = place[slot];
                    at_u[lane] += support[p] - 1;
                    at_v += support[begin + j] - 1;
                    ADD_WIDE_LOCAL(collect, j, across_w);
                }
            }
            ADD_WIDE(counts, v, at_v);
        }
        TEAM_BARRIER();
        for (u32 i = lane; i < filled; i += LANES) {
            u64 at_w = collect[2 * i] | (u64)collect[2 * i + 1] << 32;
            ADD_WIDE(counts, indices[begin + i], at_w);
        }
    }
    TEAM_BARRIER();
    if (lane == 0) {
        u64 all = 0;
        for (u32 i = 0; i < LANES; i++)
            all += at_u[i];
        ADD_WIDE(counts, u, all);
    }
}
