/* The columns of low rank of each row as 16-bit numbers, eight to a unit of 16 bytes, and their states.
 *
 * Computes: `low_units`, the columns below `marked` of each row; `unit_states`, the states of the columns of each unit
 *   in 16 bits, two for each column, the first one lowest.
 * Requires: the rows of an oriented graph; `low_end`, where these columns end in each row; `unit_ptr`, where the units
 *   of each row begin. The last unit of a row is filled up with the number `marked`, and its states with 0.
 * Cost: O(columns).
 */

#define UNIT 8u /* columns in a unit */

KERNEL void low_units(GLOBAL const i64 *RESTRICT indptr, GLOBAL const u32 *RESTRICT indices,
                      GLOBAL const i64 *RESTRICT low_end, GLOBAL const u32 *RESTRICT unit_ptr, u64 rows, u32 marked,
                      GLOBAL unsigned short *columns) {
    u64 u = GLOBAL_THREAD / UNIT;
    if (u < rows) {
        i64 start = indptr[u], length = low_end[u] - start;
        u64 place = (u64)unit_ptr[u] * UNIT;
        i64 places = (i64)(unit_ptr[u + 1] - unit_ptr[u]) * UNIT;
        for (i64 i = GLOBAL_THREAD % UNIT; i < places; i += UNIT)
            columns[place + i] = (unsigned short)(i < length ? indices[start + i] : marked);
    }
}

KERNEL void unit_states(GLOBAL const i64 *RESTRICT indptr, GLOBAL const unsigned char *RESTRICT state,
                        GLOBAL const i64 *RESTRICT low_end, GLOBAL const u32 *RESTRICT unit_ptr, u64 rows,
                        GLOBAL unsigned short *states) {
    u64 u = GLOBAL_THREAD / UNIT;
    if (u < rows) {
        i64 units = (i64)(unit_ptr[u + 1] - unit_ptr[u]);
        for (i64 unit = GLOBAL_THREAD % UNIT; unit < units; unit += UNIT) {
            i64 first = indptr[u] + unit * UNIT;
            u32 all = 0;
            for (u32 t = 0; t < UNIT && first + t < low_end[u]; t++)
                all |= (u32)state[first + t] << 2 * t;
            states[unit_ptr[u] + unit] = (unsigned short)all;
        }
    }
}
