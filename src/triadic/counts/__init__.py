"""The exact counts, declared one file each: the result of the count, and the kernels of each device."""
