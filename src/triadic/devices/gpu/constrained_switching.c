/* Walks that keep the groups and lengths of arcs: the same steps, to the bit, as in null_models/constrained.py.
 *
 * Computes: a number of steps of many random walks over the simple graphs with the degrees of a given graph and with the
 *   same number of arcs of each class: group of the tail, group of the head, bin of the length.
 * Requires: for each walk a table of its dyads (dyad_buckets.h) and its stubs, rows (vertex, far end, twin, arc) in
 *   strata, as in constrained.py; vertices numbered by group. All walks are at the same step. With BINS, coordinates of
 *   the vertices and inner edges of the bins, on a device with 64-bit floats.
 * Idea: that of switching.c. A slot is a stub; a step that reads or writes a stub reads or writes its twin as well. A
 *   lane is one exchange of a draw. Exchanges of one draw do not disturb each other: they leave the same ends free.
 * Cost: that of switching.c, with two stubs and their twins of 16 bytes in place of four ends, and, with BINS, 96 bytes
 *   of coordinates.
 *
 * References: those of constrained.py.
 */

#define MOVED (1u << 30)
#define ON_STUBS 0u
#define ON_CYCLE 1u
#define NOTHING 2u
#define VERTEX 0
#define FAR 1
#define TWIN 2
#define ARC_ID 3
#define SHARED 4 /* proposals in a row that share their two vertices */
#define WINDOW 16u

#if defined(BINS)
/* The bin of a length must not depend on whether a product and a sum are rounded together; a length has the bin of its
 * square, see `Constraints.limits`. */
#if defined(__OPENCL_VERSION__)
#if !defined(cl_khr_fp64)
#error bins of length need 64-bit floats
#endif
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF
#define PRODUCT(x, y) ((x) * (y))
#define SUM(x, y) ((x) + (y))
#else
#define PRODUCT(x, y) __dmul_rn(x, y)
#define SUM(x, y) __dadd_rn(x, y)
#endif
#define WHERE , GLOBAL const double *RESTRICT place, GLOBAL const double *RESTRICT limits, u32 edges_of_bins
#define WITH_BINS , place, limits, edges_of_bins

FUNCTION double square_of(GLOBAL const double *at_u, GLOBAL const double *at_v) {
    double x = at_u[0] - at_v[0], y = at_u[1] - at_v[1], z = at_u[2] - at_v[2];
    return SUM(SUM(PRODUCT(x, x), PRODUCT(y, y)), PRODUCT(z, z));
}

/* Return whether the distances of u and v to w are in one bin. */
FUNCTION u32 are_alike(u32 u, u32 v, u32 w WHERE) {
    double one = square_of(place + 3 * (u64)u, place + 3 * (u64)w), two = square_of(place + 3 * (u64)v, place + 3 * (u64)w);
    u32 alike = 1;
    for (u32 edge = 0; edge < edges_of_bins; edge++)
        alike &= (limits[edge] <= one) == (limits[edge] <= two);
    return alike;
}
#else
#define WHERE
#define WITH_BINS
#define are_alike(u, v, w) 1
#endif

/* Return a stub of the stratum of `i`, from the whole of it or from a block around `i`. */
FUNCTION u32 partner_of(u32 i, u64 bits, u32 start, u32 stop, u32 lowest) {
#if defined(BINS)
    u32 levels = 0, least, level;
    u64 offset, j;
    while (((u64)1 << levels) < stop - start)
        levels++;
    least = lowest < levels ? lowest : levels;
    level = least + (u32)(((bits >> 3 & 0x1fff) * (levels - least + 1)) >> 13);
    offset = bits >> 16 & (((u64)1 << level) - 1);
    if (level > least)
        offset |= (u64)1 << (level - 1);
    j = start + ((u64)(i - start) ^ offset);
    return (u32)(j < stop ? j : j - (stop - start));
#else
    return start + (u32)below(bits, stop - start);
#endif
}

/* Return whether the far end of a stub of `a` may become one of `c`. */
FUNCTION u32 is_free(GLOBAL const u32 *stubs, u32 at, u32 a, u32 c WHERE) {
    u32 v = stubs[4 * (u64)at + FAR];
    return v != c && are_alike(a, c, v WITH_BINS);
}

/* Return the number of stubs from `begin` on whose far ends `c` may take over. */
FUNCTION u32 count_free(GLOBAL const u32 *stubs, u32 begin, u32 end, u32 a, u32 c WHERE) {
    u32 count = 0;
    for (u32 at = begin; at < end; at++)
        count += is_free(stubs, at, a, c WITH_BINS);
    return count;
}

/* Return the stub before which there are `skipped` such stubs. */
FUNCTION u32 find_free(GLOBAL const u32 *stubs, u32 begin, u32 skipped, u32 a, u32 c WHERE) {
    while (!is_free(stubs, begin, a, c WITH_BINS) || skipped-- > 0)
        begin++;
    return begin;
}

/* Return the first of at most WINDOW stubs of a row around one of them. */
FUNCTION u32 begin_of_window(u32 i, u32 row, u32 next) {
    u32 first = i < WINDOW / 2 ? 0 : i - WINDOW / 2, last = next < WINDOW ? 0 : next - WINDOW;
    first = first < last ? first : last;
    return first > row ? first : row;
}

/* Make stub i at vertex u and stub j at vertex v the two ends of an arc. */
FUNCTION void join_stubs(GLOBAL u32 *stubs, u32 i, u32 u, u32 j, u32 v) {
    stubs[4 * (u64)i + FAR] = v;
    stubs[4 * (u64)i + TWIN] = j;
    stubs[4 * (u64)j + FAR] = u;
    stubs[4 * (u64)j + TWIN] = i;
}

/* Write the arcs of one walk: arcs, then edges from left to right, then, of a directed graph, from right to left. */
KERNEL void arcs_of_stubs(GLOBAL const u32 *RESTRICT all_stubs, GLOBAL const u32 *RESTRICT order, u64 arcs, u64 edges,
                          u32 directed, u64 walk, GLOBAL u32 *source, GLOBAL u32 *target) {
    u64 at = GLOBAL_THREAD, count = 2 * (arcs + edges);
    GLOBAL const u32 *stub = all_stubs + 4 * (walk * count + at);
    if (at < arcs) {
        source[at] = order[stub[VERTEX]];
        target[at] = order[stub[FAR]];
    } else if (at >= 2 * arcs && at < count && at < stub[TWIN]) {
        u64 edge = arcs + (stub[ARC_ID] & (MOVED - 1));
        source[edge] = order[stub[VERTEX]];
        target[edge] = order[stub[FAR]];
        if (directed) {
            source[edge + edges] = order[stub[FAR]];
            target[edge + edges] = order[stub[VERTEX]];
        }
    }
}

/* Make `steps` steps of each walk from step `begin` on; a block of one team for each walk. */
KERNEL void switch_stubs(GLOBAL const u64 *RESTRICT keys, u64 begin, u32 steps, u32 arcs, u32 edges, u32 ordered,
                         GLOBAL const u32 *RESTRICT strata, u32 groups, GLOBAL const u32 *RESTRICT group,
                         GLOBAL const u32 *RESTRICT rows, u32 vertices, u32 lowest WHERE,
                         GLOBAL u32 *all_stubs, GLOBAL u64 *tables, u32 buckets, GLOBAL u64 *accepted) {
    LOCAL_ARRAY(u32, set, SET);
    LOCAL_ARRAY(u32, votes, 1);
    LOCAL_ARRAY(u32, sought, 4); /* of a 3-cycle: where the row of c begins and ends, a, and the stub of c -> a */
    u32 lane = THREAD % LANES, done = 0, taken = 0;
    u64 key = keys[BLOCK], total = 2 * ((u64)arcs + edges);
    GLOBAL u32 *stubs = all_stubs + BLOCK * (4 * total);
    GLOBAL u64 *table = tables + BLOCK * (WORDS_OF_BUCKET * buckets);
    while (done < steps) {
        u32 length = steps - done < LANES ? steps - done : LANES;
        u32 kind = NOTHING, is_right = 0, waits = 0, i = 0, j = 0, k = 0, a = 0, b = 0, c = 0, d = 0, count = 0, ballot;
        u32 of_a = 0, of_c = 0, end_a = 0, end_c = 0, lower = lane;
        u64 gone[3] = {0, 0, 0}, made[3] = {0, 0, 0}, gone_at[3] = {0, 0, 0};
        u32 guess[3] = {0, 0, 0};
        for (u32 at = lane; at < SET; at += LANES)
            set[at] = 0;
        if (lane < length) { /* propose */
            u64 step = begin + done + lane, counter = key + 2 * (step / SHARED) * GOLDEN;
            u64 bits = scramble(counter + GOLDEN), choice = scramble(bits);
            u32 turn = (u32)(step % SHARED);
            i = j = (u32)below(scramble(counter), total);
            a = stubs[4 * (u64)i + VERTEX];
            if (i < arcs && (bits & 7) == 0) {
                if (turn == 0) {
                    kind = ON_CYCLE;
                    count = 3;
                    b = stubs[4 * (u64)i + FAR];
                    if (rows[b + 1] > rows[b]) {
                        j = rows[b] + (u32)below(bits, rows[b + 1] - rows[b]);
                        c = stubs[4 * (u64)j + FAR];
                        if (c != a) { /* two vertices of one group, whose arcs to the third have one length */
                            u32 at_a = group[a], at_b = group[b], at_c = group[c];
                            is_right = (at_a == at_b && (at_b == at_c || are_alike(a, b, c WITH_BINS))) ||
                                       (at_b == at_c && are_alike(b, c, a WITH_BINS)) ||
                                       (at_c == at_a && are_alike(c, a, b WITH_BINS));
                        }
                    }
                    gone[0] = entry_of(c, a, ARC, ordered);
                    gone[1] = entry_of(a, b, ARC, ordered);
                    gone[2] = entry_of(b, c, ARC, ordered);
                    made[0] = entry_of(a, c, ARC, ordered);
                    made[1] = entry_of(b, a, ARC, ordered);
                    made[2] = entry_of(c, b, ARC, ordered);
                }
            } else {
                u32 stubs_of = i < arcs ? 0 : i < 2 * arcs ? 1 : 2, stratum = stubs_of * groups + group[a];
                j = partner_of(i, bits, strata[stratum], strata[stratum + 1], lowest);
                c = stubs[4 * (u64)j + VERTEX];
                if (a != c) {
                    u32 row_a = stubs_of * vertices + a, row_c = stubs_of * vertices + c, free_a, free_c;
                    kind = ON_STUBS;
                    count = 2;
                    lower = lane - (turn < lane ? turn : lane); /* the steps that share a and c do not disturb each other */
                    of_a = begin_of_window(i, rows[row_a], rows[row_a + 1]);
                    of_c = begin_of_window(j, rows[row_c], rows[row_c + 1]);
                    end_a = of_a + WINDOW < rows[row_a + 1] ? of_a + WINDOW : rows[row_a + 1];
                    end_c = of_c + WINDOW < rows[row_c + 1] ? of_c + WINDOW : rows[row_c + 1];
                    free_a = count_free(stubs, of_a, end_a, a, c WITH_BINS);
                    free_c = count_free(stubs, of_c, end_c, c, a WITH_BINS);
                    if (free_a > 0 && free_c > 0 && (turn == 0 || (choice & 63) != 0) &&
                        turn < (free_a * free_c + free_a + free_c - 1) / (free_a + free_c)) {
                        u32 inward = stubs_of == 1, state = stubs_of == 2 ? MUTUAL : ARC;
                        u32 at_a = ((u32)(((choice >> 6 & 0x3ffffff) * free_a) >> 26) + turn) % free_a;
                        u32 at_c = ((u32)(((choice >> 32) * free_c) >> 32) + turn) % free_c;
                        is_right = 1;
                        i = find_free(stubs, of_a, at_a, a, c WITH_BINS);
                        j = find_free(stubs, of_c, at_c, c, a WITH_BINS);
                        b = stubs[4 * (u64)i + FAR];
                        d = stubs[4 * (u64)j + FAR];
                        gone[0] = inward ? entry_of(b, a, state, ordered) : entry_of(a, b, state, ordered);
                        gone[1] = inward ? entry_of(d, c, state, ordered) : entry_of(c, d, state, ordered);
                        made[0] = inward ? entry_of(b, c, state, ordered) : entry_of(a, d, state, ordered);
                        made[1] = inward ? entry_of(d, a, state, ordered) : entry_of(c, b, state, ordered);
                        gone[2] = gone[1];
                        made[2] = made[1];
                    }
                }
            }
        }
        waits = is_right; /* what it finds may be another step's */
        if (is_right)
            is_right = look_up(table, buckets, gone, made, gone_at, guess, count, ordered);
        /* The stub of c -> a is sought in the row of c by all lanes. */
        TEAM_BALLOT(ballot, is_right && kind == ON_CYCLE, votes);
        while (ballot != 0) {
            u32 seeker = LOWEST_BIT((u64)ballot);
            ballot &= ballot - 1;
            TEAM_BARRIER();
            if (lane == seeker) {
                sought[0] = rows[c];
                sought[1] = rows[c + 1];
                sought[2] = a;
            }
            TEAM_BARRIER();
            for (u32 at = sought[0] + lane; at < sought[1]; at += LANES)
                if (stubs[4 * (u64)at + FAR] == sought[2])
                    sought[3] = at;
            TEAM_BARRIER();
            if (lane == seeker)
                k = sought[3];
        }
        TEAM_FENCE();
        if (is_right) {
            put_mark(set, SLOT_MARK | i, lane);
            put_mark(set, SLOT_MARK | j, lane);
            put_mark(set, SLOT_MARK | stubs[4 * (u64)i + TWIN], lane);
            put_mark(set, SLOT_MARK | stubs[4 * (u64)j + TWIN], lane);
            if (kind == ON_CYCLE) {
                put_mark(set, SLOT_MARK | k, lane);
                put_mark(set, SLOT_MARK | stubs[4 * (u64)k + TWIN], lane);
            }
            mark_dyads(set, gone, made, count, lane);
        }
        TEAM_BARRIER();
        /* Find the first lane that read what a lower lane writes. */
        if (kind != NOTHING)
            waits = reads_lower(set, i, j, k, gone, made, count, waits, is_right && kind == ON_CYCLE, lower);
        for (u32 at = of_a; at < end_a; at++)
            waits |= has_lower(set, SLOT_MARK | at, lower);
        for (u32 at = of_c; at < end_c; at++)
            waits |= has_lower(set, SLOT_MARK | at, lower);
        TEAM_BALLOT(ballot, waits, votes);
        if (ballot != 0)
            length = LOWEST_BIT((u64)ballot);
        is_right = is_right && lane < length;
        /* Change the table and the stubs. */
        if (is_right)
            remove_dyads(table, buckets, gone, gone_at, count);
        TEAM_FENCE();
        if (is_right) {
            u32 of_i = stubs[4 * (u64)i + TWIN], of_j = stubs[4 * (u64)j + TWIN];
            insert_dyads(table, buckets, made, guess, count);
            if (kind == ON_CYCLE) {
                u32 of_k = stubs[4 * (u64)k + TWIN];
                join_stubs(stubs, i, a, of_j, c);
                join_stubs(stubs, k, c, of_i, b);
                join_stubs(stubs, j, b, of_k, a);
                stubs[4 * (u64)i + ARC_ID] |= MOVED;
                stubs[4 * (u64)j + ARC_ID] |= MOVED;
                stubs[4 * (u64)k + ARC_ID] |= MOVED;
            } else {
                join_stubs(stubs, i, a, of_j, d);
                join_stubs(stubs, j, c, of_i, b);
                if (i >= arcs && i < 2 * arcs) { /* an arc goes by the number of the stub at its tail */
                    stubs[4 * (u64)of_i + ARC_ID] |= MOVED;
                    stubs[4 * (u64)of_j + ARC_ID] |= MOVED;
                } else {
                    stubs[4 * (u64)i + ARC_ID] |= MOVED;
                    stubs[4 * (u64)j + ARC_ID] |= MOVED;
                }
                if (i >= 2 * arcs) {
                    stubs[4 * (u64)of_j + ARC_ID] = stubs[4 * (u64)i + ARC_ID];
                    stubs[4 * (u64)of_i + ARC_ID] = stubs[4 * (u64)j + ARC_ID];
                }
            }
        }
        TEAM_BALLOT(ballot, is_right, votes);
        taken += POPCOUNT32(ballot);
        done += length;
        TEAM_FENCE();
    }
    if (lane == 0)
        accepted[BLOCK] += taken;
}
