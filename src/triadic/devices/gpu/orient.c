/* From arcs in any order, piece by piece, to sorted keys of oriented edges, and from sorted keys to rows.
 *
 * Computes: the degree and rank of each vertex, and the row of each rank.
 * Requires: ids and ranks below 2^31; the runtime sorts the keys between the kernels.
 * Idea: the key of an edge is its larger rank in the upper 32 bits; twice its smaller rank, plus 1 if the arc runs to
 *   the larger rank, in the lower. A loop's key is all ones, and so the last of the sorted keys. Teams walk the sorted
 *   keys tile by tile and keep the first key of each edge.
 * With STATES, `state` of each edge says which arcs it has: 1 from the larger rank, 2 to it, 3 both.
 * Cost: O(arcs) beside the sort.
 */

#if defined(STATES)
#define STATE_PARAMETER , GLOBAL unsigned char *state
#else
#define STATE_PARAMETER
#endif

#define NO_KEY 0xffffffffffffffffu

/* Count the ends of arcs at each vertex; loops are counted apart, as two words. */
KERNEL void add_degrees(GLOBAL const u32 *RESTRICT source, GLOBAL const u32 *RESTRICT target, u64 count,
                        GLOBAL u32 *degree, GLOBAL u32 *loops) {
    u64 at = GLOBAL_THREAD;
    if (at < count) {
        u32 u = source[at], v = target[at];
        if (u == v)
            ADD_WIDE(loops, 0, 1);
        else {
            ADD_U32(&degree[u], 1);
            ADD_U32(&degree[v], 1);
        }
    }
}

/* Write keys that sort vertices by falling degree, then by id. */
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

/* Write the keys of the arcs of a piece, from `place` on. */
KERNEL void edge_keys(GLOBAL const u32 *RESTRICT source, GLOBAL const u32 *RESTRICT target,
                      GLOBAL const u32 *RESTRICT rank, u64 count, u64 place, GLOBAL u64 *keys) {
    u64 at = GLOBAL_THREAD;
    if (at < count) {
        u32 a = rank[source[at]], b = rank[target[at]];
        if (a == b)
            keys[place + at] = NO_KEY;
        else
            keys[place + at] = a > b ? (u64)a << 32 | (u64)b << 1 : (u64)b << 32 | (u64)a << 1 | 1u;
    }
}

/* Count in each tile of sorted keys the first keys of arcs, and the first keys of edges. */
KERNEL void count_firsts(GLOBAL const u64 *RESTRICT keys, u64 count, u64 tiles, GLOBAL u32 *arcs, GLOBAL u32 *edges) {
    u64 tile = BLOCK * TEAMS + THREAD / LANES;
    if (tile < tiles) {
        u64 last = (tile + 1) * TILE < count ? (tile + 1) * TILE : count;
        u32 own_arcs = 0, own_edges = 0;
        for (u64 at = tile * TILE + THREAD % LANES; at < last; at += LANES) {
            u64 key = keys[at], before = at == 0 ? NO_KEY : keys[at - 1];
            own_arcs += key != before;
            own_edges += key >> 1 != before >> 1;
        }
        ADD_U32(&arcs[tile], own_arcs);
        ADD_U32(&edges[tile], own_edges);
    }
}

/* Write the column of each edge once, the columns of a tile from `place[tile]` on, and count columns and rows.
 *
 * `length[u + 1]` becomes the length of row u: the place after its last edge minus the place of its first. The sum is
 * taken modulo 2^32, which is exact because a row is shorter than that.
 */
KERNEL void write_columns(GLOBAL const u64 *RESTRICT keys, u64 count, GLOBAL const i64 *RESTRICT place, u64 tiles,
                          GLOBAL u32 *columns, GLOBAL u32 *length, GLOBAL u32 *below STATE_PARAMETER) {
    LOCAL_ARRAY(u32, votes, TEAMS);
    u32 lane = THREAD % LANES, ballot;
    u64 tile = BLOCK * TEAMS + THREAD / LANES;
    u64 first = tile * TILE, last = first + TILE < count ? first + TILE : count;
    u64 to = tile < tiles ? (u64)place[tile] : 0;
    for (u64 step = first; step < last; step += LANES) {
        u64 at = step + lane;
        u64 key = keys[at < last ? at : last - 1];
        u64 before = at == 0 ? NO_KEY : keys[at < last ? at - 1 : last - 1];
        u32 is_first = key >> 1 != before >> 1;
        TEAM_BALLOT(ballot, is_first, &votes[THREAD / LANES]);
        if (is_first) {
            u64 slot = to + POPCOUNT32(ballot & ((1u << lane) - 1));
            u32 column = (u32)key >> 1;
            columns[slot] = column;
            ADD_U32(&below[column], 1);
#if defined(STATES)
            u32 arcs_of_edge = 1u << (key & 1);
            for (u64 next = at + 1; next < count && keys[next] >> 1 == key >> 1; next++)
                arcs_of_edge |= 1u << (keys[next] & 1);
            state[slot] = (unsigned char)arcs_of_edge;
#endif
            if (key >> 32 != before >> 32) {
                ADD_U32(&length[(key >> 32) + 1], 0u - (u32)slot);
                if (at > 0)
                    ADD_U32(&length[(before >> 32) + 1], slot);
            }
        }
        to += POPCOUNT32(ballot);
        if (at == count - 1)
            ADD_U32(&length[(key >> 32) + 1], to);
    }
}

/* Write the length of each row in 64 bits, and its degree: its length and the number of rows that hold it. */
KERNEL void degrees_of_rows(GLOBAL const u32 *RESTRICT length, GLOBAL const u32 *RESTRICT below, u64 rows,
                            GLOBAL i64 *RESTRICT lengths, GLOBAL i64 *RESTRICT degree) {
    u64 u = GLOBAL_THREAD;
    if (u < rows) {
        lengths[u + 1] = length[u + 1];
        degree[u] = (i64)length[u + 1] + below[u];
        if (u == 0)
            lengths[0] = 0;
    }
}
