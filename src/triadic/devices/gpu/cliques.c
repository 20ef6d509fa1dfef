/* Cliques of SIZE vertices, 3 to 8, in total and, with BY_VERTEX, at each rank.
 *
 * Computes: the number of cliques, modulo 2^64; at the ranks, how many each one is in.
 * Requires: `matrix`, zero, with WORDS words for each entry of a batch of rows; rows of at most 32 WORDS entries.
 * Idea: each clique is met at its vertex of largest rank, u. The neighbours in the row of u have a matrix of bits that
 *   says which are joined, made once for a batch of rows. A team takes an entry {u, v}; each lane takes every 32nd place
 *   of a neighbour w below v, and searches alone for the rest among the bits below w that are joined to v and w, with a
 *   set of bits for each vertex that it holds. Where two vertices are missing the search ends: they are the ends of an
 *   edge between the candidates, whose number is a sum of bits. At vertices, a held vertex is in all cliques of its
 *   branch, and a candidate in as many as candidates are joined to it; they add up in local memory for a team.
 * Cost: (pairs of entries in a row) searches for the matrix; WORDS for each clique of SIZE - 1 vertices at most.
 *
 * References: Chiba and Nishizeki (1985), SIAM Journal on Computing 14, 210; Almasri, Hajj, Nagi, Xiong and Hwu (2022),
 * Parallel k-clique counting on GPUs, ICS, for bits of the neighbourhoods of a root.
 */

#define MISSING (SIZE - 3) /* vertices beside u, v and w */
#define DEPTH (MISSING > 1 ? MISSING : 1)

/* Declare the team's entry e, its row u and its place i there. */
#define TEAM_ENTRY                                                                                                     \
    TEAM_TASK;                                                                                                         \
    i64 e = first_entry + (i64)task, low = 0, high = (i64)n;                                                           \
    while (low + 1 < high) {                                                                                           \
        i64 middle = (low + high) >> 1;                                                                                \
        if (indptr[middle] <= e)                                                                                       \
            low = middle;                                                                                              \
        else                                                                                                           \
            high = middle;                                                                                             \
    }                                                                                                                  \
    i64 start = indptr[low], i = e - start;                                                                            \
    GLOBAL u32 *own = matrix + (start - first_entry) * WORDS

#define ENTRIES                                                                                                        \
    GLOBAL const i64 *RESTRICT indptr, GLOBAL const u32 *RESTRICT indices, u64 n, i64 first_entry, u64 count,          \
        GLOBAL u32 *matrix

KERNEL void join_neighbours(ENTRIES) {
    TEAM_ENTRY;
    u32 v = indices[e];
    i64 from = indptr[v], to = indptr[v + 1];
    for (i64 j = lane; j < i; j += LANES) {
        i64 place = first_from(indices, from, to, indices[start + j]);
        if (place < to && indices[place] == indices[start + j]) {
            OR_U32(&own[i * WORDS + (j >> 5)], 1u << (j & 31));
            OR_U32(&own[j * WORDS + (i >> 5)], 1u << (i & 31));
        }
    }
}

/* Keep those of some candidates that are below place j and joined to it; return their number. */
FUNCTION u32 narrow(u32 *kept, const u32 *candidates, GLOBAL const u32 *joined, u32 j) {
    u32 number = 0, last = j >> 5;
    for (u32 x = 0; x <= last; x++) {
        kept[x] = candidates[x] & joined[x] & (x == last ? (1u << (j & 31)) - 1 : 0xffffffffu);
        number += POPCOUNT32(kept[x]);
    }
    return number;
}

/* Return the number of edges between candidates, and add them at both ends. */
FUNCTION u64 edges_between(const u32 *candidates, u32 words, GLOBAL const u32 *own, LOCAL u32 *at_place) {
    u64 found = 0;
    for (u32 x = 0; x < words; x++)
        for (u32 left = candidates[x]; left != 0; left &= left - 1) {
            u32 j = 32 * x + LOWEST_BIT(left), here = 0;
            GLOBAL const u32 *joined = own + (u64)j * WORDS;
            for (u32 y = 0; y < (BY_VERTEX ? words : x + 1); y++)
                here += POPCOUNT32(candidates[y] & joined[y] & (BY_VERTEX || y < x ? 0xffffffffu : (1u << (j & 31)) - 1));
            found += here;
            if (BY_VERTEX && here != 0)
                ADD_WIDE_LOCAL(at_place, j, (u64)here);
        }
    return BY_VERTEX ? found / 2 : found;
}

/* The total comes before the counts at ranks. */
KERNEL void cliques(ENTRIES, GLOBAL u32 *counts) {
    LOCAL_ARRAY(u64, scratch, TEAMS *LANES);
    LOCAL_ARRAY(u32, all_at_place, TEAMS *(BY_VERTEX ? 64 * WORDS : 2));
    TEAM_ENTRY;
    LOCAL u64 *sums = OWN(scratch, LANES);
    LOCAL u32 *at_place = OWN(all_at_place, BY_VERTEX ? 64 * WORDS : 2);
    u32 of_v[WORDS], sets[DEPTH][WORDS], words[DEPTH], word[DEPTH], left[DEPTH], held[DEPTH];
    u64 branch[DEPTH], all = 0;
    if (BY_VERTEX)
        for (u32 k = lane; k < 64 * WORDS; k += LANES)
            at_place[k] = 0;
    TEAM_BARRIER();
    for (u32 x = 0; x < WORDS; x++)
        of_v[x] = own[i * WORDS + x];
    for (u32 w = lane; (i64)w < i; w += LANES) {
        u64 found = 0;
        if (!(of_v[w >> 5] >> (w & 31) & 1))
            continue;
        u32 number = narrow(sets[0], of_v, own + (u64)w * WORDS, w), top = (w >> 5) + 1, depth = 0;
        if (MISSING == 0)
            found = 1;
        else if (MISSING == 1) {
            found = number;
            for (u32 x = 0; BY_VERTEX && x < top; x++)
                for (u32 rest = sets[0][x]; rest != 0; rest &= rest - 1)
                    ADD_WIDE_LOCAL(at_place, 32 * x + LOWEST_BIT(rest), (u64)1);
        } else if (MISSING == 2)
            found = edges_between(sets[0], top, own, at_place);
        else if (number >= MISSING) {
            words[0] = top, word[0] = 0, left[0] = sets[0][0], branch[0] = 0;
            for (;;) {
                while (left[depth] == 0 && ++word[depth] < words[depth])
                    left[depth] = sets[depth][word[depth]];
                if (left[depth] == 0) {
                    u64 below = branch[depth];
                    if (depth == 0)
                        break;
                    depth--;
                    branch[depth] += below;
                    if (BY_VERTEX)
                        ADD_WIDE_LOCAL(at_place, held[depth], below);
                    continue;
                }
                u32 j = 32 * word[depth] + LOWEST_BIT(left[depth]), missing = MISSING - 1 - depth;
                left[depth] &= left[depth] - 1;
                held[depth] = j;
                if (narrow(sets[depth + 1], sets[depth], own + (u64)j * WORDS, j) < missing)
                    continue;
                words[depth + 1] = (j >> 5) + 1;
                if (missing == 2) {
                    u64 edges = edges_between(sets[depth + 1], words[depth + 1], own, at_place);
                    branch[depth] += edges;
                    if (BY_VERTEX)
                        ADD_WIDE_LOCAL(at_place, j, edges);
                    continue;
                }
                depth++;
                word[depth] = 0, left[depth] = sets[depth][0], branch[depth] = 0;
            }
            found = branch[0];
        }
        all += found;
        if (BY_VERTEX)
            ADD_WIDE_LOCAL(at_place, w, found);
    }
    TEAM_SUM_U64(all, sums);
    if (lane == 0)
        ADD_WIDE(counts, 0, all);
    if (!BY_VERTEX)
        return;
    TEAM_BARRIER();
    if (lane == 0 && all != 0) {
        ADD_WIDE(counts, 1 + low, all);
        ADD_WIDE(counts, 1 + indices[e], all);
    }
    for (i64 k = lane; k < i; k += LANES) {
        u64 here = at_place[2 * k] + ((u64)at_place[2 * k + 1] << 32);
        if (here != 0)
            ADD_WIDE(counts, 1 + indices[start + k], here);
    }
}
