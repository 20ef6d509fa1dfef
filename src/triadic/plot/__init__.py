"""Plots of networks on matplotlib's axes: one function a plot, each of a graph or of what was counted of it before.

Every function takes ``ax=`` (a new figure of pyplot's by default) and ``label=`` for the legend, and gives the axes
back. Called again with the same axes, it draws the next network in the next colour. Nothing is rasterised, so a figure
saved as SVG or PDF is drawn with lines alone.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from triadic.plot.census import triad_census
    from triadic.plot.comparison import compare
    from triadic.plot.degrees import degree_distribution
    from triadic.plot.graphlets import graphlet_totals
    from triadic.plot.local import local_clustering
    from triadic.plot.profile import significance_profile
    from triadic.plot.spectrum import clustering_spectrum

_HOME = {
    "clustering_spectrum": "spectrum",
    "compare": "comparison",
    "degree_distribution": "degrees",
    "graphlet_totals": "graphlets",
    "local_clustering": "local",
    "significance_profile": "profile",
    "triad_census": "census",
}

__all__ = [
    "clustering_spectrum",
    "compare",
    "degree_distribution",
    "graphlet_totals",
    "local_clustering",
    "significance_profile",
    "triad_census",
]


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module 'triadic.plot' has no attribute {name!r}")
    value: object = getattr(import_module(f"triadic.plot.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
