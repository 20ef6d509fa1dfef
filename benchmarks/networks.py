"""The networks of the benchmark: generated R-MAT networks, and real networks from the data folder.

All libraries get the same two NumPy arrays of arcs, with loops and repeated arcs. The networks of `NETWORKS` are read
as undirected, the networks of `DIRECTED_NETWORKS` as directed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from contest import LeftOutError, Settings

if TYPE_CHECKING:
    from collections.abc import Callable

    from triadic.core.arcs import Arcs

_SEED = 1


@dataclass(frozen=True)
class Network:
    """A network with its name; `load` returns its arcs."""

    name: str
    load: Callable[[Settings], Arcs]


def rmat(scale: int) -> Network:
    """Return the R-MAT network of 2**scale vertices and 16 arcs a vertex."""
    return Network(f"rmat-{scale}", lambda settings: rmat_arcs(scale, settings))


def rmat_arcs(scale: int, settings: Settings) -> Arcs:
    """Generate the arcs of an R-MAT network, the same in every run."""
    from triadic.generate import RMat, make_arcs

    return make_arcs(RMat(scale, seed=_SEED), threads=settings.threads)


def real(file: str) -> Network:
    """Return the network in a file of the data folder."""

    def load(settings: Settings) -> Arcs:
        path = settings.data / file
        if not path.exists():
            raise LeftOutError(f"{path} does not exist; TRIADIC_DATA names another folder of networks")
        from triadic.io import read_arcs

        return read_arcs(path)

    return Network(file.split(".", maxsplit=1)[0], load)


NETWORKS = (
    real("facebook_combined.txt.gz"),
    rmat(16),
    rmat(18),
    rmat(20),
    real("cnr-2000.tsv.gz"),
    real("ego-twitter.txt.gz"),
    real("web-NotreDame.txt.gz"),
)

DIRECTED_NETWORKS = (
    real("wiki-Vote.txt.gz"),
    real("eatSR.net.gz"),
    real("soc-sign-Slashdot090221.txt.gz"),
    real("soc-Slashdot0902.txt.gz"),
    real("web-NotreDame.txt.gz"),
)
