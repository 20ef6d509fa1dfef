/* Closed triads {u, v, w} of ranks u > v > w whose vertex w is among the marked ranks, by the middle vertex v.
 *
 * Computes: with ROLES the number of triads that each vertex is in by role, as `closed_triads_by_role`;
 *   otherwise the number of triangles with each code, as `closed_triads`, and with LABELLED each order of the ids.
 * Requires: what `hub_lists` requires, the states of the entries of the rows and of the lists (list_entries.c), and the
 *   states of the columns of each unit (low_columns.c).
 * Idea: that of `hub_lists`, with two bits for each rank below MARKED, the state of the entry of v or 0. Most columns
 *   are no match, so only a match reads the state of its entry of u. With ROLES the counts of u are kept in registers
 *   for a row: for each s(uw) one word of three numbers, one for each s(vw). The counts of w are added to global memory
 *   at once.
 * Cost: a test in local memory for each marked column of each listed row up to v; for each triangle an addition in
 *   local memory, or with ROLES one there and one in global memory, and up to nine for each row with a match.
 */

#define UNIT 8u     /* columns in a unit */
#define IN_WORD 16u /* ranks in a word of states */
#define STATE_WORDS (MARKED / IN_WORD + 1)
#define ROWS (LANES / ACROSS) /* rows that a team walks at once */
#define ROLE_PLACES 16u
#define DIGIT 10u      /* bits of a count of a row */
#define MOST_UNITS (((1u << DIGIT) - 1) / (UNIT * ACROSS)) /* of a lane before its counts could pass DIGIT bits */
#define TOP 256u       /* ranks, at most MARKED, whose counts a team adds up: most triangles are there */
#define BASE 1025u     /* of the three digits of a word, each at most PART (list_tasks.py); its cube fits a word */
#define COLUMNS 8u     /* of the histogram of codes: lanes with the same code wait for each other */

#if defined(ROLES)
#define PARAMETERS GLOBAL const unsigned char *RESTRICT roles, u32 width
#elif defined(LABELLED)
#define PARAMETERS GLOBAL const u32 *RESTRICT order
#define PLACES 512u
#else
#define PARAMETERS GLOBAL const u32 *RESTRICT order
#define PLACES (KINDS * COLUMNS)
#endif

#define TEST(w, t) found |= (marks[(w) / IN_WORD] >> 2 * ((w) % IN_WORD) & 3) << 2 * (t)
#define TEST_PAIR(pair, t)                                                                                             \
    TEST((pair) & 0xffff, t);                                                                                          \
    TEST((pair) >> 16, (t) + 1);

#ifdef ROLES
/* Add the nine counts of row u: those of the codes from `first` on, every `step`-th. */
FUNCTION void add_row(GLOBAL u32 *counts, GLOBAL const unsigned char *RESTRICT roles, u64 row, u32 uv, u32 *met,
                      u32 first, u32 step) {
    for (u32 c = 0; c < 9; c++) {
        u32 here = met[c / 3] >> DIGIT * (c % 3) & ((1u << DIGIT) - 1);
        if (here > 0 && c % step == first)
            ADD_WIDE(counts, row + roles[uv + 4 * (c / 3 + 1) + 16 * (c % 3 + 1)], here);
    }
}
#endif

KERNEL void low_triads(LIST_TASKS, GLOBAL const i64 *RESTRICT low_end, GLOBAL const u32 *RESTRICT unit_ptr,
                       GLOBAL const uint4 *RESTRICT units, GLOBAL const unsigned short *RESTRICT states,
                       GLOBAL const unsigned char *RESTRICT state, GLOBAL const unsigned char *RESTRICT list_state,
                       PARAMETERS, GLOBAL u32 *counts) {
    LOCAL_ARRAY(u32, of_ranks, TEAMS * STATE_WORDS);
#ifdef ROLES
    LOCAL_ARRAY(u32, scratch, TEAMS * LANES);
    LOCAL_ARRAY(u32, middle, TEAMS * ROLE_PLACES);
    LOCAL_ARRAY(u32, by_rank, TEAMS * 3 * TOP); /* word s(uw), digit s(uv) */
#else
    LOCAL_ARRAY(u32, histograms, TEAMS * PLACES);
#endif
    TEAM_LIST;
    LOCAL u32 *marks = OWN(of_ranks, STATE_WORDS);
    u32 begin = 0, end = 0, u = 0, uv = 0;
#ifdef LABELLED
    u32 v_id = order[v];
#endif
#ifdef ROLES
    LOCAL u32 *own = OWN(scratch, LANES), *at_v = OWN(middle, ROLE_PLACES), *at_w = OWN(by_rank, 3 * TOP);
    if (lane < ROLE_PLACES)
        at_v[lane] = 0;
    for (u32 i = lane; i < 3 * TOP; i += LANES)
        at_w[i] = 0;
#else
    LOCAL u32 *histogram = OWN(histograms, PLACES);
    for (u32 i = lane; i < PLACES; i += LANES)
        histogram[i] = 0;
#endif
    for (u32 i = lane; i < STATE_WORDS; i += LANES)
        marks[i] = 0;
    TEAM_BARRIER();
    for (i64 i = indptr[v] + lane; i < low_end[v]; i += LANES)
        OR_U32(&marks[indices[i] / IN_WORD], (u32)state[i] << 2 * (indices[i] % IN_WORD));
    TEAM_BARRIER();
    if (start + lane / ACROSS < stop) {
        u = ends[start + lane / ACROSS];
        uv = list_state[start + lane / ACROSS];
        begin = unit_ptr[u];
        end = unit_ptr[u + 1];
    }
    for (i64 base = start; base < stop; base += ROWS) {
        i64 ahead = base + ROWS + lane / ACROSS;
        u32 next = 0, next_uv = 0, next_begin = 0, next_end = 0;
#ifdef LABELLED
        u32 u_id = order[u];
#endif
#ifdef ROLES
        u64 row = (u64)(u + u_base) * width;
        u32 met[3] = {0, 0, 0}, walked = 0, of_uv = uv == 1 ? 1 : uv == 2 ? BASE : BASE * BASE;
#endif
        if (ahead < stop) { /* the place of the next row is read while this row is tested */
            next = ends[ahead];
            next_uv = list_state[ahead];
            next_begin = unit_ptr[next];
            next_end = unit_ptr[next + 1];
        }
        for (u32 i = begin + lane % ACROSS; i < end; i += ACROSS) {
            uint4 unit = units[i];
            u32 found = 0, of_u;
            if ((unit.x & 0xffff) >= v_rank)
                break;
            TEST_PAIR(unit.x, 0)
            TEST_PAIR(unit.y, 2)
            TEST_PAIR(unit.z, 4)
            TEST_PAIR(unit.w, 6)
            of_u = found > 0 ? states[i] : 0;
            while (found > 0) {
                u32 t = POPCOUNT32((found & (0 - found)) - 1) / 2;
                u32 low = t & 2 ? unit.y : unit.x, high = t & 2 ? unit.w : unit.z;
                u32 w = (t & 4 ? high : low) >> 16 * (t & 1) & 0xffff;
                u32 uw = of_u >> 2 * t & 3, vw = found >> 2 * t & 3;
                found &= ~(3u << 2 * t);
#if defined(ROLES)
                {
                    for (u32 word = 0; word < 3; word++) /* a constant index keeps `met` in registers */
                        met[word] += uw == word + 1 ? 1u << DIGIT * (vw - 1) : 0;
                    if (w < TOP)
                        ADD_U32(&at_w[3 * w + uw - 1], of_uv);
                    else {
                        u32 code = uv + 4 * uw + 16 * vw;
                        ADD_U32(&at_v[roles[64 + code]], 1);
                        ADD_WIDE(counts, (u64)w * width + roles[128 + code], 1);
                    }
                }
#elif defined(LABELLED)
                u32 id = order[w];
                u32 below = (u_id < v_id ? 1u : 0u) + (u_id < id ? 2u : 0u) + (v_id < id ? 4u : 0u);
                ADD_U32(&histogram[uv + 4 * uw + 16 * vw + 64 * below], 1);
#else
                ADD_U32(&histogram[kind_of(uv, uw, vw) * COLUMNS + lane % COLUMNS], 1);
#endif
            }
#ifdef ROLES
            walked += 1;
            if (walked == MOST_UNITS) {
                add_row(counts, roles, row, uv, met, 0, 1);
                met[0] = met[1] = met[2] = walked = 0;
            }
#endif
        }
#ifdef ROLES
        for (u32 word = 0; word < 3; word++) {
            TEAM_SUM(met[word], ACROSS, own);
        }
        add_row(counts, roles, row, uv, met, lane % ACROSS, ACROSS);
#endif
        u = next;
        uv = next_uv;
        begin = next_begin;
        end = next_end;
    }
    TEAM_BARRIER();
#if defined(ROLES)
    for (i64 i = indptr[v] + lane; i < low_end[v] && indices[i] < TOP; i += LANES) {
        u32 w = indices[i];
        for (u32 uw = 1; uw <= 3; uw++) {
            u32 word = at_w[3 * w + uw - 1];
            for (u32 with_v = 1; word > 0; with_v++) {
                u32 code = with_v + 4 * uw + 16 * state[i], here = word % BASE;
                word /= BASE;
                if (here > 0) {
                    ADD_WIDE(counts, (u64)w * width + roles[128 + code], here);
                    ADD_U32(&at_v[roles[64 + code]], here);
                }
            }
        }
    }
    TEAM_BARRIER();
    if (lane < width)
        ADD_WIDE(counts, (u64)v_rank * width + lane, at_v[lane]);
#elif defined(LABELLED)
    for (u32 i = lane; i < PLACES; i += LANES)
        ADD_WIDE(counts, BLOCK % COPIES * PLACES + i, histogram[i]);
#else
    if (lane < KINDS) {
        u32 sum = 0;
        for (u32 i = 0; i < COLUMNS; i++)
            sum += histogram[lane * COLUMNS + i];
        add_kind(counts, BLOCK % COPIES, lane, sum);
    }
#endif
}
