"""Random and regular networks made by models, the same from the same seed on any number of threads.

Each model is a function that returns a `Graph`, and a frozen dataclass that computes any range of its arcs on its own:
all at once over threads, or block by block into a file larger than memory.

======================  ======================  ======================================================
function                model                   network
======================  ======================  ======================================================
`rmat`                  `RMat`                  recursive matrix: hubs and communities (Graph500, GAP)
`watts_strogatz`        `WattsStrogatz`         ring with some links rewired: small world
`barabasi_albert`       `BarabasiAlbert`        growth with preferential attachment: scale-free
`erdos_renyi`           `ErdosRenyi`            a fixed number of edges, drawn uniformly
`delaunay`              `Delaunay`              triangulation of random points: planar mesh
`grid`                  `Grid`                  square lattice, or torus
======================  ======================  ======================================================

`make_arcs`, `make_graph`, `stream` and `write_parquet` take any model. `connectome` makes a network all at once, with
types and coordinates of its vertices. The stub ``__init__.pyi`` lists the public names; each is imported when it is
first used.
"""

from __future__ import annotations

from triadic.core.checked import attach_checked

__getattr__, __dir__, __all__ = attach_checked(__name__, __file__)
