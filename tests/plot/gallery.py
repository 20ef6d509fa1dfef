"""Figures of all plots, in the sizes of papers: a page of panels, a single column, and the default."""

from __future__ import annotations

from contextlib import contextmanager

import numpy as np
from matplotlib import style as style_sheets
from matplotlib.figure import Figure

import triadic
from triadic import plot
from triadic.plot import dots, profile
from triadic.plot.canvas import SIZE

PANELS = {
    "degree_distribution": plot.degree_distribution,
    "clustering_spectrum": plot.clustering_spectrum,
    "local_clustering": plot.local_clustering,
    "triad_census": plot.triad_census,
    "significance_profile": lambda graph, **keywords: plot.significance_profile(
        graph if isinstance(graph, triadic.Census) else triadic.triad_census(graph), **keywords
    ),
    "graphlet_totals": plot.graphlet_totals,
}
OF_FIVE = {
    "graphlet_totals_of_five": lambda graph, **keywords: plot.graphlet_totals(graph, size=5, **keywords),
    "significance_profile_of_five": lambda graph, **keywords: plot.significance_profile(
        triadic.significance(graph, of="graphlets of five vertices", samples=3, steps=100, seed=1), **keywords
    ),
}
DEFAULT = dict.fromkeys(PANELS, SIZE) | {
    "triad_census": dots.SIZE_OF_CENSUS,
    "significance_profile": profile.SIZE,
    "graphlet_totals_of_five": dots.SIZE_OF_FIVE,
    "significance_profile_of_five": profile.SIZE,
}
COLUMN, PAGE = (3.5, 2.6), (8, 7)  # inches
TALL_COLUMN = (3.5, 5.0)  # for 16 or 29 names
LAYOUTS = ("constrained", "tight")
STYLES = {"light": "default", "dark": "dark_background"}


def networks():
    """Return networks of several kinds by name; some have zeros in every plot."""
    star = triadic.Graph.from_edges(np.zeros(40, dtype=int), np.arange(1, 41), num_vertices=45)
    return {
        "hubs": triadic.generate.rmat(9, seed=1, directed=True),
        "small world": triadic.generate.watts_strogatz(500, 8, 0.1, seed=1),
        "star": star,
        "grown": triadic.generate.barabasi_albert(500, 4, seed=1),
        "random": triadic.generate.erdos_renyi(300, 900, seed=1, directed=True),
        "grid": triadic.generate.grid(20, 20),
    }


# Networks with almost nothing to show.
TINY = {
    "no vertex": triadic.Graph.from_edges([], [], num_vertices=0, directed=True),
    "a vertex": triadic.Graph.from_edges([], [], num_vertices=1),
    "three vertices": triadic.Graph.from_edges([], [], num_vertices=3, directed=True),
    "an edge": triadic.Graph.from_edges([0], [1]),
    "a triangle": triadic.Graph.from_edges([0, 1, 2], [1, 2, 0], directed=True),
    "ten vertices all joined": triadic.Graph.from_edges(*np.triu_indices(10, k=1)),
}


@contextmanager
def style(name):
    """Draw in a style: "light" or "dark"."""
    with style_sheets.context(STYLES[name]):
        yield


FIRST, LAST = list(PANELS)[:4], list(PANELS)[2:]  # plots on a page of panels


def panels(graphs, layout="constrained", names=FIRST):
    """Return a page of 2 by 2 panels, one for each plot of a network or of several."""
    figure = Figure(figsize=PAGE, layout=layout)
    for ax, name in zip(figure.subplots(2, 2).flat, names, strict=True):
        overlay(PANELS[name], graphs, ax)
    return figure


def single(name, graphs, size, layout="constrained"):
    """Return a figure of one plot of a network or of several."""
    figure = Figure(figsize=size, layout=layout)
    overlay((PANELS | OF_FIVE)[name], graphs, figure.add_subplot())
    return figure


def overlay(draw, graphs, ax):
    """Draw networks on the same axes; one network alone has no label."""
    for label, graph in graphs.items():
        draw(graph, ax=ax, label=label if len(graphs) > 1 else None)
