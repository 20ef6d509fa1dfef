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
