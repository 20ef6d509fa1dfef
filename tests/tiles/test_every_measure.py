"""Every public function takes a tiled graph and returns the same as for the graph, or refuses it by its own name."""

from __future__ import annotations

import inspect

import numpy as np
import pytest

import triadic
from triadic import Graph, generate
from triadic.errors import ArgumentError, UnsupportedError

MODEL = generate.RMat(7, seed=1, directed=True)
SERVED = {
    "average_closure",
    "average_clustering",
    "clustering",
    "clustering_spectrum",
    "directed_clustering",
    "directed_transitivity",
    "dyad_census",
    "local_closure",
    "transitivity",
    "triad_census",
    "triangle_count",
    "triangles",
    "plot.clustering_spectrum",
    "plot.degree_distribution",
    "plot.local_clustering",
    "plot.triad_census",
}
WITH_WEIGHTS = {"signed_triangles", "structural_balance", "weighted_clustering"}
# These have tests of their own, below or with tiles that have weights.
PARTLY_SERVED = {"count", "estimate", "graphlets", "edge_support", "graphlet_transform", "vertex_table", *WITH_WEIGHTS}
KEYWORDS = {
    "count": {"of": "graphlets"},
    "estimate": {"of": "graphlets", "samples": 10, "seed": 1},
    "sample": {"of": "300", "samples": 10, "seed": 1},
    "list_triads": {"of": "030T"},
    "explain": {"of": "A - B; B - C"},
    "list_matches": {"of": "A - B; B - C"},
    "k_truss": {"k": 3},
    "significance": {"seed": 1, "samples": 3},
    "plot.significance_profile": {"seed": 1, "samples": 3},
    "randomize": {"seed": 1},
    "report": {"path": "page.html"},
}


def takers():
    """Return the public functions whose first argument is a graph, by the names that users call them by."""
    found = {}
    for module, prefix in ((triadic, ""), (triadic.plot, "plot.")):
        functions = {name: getattr(module, name) for name in module.__all__}
        for name, function in functions.items():
            if inspect.isfunction(function) and next(iter(inspect.signature(function).parameters)) in ("graph", "a"):
                found[f"{prefix}{name}"] = function
    del found["mmd"]  # takes batches
    del found["write"]  # takes a Graph only, not what a Graph is made of
    of_events = ("temporal_motifs", "over_time", "shuffle_events")
    for name in (*of_events, "plot.temporal_motifs"):
        del found[name]  # takes timed events
    return found


TAKERS = takers()


@pytest.fixture(scope="module")
def graph():
    return generate.make_graph(MODEL)


@pytest.fixture(scope="module")
def tiled(tmp_path_factory):
    return triadic.tile(MODEL, tmp_path_factory.mktemp("tiles") / "tiles", ranges=3)


def call(name, *given, **more):
    keywords = KEYWORDS.get(name, {}) | more
    if "b" in inspect.signature(TAKERS[name]).parameters:
        given *= 2
    return TAKERS[name](*given, **keywords)


def plain(result):
    """Return a result as something that can be compared."""
    if hasattr(result, "get_lines"):  # axes of matplotlib
        return {number: line.get_xydata() for number, line in enumerate(result.get_lines())}
    return result._asdict() if hasattr(result, "_asdict") else result


@pytest.mark.parametrize("name", sorted(SERVED))
def test_tiles_count_the_same_as_the_graph(name, graph, tiled):
    if name.startswith("plot."):
        pytest.importorskip("matplotlib").use("agg")
    one, other = (plain(call(name, network)) for network in (graph, tiled))
    if isinstance(one, dict):
        assert list(one) == list(other)
        for key in one:
            np.testing.assert_array_equal(one[key], other[key])
    elif name.endswith("census"):
        assert one == other
    else:
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("name", sorted(set(TAKERS) - SERVED - WITH_WEIGHTS - {"vertex_table"}))
def test_a_function_that_cannot_count_tiles_refuses_them_by_its_own_name(name, tiled):
    if name.startswith("plot."):
        pytest.importorskip("matplotlib").use("agg")
    with pytest.raises(UnsupportedError) as caught:
        call(name, tiled)
    message = str(caught.value)
    assert message.startswith(f"{name} does not take a TiledGraph: ")
    assert message.endswith("read the graph into memory, as triadic.read does")
    assert "\n" not in message


@pytest.mark.parametrize("name", sorted(TAKERS))
def test_the_documentation_says_which_functions_take_tiles(name):
    text = inspect.getdoc(TAKERS[name])
    accepted = next(line for line in text.splitlines() if line.startswith(("graph : ", "a, b : ")))
    assert ("TiledGraph" in accepted) == (name in SERVED | PARTLY_SERVED)
    if name not in WITH_WEIGHTS:
        refused = name not in SERVED or name == "triad_census"
        assert ("`TiledGraph`" in text.partition("UnsupportedError")[2]) == refused


@pytest.mark.parametrize("measure", [triadic.triangles, triadic.clustering])
def test_tiles_count_at_selected_vertices(measure, graph, tiled):
    mask = graph.degree > 30
    for vertices in ([5, 3, 5], {5, 3}, mask):
        np.testing.assert_array_equal(measure(tiled, vertices=vertices), measure(graph, vertices=vertices))
    with pytest.raises(ArgumentError, match="vertices: expected numbers below 128"):
        measure(tiled, vertices=[128])


@pytest.mark.parametrize("over", ["all", "defined", "positive"])
def test_means_over_some_vertices_are_those_of_the_graph(over, graph, tiled):
    assert triadic.average_clustering(tiled, over=over) == triadic.average_clustering(graph, over=over)
    if over != "positive":
        assert triadic.average_closure(tiled, over=over) == triadic.average_closure(graph, over=over)


def test_the_first_five_graphlets_are_counted_by_tiles(graph, tiled):
    one, other = (triadic.graphlet_transform(network, size=3).raw for network in (graph, tiled))
    np.testing.assert_array_equal(one, other)


ALL_MEASURES = (
    "degree", "in_degree", "out_degree", "mutual_degree", "triangles", "clustering", "directed_clustering",
    "ldbc_clustering", "triads", "roles",
)  # fmt: skip


def test_a_table_of_vertices_has_the_measures_that_tiles_count(graph, tiled):
    one, other = (triadic.vertex_table(network, ALL_MEASURES) for network in (graph, tiled))
    assert list(one) == list(other)
    for name in one:
        np.testing.assert_array_equal(one[name], other[name])


@pytest.mark.parametrize("measure", ["graphlets", "raw_graphlets", "orbits", "square_clustering"])
def test_a_table_of_vertices_refuses_the_other_measures(measure, tiled):
    words = f"^vertex_table does not take a TiledGraph: of='{measure}' is counted in memory only, as .*; choose "
    with pytest.raises(UnsupportedError, match=words):
        triadic.vertex_table(tiled, ["degree", measure])
    with pytest.raises(UnsupportedError, match="of='graphlets'"):
        triadic.vertex_table(tiled)


def test_a_census_that_tiles_lack_is_refused_with_the_reason(tiled):
    with pytest.raises(
        UnsupportedError, match=r"^triad_census does not .*: labelled=True is counted in memory only: tiles"
    ):
        triadic.triad_census(tiled, labelled=True)
    with pytest.raises(UnsupportedError, match=r"^triad_census does not .*: the census of some vertices is counted in"):
        triadic.triad_census(tiled, vertices=[1])


def test_a_graph_is_not_made_or_written_of_tiles(tiled, tmp_path):
    with pytest.raises(UnsupportedError, match=r"^Graph does not take a TiledGraph: read the graph into memory"):
        Graph(tiled)
    with pytest.raises(UnsupportedError, match=r"^Graph does not take a TiledGraph"):
        Graph(tiled, directed=False)
    with pytest.raises(ArgumentError, match=r"^graph: write got a TiledGraph; expected a Graph"):
        triadic.write(tiled, tmp_path / "graph")
    with pytest.raises(ArgumentError, match=r"^graph: TiledGraph.of got a TiledGraph; expected a Graph"):
        triadic.TiledGraph.of(tiled, client=_client())


def _client():
    return pytest.importorskip("distributed").Client.__new__(pytest.importorskip("distributed").Client)


def test_tiling_returns_a_graph_with_the_memory_that_it_was_allowed(tmp_path, graph):
    tiled = triadic.tile(MODEL, tmp_path / "tiles", memory="300MB", ranges=2)
    again = triadic.tile(MODEL, tmp_path / "tiles", memory="300MB", ranges=2)
    opened = triadic.TiledGraph(tmp_path / "tiles")
    for made in (tiled, again):
        assert isinstance(made, triadic.TiledGraph)
        assert made.oriented().memory == 300_000_000
    for made in (tiled, again, opened):
        assert (made.num_vertices, made.num_edges, made.num_arcs) == (128, graph.num_edges, graph.num_arcs)
        assert (made.directed, made.dropped) == (graph.directed, graph.dropped)
        assert repr(made) == f"TiledGraph(directed, 128 vertices, {graph.num_arcs:,} arcs, 2 ranges)"
    assert triadic.triangle_count(tiled) == triadic.triangle_count(opened) == triadic.triangle_count(graph)


def test_labels_of_tiles_are_keys(tmp_path):
    (tmp_path / "people.txt").write_text("Valjean Javert\nJavert Fantine\nFantine Valjean\nFantine Cosette\n")
    graph = triadic.read(tmp_path / "people.txt", directed=False)
    tiled = triadic.tile(tmp_path / "people.txt", tmp_path / "tiles", directed=False)
    names = ["Cosette", "Fantine"]
    assert tiled.index("Javert") == graph.index("Javert")
    assert tiled.index(names).tolist() == graph.index(names).tolist()
    assert triadic.triangles(tiled, vertices=names).tolist() == [0, 1]
    with pytest.raises(ArgumentError, match="similar ones among the 4 labels: 'Javert'"):
        triadic.clustering(tiled, vertices=["javert"])


def test_every_public_function_is_tried():
    assert set(TAKERS) >= SERVED | PARTLY_SERVED
    assert len(TAKERS) > 35
