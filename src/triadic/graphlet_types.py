"""The sixteen graphlets: connected graphs of up to four vertices with one vertex singled out.

Numbered as the fast graphlet transform numbers them; docs/graphlets.md has a picture of each.

References
----------
Floros, Pitsianis and Sun (2020), "Fast graphlet transform of sparse graphs", IEEE HPEC.
"""

from __future__ import annotations

GRAPHLET_NAMES = (
    "vertex",
    "degree",
    "2-path end",
    "2-path middle",
    "triangle",
    "3-path end",
    "3-path inside",
    "claw leaf",
    "claw root",
    "paw tip",
    "paw base",
    "paw centre",
    "4-cycle",
    "diamond off chord",
    "diamond on chord",
    "4-clique",
)

# Each graph, a graphlet that it is, and at how many of the graph's vertices it is that.
GRAPHS = {
    "vertex": (0, 1),
    "edge": (1, 2),
    "2-path": (3, 1),
    "triangle": (4, 3),
    "3-path": (6, 2),
    "claw": (8, 1),
    "paw": (11, 1),
    "4-cycle": (12, 4),
    "diamond": (14, 2),
    "4-clique": (15, 4),
}

# The graphlet at each of ORCA's orbits 0 to 14.
ORBITS = (1, 2, 3, 4, 5, 6, 7, 8, 12, 9, 10, 11, 13, 14, 15)

# Net frequencies from raw ones: for each graphlet, which raw frequencies make the net one, how many times each.
NET_OF_RAW: tuple[dict[int, int], ...] = (
    {0: 1},
    {1: 1},
    {2: 1, 4: -2},
    {3: 1, 4: -1},
    {4: 1},
    {5: 1, 9: -2, 10: -1, 12: -2, 13: 4, 14: 2, 15: -6},
    {6: 1, 10: -1, 11: -2, 12: -2, 13: 2, 14: 4, 15: -6},
    {7: 1, 9: -1, 10: -1, 13: 2, 14: 1, 15: -3},
    {8: 1, 11: -1, 14: 1, 15: -1},
    {9: 1, 13: -2, 15: 3},
    {10: 1, 13: -2, 14: -2, 15: 6},
    {11: 1, 14: -2, 15: 3},
    {12: 1, 13: -1, 14: -1, 15: 3},
    {13: 1, 15: -3},
    {14: 1, 15: -3},
    {15: 1},
)
