"""Athanasiadis (2023), section 3: the matrices and table 1."""

from __future__ import annotations

GRAPHS = ("auto", "great-britain_osm", "delaunay_n22", "com-Youtube")
COLUMNS = (448_695, 7_733_822, 4_194_304, 1_134_890)
NON_ZEROS = (6_629_222, 16_313_034, 25_165_738, 5_975_248)
# Milliseconds on a Tesla P100; CPU is the serial program.
PLACE_A, PLACE_B = "table 1a: blocks of 32 threads", "table 1b: 256 blocks"
CPU_A, CPU_B = (833, 835, 1799, 23781), (828, 834, 1782, 23748)
BY_BLOCKS = {
    64: (132, 908, 663, 5579),
    128: (78, 580, 429, 4686),
    256: (50, 405, 308, 3962),
    512: (34, 321, 242, 3467),
    1024: (27, 291, 223, 3301),
    2048: (29, 286, 213, 3257),
    4096: (27, 276, 202, 3177),
}
BY_THREADS = {
    32: (47, 416, 298, 3966),
    64: (49, 435, 307, 2581),
    128: (51, 508, 338, 1926),
    256: (63, 813, 493, 1709),
    512: (118, 1416, 855, 1793),
}
