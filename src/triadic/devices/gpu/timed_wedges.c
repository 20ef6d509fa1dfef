/* Triangles of three timed events, found from the first event of each.
 *
 * Computes: the triangles in total by the place of the motif; with BY_VERTEX at their three vertices.
 * Requires: oriented events with less than 2^30 events.
 * Idea: as devices/cpu/events/timed_triangles.py. A lane takes an event, walks the shorter of the windows after it at both ends,
 *   and searches the pair that closes each event in that window. Hubs have long windows: the whole team walks a window
 *   of LANES events or more, after its lanes have walked their short ones.
 * Cost: a search in an oriented row for each event in the shorter window after each event.
 */

/* The lists that a walk reads, as parameters and as arguments. */
#define WALKED                                                                                                         \
    GLOBAL const i64 *RESTRICT indptr, GLOBAL const u32 *RESTRICT moments, GLOBAL const u32 *RESTRICT neighbours,      \
        GLOBAL const u32 *RESTRICT events, GLOBAL const u32 *RESTRICT limits, u32 by_limits, i64 delta,                \
        u32 simultaneous, GLOBAL const u32 *RESTRICT places, GLOBAL const i64 *RESTRICT row_indptr,                    \
        GLOBAL const u32 *RESTRICT heads, GLOBAL const u32 *RESTRICT starts, GLOBAL u32 *counts
#define WALK_ARGUMENTS                                                                                                 \
    indptr, moments, neighbours, events, limits, by_limits, delta, simultaneous, places, row_indptr, heads, starts,    \
        counts

/* Walk every `lanes`-th event from `lane` on in the shorter window after event q. If one lane would walk a long window,
 * return 1 and count nothing. */
FUNCTION u32 walk_window(WALKED, u64 q, u32 lane, u32 lanes, u64 *found) {
    i64 key = events[4 * q], high_key = HIGH_KEY(q, key);
    u32 code = events[4 * q + 1], number_of_first = code >> 1;
    i64 p = (i64)events[4 * q + 2] + 1, r = (i64)events[4 * q + 3] + 1;
    if ((i64)moments[2 * p] > high_key || (i64)moments[2 * r] > high_key)
        return 0; /* the key after a list is that of another vertex, and only costs the tests below */
    u32 y = neighbours[p - 1], x = neighbours[r - 1];
    i64 end_p = indptr[x + 1], end_r = indptr[y + 1], length = 1;
    if (simultaneous) {
        p = place_above(moments, 2, p, end_p, key);
        r = place_above(moments, 2, r, end_r, key);
    }
    while (p + length <= end_p && r + length <= end_r && (i64)moments[2 * (p + length - 1)] <= high_key &&
           (i64)moments[2 * (r + length - 1)] <= high_key)
        length *= 2;
    if (lanes == 1 && length > (i64)LANES)
        return 1;
    u32 walks_p = p + length > end_p || (r + length <= end_r && (i64)moments[2 * (p + length - 1)] > high_key);
    i64 stop = walks_p ? end_p : end_r;
    u32 other = walks_p ? y : x; /* the window of the other end, `near_end`, is walked */
    u32 near_end = walks_p ? x : y;
    u32 near_is_a = ((code & 1) == 0) == (walks_p != 0);
    u32 walked_kind = near_is_a ? 2 : 4, closing_kind = near_is_a ? 4 : 2;
    for (i64 at = (walks_p ? p : r) + lane; at < stop && (i64)moments[2 * at] <= high_key; at += lanes) {
        u32 z = neighbours[at];
        if (z == other)
            continue;
        u32 large = other > z ? other : z, small = other > z ? z : other;
        i64 low = row_indptr[large], high = row_indptr[large + 1], end_of_row = high;
        while (low < high) {
            i64 middle = (low + high) >> 1;
            if (heads[middle] < small)
                low = middle + 1;
            else
                high = middle;
        }
        if (low == end_of_row || heads[low] != small)
            continue;
        i64 walked_key = moments[2 * at];
        u32 walked = walked_kind + moments[2 * at + 3] - moments[2 * at + 1];
        i64 until = starts[low + 1];
        for (i64 g = place_above(events, 4, starts[low], until, key - 1); g < until; g++) {
            i64 closing_key = events[4 * g];
            u32 closing_code = events[4 * g + 1];
            if (closing_key > high_key)
                break;
            if (closing_key == key && (simultaneous || (closing_code >> 1) < number_of_first))
                continue;
            u32 closing = closing_kind + ((closing_code & 1) ^ (other > z ? 0 : 1));
            u32 is_last = closing_key > walked_key;
            if (closing_key == walked_key) {
                if (simultaneous)
                    continue;
                is_last = (closing_code >> 1) > (events[4 * (u64)places[at] + 1] >> 1);
            }
            u32 place = is_last ? (5 - walked) * 6 + closing : (5 - closing) * 6 + walked;
#ifdef BY_VERTEX
            ADD_WIDE(counts, (u64)near_end * MOTIFS + place, 1);
            ADD_WIDE(counts, (u64)other * MOTIFS + place, 1);
            ADD_WIDE(counts, (u64)z * MOTIFS + place, 1);
#else
            found[place]++;
#endif
        }
    }
    return 0;
}

KERNEL void close_wedges(EVENT_TASKS, GLOBAL const u32 *RESTRICT places, GLOBAL const i64 *RESTRICT row_indptr,
                         GLOBAL const u32 *RESTRICT heads, GLOBAL const u32 *RESTRICT starts, GLOBAL u32 *counts) {
#ifndef BY_VERTEX
    LOCAL_ARRAY(u64, scratch, TEAMS * LANES);
#endif
    LOCAL_ARRAY(u32, votes, TEAMS);
    TEAM_TASK;
    LOCAL u32 *own_votes = OWN(votes, 1);
    u64 found[MOTIFS];
    for (u32 place = 0; place < MOTIFS; place++)
        found[place] = 0;
    /* The events of hubs follow one another, so that a team takes a few of them from all over the list. */
    u64 tasks = (number + SLICE - 1) / SLICE;
    for (u64 piece = first_task + step * task; piece * LANES < number; piece += tasks) {
        u64 base = piece * LANES, q = base + lane;
        u32 is_long = q < number ? walk_window(WALK_ARGUMENTS, q, 0, 1, found) : 0, long_lanes;
        TEAM_BALLOT(long_lanes, is_long, own_votes);
        while (long_lanes != 0) {
            walk_window(WALK_ARGUMENTS, base + LOWEST_BIT((u64)long_lanes), lane, LANES, found);
            long_lanes &= long_lanes - 1;
        }
    }
#ifndef BY_VERTEX
    LOCAL u64 *own = OWN(scratch, LANES);
    ADD_TEAM_COUNTS(found, MOTIFS, own, counts)
#endif
}
