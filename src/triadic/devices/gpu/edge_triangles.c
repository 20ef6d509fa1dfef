/* The triangles at each edge: the third vertex, rising by rank, and the two other edges.
 *
 * Computes: for edge e = {u, v} of ranks u > v, its place in the oriented rows, the number of common neighbours w of u
 *   and v; then w and the edges low = {u, w} and high = {v, w} of each. `edge_sums` writes sums over the triangles.
 * Requires: whole rows (whole_rows.c); the sources u of all edges are owners of their entries.
 * Idea: a team reads the row of u, the end of lower degree, and looks each entry up in the row of v by bisection. A
 *   ballot gives each lane its place among the triangles found.
 * Cost: the sum over edges of the smaller degree, times the logarithm of the larger degree. 12 bytes for each triangle
 *   at each of its edges.
 */

#define EDGE_TASKS                                                                                                     \
    GLOBAL const i64 *RESTRICT ptr, GLOBAL const u32 *RESTRICT ends, GLOBAL const u32 *RESTRICT edges,                 \
        GLOBAL const u32 *RESTRICT sources, GLOBAL const u32 *RESTRICT indices, u64 first_edge, u64 count

KERNEL void count_triangles(EDGE_TASKS, GLOBAL u32 *RESTRICT support) {
    LOCAL_ARRAY(u32, scratch, TEAMS *LANES);
    TEAM_TASK;
    LOCAL u32 *own = OWN(scratch, LANES);
    u64 e = first_edge + task;
    u64 u = sources[e], v = indices[e];
    i64 stop = ptr[v + 1];
    u32 found = 0;
    for (i64 p = ptr[u] + lane; p < ptr[u + 1]; p += LANES) {
        u32 w = ends[p];
        i64 at = first_from(ends, ptr[v], stop, w);
        found += at < stop && ends[at] == w ? 1 : 0;
    }
    TEAM_SUM(found, LANES, own);
    if (lane == 0)
        support[e] = found;
}

KERNEL void list_triangles(EDGE_TASKS, GLOBAL const i64 *RESTRICT triangle_ptr, GLOBAL u32 *RESTRICT third,
                           GLOBAL u32 *RESTRICT low, GLOBAL u32 *RESTRICT high) {
    LOCAL_ARRAY(u32, scratch, TEAMS);
    TEAM_TASK;
    LOCAL u32 *own = OWN(scratch, 1);
    u64 e = first_edge + task;
    u64 u = sources[e], v = indices[e];
    i64 stop = ptr[v + 1], row_end = ptr[u + 1], place = triangle_ptr[e], from = ptr[v];
    if (triangle_ptr[e + 1] > place) {
        for (i64 base = ptr[u]; base < row_end; base += LANES) {
            i64 p = base + lane, at = stop;
            u32 w = 0, met = 0, votes;
            if (p < row_end) {
                w = ends[p];
                at = first_from(ends, from, stop, w);
                met = at < stop && ends[at] == w ? 1 : 0;
            }
            TEAM_BALLOT(votes, met, own);
            if (met) {
                i64 mine = place + POPCOUNT32(votes & ((1u << lane) - 1));
                third[mine] = w;
                low[mine] = edges[p];
                high[mine] = edges[at];
            }
            place += POPCOUNT32(votes);
        }
    }
}

/* `near` is the sum of the degrees of the third vertices; `beside` the number of triangles at the two other edges that
 * are not at this one. */
KERNEL void edge_sums(GLOBAL const i64 *RESTRICT ptr, GLOBAL const i64 *RESTRICT triangle_ptr,
                      GLOBAL const u32 *RESTRICT third, GLOBAL const u32 *RESTRICT low, GLOBAL const u32 *RESTRICT high,
                      GLOBAL const u32 *RESTRICT support, u64 first_edge, u64 count, GLOBAL u64 *RESTRICT near,
                      GLOBAL u64 *RESTRICT beside) {
    LOCAL_ARRAY(u64, scratch, TEAMS *LANES);
    TEAM_TASK;
    LOCAL u64 *own = OWN(scratch, LANES);
    u64 e = first_edge + task, degrees = 0, others = 0;
    for (i64 t = triangle_ptr[e] + lane; t < triangle_ptr[e + 1]; t += LANES) {
        u64 w = third[t];
        degrees += (u64)(ptr[w + 1] - ptr[w]);
        others += (u64)support[low[t]] + support[high[t]] - 2;
    }
    TEAM_SUM_U64(degrees, own);
    TEAM_SUM_U64(others, own);
    if (lane == 0) {
        near[e] = degrees;
        beside[e] = others;
    }
}
