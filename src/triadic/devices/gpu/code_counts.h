/* Counts of the 27 codes s(uv) + 4 s(uw) + 16 s(vw) of closed triads.
 *
 * A kind is the place of a code among the 27. Global memory holds COPIES of all counts, to which different blocks add,
 * since all teams add to the same few.
 */

#define KINDS 27u

FUNCTION u32 kind_of(u32 uv, u32 uw, u32 vw) { return (uv - 1) + 3 * (uw - 1) + 9 * (vw - 1); }

FUNCTION void add_kind(GLOBAL u32 *counts, u32 copy, u32 kind, u32 value) {
    ADD_WIDE(counts, 64 * (u64)copy + (kind % 3 + 1) + 4 * (kind / 3 % 3 + 1) + 16 * (kind / 9 + 1), value);
}

/* Add the counts of a team: `of_lanes` has KINDS x LANES words, a column for each lane. */
FUNCTION void add_kinds(GLOBAL u32 *counts, u32 copy, LOCAL u32 *of_lanes, u32 lane) {
    if (lane < KINDS) {
        u32 sum = 0;
        for (u32 i = 0; i < LANES; i++)
            sum += of_lanes[lane * LANES + (lane + i) % LANES];
        add_kind(counts, copy, lane, sum);
    }
}
