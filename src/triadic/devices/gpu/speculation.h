/* Steps of a walk that the lanes of a team propose side by side, each as if the steps before it changed nothing.
 *
 * A lane is wrong only if a slot or a dyad that it read is one that an accepted step before it writes. All that accepted
 * lanes write goes into a set of marks in local memory, each with its lane. The steps before the first lane that finds a
 * mark of a lower lane on something that it read are right. They have nothing in common, so they change the ends and the
 * table at the same time. The next steps begin at the lane that was wrong; the lowest lane never is.
 *
 * `gone` are the dyads that a step removes, `made` those that it inserts, and `gone_at` the places of `gone`. A
 * switch has two of each and a 3-cycle three; the first dyad gone of a 3-cycle is the arc that closes it.
 */

#define ARC 1u
#define MUTUAL 3u
#define MOST_DYADS 3u

#ifndef SET
#define SET 512u /* marks that a team has room for: more than 32 lanes make */
#endif
#define SLOT_MARK ((u64)1 << 63)

/* A mark is 26 bits of a hash and a lane; a foreign dyad with the same bits only makes a lane wait for its turn. */
FUNCTION u32 mark_of(u64 thing) { return (u32)(thing * GOLDEN >> 38) | 1u << 26; }

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

/* Return whether the table admits a step, and find the dyads that it removes. All homes are read before any is looked
 * into, so that a step waits for memory once, unless a home was full. `guess` become the control words of the homes of
 * the dyads that the step inserts. */
FUNCTION u32 look_up(GLOBAL const u64 *table, u32 buckets, const u64 *gone, const u64 *made, u64 *gone_at, u32 *guess,
                     u32 count, u32 ordered) {
    u32 is_right = 1, is_cycle = count == MOST_DYADS, home_gone[MOST_DYADS], home_made[MOST_DYADS];
    u64 of_gone[MOST_DYADS][PLACES + 1], of_made[MOST_DYADS][PLACES + 1];
    for (u32 at = 0; at < MOST_DYADS; at++) {
        home_gone[at] = home_of(gone[at], buckets);
        home_made[at] = home_of(made[at], buckets);
    }
    for (u32 at = 0; at < MOST_DYADS; at++) {
        read_bucket(table, home_made[at], of_made[at]);
        read_bucket(table, home_gone[at], of_gone[at]);
    }
    for (u32 at = 0; at < MOST_DYADS; at++)
        guess[at] = (u32)of_made[at][0];
    if (is_cycle) {
        gone_at[0] = word_of_dyad(table, buckets, gone[0], home_gone[0], of_gone[0]);
        is_right = gone_at[0] != 0 && table[gone_at[0]] == gone[0];
    }
    if (!is_cycle || ordered) /* without order, a 3-cycle reverses arcs within their dyads */
        for (u32 at = 0; at < MOST_DYADS; at++)
            if (at < count && is_right)
                is_right = word_of_dyad(table, buckets, made[at], home_made[at], of_made[at]) == 0;
    for (u32 at = 0; at < MOST_DYADS; at++)
        if (at < count && is_right && (at > 0 || !is_cycle))
            gone_at[at] = word_of_dyad(table, buckets, gone[at], home_gone[at], of_gone[at]);
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

/* Return whether a lower lane writes a slot, or a dyad, that a step read. `k` is the third slot of a 3-cycle; `waits`
 * says whether the step looked its dyads up. */
FUNCTION u32 reads_lower(LOCAL const u32 *set, u32 i, u32 j, u32 k, const u64 *gone, const u64 *made, u32 count,
                         u32 waits, u32 is_cycle, u32 lane) {
    u32 found = has_lower(set, SLOT_MARK | i, lane) || has_lower(set, SLOT_MARK | j, lane);
    if (waits && !found)
        found = dyads_have_lower(set, gone, made, count, lane);
    if (is_cycle && !found)
        found = has_lower(set, SLOT_MARK | k, lane);
    return found;
}

FUNCTION void remove_dyads(GLOBAL u64 *table, u32 buckets, const u64 *gone, const u64 *gone_at, u32 count) {
    for (u32 at = 0; at < MOST_DYADS; at++)
        if (at < count)
            remove_dyad(table, buckets, gone[at], gone_at[at]);
}

/* Insert dyads, first where a guess of the control word of the home has a free place. */
FUNCTION void insert_dyads(GLOBAL u64 *table, u32 buckets, const u64 *made, const u32 *guess, u32 count) {
    u32 home[MOST_DYADS], bit[MOST_DYADS], before[MOST_DYADS];
    for (u32 at = 0; at < MOST_DYADS; at++)
        if (at < count) {
            home[at] = home_of(made[at], buckets);
            bit[at] = ~guess[at] & (guess[at] + 1) & TAKEN;
            before[at] = bit[at] != 0 ? OR_U32(control_of(table, home[at]), bit[at]) : 0;
        }
    for (u32 at = 0; at < MOST_DYADS; at++)
        if (at < count) {
            if (bit[at] & ~before[at])
                table[WORDS_OF_BUCKET * home[at] + 1 + POPCOUNT32(bit[at] - 1)] = made[at];
            else
                insert_dyad(table, buckets, made[at]);
        }
}
