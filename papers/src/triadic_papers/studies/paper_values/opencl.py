"""Djinevski, Mishkovski and Trajanov: section 5 and figure 2. The paper prints mean speed-ups, no times."""

from __future__ import annotations

PLACE = "section 5, below figure 2"
FACTORS = (1, 2, 5, 10, 20, 50, 100)
ELEMENTS = 250_000  # elements of the adjacency matrix at factor 1
SPEED_UPS = (
    ("sequential (1 core of a Core i7 920)", 1.0),
    ("OpenMP (4 cores, 8 threads)", 3.0),
    ("OpenCL (GeForce GTX 285), transfer included", 20.0),
)
