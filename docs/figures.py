"""Draw the figures of docs/plots.md: ``python docs/figures.py`` writes the same docs/figures/*.svg in every run."""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl
from matplotlib.figure import Figure

import triadic
from triadic.plot import census, graphlet_counts, profile
from triadic.plot.canvas import SIZE
from triadic.plot.inline_svg import SVG_SETTINGS

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


def save(name, size, draw):  # noqa: ANN001, ANN201 - draw is a function of matplotlib axes
    """Draw one figure and save it as SVG."""
    with mpl.rc_context({**SVG_SETTINGS, "font.size": 9.5}):
        figure = Figure(figsize=size, layout="constrained")
        draw(figure.add_subplot())
        figure.savefig(FOLDER / f"{name}.svg", metadata={"Date": None})


if __name__ == "__main__":
    main()
