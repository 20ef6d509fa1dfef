"""Leist, Hawick and Playne (2011), table 2 and the networks of section 3."""

from __future__ import annotations

from typing import NamedTuple


class Row(NamedTuple):
    """A row of table 2, and the cells that correspond to it here.

    Attributes
    ----------
    device : str
        As printed.
    s1, s2, slope : float or None
        Speed-up over one core, speed-up over the same device alone, slope of log time over log V.
    algorithm : str
        Algorithm of the corresponding cells.
    cards : int
        Number of GPUs; 0 for a processor.
    prefetch : bool
        Whether neighbours are prefetched into shared memory, as on the older card only.
    """

    device: str
    s1: float
    s2: float | None
    slope: float
    algorithm: str
    cards: int = 0
    prefetch: bool = False


PLACE = "Table 2, section 3"
TABLE_2 = {
    "small-world": (
        Row("Core i7 970 (1 core)", 1.00, 1.00, 1.02, "sequential"),
        Row("Core i7 970: PThreads (6 cores)", 7.06, 7.06, 1.01, "pthreads"),
        Row("Core i7 970: TBB (6 cores)", 7.02, 7.02, 1.00, "tbb"),
        Row("CellBE (1 PPE & 6 SPEs)", 1.31, None, 1.00, "cell"),
        Row("GTX295: kernel 1 (1 GPU)", 5.02, 1.00, 1.02, "kernel-1", 1, True),
        Row("GTX295: kernel 1 (2 GPUs)", 8.24, 1.64, 0.98, "kernel-1", 2, True),
        Row("GTX480: kernel 1 (1 GPU)", 11.8, 1.00, 1.07, "kernel-1", 1),
        Row("GTX480: kernel 1 (2 GPUs)", 17.6, 1.50, 0.88, "kernel-1", 2),
        Row("GTX480: kernel 1 (4 GPUs)", 25.3, 2.15, 0.65, "kernel-1", 4),
    ),
    "scale-free": (
        Row("Core i7 970 (1 core)", 1.00, 1.00, 1.42, "sequential"),
        Row("Core i7 970: PThreads (6 cores)", 7.14, 7.14, 1.37, "pthreads"),
        Row("Core i7 970: TBB (6 cores)", 7.23, 7.23, 1.32, "tbb"),
        Row("CellBE (1 PPE & 6 SPEs)", 2.80, None, 1.21, "cell"),
        Row("GTX295: kernel 2 (1 GPU)", 5.96, 1.00, 1.36, "kernel-2", 1, True),
        Row("GTX295: kernel 2 (2 GPUs)", 10.7, 1.79, 1.33, "kernel-2", 2, True),
        Row("GTX480: kernel 2 (1 GPU)", 12.2, 1.00, 1.38, "kernel-2", 1),
        Row("GTX480: kernel 2 (2 GPUs)", 19.7, 1.61, 1.30, "kernel-2", 2),
        Row("GTX480: kernel 2 (4 GPUs)", 33.1, 2.71, 1.17, "kernel-2", 4),
    ),
}
# Section 3. The slope and speed-up of the Cell on small-world networks are for V <= 400,000, for lack of memory.
COEFFICIENT = {"small-world": 0.53, "scale-free": 0.01}
SIZES = {
    "small-world": "100,000 to 1,000,000 (k = 50, p = 0.1)",
    "scale-free": "20,000 to 200,000 (k of about 50)",
}
