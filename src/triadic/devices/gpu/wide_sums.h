/* SKIP_IF(condition) ends a team whose work is none, where a team is a warp. On other devices a team goes on, since
 * PoCL miscompiles a return before a barrier, so that the code after it must do no harm.
 *
 * TEAM_SUM_U64(value, sums) replaces a 64-bit value of each lane by the sum over the team, modulo 2^64. `sums` is local
 * memory of the team, LANES words of 64 bits, for devices without warp functions. */
#if defined(WARPS)
#define SKIP_IF(condition)                                                                                             \
    if (condition)                                                                                                     \
    return
#define TEAM_SUM_U64(value, sums)                                                                                      \
    for (u32 reach = LANES / 2; reach > 0; reach /= 2)                                                                 \
    value += (u64)team_xor((u32)((value) >> 32), reach) << 32 | team_xor((u32)(value), reach)
#else
#define SKIP_IF(condition)
#define TEAM_SUM_U64(value, sums)                                                                                      \
    for (u32 reach = LANES / 2; reach > 0; reach /= 2) {                                                               \
        TEAM_BARRIER();                                                                                                \
        (sums)[THREAD % LANES] = value;                                                                                \
        TEAM_BARRIER();                                                                                                \
        value += (sums)[(THREAD % LANES) ^ reach];                                                                     \
    }
#endif
