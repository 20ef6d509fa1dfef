"""Draw the figures of the pages: ``python docs/figures.py`` writes the same docs/figures/*.svg in every run."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import matplotlib as mpl
import matplotlib.style
import networkx as nx
import numpy as np
from matplotlib.figure import Figure

import triadic
from triadic.plot import census, graphlet_counts, profile
from triadic.plot.canvas import SIZE
from triadic.plot.inline_svg import SVG_SETTINGS
from triadic.plot.network_style import network_style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FOLDER = Path(__file__).parent / "figures"


def main() -> None:
    """Draw all figures."""
    hubs = triadic.generate.rmat(12, seed=1, directed=True)
    small_world = triadic.generate.watts_strogatz(2000, 12, 0.1, seed=1)
    grown = triadic.generate.barabasi_albert(2000, 6, seed=1)
    networks = {"R-MAT": hubs, "small world": small_world, "grown": grown}
    plot, size_of_totals = triadic.plot, graphlet_counts.SIZE
    save("degree-distribution", SIZE, lambda ax: plot.degree_distribution(hubs, ax=ax))
    save("clustering-spectrum", SIZE, lambda ax: plot.clustering_spectrum(hubs, ax=ax))
    save("local-clustering", SIZE, lambda ax: plot.local_clustering(small_world, ax=ax))
    save("triad-census", census.SIZE, lambda ax: plot.triad_census(hubs, ax=ax))
    save("significance-profile", profile.SIZE, lambda ax: plot.significance_profile(hubs, samples=50, seed=1, ax=ax))
    save("graphlet-totals", size_of_totals, lambda ax: plot.graphlet_totals(small_world, ax=ax))
    save("compare", size_of_totals, lambda ax: plot.compare(networks, ax=ax))
    found = triadic.significance(made_up_connectome(), samples=200, seed=1)
    save("connectome", profile.SIZE, lambda ax: plot.significance_profile(found, ax=ax))
    save("karate", SIZE, karate_club)


def made_up_connectome() -> triadic.Graph:
    """Return the network of docs/how-to/connectome.md: neurons send to earlier ones and to some of their targets."""
    rng = np.random.default_rng(3)
    targets: dict[int, set[int]] = {0: set()}
    for neuron in range(1, 80):
        targets[neuron] = set()
        for other in rng.integers(0, neuron, size=2).tolist():
            copied = [far for far in targets[other] - {neuron} if rng.random() < 0.4]
            targets[neuron].update([other, *copied])
            if rng.random() < 0.3:
                targets[other].add(neuron)
    pairs = [(neuron, other) for neuron, others in targets.items() for other in sorted(others)]
    return triadic.Graph.from_edges(*zip(*pairs, strict=True), directed=True)


def karate_club(ax: Axes) -> None:
    """Draw the figure of docs/how-to/notebook.md: clustering and degree of the members of the two clubs."""
    club = nx.karate_club_graph()
    graph = triadic.Graph(club)
    side = np.array([data["club"] for _, data in club.nodes(data=True)])
    clustering = triadic.clustering(graph)
    for number, name in enumerate(np.unique(side)):
        members, style = side == name, network_style(ax, number, 5)
        ax.plot(graph.degree[members], clustering[members], **{**style, "linestyle": "none"}, label=name)
    ax.set(xlabel="degree", ylabel="local clustering coefficient")
    ax.legend(title="club", frameon=False)
    ax.spines[["top", "right"]].set_visible(False)


def save(name, size, draw):  # noqa: ANN001, ANN201 - draw is a function of matplotlib axes
    """Draw one figure for light and for dark pages, on a transparent background, and save both as SVG."""
    settings = {**SVG_SETTINGS, "font.size": 9.5, "axes.prop_cycle": mpl.rcParamsDefault["axes.prop_cycle"]}
    # Guide lines are a tint of the background, which is the page's.
    for style, page, ending in (("default", "#ffffff", ""), ("dark_background", "#1e2129", "-dark")):
        with mpl.style.context(style), mpl.rc_context({**settings, "axes.facecolor": page}):
            figure = Figure(figsize=size, layout="constrained")
            draw(figure.add_subplot())
            figure.savefig(FOLDER / f"{name}{ending}.svg", transparent=True, metadata={"Date": None})


if __name__ == "__main__":
    main()
