/* Trussness: edges are peeled level by level, each level in rounds.
 *
 * Computes: in `peeled` the level of each peeled edge, the largest s such that the edge is in a subgraph whose edges are
 *   all in at least s of its triangles; in `support` the triangles of each other edge among these.
 * Requires: whole rows of the edges that are left (whole_rows.c); `sources` and `indices`, the ends of each edge.
 * Idea: as in devices/cpu/triangles/trussness.py. A round takes the triangles of the edges that the last round queued from their
 *   other edges. States change only between rounds, so that of the edges of one triangle that are peeled in the same
 *   round the lowest alone takes the triangle from the others. The addition that brings a support to the level queues
 *   the edge. A team takes one edge, and searches the row of one end for each entry of the other, shorter row.
 * Cost: for each edge the shorter row of its ends, times the logarithm of the longer one.
 */

#define LIVE 0
#define QUEUED 1
#define GONE 2
#define NO_SUPPORT 0xffffffffu /* of an edge that is gone: it is never the least */

/* Peel the edges in no triangle. */
KERNEL void begin_peeling(u64 count, GLOBAL u32 *support, GLOBAL unsigned char *state) {
    u64 e = GLOBAL_THREAD;
    if (e < count) {
        state[e] = support[e] > 0 ? LIVE : GONE;
        if (support[e] == 0)
            support[e] = NO_SUPPORT;
    }
}

/* Queue the live edges of a support of at most `level`. */
KERNEL void queue_level(GLOBAL const u32 *RESTRICT support, u64 count, u32 level, GLOBAL unsigned char *state,
                        GLOBAL u32 *queue, GLOBAL u32 *tail) {
    u64 e = GLOBAL_THREAD;
    if (e < count && support[e] <= level) {
        state[e] = QUEUED;
        queue[ADD_U32(tail, 1)] = (u32)e;
    }
}

/* Take the triangles of the queue's places from `head` on from their other edges; queue the edges that fall to `level`. */
KERNEL void take_down(GLOBAL const i64 *RESTRICT ptr, GLOBAL const u32 *RESTRICT ends, GLOBAL const u32 *RESTRICT edges,
                      GLOBAL const u32 *RESTRICT sources, GLOBAL const u32 *RESTRICT indices,
                      GLOBAL const unsigned char *RESTRICT state, u32 head, u32 count, u32 level, GLOBAL u32 *support,
                      GLOBAL u32 *queue, GLOBAL u32 *tail) {
    u64 task = BLOCK * TEAMS + THREAD / LANES;
    if (task < count) {
        u32 e = queue[head + task];
        u64 u = sources[e], v = indices[e];
        i64 stop;
        if (ptr[u + 1] - ptr[u] > ptr[v + 1] - ptr[v]) {
            u64 other = u;
            u = v;
            v = other;
        }
        stop = ptr[v + 1];
        for (i64 p = ptr[u] + THREAD % LANES; p < ptr[u + 1]; p += LANES) {
            u32 w = ends[p], f = edges[p];
            if (state[f] != GONE) {
                i64 at = first_from(ends, ptr[v], stop, w);
                if (at < stop && ends[at] == w) {
                    u32 g = edges[at], of_f = state[f], of_g = state[g];
                    if (of_g != GONE) {
                        if (of_f == LIVE && (of_g == LIVE || e < g) && ADD_U32(&support[f], 0xffffffffu) == level + 1)
                            queue[ADD_U32(tail, 1)] = f;
                        if (of_g == LIVE && (of_f == LIVE || e < f) && ADD_U32(&support[g], 0xffffffffu) == level + 1)
                            queue[ADD_U32(tail, 1)] = g;
                    }
                }
            }
        }
    }
}

/* End a round: its edges, `head` to `middle` in the queue, are gone at this level, and those it queued are queued. */
KERNEL void settle(GLOBAL const u32 *RESTRICT queue, u32 head, u32 middle, u32 last, u32 level,
                   GLOBAL unsigned char *state, GLOBAL u32 *support, GLOBAL u32 *peeled) {
    u64 k = head + GLOBAL_THREAD;
    if (k < middle) {
        u32 e = queue[k];
        state[e] = GONE;
        support[e] = NO_SUPPORT;
        peeled[e] = level;
    } else if (k < last)
        state[queue[k]] = QUEUED;
}
