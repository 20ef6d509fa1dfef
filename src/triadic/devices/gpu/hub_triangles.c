/* Triangles {u, v, w}, u > v > w, of which v and w are hubs.
 *
 * Computes: their number, a part from each team; or, with BY_VERTEX, how many each vertex is in.
 * Requires: rows of an oriented graph; `split`, where the hubs of each row end; `bits`, for each hub its row of hubs as
 *   bits, WORDS words of 64 (those below it alone for the number, all for BY_VERTEX).
 * Idea: a team takes one u. Its hubs, sorted, are put together as the few words that hold any, each with its place;
 *   the words of row v at those places, and nothing else of that row, meet them by AND. With few hubs it is cheaper to
 *   test each pair's bit.
 *   Each launch takes every `step`th of the rows from `first_row` on, so that several devices share them.
 * Cost: hubs of u x words that hold any, 8 bytes each, mostly from the second-level cache.
 */

KERNEL void hub_bits(GLOBAL const i64 *RESTRICT indptr, GLOBAL const u32 *RESTRICT indices, u32 symmetric,
                     GLOBAL u32 *bits) {
    u64 u = BLOCK;
    u64 words = 2 * (u64)WORDS;
    for (i64 i = indptr[u] + THREAD; i < indptr[u + 1]; i += LANES * TEAMS) {
        u64 v = indices[i];
        OR_U32(&bits[u * words + (v >> 5)], 1u << (v & 31));
        if (symmetric)
            OR_U32(&bits[v * words + (u >> 5)], 1u << (u & 31));
    }
}

KERNEL void split_rows(GLOBAL const i64 *RESTRICT indptr, GLOBAL const u32 *RESTRICT indices, u32 hubs, u64 rows,
                       GLOBAL i64 *split) {
    u64 u = GLOBAL_THREAD;
    if (u < rows)
        split[u] = first_from(indices, indptr[u], indptr[u + 1], hubs);
}

/* Rows with few hubs: test each pair's bit. */
KERNEL void hub_pairs(GLOBAL const i64 *RESTRICT indptr, GLOBAL const u32 *RESTRICT indices,
                      GLOBAL const i64 *RESTRICT split, GLOBAL const u64 *RESTRICT bits,
                      GLOBAL const u32 *RESTRICT rows, u64 first_row, u64 step, u64 count, GLOBAL u32 *counts,
                      GLOBAL u64 *parts) {
    LOCAL_ARRAY(u32, met, TEAMS * LANES);
    LOCAL u32 *own = met + THREAD / LANES * LANES;
    u32 lane = THREAD % LANES;
    u64 task = BLOCK * TEAMS + THREAD / LANES;
    u64 u, total = 0;
    i64 start;
    u32 length, pairs;
#if TEAMS > 1
    if (task >= count)
        return;
#endif
    u = rows[first_row + step * task];
    start = indptr[u];
    length = (u32)(split[u] - start);
    pairs = length * (length - 1) / 2;
#ifdef BY_VERTEX
    own[lane] = 0;
    TEAM_BARRIER();
#endif
    for (u32 pair = lane; pair < pairs; pair += LANES) {
        u32 i = 1, before = 0;
        u64 v, w;
        while (before + i <= pair)
            before += i++;
        v = indices[start + i];
        w = indices[start + (pair - before)];
        if (bits[v * WORDS + (w >> 6)] >> (w & 63) & 1) {
#ifdef BY_VERTEX
            ADD_U32(&own[i], 1);
            ADD_U32(&own[pair - before], 1);
            ADD_U32(&own[LANES - 1], 1);
#else
            total += 1;
#endif
        }
    }
#ifdef BY_VERTEX
    TEAM_BARRIER();
    if (lane < length)
        ADD_WIDE(counts, indices[start + lane], own[lane]);
    if (lane == LANES - 1)
        ADD_WIDE(counts, u, own[lane]);
#else
    TEAM_SUM_WIDE(total, LANES, own)
    if (lane == 0)
        parts[task] = total;
#endif
}

/* Rows with more: the words that hold any of the row's hubs, each with its place, meet each hub's row. */
KERNEL void hub_words(GLOBAL const i64 *RESTRICT indptr, GLOBAL const u32 *RESTRICT indices,
                      GLOBAL const i64 *RESTRICT split, GLOBAL const u64 *RESTRICT bits,
                      GLOBAL const u32 *RESTRICT rows, u64 first_row, u64 step, u64 count, GLOBAL u32 *counts,
                      GLOBAL u64 *parts) {
    LOCAL_ARRAY(u64, masks, TEAMS * WORDS);
    LOCAL_ARRAY(unsigned short, places, TEAMS * WORDS);
    LOCAL_ARRAY(u32, scratch, TEAMS * (LANES + 1));
    u32 lane = THREAD % LANES, team = THREAD / LANES;
    LOCAL u64 *mask = masks + team * WORDS;
    LOCAL unsigned short *place = places + team * WORDS;
    LOCAL u32 *own = scratch + team * (LANES + 1);
    u64 task = BLOCK * TEAMS + team;
    u64 u, total = 0;
    i64 start;
    u32 length, used = 0, width = 1;
#if TEAMS > 1
    if (task >= count)
        return;
#endif
    u = rows[first_row + step * task];
    start = indptr[u];
    length = (u32)(split[u] - start);
    for (u32 base = 0; base < length; base += LANES) {
        u32 i = base + lane, hub = 0, first = 0, votes, at;
        if (i < length) {
            hub = indices[start + i];
            first = i == 0 ? 1 : (indices[start + i - 1] >> 6) != (hub >> 6);
        }
        TEAM_BALLOT(votes, first, own + LANES);
        at = used + POPCOUNT32(votes & (0xffffffffu >> (31 - lane))) - 1;
        if (first) {
            place[at] = (unsigned short)(hub >> 6);
            mask[at] = 0;
        }
        TEAM_BARRIER();
        if (i < length)
            OR_U32((LOCAL u32 *)(mask + at) + ((hub >> 5) & 1), 1u << (hub & 31));
        used += POPCOUNT32(votes);
    }
    TEAM_BARRIER();
    if (lane == 0)
        own[LANES] = 0;
    TEAM_BARRIER();
    while (width < used && width < LANES)
        width *= 2;
    for (u32 base = 0; base < length; base += LANES / width) {
        u32 i = base + lane / width, shared = 0, v = 0;
        if (i < length) {
            GLOBAL const u64 *row;
            v = indices[start + i];
            row = bits + (u64)v * WORDS;
            for (u32 k = lane % width; k < used; k += width) {
                u32 at = place[k];
#ifndef BY_VERTEX
                if (at > (v >> 6))
                    break;
#endif
                shared += POPCOUNT64(row[at] & mask[k]);
            }
        }
#ifdef BY_VERTEX
        TEAM_SUM(shared, width, own);
        if (i < length && lane % width == 0) {
            ADD_WIDE(counts, v, shared);
            ADD_U32(&own[LANES], shared);
        }
#else
        total += shared;
#endif
    }
#ifdef BY_VERTEX
    TEAM_BARRIER();
    if (lane == 0)
        ADD_WIDE(counts, u, own[LANES] / 2); /* each was met at v and at w */
#else
    TEAM_SUM_WIDE(total, LANES, own)
    if (lane == 0)
        parts[task] = total;
#endif
}
