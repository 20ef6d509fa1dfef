/* Motifs of three timed events on two vertices, and stars, found at the events of each pair of vertices.
 *
 * Computes: `pairs_and_stars` the motifs in total, or with BY_VERTEX at the two vertices of each pair; `changes` and
 *   `add_lone` the stars at the vertex of their lone event; `near_events` the numbers of events of the same pair near
 *   each event.
 * Requires: oriented events with less than 2^30 events; the owner of each event: its pair; `inward`, the number of
 *   events into the larger rank before each event; `sums`, four running sums of numbers of events passed (below).
 * Idea: as devices/cpu/events/timed_pairs.py. The sums over pairs of events are sums of products at single events, so that a
 *   lane takes an event, finds its windows by searches, and waits for no other. For three events of one pair,
 *   sums[2 x + y] has before each event the events of direction y up to the end of each event of direction x.
 *   By vertex, running sums along the lists of vertices, made between the kernels, take the place of a sweep.
 * Cost: up to eight short searches and 48 products for each event that has others of its pair in its window.
 */

/* Find the window of event q in its pair, and the numbers of events before and after it by direction. */
#define FIND_NEAR                                                                                                      \
    i64 key = events[4 * q], low_key = LOW_KEY(q, key), high_key = HIGH_KEY(q, key);                                   \
    i64 start = starts[owner[q]], stop = starts[owner[q] + 1];                                                         \
    i64 low = place_from(events, 4, start, (i64)q, low_key);                                                           \
    i64 high = place_above(events, 4, (i64)q + 1, stop, high_key);                                                     \
    i64 tied = simultaneous ? place_from(events, 4, low, (i64)q, key) : (i64)q;                                        \
    i64 passed = simultaneous ? place_above(events, 4, (i64)q + 1, high, key) : (i64)q + 1;                            \
    u64 before[2], after[2];                                                                                           \
    before[1] = inward[tied] - inward[low];                                                                            \
    before[0] = (u64)(tied - low) - before[1];                                                                         \
    after[1] = inward[high] - inward[passed];                                                                          \
    after[0] = (u64)(high - passed) - after[1]

/* Add the products of one event at one of its ends to the counts of motifs. */
FUNCTION void add_stars(GLOBAL const u32 *moments, i64 begin, i64 end, i64 p, i64 key, i64 low_key, i64 high_key,
                        u32 simultaneous, u32 d, u64 b0, u64 b1, u64 a0, u64 a1, GLOBAL const u32 *star_places,
                        u64 *row) {
    u64 at[4][2]; /* events before the window, the tied events, after them, and before the end of the window */
    i64 place[4];
    place[0] = place_from(moments, 2, begin, p, low_key);
    place[3] = place_above(moments, 2, p + 1, end, high_key);
    place[1] = simultaneous ? place_from(moments, 2, place[0], p, key) : p;
    place[2] = simultaneous ? place_above(moments, 2, p + 1, place[3], key) : p + 1;
    for (u32 i = 0; i < 4; i++) {
        at[i][1] = moments[2 * place[i] + 1];
        at[i][0] = (u64)place[i] - at[i][1];
    }
    for (u32 x = 0; x < 2; x++) {
        u64 b = x ? b1 : b0, a = x ? a1 : a0;
        for (u32 lone = 0; lone < 2; lone++) {
            row[star_places[4 * lone + 2 * d + x]] += a * at[1][lone];
            row[star_places[4 * lone + 2 * x + d]] -= b * at[0][lone];
            row[star_places[8 + 4 * x + 2 * lone + d]] += b * at[1][lone];
            row[star_places[8 + 4 * d + 2 * lone + x]] -= a * at[2][lone];
            row[star_places[16 + 4 * d + 2 * x + lone]] += a * at[3][lone];
            row[star_places[16 + 4 * x + 2 * d + lone]] -= b * at[2][lone];
        }
    }
}

KERNEL void pairs_and_stars(EVENT_TASKS, GLOBAL const u32 *RESTRICT starts, GLOBAL const u32 *RESTRICT owner,
                            GLOBAL const u32 *RESTRICT inward, GLOBAL const u64 *RESTRICT sums,
                            GLOBAL const u32 *RESTRICT star_places, GLOBAL const u32 *RESTRICT pair_places,
                            GLOBAL u32 *counts) {
#ifndef BY_VERTEX
    LOCAL_ARRAY(u64, scratch, TEAMS * LANES);
#endif
    TEAM_EVENTS;
    u64 row[MOTIFS];
    for (u32 place = 0; place < MOTIFS; place++)
        row[place] = 0;
    for (u64 q = slice_first + lane; q < slice_end; q += LANES) {
        if (starts[owner[q] + 1] - starts[owner[q]] < 2)
            continue;
        FIND_NEAR;
        if (before[0] + before[1] + after[0] + after[1] == 0)
            continue;
        u32 d = events[4 * q + 1] & 1;
        i64 at_x = events[4 * q + 2], at_y = events[4 * q + 3];
        u32 x = neighbours[at_y], y = neighbours[at_x];
        add_stars(moments, indptr[x], indptr[x + 1], at_x, key, low_key, high_key, simultaneous, d, before[0],
                  before[1], after[0], after[1], star_places, row);
        add_stars(moments, indptr[y], indptr[y + 1], at_y, key, low_key, high_key, simultaneous, 1 - d, before[1],
                  before[0], after[1], after[0], star_places, row);
        u64 triples[4];
        for (u32 i = 0; i < 4; i++) {
            u64 inside = i & 1 ? inward[tied] : (u64)tied - inward[tied];
            triples[i] = before[i >> 1] * inside - (sums[4 * tied + i] - sums[4 * low + i]);
            u32 code = 2 * i + d;
            row[pair_places[code]] += triples[i];
            for (u32 lone = 0; lone < 3; lone++) { /* three events of one pair are stars of both centres */
                row[star_places[8 * lone + code]] -= triples[i];
                row[star_places[8 * lone + 7 - code]] -= triples[i];
            }
        }
#ifdef BY_VERTEX
        for (u32 place = 0; place < MOTIFS; place++) {
            ADD_WIDE(counts, (u64)x * MOTIFS + place, row[place]);
            ADD_WIDE(counts, (u64)y * MOTIFS + place, row[place]);
            row[place] = 0;
        }
        for (u32 i = 0; i < 4; i++) { /* they are also stars whose lone vertex is an end of the pair */
            u32 code = 2 * i + d;
            for (u32 lone = 0; lone < 3; lone++) {
                ADD_WIDE(counts, (u64)x * MOTIFS + star_places[8 * lone + 7 - code], 0 - triples[i]);
                ADD_WIDE(counts, (u64)y * MOTIFS + star_places[8 * lone + code], 0 - triples[i]);
            }
        }
#endif
    }
#ifndef BY_VERTEX
    LOCAL u64 *own = OWN(scratch, LANES);
    ADD_TEAM_COUNTS(row, MOTIFS, own, counts)
#endif
}

/* Write the numbers of events of the pair before event q with direction 0 and 1, and after it. */
KERNEL void near_events(EVENT_TASKS, GLOBAL const u32 *RESTRICT starts, GLOBAL const u32 *RESTRICT owner,
                        GLOBAL const u32 *RESTRICT inward, GLOBAL u32 *near) {
    TEAM_EVENTS;
    for (u64 q = slice_first + lane; q < slice_end; q += LANES) {
        FIND_NEAR;
        near[4 * q] = (u32)before[0];
        near[4 * q + 1] = (u32)before[1];
        near[4 * q + 2] = (u32)after[0];
        near[4 * q + 3] = (u32)after[1];
    }
}

/* Declare the event of place p in the lists of vertices, its direction there, and whether directions of the pair are
 * those of the other end. */
#define EVENT_AT(p)                                                                                                    \
    u64 q = places[p];                                                                                                 \
    u32 d = moments[2 * (p) + 3] - moments[2 * (p) + 1], turned = (u64)events[4 * q + 3] == (p)

/* Write by how much the pairs of events with the directions `type` that have ended, and that have begun, grow at each
 * place in the lists of vertices. */
KERNEL void changes(GLOBAL const u32 *RESTRICT moments, GLOBAL const u32 *RESTRICT events,
                    GLOBAL const u32 *RESTRICT places, GLOBAL const u32 *RESTRICT near, u32 type, u64 number,
                    GLOBAL u64 *ended, GLOBAL u64 *begun) {
    u64 p = GLOBAL_THREAD;
    if (p >= number)
        return;
    EVENT_AT(p);
    u32 one = type >> 1, two = type & 1;
    ended[p] = two == d ? near[4 * q + (one ^ turned)] : 0;
    begun[p] = one == d ? near[4 * q + 2 + (two ^ turned)] : 0;
}

/* Add the stars of one type of pair of events at the vertices of their lone events; `ended` and `begun` are sums. */
KERNEL void add_lone(GLOBAL const i64 *RESTRICT indptr, GLOBAL const u32 *RESTRICT moments,
                     GLOBAL const u32 *RESTRICT neighbours, GLOBAL const u32 *RESTRICT events,
                     GLOBAL const u32 *RESTRICT limits, u32 by_limits, i64 delta, u32 simultaneous, u64 number,
                     GLOBAL const u32 *RESTRICT places, GLOBAL const u64 *RESTRICT ended,
                     GLOBAL const u64 *RESTRICT begun, u32 type, GLOBAL const u32 *RESTRICT star_places,
                     GLOBAL u32 *counts) {
    u64 p = GLOBAL_THREAD;
    if (p >= number)
        return;
    EVENT_AT(p);
    i64 key = events[4 * q], low_key = LOW_KEY(q, key), high_key = HIGH_KEY(q, key);
    u32 v = neighbours[p], u = neighbours[turned ? events[4 * q + 2] : events[4 * q + 3]];
    i64 low = place_from(moments, 2, indptr[u], (i64)p, low_key);
    i64 high = place_above(moments, 2, (i64)p + 1, indptr[u + 1], high_key);
    if (high - low < 3)
        return;
    i64 tied = simultaneous ? place_from(moments, 2, low, (i64)p, key) : (i64)p;
    i64 passed = simultaneous ? place_above(moments, 2, (i64)p + 1, high, key) : (i64)p + 1;
    u32 one = type >> 1, two = type & 1;
    ADD_WIDE(counts, (u64)v * MOTIFS + star_places[4 * d + type], ended[high] - begun[passed]);
    ADD_WIDE(counts, (u64)v * MOTIFS + star_places[8 + 4 * one + 2 * d + two], begun[tied] - ended[passed]);
    ADD_WIDE(counts, (u64)v * MOTIFS + star_places[16 + 2 * type + d], ended[tied] - begun[low]);
}
