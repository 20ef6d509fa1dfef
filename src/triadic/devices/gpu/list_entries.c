/* The state, or with VALUES the value, of the entry v in each row u of the list of each middle vertex v.
 *
 * Computes: for each place in the lists the state s(uv), 8 bits, or the value of the entry uv, 64 bits of any type.
 * Requires: the rows of an oriented graph with a state or a value for each entry; list tasks (list_walk.h).
 * Idea: a search in each row, once for each graph, so that kernels that walk the row later need not search for v.
 * Cost: O(log(length of the row)) for each place in the lists.
 */

#ifdef VALUES
#define ENTRY u64
#else
#define ENTRY unsigned char
#endif

KERNEL void list_entries(LIST_TASKS, GLOBAL const ENTRY *RESTRICT entries, GLOBAL ENTRY *found) {
    TEAM_LIST;
    for (i64 k = start + lane; k < stop; k += LANES)
        found[k] = entries[first_from(indices, indptr[ends[k]], indptr[ends[k] + 1], v_rank)];
}
