/* Return the first place from `low` on whose column is at least `column`, or `high`. */
FUNCTION i64 first_from(GLOBAL const u32 *RESTRICT indices, i64 low, i64 high, u32 column) {
    while (low < high) {
        i64 middle = (low + high) >> 1;
        if (indices[middle] < column)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
