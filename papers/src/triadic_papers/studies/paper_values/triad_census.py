"""The triad census thesis (Nagpal 2013): tables of chapters 4 and 5, networks in the order of `GRAPHS`."""

from __future__ import annotations

GRAPHS = ("Actors", "Patents", "Amazon", "Slashdot", "Google", "WikiTalk")
FIVE = GRAPHS[:5]

# Table 4.1; WikiTalk is in tables 5.1 and 5.2 only.
NETWORKS = (
    ("Actors", 520_223, 2_940_808),
    ("Patents", 3_774_768, 16_518_948),
    ("Amazon", 403_394, 3_387_388),
    ("Slashdot", 82_144, 549_202),
    ("Google", 916_428, 5_105_039),
)

# Tables 4.6 and 4.7, on two Xeon E5630: seconds, MB.
VERSIONS = {
    "v0.1 baseline": ((60, 324, 394, 393, 12203), (830, 5320, 960, 170, 1550)),
    "v0.2 cache fitting": ((53, 280, 396, 389, 12183), (778, 5010, 903, 160, 1457)),
    "v0.3 inlining": ((53, 274, 394, 390, 12180), (778, 5010, 903, 160, 1457)),
    "v0.4 pre-computed codes": ((43, 245, 394, 373, 12160), (778, 5010, 903, 160, 1457)),
    "v0.5 blocks, columns, bisection": ((30, 237, 86, 135, 2013), (1163, 5762, 1007, 181, 1813)),
}
SPEED_UPS = {
    "v0.1 baseline": (1.00, 1.00, 1.00, 1.00, 1.00),
    "v0.2 cache fitting": (1.13, 1.16, 0.99, 1.01, 1.00),
    "v0.3 inlining": (1.13, 1.18, 1.00, 1.01, 1.00),
    "v0.4 pre-computed codes": (1.40, 1.32, 1.00, 1.05, 1.00),
    "v0.5 blocks, columns, bisection": (2.00, 1.37, 4.58, 2.91, 6.06),
}

# Table 4.9: v0.6 on 16 threads, per cent of the whole, and seconds.
BREAK_UP_06 = {
    "read graph, %": (11.67, 5.49, 6.29, 0.85, 0.24),
    "neighbour sets, %": (5.50, 6.18, 2.00, 0.55, 0.13),
    "task queues, %": (55.00, 63.40, 70.86, 70.75, 83.86),
    "all pre-processing, %": (72.17, 75.07, 79.14, 72.15, 84.23),
    "census, %": (27.83, 24.93, 20.86, 27.85, 15.77),
    "all pre-processing, s": (8.66, 76.5, 27.69, 28.86, 1069.72),
    "census, s": (3.33, 24.5, 7.3, 11.14, 200.28),
    "total, s": (12.0, 102.0, 35.0, 40.0, 1270.0),
}
SPEED_UP_06 = (5.00, 3.18, 11.26, 9.83, 9.61)  # table 4.10

# Table 4.12: authors' |N(u)| + |N(v)|, and less two.
AUTHORS = (81_908_982, 704_600_440, 149_306_190, 148_238_520, 1_463_477_820)
ESTIMATE = (78_968_174, 671_562_549, 144_419_374, 147_237_558, 1_454_834_448)

# Tables 4.13 and 4.14: threads, total, census, pre-processing, reading, neighbour sets, task queues (s), speed-up.
HEADINGS_07 = ("network", "threads", "total, s", "census, s", "pre, s", "read, s", "sets, s", "queues, s", "speed-up")
AT_16 = (
    ("Actors", 16, 6.36, 3.99, 2.13, 1.35, 0.68, 0.1, 9.42),
    ("Patents", 16, 44.13, 27.23, 15.17, 5.43, 7.81, 1.93, 7.34),
    ("Amazon", 16, 25.69, 22.53, 2.91, 2.01, 0.73, 0.17, 15.34),
    ("Slashdot", 16, 20.38, 19.88, 0.43, 0.27, 0.14, 0.02, 19.28),
    ("Google", 16, 339.82, 333.96, 5.25, 3.12, 1.74, 0.39, 35.91),
)
AT_BEST = (
    ("Actors", 672, 5.5, 3.21, 2.09, 1.31, 0.68, 0.1, 10.9),
    ("Patents", 688, 38.76, 21.9, 14.94, 5.19, 7.81, 1.94, 8.36),
    ("Amazon", 624, 12.49, 9.52, 2.73, 1.82, 0.74, 0.17, 31.52),
    ("Slashdot", 631, 15.85, 15.19, 0.6, 0.33, 0.21, 0.06, 24.78),
    ("Google", 688, 217.87, 212.07, 5.22, 3.1, 1.73, 0.39, 56.0),
)

# Tables 5.1 and 5.2, MB of 64-bit words: all sets, the rest, both, and in all with a buffer for each of 30,720 threads
# (WikiTalk: of 10,000).
MEMORY = (
    ("Actors", 630, 64, 704, 100),
    ("Patents", 5372, 688, 6060, 750),
    ("Amazon", 1155, 110, 1265, 350),
    ("Slashdot", 1200, 20, 1220, 230),
    ("Google", 11100, 185, 11285, 1230),
    ("WikiTalk", 192500, 220, 192720, 3910),
)

# Tables 5.4 and 5.11, a Tesla C1060: total, algorithm, pre-processing (s), over the fastest threads, over sequential.
HEADINGS_GPU = ("network", "census in", "total, s", "census, s", "pre, s", "over threads", "over v0.1")
GPU = (
    ("Actors", "global memory", 17.38, 16.17, 1.21, 0.32, 3.45),
    ("Amazon", "global memory", 24.7, 21.25, 3.45, 0.51, 15.95),
    ("Patents", "global memory", 129.73, 115.06, 14.67, 0.3, 2.5),
    ("Slashdot", "global memory", 29.69, 29.22, 0.47, 0.53, 13.24),
    ("Google", "global memory", 354.71, 348.64, 6.07, 0.61, 34.4),
    ("Actors", "shared memory", 7.08, 5.86, 1.22, 0.78, 8.47),
    ("Amazon", "shared memory", 10.24, 6.76, 3.48, 1.22, 38.48),
    ("Patents", "shared memory", 77.33, 62.63, 14.7, 0.50, 4.19),
    ("Slashdot", "shared memory", 18.09, 17.62, 0.47, 0.88, 21.72),
    ("Google", "shared memory", 209.03, 203.0, 6.03, 1.04, 58.38),
)
