"""Networks made by models: random ones and regular ones, from a seed, the same on any number of threads.

Each model is a function that gives a `Graph` and a frozen dataclass that knows its arcs by number, so that any range
of them can be made by itself: all at once over threads, or block by block into a file larger than memory.

======================  ======================  ======================================================
function                model                   network
======================  ======================  ======================================================
`rmat`                  `RMat`                  recursive matrix: hubs and communities (Graph500, GAP)
`watts_strogatz`        `WattsStrogatz`         ring with some links rewired: small world
`barabasi_albert`       `BarabasiAlbert`        growth with preferential attachment: scale-free
`erdos_renyi`           `ErdosRenyi`            that many edges, uniformly
`delaunay`              `Delaunay`              triangulated random points: planar mesh
`grid`                  `Grid`                  square lattice, or torus
======================  ======================  ======================================================

`make_arcs`, `make_graph`, `stream` and `write_parquet` take any model. Nothing is imported before its name is used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from triadic.generate.attachment import BarabasiAlbert, barabasi_albert
    from triadic.generate.lattice import Grid, grid
    from triadic.generate.mesh import Delaunay, delaunay
    from triadic.generate.model import Model, make_arcs, make_graph, stream
    from triadic.generate.parquet import write_parquet
    from triadic.generate.recursive import RMat, rmat
    from triadic.generate.small_world import WattsStrogatz, watts_strogatz
    from triadic.generate.uniform import ErdosRenyi, erdos_renyi

__all__ = [
    "BarabasiAlbert",
    "Delaunay",
    "ErdosRenyi",
    "Grid",
    "Model",
    "RMat",
    "WattsStrogatz",
    "barabasi_albert",
    "delaunay",
    "erdos_renyi",
    "grid",
    "make_arcs",
    "make_graph",
    "rmat",
    "stream",
    "watts_strogatz",
    "write_parquet",
]

_HOME = {
    "BarabasiAlbert": "attachment",
    "Delaunay": "mesh",
    "ErdosRenyi": "uniform",
    "Grid": "lattice",
    "Model": "model",
    "RMat": "recursive",
    "WattsStrogatz": "small_world",
    "barabasi_albert": "attachment",
    "delaunay": "mesh",
    "erdos_renyi": "uniform",
    "grid": "lattice",
    "make_arcs": "model",
    "make_graph": "model",
    "rmat": "recursive",
    "stream": "model",
    "watts_strogatz": "small_world",
    "write_parquet": "parquet",
}


def __getattr__(name: str) -> object:
    """Import a public name when it is first used: the models bring numba, the writer pyarrow."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
