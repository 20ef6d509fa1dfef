"""Draw the figures of docs/plots.md: ``python docs/figures.py`` writes the same docs/figures/*.svg in every run.

Each figure has a transparent background and two files: ``NAME.svg`` for light pages, and ``NAME-dark.svg`` for dark
pages.
"""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl
from matplotlib.figure import Figure

import triadic
from triadic.plot import census, graphlet_counts, profile
from triadic.plot.canvas import SIZE
from triadic.plot.inline_svg import SVG_SETTINGS

FOLDER = Path(__file__).parent / "figures"
PANELS = (7.0, 4.0)  # inches
_BRIGHT, _DARK = "#e2e4e9", "#1e2129"  # text and background of dark pages
_TEXTS = ("text.color", "axes.labelcolor", "axes.edgecolor", "axes.titlecolor", "xtick.color", "ytick.color")
_GROUNDS = ("axes.facecolor", "figure.facecolor")  # guide lines are a mixture of text and background
SCHEMES = {"": {}, "-dark": dict.fromkeys(_TEXTS, _BRIGHT) | dict.fromkeys(_GROUNDS, _DARK)}


def main() -> None:
    """Draw all figures."""
    hubs = triadic.generate.rmat(12, seed=1, directed=True)
    small_world = triadic.generate.watts_strogatz(2000, 12, 0.1, seed=1)
    grown = triadic.generate.barabasi_albert(2000, 6, seed=1)
    networks = {"R-MAT": hubs, "small world": small_world, "grown": grown}
    plot, size_of_totals = triadic.plot, graphlet_counts.SIZE
    found = triadic.significance(hubs, samples=50, seed=1)
    save("degree-distribution", SIZE, lambda ax: plot.degree_distribution(hubs, ax=ax))
    save("clustering-spectrum", SIZE, lambda ax: plot.clustering_spectrum(hubs, ax=ax))
    save("local-clustering", SIZE, lambda ax: plot.local_clustering(small_world, ax=ax))
    save("triad-census", census.SIZE, lambda ax: plot.triad_census(hubs, ax=ax))
    save("significance-profile", profile.SIZE, lambda ax: plot.significance_profile(found, ax=ax, label="R-MAT"))
    save("graphlet-totals", size_of_totals, lambda ax: plot.graphlet_totals(small_world, ax=ax))
    save("compare", size_of_totals, lambda ax: plot.compare(networks, ax=ax))
    save("panels", PANELS, draw_panels, shape=(2, 3))


def draw_panels(axes):  # noqa: ANN001, ANN201 - a flat array of matplotlib axes
    """Draw six plots of small networks, whose few points keep the file small."""
    plot, hubs = triadic.plot, triadic.generate.rmat(8, seed=1, directed=True)
    networks = {
        "R-MAT": hubs,
        "small world": triadic.generate.watts_strogatz(300, 12, 0.1, seed=1),
        "grown": triadic.generate.barabasi_albert(300, 6, seed=1),
    }
    plot.compare(networks, of="degree_distribution", ax=axes[0])
    plot.compare(networks, of="clustering_spectrum", ax=axes[1])
    plot.compare(networks, of="local_clustering", ax=axes[2])
    plot.triad_census(hubs, ax=axes[3])
    plot.significance_profile(hubs, samples=50, seed=1, ax=axes[4])
    plot.compare(networks, ax=axes[5])


def save(name, size, draw, shape=None):  # noqa: ANN001, ANN201 - draw is a function of matplotlib axes
    """Draw one figure for light pages and for dark pages, and save both as SVG."""
    for suffix, colours in SCHEMES.items():
        with mpl.rc_context({**SVG_SETTINGS, "font.size": 8 if shape else 9.5, **colours}):
            figure = Figure(figsize=size, layout="constrained")
            draw(figure.subplots(*shape).flat if shape else figure.add_subplot())
            figure.savefig(FOLDER / f"{name}{suffix}.svg", transparent=True, metadata={"Date": None})


if __name__ == "__main__":
    main()
