/* Triangles {u, v, w} of ranks u > v > w, by the middle vertex v, through the lists of the tasks.
 *
 * Computes: with NUMBER a count from each team, in `parts`; with BY_VERTEX the number of triangles at each vertex; with
 *   BY_EDGE the number at each entry of the rows.
 * Requires: the rows of an oriented graph and its list tasks (list_walk.h), of at most `part` rows each, fewer than 2^16.
 * Idea: a team puts N+(v), part by part, into a hash table in local memory, then walks each row u of the list, four
 *   lanes to a row, where the part can meet it, and looks each column up. Bisson and Fatica (2017, IEEE Transactions on
 *   Parallel and Distributed Systems 28, 3501) mark a row and walk others through the marks in the same way; Pandey et
 *   al. (2021, the same journal 32, 2646) use a hash table for the marks. The count at w stays in local memory until
 *   the part is done.
 * Cost: a look-up for each two entries of a listed row; each row is read once for each v in it, and searched once for
 *   each further part of N+(v).
 */

#define ROWS (LANES / WIDTH)

KERNEL void list_triangles(LIST_TASKS, GLOBAL u32 *counts, GLOBAL u64 *parts) {
    LOCAL_ARRAY(u32, tables, TEAMS * TABLE);
    LOCAL_ARRAY(u32, scratch, TEAMS * (LANES + 1));
#ifndef NUMBER
    LOCAL_ARRAY(unsigned char, places, TEAMS * TABLE); /* ENTRIES is at most 256 */
    LOCAL_ARRAY(u32, collected, TEAMS * ENTRIES / 2);  /* two counts in a word, each at most `part` */
#endif
    TEAM_LIST;
    LOCAL u32 *table = OWN(tables, TABLE), *own = OWN(scratch, LANES + 1);
    u64 total = 0;
#ifndef NUMBER
    LOCAL unsigned char *place_of = OWN(places, TABLE);
    LOCAL u32 *at_w = OWN(collected, ENTRIES / 2), *at_v = own + LANES;
    if (lane == 0)
        *at_v = 0;
#endif
    FOR_EACH_PART_OF_ROW {
        BEGIN_PART_OF_ROW;
#ifndef NUMBER
        for (u32 i = lane; i < ENTRIES / 2; i += LANES)
            at_w[i] = 0;
#endif
        TEAM_BARRIER();
        for (i64 i = first + lane; i < last; i += LANES) {
#ifdef NUMBER
            put_in(table, mask, indices[i]);
#else
            place_of[put_in(table, mask, indices[i])] = (unsigned char)(i - first);
#endif
        }
        TEAM_BARRIER();
        for (i64 base = start; base < stop; base += ROWS) {
            i64 k = base + lane / WIDTH;
            u32 u = 0, hits = 0;
            if (k < stop) {
                u = ends[k];
                BEGIN_WALK(WIDTH);
                while (w < beyond) { /* reads of global memory begin before their values are needed */
                    i64 ahead = p + WIDTH;
                    u32 next = ahead < end ? indices[ahead] : beyond;
                    u32 slot = slot_of(table, mask, w);
                    if (slot != EMPTY) {
                        hits += 1;
#ifndef NUMBER
                        ADD_U32(&at_w[place_of[slot] >> 1], 1u << 16 * (place_of[slot] & 1));
#endif
#ifdef BY_EDGE
                        ADD_U32(&counts[p], 1);
#endif
                    }
                    p = ahead;
                    w = next;
                }
            }
#ifdef NUMBER
            total += hits;
#else
            TEAM_SUM(hits, WIDTH, own);
            if (lane % WIDTH == 0 && hits > 0) {
#ifdef BY_EDGE
                ADD_U32(&counts[first_from(indices, indptr[u], indptr[u + 1], v_rank)], hits);
#else
                ADD_WIDE(counts, u + u_base, hits);
                ADD_U32(at_v, hits);
#endif
            }
#endif
        }
#ifndef NUMBER
        TEAM_BARRIER();
        for (i64 i = first + lane; i < last; i += LANES) {
            u32 here = at_w[(i - first) >> 1] >> 16 * ((i - first) & 1) & 0xffff;
            if (here > 0) {
#ifdef BY_EDGE
                ADD_U32(&counts[i], here);
#else
                ADD_WIDE(counts, indices[i], here);
#endif
            }
        }
#endif
    }
#ifdef NUMBER
    TEAM_SUM_WIDE(total, LANES, own)
    if (lane == 0)
        parts[task] = total;
#endif
#ifdef BY_VERTEX
    TEAM_BARRIER();
    if (lane == 0)
        ADD_WIDE(counts, v_rank, *at_v);
#endif
}
