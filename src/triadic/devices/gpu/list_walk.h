/* The walk over lists of middle vertices, which triangles and closed triads share.
 *
 * A triangle {u, v, w} of ranks u > v > w is found at its middle vertex v: w stands in the row of v, and the rows u
 * that hold v are the list of v. A task is a middle vertex and a part of its list, so that no team works long after the
 * others. Of row v only the columns from `from[v]` on are walked: all of them, or those past the columns of low rank,
 * which hub_lists.c tests. A team puts N+(v), these columns of v, into its table part by part, ENTRIES columns at a
 * time, and walks of each row u only the columns that the part may hold. Few ENTRIES, since local memory limits how many
 * teams run at once and a further part costs one search in each row; SPREAD slots for each entry, since all lanes wait
 * for the longest search among them. Both are powers of two.
 *
 * The rows may be some rows of a graph: v and u are numbers of rows, and the ranks of the vertices are v + v_base and
 * u + u_base, modulo 2^32. Columns are ranks. Both bases are 0 if the rows of all ranks are there.
 */

#ifndef ENTRIES
#define ENTRIES 256u
#endif
#ifndef SPREAD
#define SPREAD 4u /* slots for an entry */
#endif
#define TABLE (SPREAD * ENTRIES)

/* Return the number of rows of its list that a task takes for a middle vertex with a row of `length` columns. For long
 * rows it is less, since each row of the list is then searched and walked for many parts. */
FUNCTION u32 rows_of_a_task(i64 length, u32 most) {
    for (u32 limit = 512; length > limit && limit <= 2048; limit *= 2)
        most /= 2;
    return most;
}

/* Return the end of the part of the list of v that begins at `start`. */
FUNCTION i64 end_of_task(GLOBAL const i64 *RESTRICT indptr, GLOBAL const i64 *RESTRICT list_ptr, u32 v, i64 start,
                         u32 most) {
    i64 end = start + rows_of_a_task(indptr[v + 1] - indptr[v], most);
    return end < list_ptr[v + 1] ? end : list_ptr[v + 1];
}

/* The parameters that kernels over lists begin with. */
#define LIST_TASKS                                                                                                     \
    GLOBAL const i64 *RESTRICT indptr, GLOBAL const u32 *RESTRICT indices, GLOBAL const i64 *RESTRICT from,            \
        GLOBAL const i64 *RESTRICT list_ptr, GLOBAL const u32 *RESTRICT ends, GLOBAL const u32 *RESTRICT middles,      \
        GLOBAL const i64 *RESTRICT starts,                                                                             \
        u64 first_task, u64 step, u64 count, u32 part, u32 v_base, u32 u_base

/* Declare the middle vertex v of the team's task, and its part of the list of v, `start` to `stop`. */
#define TEAM_LIST                                                                                                      \
    TEAM_TASK;                                                                                                         \
    u32 v = middles[first_task + step * task];                                                                         \
    u32 v_rank = v + v_base;                                                                                           \
    i64 start = starts[first_task + step * task];                                                                      \
    i64 stop = end_of_task(indptr, list_ptr, v, start, part)

#define FOR_EACH_PART_OF_ROW for (i64 first = from[v]; first < indptr[v + 1]; first += ENTRIES)

/* Declare the part of N+(v), `first` to `last`, the lowest column that it may hold (0 in the first part), the column
 * that ends it, and the table's mask; then empty the table. */
#define BEGIN_PART_OF_ROW                                                                                              \
    i64 last = indptr[v + 1] < first + ENTRIES ? indptr[v + 1] : first + ENTRIES;                                      \
    u32 lowest = first > from[v] ? indices[first] : 0;                                                                 \
    u32 beyond = last < indptr[v + 1] ? indices[last] : v_rank;                                                        \
    u32 mask = slots_for(SPREAD / 2 * (u32)(last - first));                                                            \
    TEAM_BARRIER();                                                                                                    \
    for (u32 i = lane; i <= mask; i += LANES)                                                                          \
    table[i] = EMPTY

/* Declare where a lane stands in the row of u, one of `width` lanes that walk it, where the row ends, and the column
 * there, or `beyond` past the end. */
#define BEGIN_WALK(width)                                                                                              \
    i64 end = indptr[u + 1];                                                                                           \
    i64 p = (lowest > 0 ? first_from(indices, from[u], end, lowest) : from[u]) + lane % (width);                       \
    u32 w = p < end ? indices[p] : beyond
