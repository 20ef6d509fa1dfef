/* Cliques of SIZE vertices, at least 3, in total and, with BY_VERTEX, at each rank.
 *
 * Computes: the number of cliques, modulo 2^64; at the ranks, how many each one is in.
 * Requires: `matrix`, zero, with WORDS words for each entry of a batch of rows, of at most 32 WORDS entries each; the
 *   tasks before each row, of 32 entries.
 * Idea: each clique is met at its vertex of largest rank, u. The neighbours in the row of u have a matrix of bits that
 *   says which are joined, made once for a batch of rows. A lane takes an entry {u, v} and searches alone among the
 *   candidates, the neighbours below v that are joined to it. While at least four vertices are missing, the candidate
 *   that is joined to the most others is the pivot: each other candidate that is not joined to it is held in a branch of
 *   its own, and in what remains all candidates are joined to the pivot, so that a clique may have it or not. Where
 *   three are missing the search ends: with p pivots and c candidates, which have e edges and t triangles, there are
 *   C(p, 3) + C(p, 2) c + p e + t cliques. At vertices, a held vertex is in all cliques of its branch; the shares of
 *   pivots and candidates follow from the same numbers. They add up in local memory for a team.
 * Cost: (pairs of entries in a row) searches for the matrix; then the nodes of Pivoter's tree, (candidates) x WORDS each.
 *
 * References: Jain and Seshadhri (2020), The power of pivoting for exact clique counting, WSDM; Almasri, Hajj, Nagi,
 * Xiong and Hwu (2022), Parallel k-clique counting on GPUs, ICS.
 */

#define MISSING (SIZE - 2) /* vertices beside u and v */
#define CLOSED 3           /* missing vertices that are counted without branches */
#define DEPTH (MISSING > CLOSED ? MISSING - CLOSED : 1)

#define ENTRIES                                                                                                        \
    GLOBAL const i64 *RESTRICT indptr, GLOBAL const u32 *RESTRICT indices, GLOBAL const i64 *RESTRICT task_ptr, u64 n, \
        i64 first_row, u64 count, GLOBAL u32 *matrix

/* Declare the row of the team's task, the lane's place i in it, and the row's matrix. */
#define TEAM_ENTRIES                                                                                                   \
    TEAM_TASK;                                                                                                         \
    i64 wanted = task_ptr[first_row] + (i64)task, row = first_row, high = (i64)n;                                      \
    while (row + 1 < high) {                                                                                           \
        i64 middle = (row + high) >> 1;                                                                                \
        if (task_ptr[middle] <= wanted)                                                                                \
            row = middle;                                                                                              \
        else                                                                                                           \
            high = middle;                                                                                             \
    }                                                                                                                  \
    i64 start = indptr[row], length = indptr[row + 1] - start, i = LANES * (wanted - task_ptr[row]) + lane;            \
    GLOBAL u32 *own = matrix + (start - indptr[first_row]) * WORDS

#define BIT(j) (1u << ((j) & 31))
#define FOR_EACH(j, set, words)                                                                                        \
    for (u32 j##_word = 0; j##_word < (words); j##_word++)                                                             \
        for (u32 j##_left = (set)[j##_word], j; j##_left != 0 && (j = 32 * j##_word + LOWEST_BIT(j##_left), 1);        \
             j##_left &= j##_left - 1)

KERNEL void join_neighbours(ENTRIES) {
    TEAM_ENTRIES;
    if (i >= length)
        return;
    u32 v = indices[start + i];
    i64 from = indptr[v], to = indptr[v + 1];
    for (i64 j = 0; j < i && from < to; j++) {
        u32 w = indices[start + j];
        from = first_from(indices, from, to, w);
        if (from < to && indices[from] == w) {
            OR_U32(&own[i * WORDS + (j >> 5)], BIT(j));
            OR_U32(&own[j * WORDS + (i >> 5)], BIT(i));
        }
    }
}

/* Keep the candidates that are joined to j, of its row in the matrix, and with `below` of a smaller place; return their
 * number. */
FUNCTION u32 narrow(u32 *kept, const u32 *candidates, GLOBAL const u32 *own, u32 j, u32 words, int below) {
    GLOBAL const u32 *joined = own + (u64)j * WORDS;
    u32 number = 0;
    for (u32 x = 0; x < words; x++) {
        u32 mask = !below || x < j >> 5 ? 0xffffffffu : x == j >> 5 ? BIT(j) - 1 : 0;
        kept[x] = candidates[x] & joined[x] & mask;
        number += POPCOUNT32(kept[x]);
    }
    return number;
}

FUNCTION u64 choose(u64 n, u32 k) {
    u64 found = 1;
    if (n < k)
        return 0;
    for (u32 x = 0; x < k; x++)
        found = found * (n - x) / (x + 1);
    return found;
}

#define ADD_AT_PLACE(j, value)                                                                                         \
    do {                                                                                                               \
        u64 value_there = (value);                                                                                     \
        if (BY_VERTEX && value_there != 0)                                                                             \
            ADD_WIDE_LOCAL(at_place, j, value_there);                                                                  \
    } while (0)

/* Return the cliques of `missing` vertices, up to three, among p pivots and candidates, and add them at each. */
FUNCTION u64 closed(const u32 *candidates, const u32 *pivots, u64 p, u32 missing, u32 words, GLOBAL const u32 *own,
                    LOCAL u32 *at_place) {
    u32 kept[WORDS], rest[WORDS];
    u64 number = 0, edges = 0, triangles = 0;
    FOR_EACH(j, candidates, words) {
        u64 here = 0, of_j = missing < 2 ? 0 : narrow(kept, candidates, own, j, words, !BY_VERTEX);
        if (missing > 2 && of_j > 1)
            FOR_EACH(k, kept, words)
                here += narrow(rest, kept, own, k, words, 1);
        number++;
        edges += of_j;
        triangles += here;
        ADD_AT_PLACE(j, missing == 1 ? 1 : missing == 2 ? p + of_j : choose(p, 2) + p * of_j + here);
    }
    if (BY_VERTEX) {
        edges /= 2;
        triangles /= 3;
        if (p > 0)
            FOR_EACH(j, pivots, words)
                ADD_AT_PLACE(j, missing == 1   ? 1
                                : missing == 2 ? p - 1 + number
                                               : choose(p - 1, 2) + (p - 1) * number + edges);
    }
    return missing == 1   ? p + number
           : missing == 2 ? choose(p, 2) + p * number + edges
                          : choose(p, 3) + choose(p, 2) * number + p * edges + triangles;
}

/* The total comes before the counts at ranks. */
KERNEL void cliques(ENTRIES, GLOBAL u32 *counts) {
    LOCAL_ARRAY(u64, scratch, TEAMS *LANES);
    LOCAL_ARRAY(u32, all_at_place, TEAMS *(BY_VERTEX ? 64 * WORDS : 2));
    TEAM_ENTRIES;
    LOCAL u64 *sums = OWN(scratch, LANES);
    LOCAL u32 *at_place = OWN(all_at_place, BY_VERTEX ? 64 * WORDS : 2);
    u32 sets[DEPTH + 1][WORDS], branches[DEPTH][WORDS], pivots[DEPTH][WORDS], held[DEPTH], kept[WORDS];
    u64 p[DEPTH], branch[DEPTH], all = 0;
    i64 pivot[DEPTH];
    if (BY_VERTEX)
        for (u32 k = lane; k < 64 * WORDS; k += LANES)
            at_place[k] = 0;
    TEAM_BARRIER();
    if (i < length && i >= MISSING) {
        u32 words = (u32)(i >> 5) + 1, depth = 0, number;
        for (u32 x = 0; x < words; x++) {
            kept[x] = 0xffffffffu;
            pivots[0][x] = 0;
        }
        number = narrow(sets[0], kept, own, (u32)i, words, 1);
        p[0] = 0, branch[0] = 0;
        if (MISSING <= CLOSED) {
            if (number >= MISSING)
                all = closed(sets[0], pivots[0], 0, MISSING, words, own, at_place);
        } else if (number >= MISSING) {
            int fresh = 1;
            for (;;) {
                u32 missing = MISSING - depth, *set = sets[depth], *mine = pivots[depth], *open = branches[depth];
                while (fresh) {
                    i64 most = -1, best = -1;
                    number = 0;
                    FOR_EACH(j, set, words) {
                        i64 joined = narrow(kept, set, own, j, words, 0);
                        number++;
                        if (joined > most)
                            most = joined, best = j;
                    }
                    pivot[depth] = -1;
                    fresh = 0;
                    for (u32 x = 0; x < words; x++)
                        open[x] = 0;
                    if (number + p[depth] < missing)
                        break;
                    if (number == 0) {
                        branch[depth] += choose(p[depth], missing);
                        if (BY_VERTEX)
                            FOR_EACH(j, mine, words)
                                ADD_AT_PLACE(j, choose(p[depth] - 1, missing - 1));
                    } else if (most == (i64)number - 1) { /* joined to all others */
                        set[best >> 5] &= ~BIT(best);
                        mine[best >> 5] |= BIT(best);
                        p[depth]++;
                        fresh = 1;
                    } else {
                        pivot[depth] = best;
                        for (u32 x = 0; x < words; x++)
                            open[x] = set[x] & ~own[(u64)best * WORDS + x];
                        open[best >> 5] &= ~BIT(best);
                    }
                }
                u32 x = 0;
                while (x < words && open[x] == 0)
                    x++;
                if (x == words && pivot[depth] >= 0) { /* all that remain are joined to the pivot */
                    u32 j = (u32)pivot[depth];
                    set[j >> 5] &= ~BIT(j);
                    mine[j >> 5] |= BIT(j);
                    p[depth]++;
                    fresh = 1;
                } else if (x == words) {
                    u64 below = branch[depth];
                    if (depth == 0)
                        break;
                    depth--;
                    branch[depth] += below;
                    ADD_AT_PLACE(held[depth], below);
                } else {
                    u32 j = 32 * x + LOWEST_BIT(open[x]);
                    open[x] &= open[x] - 1;
                    set[x] &= ~BIT(j);
                    held[depth] = j;
                    if (narrow(sets[depth + 1], set, own, j, words, 0) + p[depth] < missing - 1)
                        continue;
                    if (missing - 1 == CLOSED) {
                        u64 here = closed(sets[depth + 1], mine, p[depth], CLOSED, words, own, at_place);
                        branch[depth] += here;
                        ADD_AT_PLACE(j, here);
                        continue;
                    }
                    depth++;
                    for (u32 y = 0; y < words; y++)
                        pivots[depth][y] = mine[y];
                    p[depth] = p[depth - 1], branch[depth] = 0;
                    fresh = 1;
                }
            }
            all = branch[0];
        }
        ADD_AT_PLACE(i, all);
    }
    TEAM_SUM_U64(all, sums);
    if (lane == 0) {
        ADD_WIDE(counts, 0, all);
        if (BY_VERTEX)
            ADD_WIDE(counts, 1 + row, all);
    }
    if (!BY_VERTEX)
        return;
    TEAM_BARRIER();
    for (i64 k = lane; k < length; k += LANES) {
        u64 here = at_place[2 * k] + ((u64)at_place[2 * k + 1] << 32);
        if (here != 0)
            ADD_WIDE(counts, 1 + indices[start + k], here);
    }
}
