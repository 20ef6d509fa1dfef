/* Random numbers by position: draw `r` of item `i` is a hash of (key, i, r), the same bits as in core/draws.py. */

#define GOLDEN 0x9e3779b97f4a7c15u
/* Events compare 53 bits of a draw with a threshold, the probability of the event times 2^53. */
#define PROBABILITY_SHIFT 11

FUNCTION u64 scramble(u64 z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

FUNCTION u64 draw(u64 key, u64 i, u64 r) {
    return scramble(scramble(key + i * GOLDEN) + r * GOLDEN);
}

/* Map 64 random bits to 0 .. bound - 1: the upper half of the 128-bit product (Lemire 2019, ACM Transactions on
 * Modeling and Computer Simulation 29, 3). */
FUNCTION u64 below(u64 bits, u64 bound) {
    u64 a = bits >> 32, b = bits & 0xffffffffu, c = bound >> 32, d = bound & 0xffffffffu;
    u64 middle = a * d + ((b * d) >> 32);
    u64 other = b * c + (middle & 0xffffffffu);
    return a * c + (middle >> 32) + (other >> 32);
}

/* Return whether `end` is among the first `count` ends of a vertex. */
FUNCTION int is_among(GLOBAL const u32 *ends, u64 count, u64 end) {
    for (u64 i = 0; i < count; i++)
        if (ends[i] == (u32)end)
            return 1;
    return 0;
}
