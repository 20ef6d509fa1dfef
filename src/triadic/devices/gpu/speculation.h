/* Steps of a walk that the lanes of a team propose side by side, each as if the steps before it changed nothing.
 *
 * A lane is wrong only if a slot or a dyad that it read is one that an accepted step before it writes. All that accepted
 * lanes write goes into a set of marks in local memory, each with its lane. The steps before the first lane that finds a
 * mark of a lower lane on something that it read are right. They have nothing in common, so they change the ends and the
 * table at the same time. The next steps begin at the lane that was wrong; the lowest lane never is.
 *
 * `gone` are the dyads that a step removes, `made` those that it inserts, and `gone_at` the places of the former. A
 * switch has two of each and a 3-cycle three; the first dyad gone of a 3-cycle is the arc that closes it.
 */

#define ARC 1u
#define MUTUAL 3u
#define MOST_DYADS 3u

#ifndef SET
#define SET 512u /* marks that a team has room for: more than 32 lanes make */
#endif
#define SLOT_MARK ((u64)1 << 63)

#if !defined(__OPENCL_VERSION__) && defined(WARPS)
#define PREFETCH(place) asm volatile("prefetch.global.L2 [%0];" ::"l"(place))
#else
#define PREFETCH(place)
#endif

/* A mark is 26 bits of a hash and a lane; a foreign dyad with the same bits only makes a lane wait for its turn. */
FUNCTION u32 mark_of(u64 thing) { return (u32)(scramble(thing) >> 38) | 1u << 26; }

FUNCTION void put_mark(LOCAL u32 *set, u64 thing, u32 lane) {
    u32 mark = mark_of(thing) << 5 | lane, at = mark >> 5 & (SET - 1);
    while (SWAP_U32(&set[at], 0, mark) != 0)
        at = (at + 1) & (SET - 1);
}

FUNCTION u32 has_lower(LOCAL const u32 *set, u64 thing, u32 lane) {
    u32 mark = mark_of(thing), at = mark & (SET - 1), found;
    while ((found = set[at]) != 0) {
        if (found >> 5 == mark && (found & 31) < lane)
            return 1;
        at = (at + 1) & (SET - 1);
    }
    return 0;
}

/* Return whether the table admits a step, and find the dyads that it removes. */
FUNCTION u32 look_up(GLOBAL u64 *table, u32 buckets, const u64 *gone, const u64 *made, u64 *gone_at, u32 count,
                     u32 ordered) {
    u32 is_right = 1, is_cycle = count == MOST_DYADS;
    for (u32 at = 0; at < MOST_DYADS; at++)
        if (at < count) {
            PREFETCH(control_of(table, home_of(gone[at], buckets)));
            PREFETCH(control_of(table, home_of(made[at], buckets)));
        }
    if (is_cycle) {
        gone_at[0] = place_of_dyad(table, buckets, gone[0]);
        is_right = gone_at[0] != 0 && table[gone_at[0]] == gone[0];
    }
    if (!is_cycle || ordered) /* without order, a 3-cycle reverses arcs within their dyads */
        for (u32 at = 0; at < MOST_DYADS; at++)
            if (at < count && is_right)
                is_right = place_of_dyad(table, buckets, made[at]) == 0;
    for (u32 at = 0; at < MOST_DYADS; at++)
        if (at < count && is_right && (at > 0 || !is_cycle))
            gone_at[at] = place_of_dyad(table, buckets, gone[at]);
    return is_right;
}

FUNCTION void mark_dyads(LOCAL u32 *set, const u64 *gone, const u64 *made, u32 count, u32 lane) {
    for (u32 at = 0; at < MOST_DYADS; at++)
        if (at < count) {
            put_mark(set, gone[at] >> 2, lane);
            put_mark(set, made[at] >> 2, lane);
        }
}

/* Return whether a lower lane writes a dyad that `look_up` read. */
FUNCTION u32 dyads_have_lower(LOCAL const u32 *set, const u64 *gone, const u64 *made, u32 count, u32 lane) {
    u32 found = count == MOST_DYADS && has_lower(set, gone[0] >> 2, lane);
    for (u32 at = 0; at < MOST_DYADS; at++)
        if (at < count && !found)
            found = has_lower(set, made[at] >> 2, lane);
    return found;
}

FUNCTION void remove_dyads(GLOBAL u64 *table, u32 buckets, const u64 *gone, const u64 *gone_at, u32 count) {
    for (u32 at = 0; at < MOST_DYADS; at++)
        if (at < count)
            remove_dyad(table, buckets, gone[at], gone_at[at]);
}

FUNCTION void insert_dyads(GLOBAL u64 *table, u32 buckets, const u64 *made, u32 count) {
    for (u32 at = 0; at < MOST_DYADS; at++)
        if (at < count)
            insert_dyad(table, buckets, made[at]);
}
