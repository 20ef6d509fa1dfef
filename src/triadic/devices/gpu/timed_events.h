/* Searches in lists of timed events, and what kernels over events begin with.
 *
 * `moments` has for each place in the lists of vertices the key of the event and the number of inward events before the
 * place; `events` has for each event, by pair, its key, twice its number plus its direction, and its places in the two
 * lists. A window reaches `delta` from a key; if `by_limits` is set, `limits` has its first and last key instead.
 */

#define EVENT_TASKS                                                                                                    \
    GLOBAL const i64 *RESTRICT indptr, GLOBAL const u32 *RESTRICT moments, GLOBAL const u32 *RESTRICT neighbours,      \
        GLOBAL const u32 *RESTRICT events, GLOBAL const u32 *RESTRICT limits, u32 by_limits, i64 delta,                \
        u32 simultaneous, u64 number, u64 first_task, u64 step, u64 count

/* Declare the task's first event and the end of its events. */
#define TEAM_EVENTS                                                                                                    \
    TEAM_TASK;                                                                                                         \
    u64 slice_first = (first_task + step * task) * SLICE, slice_end = slice_first + SLICE;                             \
    if (slice_end > number)                                                                                            \
    slice_end = number

#define LOW_KEY(q, key) (by_limits ? (i64)limits[2 * (q)] : (key) - delta)
#define HIGH_KEY(q, key) (by_limits ? (i64)limits[2 * (q) + 1] : (key) + delta)

/* Return the first of some places from `start` on with a key above `key`, or `stop`, by doubling steps. */
FUNCTION i64 place_above(GLOBAL const u32 *keys, u32 stride, i64 start, i64 stop, i64 key) {
    i64 low = start, high = stop, length = 1;
    while (low + length <= stop && (i64)keys[stride * (low + length - 1)] <= key) {
        low += length;
        length *= 2;
    }
    if (low + length - 1 < high)
        high = low + length - 1;
    while (low < high) {
        i64 middle = (low + high) >> 1;
        if ((i64)keys[stride * middle] <= key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Return the first place from `start` on with a key of at least `key`, or `stop`, by doubling steps back from it. */
FUNCTION i64 place_from(GLOBAL const u32 *keys, u32 stride, i64 start, i64 stop, i64 key) {
    i64 low = start, high = stop, length = 1;
    while (high - length >= start && (i64)keys[stride * (high - length)] >= key) {
        high -= length;
        length *= 2;
    }
    if (high - length + 1 > low)
        low = high - length + 1;
    while (low < high) {
        i64 middle = (low + high) >> 1;
        if ((i64)keys[stride * middle] >= key)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* Add the private counts of all lanes of a team to counts in global memory; `own` is local memory of the team. */
#define ADD_TEAM_COUNTS(total, places, own, counts)                                                                    \
    for (u32 place = 0; place < (places); place++) {                                                                   \
        TEAM_BARRIER();                                                                                                \
        (own)[lane] = (total)[place];                                                                                  \
        TEAM_BARRIER();                                                                                                \
        if (lane == place % LANES) {                                                                                   \
            u64 team_sum = 0;                                                                                          \
            for (u32 other = 0; other < LANES; other++)                                                                \
                team_sum += (own)[other];                                                                              \
            ADD_WIDE(counts, place, team_sum);                                                                         \
        }                                                                                                              \
    }
