/* A hash table of dyads in global memory, which all lanes of a team read, and then change, side by side.
 *
 * An entry is that of null_models/dyads.py: two ids and a state of two bits, never 0. A bucket is four 64-bit
 * words, one sector of memory: a word of control and PLACES entries. Of the control word's lower half, the lowest
 * PLACES bits say which places are taken; the rest is the number of entries that passed the bucket when it was full, and
 * are in a later one. A search therefore ends at the first bucket that no entry has passed, and removal leaves no mark
 * (the reference counts of N. Bronson and X. Shi, *Open-sourcing F14 for faster, more memory-efficient hash tables*,
 * 2019). Lanes may insert different dyads at the same time, and remove different dyads at the same time, but all
 * removals, insertions and searches need a TEAM_FENCE between them. Only 32-bit atomics are needed.
 */

#define PLACES 3u
#define TAKEN ((1u << PLACES) - 1)
#define PASSED (1u << PLACES)
#define WORDS_OF_BUCKET ((u64)(PLACES + 1))

/* Return the entry of a dyad; `state` describes the arcs as seen from `u`. */
FUNCTION u64 entry_of(u32 u, u32 v, u32 state, u32 ordered) {
    if (ordered || u < v)
        return (u64)u << 32 | (u64)v << 2 | state;
    return (u64)v << 32 | (u64)u << 2 | (state & 1) << 1 | state >> 1;
}

/* Return the bucket at which the search for a dyad begins; it does not depend on the state. */
FUNCTION u32 home_of(u64 entry, u32 buckets) {
    u64 product = (entry >> 2) * GOLDEN;
    return (u32)((product >> 32) * buckets >> 32);
}

FUNCTION u32 next_bucket(u32 bucket, u32 buckets) { return bucket + 1 == buckets ? 0 : bucket + 1; }

FUNCTION GLOBAL u32 *control_of(GLOBAL u64 *table, u32 bucket) {
    return (GLOBAL u32 *)(table + WORDS_OF_BUCKET * bucket);
}

/* Copy a bucket, all words of it at once. */
FUNCTION void read_bucket(GLOBAL const u64 *table, u32 bucket, u64 *words) {
    for (u32 at = 0; at < PLACES + 1; at++)
        words[at] = table[WORDS_OF_BUCKET * bucket + at];
}

/* Return the place of a dyad in a copy of a bucket, in any state, or 0. */
FUNCTION u32 place_in(const u64 *words, u64 entry) {
    u32 place = 0;
    for (u32 at = 1; at <= PLACES; at++)
        if (words[0] >> (at - 1) & 1 && (words[at] ^ entry) <= 3)
            place = at;
    return place;
}

/* Return the word of the table that holds a dyad, in any state, or 0; `words` are a copy of its home. */
FUNCTION u64 word_of_dyad(GLOBAL const u64 *table, u32 buckets, u64 entry, u32 home, const u64 *words) {
    u32 place = place_in(words, entry), bucket = home, tries = 1;
    u64 passing[PLACES + 1];
    if (place > 0)
        return WORDS_OF_BUCKET * home + place;
    if ((u32)words[0] < PASSED)
        return 0;
    do {
        bucket = next_bucket(bucket, buckets);
        read_bucket(table, bucket, passing);
        place = place_in(passing, entry);
        if (place > 0)
            return WORDS_OF_BUCKET * bucket + place;
        tries++;
    } while ((u32)passing[0] >= PASSED && tries < buckets);
    return 0;
}

/* Insert a dyad that the table does not hold. */
FUNCTION void insert_dyad(GLOBAL u64 *table, u32 buckets, u64 entry) {
    u32 bucket = home_of(entry, buckets);
    for (;;) {
        GLOBAL u32 *control = control_of(table, bucket);
        u32 taken = *control;
        while ((taken & TAKEN) != TAKEN) {
            u32 bit = ~taken & (taken + 1);
            taken = OR_U32(control, bit);
            if (!(taken & bit)) {
                table[WORDS_OF_BUCKET * bucket + 1 + POPCOUNT32(bit - 1)] = entry;
                return;
            }
        }
        ADD_U32(control, PASSED);
        bucket = next_bucket(bucket, buckets);
    }
}

/* Remove the dyad at a place that `word_of_dyad` returned. */
FUNCTION void remove_dyad(GLOBAL u64 *table, u32 buckets, u64 entry, u64 at) {
    u32 bucket = home_of(entry, buckets), last = (u32)(at / WORDS_OF_BUCKET);
    while (bucket != last) {
        ADD_U32(control_of(table, bucket), 0u - PASSED);
        bucket = next_bucket(bucket, buckets);
    }
    ADD_U32(control_of(table, bucket), 0u - (1u << (at % WORDS_OF_BUCKET - 1)));
}
