/* Shares of tasks, and how a team finds its task.
 *
 * A launch takes the tasks first_task, first_task + step, first_task + 2 step and so on, `count` of them, so that
 * several devices can share a count and one device can report progress between launches. Each team takes one task.
 */

/* A block of several teams may have more teams than tasks are left: those return. Teams are warps there, so no barrier
 * waits for them. A block of one team always has a task. */
#if TEAMS > 1
#define RETURN_WITHOUT_TASK                                                                                            \
    if (task >= count)                                                                                                 \
    return
#else
#define RETURN_WITHOUT_TASK
#endif

/* Declare the lane, its team, and the place of the team's task in the launch. LOCAL_ARRAYs are declared before it. */
#define TEAM_TASK                                                                                                      \
    u32 lane = THREAD % LANES, team = THREAD / LANES;                                                                  \
    u64 task = BLOCK * TEAMS + team;                                                                                   \
    RETURN_WITHOUT_TASK

/* The team's own part of a LOCAL_ARRAY with `size` elements for each team. */
#define OWN(array, size) ((array) + team * (size))

/* The parameters that kernels over listed rows begin with. */
#define ROW_TASKS                                                                                                      \
    GLOBAL const i64 *RESTRICT indptr, GLOBAL const u32 *RESTRICT indices, GLOBAL const u32 *RESTRICT rows,            \
        u64 first_task, u64 step, u64 count

/* Declare the row u of the team's task and where the row begins in `indices`. */
#define TEAM_ROW                                                                                                       \
    TEAM_TASK;                                                                                                         \
    u64 u = rows[first_task + step * task];                                                                            \
    i64 start = indptr[u]
