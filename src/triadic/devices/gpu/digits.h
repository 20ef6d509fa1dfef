/* Sums of the bits in each of 64 columns of many words.
 *
 * A sum has DIGITS binary digits, and bit c of digit d is that of column c: adding eight words takes seven steps of AND
 * and XOR for all columns at once (carry-save adders, as in Harley and Seal's population count: Warren 2013, Hacker's
 * Delight, 5-1). The sums of up to MOST_ADDED words fit.
 */

#define DIGITS 8u
#define MOST_ADDED 248u

/* Add a and b to a digit and return the digit above it. */
FUNCTION u64 carry_of(u64 *digit, u64 a, u64 b) {
    u64 before = *digit, either = a ^ b;
    *digit = before ^ either;
    return (a & b) | (before & either);
}

/* Add eight words. */
FUNCTION void add_eight(u64 *digits, const u64 *words) {
    u64 two = carry_of(&digits[0], words[0], words[1]), more_two = carry_of(&digits[0], words[2], words[3]);
    u64 four = carry_of(&digits[1], two, more_two), eight;
    two = carry_of(&digits[0], words[4], words[5]);
    more_two = carry_of(&digits[0], words[6], words[7]);
    eight = carry_of(&digits[2], four, carry_of(&digits[1], two, more_two));
    for (u32 d = 3; d < DIGITS; d++) {
        u64 carry = digits[d] & eight;
        digits[d] ^= eight;
        eight = carry;
    }
}

/* Return the sum of a column, which is at most `most`, from digits that stand `stride` words apart. */
FUNCTION u32 sum_of_column(LOCAL const u64 *digits, u32 stride, u32 column, u32 most) {
    u32 sum = 0;
    for (u32 d = 0; d < DIGITS && most >> d > 0; d++)
        sum += (u32)(digits[d * stride] >> column & 1) << d;
    return sum;
}
