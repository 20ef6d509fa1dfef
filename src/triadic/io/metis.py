"""METIS: a line for each vertex that lists its neighbours, numbered from 1.

Format: G. Karypis, METIS manual 5.1, section 4.1.1 (also Chaco and the 10th DIMACS challenge). The first line is
``n m [fmt [ncon]]``; the digits of ``fmt`` say whether a line has a vertex size (100), ``ncon`` vertex weights (010)
and a weight after each neighbour (001). ``%`` begins a comment; a blank line is a vertex without neighbours.
Every edge stands in the lines of both its ends, so the file holds 2 m entries.
"""

from __future__ import annotations

from triadic.io.format import Format, later

METIS = Format(
    name="metis",
    suffixes=(".graph", ".metis"),
    blocks=later("metis_blocks", "MetisBlocks"),
    sample=later("metis_blocks", "sample_metis"),
    alone=True,
)
