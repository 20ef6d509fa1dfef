"""The exact counts, one file each: what it is, and which devices have it."""
