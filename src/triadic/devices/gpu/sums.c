/* The sum of 64-bit numbers, modulo 2^64.
 *
 * Computes: the sum of `count` numbers, added to `sum`, two words.
 * Requires: `step`, the number of work-items.
 * Cost: one read for each number, one addition in global memory for each team.
 */

KERNEL void add_up(GLOBAL const u64 *RESTRICT numbers, u64 count, u64 step, GLOBAL u32 *sum) {
    LOCAL_ARRAY(u64, team_sums, TEAMS * LANES);
    u64 own = 0;
    for (u64 at = GLOBAL_THREAD; at < count; at += step)
        own += numbers[at];
    TEAM_SUM_U64(own, &team_sums[THREAD / LANES * LANES]);
    if (THREAD % LANES == 0)
        ADD_WIDE(sum, 0, own);
}
