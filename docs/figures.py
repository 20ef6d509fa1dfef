"""Draw the figures of the pages: ``python docs/figures.py`` writes the same docs/figures/*.svg in every run.

Each figure has a transparent background and two files: ``NAME.svg`` for light pages, and ``NAME-dark.svg`` for dark
pages.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import matplotlib as mpl
import networkx as nx
import numpy as np
import scipy.spatial
from matplotlib.figure import Figure

import triadic
from triadic.plot import dots, graphlet_atlas, motif_heat_map, profile
from triadic.plot.canvas import SIZE, SVG_SETTINGS, network_style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FOLDER = Path(__file__).parent / "figures"
PANELS = (9.0, 6.6)  # inches
_BRIGHT = "#e2e4e9"  # text of dark pages
_TEXTS = ("text.color", "axes.labelcolor", "axes.edgecolor", "axes.titlecolor", "xtick.color", "ytick.color")
SCHEMES = {"": {}, "-dark": dict.fromkeys(_TEXTS, _BRIGHT)}


def main() -> None:
    """Draw all figures."""
    hubs = triadic.generate.rmat(12, seed=1, directed=True)
    small_world = triadic.generate.watts_strogatz(2000, 12, 0.1, seed=1)
    grown = triadic.generate.barabasi_albert(2000, 6, seed=1)
    networks = {"R-MAT": hubs, "small world": small_world, "grown": grown}
    plot = triadic.plot
    found = triadic.significance(hubs, samples=50, seed=1)
    save("degree-distribution", SIZE, lambda ax: plot.degree_distribution(hubs, ax=ax))
    save("clustering-spectrum", SIZE, lambda ax: plot.clustering_spectrum(hubs, ax=ax))
    save("local-clustering", SIZE, lambda ax: plot.local_clustering(small_world, ax=ax))
    save("triad-census", dots.SIZE_OF_CENSUS, lambda ax: plot.triad_census(hubs, ax=ax))
    save("significance-profile", profile.SIZE, lambda ax: plot.significance_profile(found, ax=ax, label="R-MAT"))
    save("graphlet-totals", SIZE, lambda ax: plot.graphlet_totals(small_world, ax=ax))
    save("all-graphlets", graphlet_atlas.SIZES[5], lambda ax: plot.graphlets(ax=ax))
    save("edge-orbits", graphlet_atlas.SIZES[5], lambda ax: plot.graphlets(edges=True, ax=ax))
    of_five = triadic.graphlets(small_world, size=5)
    save("graphlet-totals-of-five", dots.SIZE_OF_FIVE, lambda ax: plot.graphlet_totals(of_five, ax=ax))
    save("compare", SIZE, lambda ax: plot.compare(networks, ax=ax))
    save("panels", PANELS, draw_panels, shape=(2, 3))
    save("connectome", (10.0, 4.0), draw_connectome, shape=(1, 2))
    save("connectome-types", (5.6, 3.8), draw_types_of_neurons)
    save("survey", (5.6, 3.8), draw_survey)
    save("interactome", SIZE, draw_interactome)
    save("tissue", (5.6, 3.8), draw_tissue)
    worm = triadic.generate.connectome(297, 2345, types=3, seed=1).graph
    simplices = triadic.significance(worm, of="simplices", samples=50, seed=1)
    save("simplices", SIZE, lambda ax: plot.cliques(simplices, of="simplices", ax=ax))
    save("karate", SIZE, draw_karate_club)
    save("roles", SIZE, draw_roles)
    save("flows", dots.SIZE_OF_CENSUS, lambda ax: plot.triad_census(made_up_flows(), ax=ax))
    save("batch", SIZE, draw_batch)
    circuit, types = made_up_circuit()
    typed = triadic.significance(circuit, of="030T", **by_type(types), samples=600, seed=1)
    save("typed-triads", (5.6, 5.2), lambda ax: plot.types(typed, q=0.1, ax=ax))
    regions = triadic.generate.connectome(400, 6000, types=10, seed=2)
    ten = named(regions.types)
    of_ten = triadic.significance(regions.graph, of="030T", by="type", types=ten, samples=50, seed=1)
    save("typed-triads-of-ten", (5.6, 5.6), lambda ax: plot.types(of_ten, ax=ax))
    shuffled = triadic.significance(circuit, of="intensity", keep_weights="shuffle", samples=100, seed=1)
    save("intensity", SIZE, lambda ax: plot.intensity(shuffled, ax=ax))
    save("coherence", SIZE, lambda ax: plot.intensity(circuit, of="coherence", ax=ax))
    nulls = null_models()
    save("null-models", (5.6, 4.2), lambda ax: plot.compare(nulls, of="z_scores", ax=ax))
    save("null-models-profile", (5.6, 4.2), lambda ax: plot.compare(nulls, of="significance_profile", ax=ax))
    motifs = triadic.temporal_motifs(made_up_messages(), "1h")
    save("temporal-motifs", motif_heat_map.SIZE, lambda ax: plot.temporal_motifs(motifs, ax=ax))


def by_type(types: object) -> dict[str, object]:
    """Return arguments of a comparison by types that keeps the numbers of arcs between them."""
    return {"by": "type", "types": types, "groups": types}


def draw_panels(axes):  # noqa: ANN001, ANN201 - a flat array of matplotlib axes
    """Draw six plots of small networks, whose few points keep the file small."""
    plot, hubs = triadic.plot, triadic.generate.rmat(8, seed=1, directed=True)
    networks = {
        "R-MAT": hubs,
        "small world": triadic.generate.watts_strogatz(300, 12, 0.1, seed=1),
        "grown": triadic.generate.barabasi_albert(300, 6, seed=1),
    }
    plot.compare(networks, of="degree", ax=axes[0])
    plot.compare(networks, of="clustering_spectrum", ax=axes[1])
    plot.compare(networks, of="clustering", ax=axes[2])
    plot.triad_census(hubs, ax=axes[3])
    plot.significance_profile(hubs, samples=50, seed=1, ax=axes[4])
    plot.compare(networks, ax=axes[5])


def made_up_circuit() -> tuple[triadic.Graph, np.ndarray]:
    """Return the circuit of docs/gallery.md with its types: random, with heavy feed-forward loops to motor neurons."""
    rng = np.random.default_rng(1)
    types = np.array(["sensory", "inter", "motor"])[rng.integers(0, 3, 200)]
    source, target = rng.integers(0, 200, (2, 1500))
    first, middle, last = (rng.choice(np.flatnonzero(types == name), 80) for name in ("sensory", "inter", "motor"))
    source, target = np.r_[source, first, middle, first], np.r_[target, middle, last, last]
    weights = rng.lognormal(size=len(source)) * np.r_[np.ones(1500), np.full(240, 3.0)]
    return triadic.Graph.from_edges(source, target, weights=weights, combine="sum", directed=True), types


def named(types: np.ndarray) -> np.ndarray:
    """Return names in place of the numbers of ten types."""
    return np.array([f"type {letter}" for letter in "ABCDEFGHIJ"])[types % 10]


def null_models() -> dict[str, triadic.Significance]:
    """Return the comparisons of docs/gallery.md of one network with three null models."""
    made = triadic.generate.connectome(300, 3000, types=4, seed=1)
    spatial = triadic.significance(made.graph, positions=made.positions, samples=50, seed=1)
    return {null: triadic.significance(made.graph, null=null, samples=50, seed=1) for null in ("degrees", "mutual")} | {
        "spatial": spatial
    }


def made_up_messages() -> triadic.TemporalGraph:
    """Return the messages of docs/gallery.md, half of which are answered within twenty minutes."""
    rng = np.random.default_rng(1)
    sender, receiver = rng.integers(0, 60, (2, 5000)) ** 2 // 60
    sent, answered = rng.integers(0, 10**6, 5000), rng.random(5000) < 0.5
    later = sent[answered] + rng.integers(60, 1200, answered.sum())
    source, target = np.r_[sender, receiver[answered]], np.r_[receiver, sender[answered]]
    return triadic.TemporalGraph.from_edges(source, target, np.r_[sent, later])


def made_up_connectome() -> triadic.Graph:
    """Return the network of docs/how-to/connectome.md: neurons send to earlier ones and to some of their targets."""
    rng = np.random.default_rng(3)
    targets: dict[int, set[int]] = {0: set()}
    closing = set()
    for neuron in range(1, 80):
        targets[neuron] = set()
        for other in rng.integers(0, neuron, size=2).tolist():
            copied = [far for far in targets[other] - {neuron} if rng.random() < 0.4]
            targets[neuron].update([other, *copied])
            closing.update((neuron, far) for far in copied)
            if rng.random() < 0.3:
                targets[other].add(neuron)
    pairs = [(neuron, other) for neuron, others in targets.items() for other in sorted(others)]
    weights = [rng.integers(1, 20) + 10 * (pair in closing) for pair in pairs]
    places = np.array([rng.normal([neuron / 80, 0, 0], 0.2).round(3) for neuron in targets])
    types = np.repeat(["motor", "inter", "sensory"], [20, 30, 30])
    graph = triadic.Graph.from_edges(*zip(*pairs, strict=True), weights=weights, directed=True)
    return graph.with_vertices({"type": types} | dict(zip("xyz", places.T, strict=True)))


def draw_connectome(axes) -> None:  # noqa: ANN001 - a flat array of matplotlib axes
    """Draw the figure of docs/how-to/connectome.md: triads beside three null models, and their mean intensity."""
    graph = made_up_connectome()
    keeping = {"degrees": {}, "types": {"groups": "type"}}
    keeping["types and places"] = {"groups": "type", "positions": ["x", "y", "z"], "bins": 4}
    nulls = {name: triadic.significance(graph, samples=200, seed=1, **kept) for name, kept in keeping.items()}
    triadic.plot.compare(nulls, of="z_scores", ax=axes[0])
    drawn = triadic.randomize(graph, keep_weights="shuffle", samples=3, seed=1)
    networks = {"connectome": graph} | {f"random {number}": network for number, network in enumerate(drawn, 1)}
    triadic.plot.compare(networks, of="intensity", ax=axes[1]).set(xscale="linear", xlim=(0, 20))


def draw_types_of_neurons(ax: Axes) -> None:
    """Draw the second figure of docs/how-to/connectome.md: feed-forward loops by the types of their neurons."""
    loops = triadic.significance(made_up_connectome(), of="030T", **by_type("type"), samples=200, seed=1)
    triadic.plot.types(loops, most=8, ax=ax)


def draw_survey(ax: Axes) -> None:
    """Draw the figure of docs/how-to/survey.md: triads of pupils who mostly name their own circle of five."""
    rng = np.random.default_rng(2)
    names = []
    for i in range(59):
        for j in range(59):
            chance = 0.8 if i // 5 == j // 5 else 0.1 if i // 20 == j // 20 else 0.02
            if rng.random() < chance and i != j:
                names.append((i, j))
    graph = triadic.Graph.from_edges(*zip(*names, strict=True), num_vertices=60, directed=True)
    classes = np.repeat(["7a", "7b", "7c"], 20)
    typed = triadic.significance(graph, of=["030T", "120U", "300"], **by_type(classes), samples=1000, seed=1)
    triadic.plot.types(typed, most=8, ax=ax)


def draw_tissue(ax: Axes) -> None:
    """Draw the figure of docs/how-to/tissue.md: triangles of types of cells, beside shuffled types."""
    rng = np.random.default_rng(1)
    places = rng.random((2, 2000)).T
    kinds = ["tumour", "stroma", "B cell", "T cell", "macrophage"]
    types = rng.choice(kinds, size=2000, p=[0.4, 0.3, 0.1, 0.1, 0.1])
    for centre in range(0, 2000, 80):
        nearest = np.argsort(((places - places[centre]) ** 2).sum(axis=1), kind="stable")[:7]
        types[nearest] = ["macrophage", *["B cell", "T cell"] * 3]
    corners = scipy.spatial.Delaunay(places).simplices
    ends = np.concatenate([corners[:, [0, 1]], corners[:, [1, 2]], corners[:, [0, 2]]])
    near = np.linalg.norm(places[ends[:, 0]] - places[ends[:, 1]], axis=1) < 0.1
    graph = triadic.Graph.from_edges(*ends[near].T, num_vertices=2000)
    triangle = "A - B; B - C; C - A"
    found = triadic.significance(graph, of=triangle, by="type", types=types, null="types", samples=1000, seed=1)
    triadic.plot.types(found, most=8, ax=ax)


def draw_interactome(ax: Axes) -> None:
    """Draw the figure of docs/how-to/interactome.md: graphlets of proteins of the cell cycle."""
    pairs = """CDC16 CDC23, CDC16 CDC27, CDC23 CDC27, APC1 CDC16, APC1 CDC23, APC1 CDC27, APC1 APC2, APC1 APC5,
    APC2 APC11, CDC20 CDC27, CDC20 CDC23, CDH1 CDC27, CDC20 CLB2, CDH1 CLB2, CDC28 CLB2, CDC28 CLN2, CDC28 CKS1,
    CDC28 SIC1, CLB2 SIC1, CLN2 SIC1"""
    graph = triadic.Graph(nx.Graph([pair.split() for pair in pairs.split(",")]))
    found = triadic.significance(graph, of=["clustering", "graphlets"], samples=200, seed=1)
    triadic.plot.significance_profile(found, ax=ax)


def draw_karate_club(ax: Axes) -> None:
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


def made_up_flows() -> triadic.Graph:
    """Return the network of docs/how-to/parquet-folder.md, all months together."""
    rng = np.random.default_rng(1)
    months = [(1000 * rng.random((2, 5000)) ** 2).astype(np.int64) for _ in range(4)]
    return triadic.Graph.from_edges(*np.concatenate(months, axis=1), directed=True)


def draw_batch(ax: Axes) -> None:
    """Draw the figure of docs/how-to/many-small-graphs.md: graphlets of two classes of five hundred graphs each."""
    random = [nx.gnm_random_graph(20, 40, seed=seed) for seed in range(0, 1000, 2)]
    worlds = [nx.watts_strogatz_graph(20, 4, 0.2, seed=seed) for seed in range(1, 1000, 2)]
    classes = {"random graphs": random, "small worlds": worlds}
    unions = {name: triadic.GraphBatch.from_graphs(graphs).graph for name, graphs in classes.items()}
    triadic.plot.compare(unions, ax=ax)


def office(seed: int) -> tuple[nx.Graph, np.ndarray]:
    """Return an office of docs/how-to/machine-learning.md: leads, members of their teams, and contractors."""
    rng = np.random.default_rng(seed)
    graph = nx.Graph()
    for team in range(20):
        graph.add_node(f"lead {team}", role="lead")
        for i in range(5):
            graph.add_node(f"member {team}.{i}", role="member")
            graph.add_edge(f"member {team}.{i}", f"lead {team}")
            graph.add_edges_from((f"member {team}.{i}", f"member {team}.{j}") for j in range(i) if rng.random() < 0.7)
        graph.add_edges_from((f"lead {team}", f"lead {other}") for other in rng.integers(0, 20, 2))
    for number in range(30):
        graph.add_node(f"contractor {number}", role="contractor")
        for team in rng.choice(20, 3, replace=False):
            graph.add_edge(f"contractor {number}", f"member {team}.{rng.integers(5)}")
    return graph, np.array([role for _, role in graph.nodes(data="role")])


def draw_roles(ax: Axes) -> None:
    """Draw the figure of docs/how-to/machine-learning.md: principal components of the features of two offices."""
    offices = [office(1), office(2)]
    names = ["degree", "clustering", "graphlets"]
    known, new = (np.log1p(np.asarray(triadic.vertex_table(graph, names))) for graph, _ in offices)
    varies = known.std(axis=0) > 1e-9
    mean, std = known[:, varies].mean(axis=0), known[:, varies].std(axis=0)
    known, new = (known[:, varies] - mean) / std, (new[:, varies] - mean) / std
    components = np.linalg.svd(known, full_matrices=False)[2][:2]
    for number, role in enumerate(["contractor", "lead", "member"]):
        style = network_style(ax, number, 4.5) | {"linestyle": "none"}
        (dots,) = ax.plot(*(components @ known[offices[0][1] == role].T), **style, label=role)
        open_dots = style | {"markerfacecolor": "none", "markeredgecolor": dots.get_color(), "markeredgewidth": 0.8}
        ax.plot(*(components @ new[offices[1][1] == role].T), **open_dots)
    ax.set(xlabel="first principal component", ylabel="second principal component", title="filled: known, open: new")
    ax.legend(frameon=False, loc="lower left")
    ax.spines[["top", "right"]].set_visible(False)


def save(name, size, draw, shape=None, folder=FOLDER):  # noqa: ANN001, ANN201 - draw is a function of matplotlib axes
    """Draw one figure for light pages and for dark pages, and save both as SVG."""
    for suffix, colours in SCHEMES.items():
        with mpl.rc_context({**SVG_SETTINGS, "font.size": 9.5, **colours}):
            figure = Figure(figsize=size, layout="constrained")
            draw(figure.subplots(*shape).flat if shape else figure.add_subplot())
            figure.savefig(folder / f"{name}{suffix}.svg", transparent=True, metadata={"Date": None})


if __name__ == "__main__":
    main()
