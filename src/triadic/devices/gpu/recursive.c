/* R-MAT: the arcs start .. start + count - 1, the same bits as in generate/arc_draws.py.
 *
 * Computes: source and target of each arc.
 * Requires: the launch has `threads` work-items; at most 2^31 vertices.
 * Idea: a table in local memory gives LEVELS levels of the recursion at a time (see generate/arc_draws.py); 32 look-ups
 *   at different places of it cost a few cycles.
 * Cost: two hashes and four look-ups for each arc up to scale 24.
 */

#define LEVELS 6
#define CELLS (1 << 2 * LEVELS)
#define THRESHOLD_MASK 0xfffffu
#define ROUNDS 3

/* Permute the numbers of `scale` bits. */
FUNCTION u64 relabel(GLOBAL const u64 *keys, u64 scale, u64 x) {
    u64 mask = ((u64)1 << scale) - 1, shift = (scale + 1) >> 1;
    for (int r = 0; r < ROUNDS; r++) {
        x = (x * (keys[2 * r + 1] | 1) + keys[2 * r + 2]) & mask;
        x ^= x >> shift;
    }
    return x;
}

KERNEL void recursive(GLOBAL const u64 *RESTRICT keys, GLOBAL const u32 *RESTRICT table, u64 hashes, u64 scale,
                      u64 start, u64 count, u64 threads, GLOBAL u32 *RESTRICT source, GLOBAL u32 *RESTRICT target) {
    LOCAL_ARRAY(u32, cells, CELLS);
    u64 spare_levels = hashes * 2 * LEVELS - scale;
    for (u32 i = THREAD; i < CELLS; i += TEAMS * LANES)
        cells[i] = table[i];
    BLOCK_BARRIER();
    for (u64 at = GLOBAL_THREAD; at < count; at += threads) {
        u64 z = keys[0] + (start + at) * hashes * GOLDEN, u = 0, v = 0;
        for (u64 hash = 0; hash < hashes; hash++) {
            u64 bits = scramble(z);
            z += GOLDEN;
            for (int part = 0; part < 2; part++) {
                u32 cell = (u32)(bits >> (64 - 2 * LEVELS)), entry = cells[cell];
                if (((u32)(bits >> 32) & THRESHOLD_MASK) >= entry >> 2 * LEVELS)
                    cell = entry & (CELLS - 1);
                u = u << LEVELS | cell >> LEVELS;
                v = v << LEVELS | (cell & ((1 << LEVELS) - 1));
                bits <<= 32;
            }
        }
        source[at] = (u32)relabel(keys, scale, u >> spare_levels);
        target[at] = (u32)relabel(keys, scale, v >> spare_levels);
    }
}
