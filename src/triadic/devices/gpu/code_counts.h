/* Counts of the codes s(uv) + 4 s(uw) + 16 s(vw) of closed triads, of which there are 27.
 *
 * A kind is a code's place among them. COPIES of all counts lie in global memory, for blocks to add to different ones:
 * all teams add to the same few.
 */

#define KINDS 27u

FUNCTION u32 kind_of(u32 uv, u32 uw, u32 vw) { return (uv - 1) + 3 * (uw - 1) + 9 * (vw - 1); }

FUNCTION void add_kind(GLOBAL u32 *counts, u32 copy, u32 kind, u32 value) {
    ADD_WIDE(counts, 64 * (u64)copy + (kind % 3 + 1) + 4 * (kind / 3 % 3 + 1) + 16 * (kind / 9 + 1), value);
}

/* Add what the lanes of a team have, each in a column of its own: `of_lanes` has KINDS x LANES words. */
FUNCTION void add_kinds(GLOBAL u32 *counts, u32 copy, LOCAL u32 *of_lanes, u32 lane) {
    if (lane < KINDS) {
        u32 sum = 0;
        for (u32 i = 0; i < LANES; i++)
            sum += of_lanes[lane * LANES + (lane + i) % LANES];
        add_kind(counts, copy, lane, sum);
    }
}
