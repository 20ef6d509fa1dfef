/* Supports, tetrahedra, and diamonds at the vertices off their chord, from the graph that each row's vertices form.
 *
 * Computes: `tetrahedra` adds to the support of each entry of a listed row u the triangles whose largest rank is u, and
 *   to all their vertices the tetrahedra with this largest rank. `off_chord` adds to each v and w of these triangles
 *   the support of the edge between u and the other one, minus one: that edge is the chord of as many diamonds.
 * Requires: the rows of an oriented graph, and bits (middle_bits.c). Listed rows have at most LONGEST entries, whose
 *   bits fit local memory; without LONGEST they stay in global memory. `off_chord` needs the complete supports.
 * Idea: the joined pairs of a row's entries form a symmetric bit matrix, of which the half below the diagonal is given
 *   and transposed. A tetrahedron is a triangle of this graph, found by an AND and a population count for each of its
 *   edges (Almasri et al. 2022, International Conference on Supercomputing, count cliques in such matrices); a lane
 *   takes an edge. The counts are the ones that the Fast Graphlet Transform needs (Floros, Pitsianis and Sun 2020, High
 *   Performance Extreme Computing Conference).
 * Cost: (length of the row) / 64 words for each triangle.
 */

#define TEAM (THREAD / LANES)

#define ROW_GRAPHS                                                                                                     \
    GLOBAL const i64 *RESTRICT indptr, GLOBAL const u32 *RESTRICT indices, GLOBAL const u32 *RESTRICT rows,            \
        u64 first_listed, GLOBAL const i64 *RESTRICT word_ptr, i64 first_word, GLOBAL u64 *bits

#ifdef LONGEST
#define SPACE LOCAL
#define LOCAL_BITS LOCAL_LARGE(u64, matrix, LONGEST * ((LONGEST + 63) / 64 | 1))
#define MATRIX(stored, words, stride) u64 stride = (words) | 1 /* odd, so that a column lies in all banks */
#define LOAD_BITS                                                                                                      \
    for (u32 i = THREAD; i < length * words; i += THREADS)                                                             \
        matrix[i / words * stride + i % words] = stored[i];                                                            \
    BLOCK_BARRIER();
#else
#define SPACE GLOBAL
#define LOCAL_BITS
#define MATRIX(stored, words, stride)                                                                                  \
    u64 stride = (words);                                                                                              \
    GLOBAL u64 *matrix = stored
#define LOAD_BITS
#endif

/* Declare the block's row u and its bit matrix, and write the half above the diagonal. */
#define BLOCK_ROW_GRAPH                                                                                                \
    u32 lane = THREAD % LANES, u = rows[first_listed + BLOCK];                                                         \
    i64 start = indptr[u];                                                                                             \
    u32 length = (u32)(indptr[u + 1] - start), words = (length + 63) / 64, tiles = (length + LANES - 1) / LANES;       \
    GLOBAL u64 *stored = bits + (word_ptr[u] - first_word);                                                            \
    MATRIX(stored, words, stride);                                                                                     \
    SPACE u32 *halves = (SPACE u32 *)matrix;                                                                           \
    LOAD_BITS                                                                                                          \
    for (u32 high = TEAM; high < tiles; high += THREADS / LANES)                                                       \
        for (u32 low = 0; low <= high; low++) {                                                                        \
            u32 column = 0;                                                                                            \
            for (u32 i = 0; i < LANES && LANES * high + i < length; i++)                                               \
                column |= (halves[2 * stride * (LANES * high + i) + low] >> lane & 1) << i;                            \
            TEAM_FENCE();                                                                                              \
            if (LANES * low + lane < length)                                                                           \
                halves[2 * stride * (LANES * low + lane) + high] |= column;                                            \
        }                                                                                                              \
    BLOCK_BARRIER()

#ifdef LONGEST /* an edge is counted once, at its later end, for both ends */
#define COUNTED_BITS(i, tile)                                                                                          \
    (LANES * (tile) >= i ? 0 : LANES * (tile) + LANES > i ? (1u << (i - LANES * (tile))) - 1 : 0xffffffffu)
#define AT_OTHER_END ADD_U32(&met_at[j], others)
#else
#define COUNTED_BITS(i, tile) 0xffffffffu
#define AT_OTHER_END
#endif

/* Count the common neighbours of i and each of the first LANES queued vertices. */
#define COUNT_QUEUED                                                                                                   \
    TEAM_BARRIER();                                                                                                    \
    if (lane < queued) {                                                                                               \
        u32 j = queue[lane], others = 0;                                                                               \
        SPACE const u64 *other = matrix + j * stride;                                                                  \
        for (u32 x = 0; x < words; x++)                                                                                \
            others += POPCOUNT64(row[x] & other[x]);                                                                   \
        met += others;                                                                                                 \
        AT_OTHER_END;                                                                                                  \
    }                                                                                                                  \
    TEAM_BARRIER()

KERNEL void tetrahedra(ROW_GRAPHS, GLOBAL u32 *support, GLOBAL u32 *counts) {
    LOCAL_BITS;
#ifdef LONGEST
    LOCAL_ARRAY(u32, met_at, LONGEST);
#endif
    LOCAL_ARRAY(u32, queues, 2 * THREADS);
    LOCAL_ARRAY(u32, scratch, THREADS);
    LOCAL_ARRAY(u32, met_by_all, 2);
    BLOCK_ROW_GRAPH;
    LOCAL u32 *own = scratch + TEAM * LANES, *queue = queues + 2 * TEAM * LANES;
    u64 met_by_team = 0;
    if (THREAD < 2)
        met_by_all[THREAD] = 0;
#ifdef LONGEST
    for (u32 i = THREAD; i < length; i += THREADS)
        met_at[i] = 0;
#endif
    BLOCK_BARRIER();
    for (u32 i = TEAM; i < length; i += THREADS / LANES) {
        SPACE const u64 *row = matrix + i * stride;
        u32 joined = 0, queued = 0;
        u64 met = 0; /* up to the square of the row's length */
        for (u32 tile = 0; tile < tiles; tile++) {
            u32 word = halves[2 * stride * i + tile];
            joined += POPCOUNT32(word);
            word &= COUNTED_BITS(i, tile);
            if (word >> lane & 1)
                queue[queued + POPCOUNT32(word & ((1u << lane) - 1))] = LANES * tile + lane;
            queued += POPCOUNT32(word);
            if (queued >= LANES) {
                COUNT_QUEUED;
                queued -= LANES;
                if (lane < queued)
                    queue[lane] = queue[LANES + lane];
                TEAM_BARRIER();
            }
        }
        COUNT_QUEUED;
        TEAM_SUM_WIDE(met, LANES, own)
        if (lane == 0 && joined > 0) {
            support[start + i] += joined;
#ifdef LONGEST
            ADD_U32(&met_at[i], (u32)met);
#else
            ADD_WIDE(counts, indices[start + i], met / 2); /* each tetrahedron was found at two of its edges */
            met_by_team += met;
#endif
        }
    }
    BLOCK_BARRIER();
#ifdef LONGEST
    for (u32 i = THREAD; i < length; i += THREADS) {
        ADD_WIDE(counts, indices[start + i], (u64)(met_at[i] / 2));
        met_by_team += met_at[i];
    }
#endif
    if (met_by_team > 0)
        ADD_WIDE_LOCAL(met_by_all, 0, met_by_team);
    BLOCK_BARRIER();
    if (THREAD == 0)
        ADD_WIDE(counts, u, (met_by_all[0] | (u64)met_by_all[1] << 32) / 6);
}

KERNEL void off_chord(ROW_GRAPHS, GLOBAL const u32 *RESTRICT support, GLOBAL u32 *counts) {
    LOCAL_BITS;
    LOCAL_ARRAY(u32, scratch, THREADS);
    BLOCK_ROW_GRAPH;
    LOCAL u32 *own = scratch + TEAM * LANES;
    for (u32 i = TEAM; i < length; i += THREADS / LANES) {
        u64 across = 0;
        for (u32 tile = 0; tile < tiles; tile++)
            if (halves[2 * stride * i + tile] >> lane & 1)
                across += support[start + LANES * tile + lane] - 1;
        TEAM_SUM_WIDE(across, LANES, own)
        if (lane == 0 && across > 0)
            ADD_WIDE(counts, indices[start + i], across);
    }
}
