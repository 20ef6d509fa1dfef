/* Walks that switch the ends of edges: the same steps, to the bit, as in null_models/switching.py.
 *
 * Computes: a number of steps of many random walks over the simple graphs with the degrees of a given graph.
 * Requires: arcs sorted by tail, with `indptr`; for each walk a table of its dyads (dyad_buckets.h) and its ends: the
 *   heads of the arcs, then the left and then the right ends of the edges. All walks are at the same step. `tail` is
 *   the same for all of them, since arcs keep their tails.
 * Idea: the draws of a step are a hash of the key of the walk and of the number of the step, so that the 32 lanes of a
 *   team propose the next 32 steps at the same time (speculation.h). In a large graph hardly any lane is wrong.
 * Cost: the memory accesses of a group of 32 steps wait for each other three or four times: ends of the proposed slots,
 *   buckets of four dyads, atomics on these, and entries. A step reads up to 4 ends and 4 buckets, and an accepted one
 *   writes 2 ends and 4 buckets.
 *
 * References: those of null_models/switching.py.
 */

#define ON_ARCS 0u
#define ON_EDGES 1u
#define ON_CYCLE 2u
#define NOTHING 3u

/* Copy the ends and the table of the graph to each walk; ends are 32-bit words, tables 64-bit words. */
KERNEL void begin_walks(GLOBAL const u32 *RESTRICT ends_of_graph, u64 ends_of_walk, GLOBAL const u64 *RESTRICT of_graph,
                        u64 words, u64 walks, GLOBAL u32 *ends, GLOBAL u64 *tables) {
    u64 at = GLOBAL_THREAD;
    for (u64 walk = 0; walk < walks; walk++) {
        if (at < ends_of_walk)
            ends[walk * ends_of_walk + at] = ends_of_graph[at];
        if (at < words)
            tables[walk * words + at] = of_graph[at];
    }
}

/* Insert the dyads of the graph into its table, which is empty. */
KERNEL void fill_table(GLOBAL const u32 *RESTRICT tail, GLOBAL const u32 *RESTRICT ends, u64 arcs, u64 edges,
                       u32 ordered, GLOBAL u64 *table, u32 buckets) {
    u64 at = GLOBAL_THREAD;
    if (at < arcs)
        insert_dyad(table, buckets, entry_of(tail[at], ends[at], ARC, ordered));
    else if (at < arcs + edges)
        insert_dyad(table, buckets, entry_of(ends[at], ends[at + edges], MUTUAL, ordered));
}

/* Write the arcs of one walk: arcs, then edges from left to right, then, of a directed graph, from right to left. */
KERNEL void arcs_of_walk(GLOBAL const u32 *RESTRICT tail, GLOBAL const u32 *RESTRICT ends, u64 arcs, u64 edges,
                         u64 count, u64 walk, GLOBAL u32 *source, GLOBAL u32 *target) {
    u64 at = GLOBAL_THREAD, first = walk * (arcs + 2 * edges);
    if (at < count) {
        source[at] = at < arcs ? tail[at] : ends[first + at];
        target[at] = at < arcs ? ends[first + at] : ends[first + (at < arcs + edges ? at + edges : at - edges)];
    }
}

/* Draw the slots of a step; of a 3-cycle only the first one, twice. Return the bits for its other choices. */
FUNCTION u64 draw_slots(u64 key, u64 step, u32 arcs, u32 edges, u32 *i, u32 *j) {
    u64 counter = key + 2 * step * GOLDEN, other = scramble(counter + GOLDEN);
    *i = (u32)below(scramble(counter), (u64)arcs + edges);
    if (*i >= arcs)
        *j = arcs + (u32)below(other, edges);
    else
        *j = (other & 7) == 0 ? *i : (u32)below(other, arcs);
    return other;
}

/* Make `steps` steps of each walk from step `begin` on; a block of one team for each walk. */
KERNEL void switch_ends(GLOBAL const u64 *RESTRICT keys, u64 begin, u32 steps, u32 arcs, u32 edges, u32 ordered,
                        GLOBAL const u32 *RESTRICT tail, GLOBAL const u32 *RESTRICT indptr, GLOBAL u32 *all_ends,
                        GLOBAL u64 *tables, u32 buckets, GLOBAL u64 *accepted) {
    LOCAL_ARRAY(u32, set, SET);
    LOCAL_ARRAY(u32, votes, 1);
    LOCAL_ARRAY(u32, sought, 4); /* of a 3-cycle: where the row of c begins and ends, a, and the slot of c -> a */
    u32 lane = THREAD % LANES, done = 0, taken = 0;
    u64 key = keys[BLOCK];
    GLOBAL u32 *ends = all_ends + BLOCK * ((u64)arcs + 2 * (u64)edges);
    GLOBAL u64 *table = tables + BLOCK * (WORDS_OF_BUCKET * buckets);
    while (done < steps) {
        u32 length = steps - done < LANES ? steps - done : LANES;
        u32 kind = NOTHING, is_right = 0, waits = 0, i = 0, j = 0, k = 0, a = 0, b = 0, c = 0, d = 0, count = 0, ballot;
        u64 gone[3] = {0, 0, 0}, made[3] = {0, 0, 0}, gone_at[3] = {0, 0, 0};
        u32 guess[3] = {0, 0, 0};
        for (u32 at = lane; at < SET; at += LANES)
            set[at] = 0;
        if (lane < length) { /* propose */
            u64 other = draw_slots(key, begin + done + lane, arcs, edges, &i, &j);
            if (i >= arcs) {
                kind = ON_EDGES;
                a = ends[i];
                b = ends[i + edges];
                c = ends[j];
                d = ends[j + edges];
                if (other >> 3 & 1) {
                    u32 left = c;
                    c = d;
                    d = left;
                }
                is_right = i != j;
            } else {
                kind = (other & 7) == 0 ? ON_CYCLE : ON_ARCS;
                a = tail[i];
                b = ends[i];
                if (kind == ON_ARCS) {
                    c = tail[j];
                    d = ends[j];
                    is_right = 1;
                } else {
                    u32 row = indptr[b], out = indptr[b + 1] - row;
                    if (out > 0) {
                        j = row + (u32)below(other, out);
                        c = ends[j];
                        is_right = c != a;
                    }
                }
            }
            if (kind == ON_CYCLE) {
                count = 3;
                gone[0] = entry_of(c, a, ARC, ordered);
                gone[1] = entry_of(a, b, ARC, ordered);
                gone[2] = entry_of(b, c, ARC, ordered);
                made[0] = entry_of(a, c, ARC, ordered);
                made[1] = entry_of(b, a, ARC, ordered);
                made[2] = entry_of(c, b, ARC, ordered);
            } else {
                u32 state = kind == ON_EDGES ? MUTUAL : ARC;
                count = 2;
                gone[0] = entry_of(a, b, state, ordered);
                gone[1] = entry_of(c, d, state, ordered);
                made[0] = entry_of(a, d, state, ordered);
                made[1] = entry_of(c, b, state, ordered);
                gone[2] = gone[1];
                made[2] = made[1];
                is_right = is_right && a != d && c != b;
            }
        }
        waits = is_right; /* what it finds may be another step's */
        if (is_right)
            is_right = look_up(table, buckets, gone, made, gone_at, guess, count, ordered);
        /* The slot of c -> a is sought in the row of c by all lanes. */
        TEAM_BALLOT(ballot, is_right && kind == ON_CYCLE, votes);
        while (ballot != 0) {
            u32 seeker = LOWEST_BIT((u64)ballot);
            ballot &= ballot - 1;
            TEAM_BARRIER();
            if (lane == seeker) {
                sought[0] = indptr[c];
                sought[1] = indptr[c + 1];
                sought[2] = a;
            }
            TEAM_BARRIER();
            for (u32 at = sought[0] + lane; at < sought[1]; at += LANES)
                if (ends[at] == sought[2])
                    sought[3] = at;
            TEAM_BARRIER();
            if (lane == seeker)
                k = sought[3];
        }
        TEAM_FENCE();
        if (is_right) {
            put_mark(set, SLOT_MARK | i, lane);
            put_mark(set, SLOT_MARK | j, lane);
            if (kind == ON_CYCLE)
                put_mark(set, SLOT_MARK | k, lane);
            mark_dyads(set, gone, made, count, lane);
        }
        TEAM_BARRIER();
        /* Find the first lane that read what a lower lane writes. */
        if (kind != NOTHING)
            waits = reads_lower(set, i, j, k, gone, made, count, waits, is_right && kind == ON_CYCLE, lane);
        TEAM_BALLOT(ballot, waits, votes);
        if (ballot != 0)
            length = LOWEST_BIT((u64)ballot);
        is_right = is_right && lane < length;
        /* Change the table and the ends. */
        if (is_right)
            remove_dyads(table, buckets, gone, gone_at, count);
        TEAM_FENCE();
        if (is_right) {
            insert_dyads(table, buckets, made, guess, count);
            if (kind == ON_ARCS) {
                ends[i] = d;
                ends[j] = b;
            } else if (kind == ON_EDGES) {
                ends[j] = c;
                ends[j + edges] = b;
                ends[i + edges] = d;
            } else {
                ends[i] = c;
                ends[j] = a;
                ends[k] = b;
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
