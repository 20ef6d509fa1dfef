/* A hash table of the columns of a row, in a team's local memory.
 *
 * The table is at most half full. Rows longer than half the table are put in part by part, HALF entries at a time.
 * Linear probing; SLOTS and all masks + 1 are powers of two.
 */

#ifndef SLOTS
#define SLOTS 1024u
#endif
#define HALF (SLOTS / 2)
#ifndef WIDTH
#define WIDTH 4u /* lanes that walk one row of a list */
#endif
#define EMPTY 0xffffffffu

/* Return the mask of a table for a number of entries: its slots, a power of two, minus one. */
FUNCTION u32 slots_for(u32 entries) {
    u32 mask = 31;
    while (mask + 1 < 2 * entries)
        mask = 2 * mask + 1;
    return mask;
}

FUNCTION u32 first_slot(u32 mask, u32 w) { return (w * 2654435761u >> 15) & mask; }

/* Insert w unless it is in the table, and return its slot. */
FUNCTION u32 put_in(LOCAL u32 *table, u32 mask, u32 w) {
    u32 slot = first_slot(mask, w);
    u32 found = SWAP_U32(&table[slot], EMPTY, w);
    while (found != EMPTY && found != w) {
        slot = (slot + 1) & mask;
        found = SWAP_U32(&table[slot], EMPTY, w);
    }
    return slot;
}

/* Return the slot of w, or EMPTY if w is not in the table. */
FUNCTION u32 slot_of(LOCAL u32 *table, u32 mask, u32 w) {
    u32 slot = first_slot(mask, w);
    u32 found = table[slot];
    while (found != w && found != EMPTY) {
        slot = (slot + 1) & mask;
        found = table[slot];
    }
    return found == w ? slot : EMPTY;
}
