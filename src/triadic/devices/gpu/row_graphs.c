/* Supports, tetrahedra, and diamonds at the vertices off their chord, from the graph that each row's vertices form.
 *
 * Computes: `tetrahedra` adds the triangles whose largest rank is that of a listed row to the support of their entries,
 *   and the tetrahedra with this largest rank to their vertices. `off_chord` adds to each vertex of these triangles the
 *   support of the opposite edge minus one: that edge is the chord of as many diamonds with the vertex off the chord.
 * Requires: the rows of an oriented graph. Listed rows have at most SLOTS / 2 entries; with LONG any number, and `room`
 *   has bits for them, zero at first, those of task t from word_ptr[t] - word_ptr[0] on. `off_chord` needs the complete
 *   supports.
 * Idea: a team puts row u into a hash table, each entry with its place, and walks the row of each v in u. A column
 *   found in the table is a triangle {u, v, w} with two places in the row of u and one in the row of v, so that all
 *   three supports are at hand. The joined pairs of places form a symmetric bit matrix: a tetrahedron is a triangle of
 *   this graph, found by an AND and a population count for each of its edges (Almasri et al. 2022, International
 *   Conference on Supercomputing, count cliques in such matrices). The counts are the ones that the Fast Graphlet
 *   Transform needs (Floros, Pitsianis and Sun 2020, High Performance Extreme Computing Conference).
 * Cost: two look-ups for each entry of the rows of a row's entries; 2 (length of the row) / 64 words for each triangle;
 *   for a long row length squared / 8 bytes.
 */

#ifdef LONG
#define SPACE GLOBAL
#else
#define SPACE LOCAL
#endif

KERNEL void tetrahedra(ROW_TASKS, GLOBAL const i64 *RESTRICT word_ptr, GLOBAL u64 *room, GLOBAL u32 *support,
                       GLOBAL u32 *counts) {
    LOCAL_ARRAY(u32, tables, TEAMS * SLOTS);
    LOCAL_ARRAY(u32, places, TEAMS * SLOTS);
    LOCAL_ARRAY(u64, sums, TEAMS * LANES);
    LOCAL_ARRAY(u32, scratch, TEAMS * LANES);
#ifndef LONG
    LOCAL_ARRAY(u64, matrices, TEAMS * HALF);
#endif
    TEAM_ROW;
    LOCAL u32 *table = OWN(tables, SLOTS), *place = OWN(places, SLOTS), *own = OWN(scratch, LANES);
    LOCAL u64 *met_at = OWN(sums, LANES);
    u32 length = (u32)(indptr[u + 1] - start), words = (length + 63) / 64, width = 1;
#ifdef LONG
    SPACE u64 *matrix = room + (word_ptr[task] - word_ptr[0]);
#else
    SPACE u64 *matrix = OWN(matrices, HALF);
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
        u64 met = 0; /* up to the square of the row's length */
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
            ADD_WIDE(counts, indices[start + i], met / 2); /* each tetrahedron was found at two of its edges */
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

KERNEL void off_chord(ROW_TASKS, GLOBAL const u32 *RESTRICT support, GLOBAL u32 *counts) {
    LOCAL_ARRAY(u32, tables, TEAMS * SLOTS);
    LOCAL_ARRAY(unsigned short, places, TEAMS * SLOTS);
    LOCAL_ARRAY(u32, collected, TEAMS * SLOTS);
    LOCAL_ARRAY(u64, sums, TEAMS * LANES);
    TEAM_ROW;
    LOCAL u32 *table = OWN(tables, SLOTS), *collect = OWN(collected, SLOTS);
    LOCAL unsigned short *place = OWN(places, SLOTS);
    LOCAL u64 *at_u = OWN(sums, LANES);
    u32 length = (u32)(indptr[u + 1] - start);
    at_u[lane] = 0;
    for (u32 first = 0; first < length; first += HALF) {
        u32 filled = (length < first + HALF ? length : first + HALF) - first;
        u32 mask = slots_for(filled);
        i64 begin = start + first;
        TEAM_BARRIER();
        for (u32 i = lane; i <= mask; i += LANES) {
            table[i] = EMPTY;
            collect[i] = 0; /* two words for each entry, which has at least two slots */
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
