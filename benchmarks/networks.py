"""The networks that are measured on: R-MAT ones made here, and real ones from the folder of data.

All libraries get the same two NumPy arrays of arcs, loops and repeats included. Those of `NETWORKS` are taken as
undirected, those of `DIRECTED_NETWORKS` as they are.
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
    """A network by name; `load` gives its arcs."""

    name: str
    load: Callable[[Settings], Arcs]


def rmat(scale: int) -> Network:
    """Give the R-MAT network of 2**scale vertices and 16 arcs a vertex."""
    return Network(f"rmat-{scale}", lambda settings: rmat_arcs(scale, settings))


def rmat_arcs(scale: int, settings: Settings) -> Arcs:
    """Make its arcs: the same at every run."""
    from triadic.generate import RMat, make_arcs

    return make_arcs(RMat(scale, seed=_SEED), threads=settings.threads)


def real(file: str) -> Network:
    """Give the network in a file of the folder of data."""

    def load(settings: Settings) -> Arcs:
        import triadic

        path = settings.data / file
        if not path.exists():
            raise LeftOutError(f"{path} is not there")
        return triadic.read_arcs(path)

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
