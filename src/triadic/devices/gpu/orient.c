/* From arcs in any order to keys of oriented edges: the steps between the runtime's sorts.
 *
 * An edge's key is its larger rank in the upper 32 bits, twice its smaller rank and the way the arc runs (0 from the
 * larger rank, 1 to it) in the lower, so that ranks are below 2^31. A loop's key is all ones, and last when sorted.
 */

#define NO_KEY 0xffffffffffffffffu

KERNEL void add_degrees(GLOBAL const u32 *RESTRICT source, GLOBAL const u32 *RESTRICT target, u64 count,
                        GLOBAL u32 *degree) {
    u64 at = GLOBAL_THREAD;
    if (at < count && source[at] != target[at]) {
        ADD_U32(&degree[source[at]], 1);
        ADD_U32(&degree[target[at]], 1);
    }
}

/* Keys by falling degree, then by id. */
KERNEL void degree_keys(GLOBAL const u32 *RESTRICT degree, u64 count, GLOBAL u64 *keys) {
    u64 at = GLOBAL_THREAD;
    if (at < count)
        keys[at] = (u64)(0xffffffffu - degree[at]) << 32 | at;
}

KERNEL void ranks(GLOBAL const u64 *RESTRICT keys, u64 count, GLOBAL u32 *rank) {
    u64 at = GLOBAL_THREAD;
    if (at < count)
        rank[(u32)keys[at]] = (u32)at;
}

KERNEL void edge_keys(GLOBAL const u32 *RESTRICT source, GLOBAL const u32 *RESTRICT target,
                      GLOBAL const u32 *RESTRICT rank, u64 count, GLOBAL u64 *keys) {
    u64 at = GLOBAL_THREAD;
    if (at < count) {
        u32 a = rank[source[at]], b = rank[target[at]];
        if (a == b)
            keys[at] = NO_KEY;
        else
            keys[at] = a > b ? (u64)a << 32 | (u64)b << 1 : (u64)b << 32 | (u64)a << 1 | 1u;
    }
}

/* Say of each sorted key whether it is the first of its arc (bit 0), of its edge (bit 1), or a loop's (bit 2). */
KERNEL void first_of(GLOBAL const u64 *RESTRICT keys, u64 count, GLOBAL unsigned char *first) {
    u64 at = GLOBAL_THREAD;
    if (at < count) {
        u64 key = keys[at], before = at == 0 ? NO_KEY - 1 : keys[at - 1];
        if (key == NO_KEY)
            first[at] = 4;
        else
            first[at] = (unsigned char)((at == 0 || key != before ? 1 : 0) | (at == 0 || key >> 1 != before >> 1 ? 2 : 0));
    }
}

KERNEL void columns_of(GLOBAL const u64 *RESTRICT keys, u64 count, GLOBAL u32 *columns, GLOBAL u32 *degree) {
    u64 at = GLOBAL_THREAD;
    if (at < count) {
        u32 column = (u32)keys[at] >> 1;
        columns[at] = column;
        if (degree)
            ADD_U32(&degree[column], 1);
    }
}
