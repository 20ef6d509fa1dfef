/* Rows part by part: of N+(v) so many entries are in a team's table at a time, and of each row that is walked only what
 * can meet them. Few entries, since local memory decides how many teams run at once, where a part more costs a search
 * in each row; many slots, since all lanes wait for the longest search among them. Both are powers of two.
 */

#ifndef ENTRIES
#define ENTRIES 256u
#endif
#ifndef SPREAD
#define SPREAD 4u /* slots for an entry */
#endif
#define TABLE (SPREAD * ENTRIES)

/* How many rows of its list a team takes for a middle vertex whose row is so long: where each is searched and walked
 * for many parts fewer, so that no team is long at work when the others are done. `triangles.py` has the same. */
FUNCTION u32 rows_of_a_task(i64 length, u32 most) {
    for (u32 limit = 512; length > limit && limit <= 2048; limit *= 2)
        most /= 2;
    return most;
}

/* Where the part of the list of v ends that begins at `start`. */
FUNCTION i64 end_of_task(GLOBAL const i64 *RESTRICT indptr, GLOBAL const i64 *RESTRICT list_ptr, u32 v, i64 start,
                         u32 most) {
    i64 end = start + rows_of_a_task(indptr[v + 1] - indptr[v], most);
    return end < list_ptr[v + 1] ? end : list_ptr[v + 1];
}
