/* Patterns through two vertices with common neighbours, and wheels, at each vertex.
 *
 * Computes: for each vertex u the raw frequencies of squares, of orbits 49, 50, 62 to 64 and 68, parts of those of 36
 *   and 51, and twice that of 69 (orbit_columns.h); for each edge its squares.
 * Requires: whole rows, triangles at each edge, tables of a batch of vertices u (pair_table.h), all zero, which
 *   `sum_ends` leaves so; kernels run in the order of this file.
 * Idea: c(u, w) common neighbours are counted by the 2-paths u - x - w. The triangles at the edges of a vertex h are the
 *   rows of its neighbourhood, a graph of which `bits` has the first 64 WORDS columns, and t(h, u, w), the common
 *   neighbours of three vertices, is an AND and a population count of two rows. By t each pattern follows: the edges
 *   between the common neighbours of u and w are half the sum of t over h; a diamond with u and w off the chord and
 *   with h on it is one of t; wheels with hub h and opposite vertices u and w are C(t, 2). Columns past the bits are
 *   added up by `count_rest`. The hubs of networks come first in rows, so that few columns are past them.
 * Cost: four walks over the 2-paths from all vertices, the sum of the squares of the degrees, of which one reads the
 *   words of a row that are not zero.
 *
 * References: Pinar, Seshadhri and Vishal (2017), ESCAPE, WWW, for patterns as sums over pairs with common neighbours.
 */

/* Return the place of the edge {v, z} in the row of v. */
FUNCTION i64 place_in_row(GLOBAL const i64 *RESTRICT indptr, GLOBAL const u32 *RESTRICT places, u32 v, u32 z, u32 edge) {
    return v > z ? (i64)edge - indptr[v] : (i64)places[edge];
}

/* Write the rows of the neighbourhoods: word k of the row of the i-th neighbour of h at bit_ptr[h] + k degree + i. */
KERNEL void neighbourhood_bits(GLOBAL const i64 *RESTRICT indptr, GLOBAL const i64 *RESTRICT ptr,
                               GLOBAL const u32 *RESTRICT sources, GLOBAL const u32 *RESTRICT indices,
                               GLOBAL const u32 *RESTRICT places, GLOBAL const i64 *RESTRICT triangle_ptr,
                               GLOBAL const u32 *RESTRICT third, GLOBAL const u32 *RESTRICT low,
                               GLOBAL const u32 *RESTRICT high, u64 first_edge, u64 count,
                               GLOBAL const i64 *RESTRICT bit_ptr, GLOBAL u32 *bits) {
    TEAM_TASK;
    u64 e = first_edge + task;
    for (u32 side = 0; side < 2; side++) {
        u32 h = side ? indices[e] : sources[e], x = side ? sources[e] : indices[e];
        i64 degree = ptr[h + 1] - ptr[h], row = place_in_row(indptr, places, h, x, (u32)e);
        for (i64 t = triangle_ptr[e] + lane; t < triangle_ptr[e + 1]; t += LANES) {
            i64 column = place_in_row(indptr, places, h, third[t], side ? high[t] : low[t]);
            if (column < 64 * WORDS)
                OR_U32(&bits[2 * (bit_ptr[h] + (column >> 6) * degree + row) + ((column >> 5) & 1)],
                       1u << (column & 31));
        }
    }
}

KERNEL void count_paths(BATCH_ENTRIES, GLOBAL u32 *common) {
    TEAM_ENTRY;
    for (i64 q = ptr[x] + lane; q < row_end; q += LANES) {
        u32 w = ends[q];
        if (w != u)
            ADD_U32(&common[put_at(keys, base, mask, w)], 1);
    }
}

/* Add to t(h, u, w) the common neighbours whose columns are past the bits of h, for entries with room in `rest`. */
KERNEL void count_rest(BATCH_ENTRIES, GLOBAL const u32 *RESTRICT places, GLOBAL const i64 *RESTRICT triangle_ptr,
                       GLOBAL const u32 *RESTRICT third, GLOBAL const u32 *RESTRICT low,
                       GLOBAL const u32 *RESTRICT high, GLOBAL const i64 *RESTRICT rest_ptr, GLOBAL u32 *rest) {
    TEAM_ENTRY;
    u64 e = edges[p];
    i64 room = rest_ptr[task];
    i64 stop = mask == 0 || rest_ptr[task + 1] == room ? triangle_ptr[e] : triangle_ptr[e + 1];
    for (i64 t = triangle_ptr[e]; t < stop; t++) {
        u32 y = third[t];
        u64 f = x > u ? low[t] : high[t]; /* the edge {h, y} for h = x */
        if (place_in_row(indptr, places, x, y, (u32)f) < 64 * WORDS)
            continue;
        for (i64 s = triangle_ptr[f] + lane; s < triangle_ptr[f + 1]; s += LANES) {
            u32 z = third[s];
            /* the edge {h, z}, from the end of the edge {h, y} that h is */
            ADD_U32(&rest[room + place_in_row(indptr, places, x, z, x > y ? low[s] : high[s])], 1);
        }
    }
}

KERNEL void count_links(BATCH_ENTRIES, GLOBAL const u32 *RESTRICT places, GLOBAL const u32 *RESTRICT support,
                        GLOBAL const i64 *RESTRICT bit_ptr, GLOBAL const u64 *RESTRICT bits,
                        GLOBAL const i64 *RESTRICT rest_ptr, GLOBAL const u32 *RESTRICT rest, u32 has_rest,
                        GLOBAL const u32 *RESTRICT common, GLOBAL u32 *joined, u64 n, GLOBAL u32 *counts) {
    LOCAL_ARRAY(u64, words, TEAMS *LANES);
    LOCAL_ARRAY(u64, scratch, TEAMS *LANES);
    LOCAL_ARRAY(u32, numbers, TEAMS *LANES);
    LOCAL_ARRAY(u32, ballots, TEAMS);
    TEAM_ENTRY;
    LOCAL u64 *word = OWN(words, LANES), *own = OWN(scratch, LANES);
    LOCAL u32 *number = OWN(numbers, LANES);
    u32 e = edges[p], used;
    i64 start = ptr[x], degree = support[e] > 0 ? row_end - start : 0, room = 0;
    i64 row = place_in_row(indptr, places, x, u, e);
    GLOBAL const u64 *matrix = bits + bit_ptr[x];
    u64 mine = 0, rim = 0, hub = 0, diamonds = 0;
    SKIP_IF(degree == 0);
    if (has_rest && rest_ptr[task + 1] > rest_ptr[task])
        room = 1 + rest_ptr[task];
    if (degree > 0 && lane * degree < bit_ptr[x + 1] - bit_ptr[x])
        mine = matrix[lane * degree + row];
    TEAM_BALLOT(used, mine != 0, OWN(ballots, 1));
    if (mine != 0) {
        u32 at = POPCOUNT32(used & ((1u << lane) - 1));
        word[at] = mine;
        number[at] = lane;
    }
    TEAM_BARRIER();
    used = POPCOUNT32(used);
    for (i64 i = lane; i < degree; i += LANES) {
        u64 t = room > 0 ? rest[room - 1 + i] : 0;
        for (u32 k = 0; k < used; k++)
            t += POPCOUNT64(word[k] & matrix[number[k] * degree + i]);
        if (t > 0 && i != row) {
            u32 w = ends[start + i];
            u64 slot = slot_at(keys, base, mask, w);
            ADD_U32(&joined[slot], t);
            rim += t * (t - 1) / 2;
            if (w > u) {
                hub += t * (t - 1) / 2;
                diamonds += t * (u64)(common[slot] - 2);
            }
        }
    }
    TEAM_SUM_U64(rim, own);
    TEAM_SUM_U64(hub, own);
    TEAM_SUM_U64(diamonds, own);
    if (lane == 0) {
        ADD_AT(RIM, u, rim);
        ADD_AT(TWICE_HUB, x, hub);
        ADD_AT(ORBIT_64, x, diamonds);
    }
}

KERNEL void sum_middles(BATCH_ENTRIES, GLOBAL const u32 *RESTRICT support, GLOBAL const u32 *RESTRICT common,
                        GLOBAL const u32 *RESTRICT joined, GLOBAL u64 *RESTRICT squares, u64 n, GLOBAL u32 *counts) {
    LOCAL_ARRAY(u64, scratch, TEAMS *LANES);
    TEAM_ENTRY;
    LOCAL u64 *own = OWN(scratch, LANES);
    u64 at_x = 0, far = 0, pairs = 0, diamonds = 0;
    for (i64 q = ptr[x] + lane; q < row_end; q += LANES) {
        u32 w = ends[q];
        if (w != u) {
            u64 slot = slot_at(keys, base, mask, w);
            u64 others = common[slot] - 1;
            if (others > 0) {
                at_x += others;
                far += others * support[edges[q]];
                if (w > u) {
                    pairs += others * (others - 1) / 2;
                    diamonds += joined[slot] >> 1;
                }
            }
        }
    }
    TEAM_SUM_U64(at_x, own);
    TEAM_SUM_U64(far, own);
    TEAM_SUM_U64(pairs, own);
    TEAM_SUM_U64(diamonds, own);
    if (lane == 0 && at_x > 0) {
        if (x < u)
            squares[edges[p]] = at_x;
        ADD_AT(FAR_TRIANGLES, u, far);
        ADD_AT(ORBIT_49, x, pairs);
        ADD_AT(ORBIT_62, x, diamonds);
    }
}

/* Add the patterns that are sums over the vertices w of a table. A team takes SLICE slots; each LANES slots belong to
 * one table. */
KERNEL void sum_ends(GLOBAL const i64 *RESTRICT ptr, u64 first_row, u64 last_row, GLOBAL const i64 *RESTRICT offset,
                     GLOBAL const u32 *RESTRICT masks, i64 first_slot, i64 last_slot, u64 count, GLOBAL u32 *keys,
                     GLOBAL u32 *common, GLOBAL u32 *joined, u64 n, GLOBAL u32 *counts) {
    LOCAL_ARRAY(u64, scratch, TEAMS *LANES);
    TEAM_TASK;
    LOCAL u64 *own = OWN(scratch, LANES);
    i64 slot = first_slot + (i64)task * SLICE, stop = slot + SLICE < last_slot ? slot + SLICE : last_slot;
    u64 u = row_of_slot(offset, first_row, last_row, slot);
    while (slot < stop) {
        i64 end = offset[u + 1] < stop ? offset[u + 1] : stop;
        u64 squares = 0, degrees = 0, triples = 0, diamonds = 0;
        for (i64 at = slot + lane; at < end; at += LANES) {
            u64 here = (u64)(at - first_slot), c = common[here];
            if (c > 1) {
                u64 w = masks[u] == ALL ? (u64)(at - offset[u]) : (u64)keys[here] - 1, pairs = c * (c - 1) / 2;
                squares += pairs;
                degrees += pairs * (u64)(ptr[w + 1] - ptr[w] - 2);
                if (c > 2) {
                    triples += pairs / 3 * (c - 2) + pairs % 3 * (c - 2) / 3;
                    diamonds += (joined[here] >> 1) * (c - 2);
                }
            }
            if (c > 0) {
                keys[here] = 0;
                common[here] = 0;
                joined[here] = 0;
            }
        }
        TEAM_SUM_U64(squares, own);
        TEAM_SUM_U64(degrees, own);
        TEAM_SUM_U64(triples, own);
        TEAM_SUM_U64(diamonds, own);
        if (lane == 0 && squares > 0) {
            ADD_AT(SQUARES, u, squares);
            ADD_AT(SQUARE_DEGREES, u, degrees);
            ADD_AT(ORBIT_50, u, triples);
            ADD_AT(ORBIT_63, u, diamonds);
        }
        slot = end;
        u++;
    }
}
