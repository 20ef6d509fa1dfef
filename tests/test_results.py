"""Every result of a public function has a short representation, an HTML table and data frames, and full numbers."""

from __future__ import annotations

import inspect
import pickle
from collections.abc import Iterator

import numpy as np
import pyarrow.csv
import pytest
import scipy.sparse

import triadic as library
from triadic import Graph, GraphBatch, TemporalGraph, generate
from triadic.core.arcs import Arcs
from triadic.core.formatting import format_count, format_float, format_mean, format_p, format_q, format_z
from triadic.measures.significance.result import COLUMNS
from triadic.null_models.mixing import mixing
from triadic.planning.plan import plan

DIRECTED = generate.rmat(7, seed=1, directed=True)
UNDIRECTED = DIRECTED.to_undirected()
SIGNED = Graph.from_edges([0, 0, 1, 0, 1], [1, 2, 2, 3, 3], weights=[1, -1, -1, 1, -1], labels=["a", "b", "c", "d"])
WEIGHTED = Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3], weights=[1.0, 2.0, 3.0, 4.0])
TYPES = np.arange(DIRECTED.num_vertices) % 9
TEMPORAL = TemporalGraph.from_edges(*DIRECTED.edges(), np.arange(DIRECTED.num_arcs))
BATCH = GraphBatch.from_graphs([DIRECTED] * 20, names=[f"network {i}" for i in range(20)])

# Arguments of each public function of a graph; None for the functions that return no result of a count.
ARGUMENTS = {
    "clustering": (UNDIRECTED,),
    "count": (DIRECTED, "triads"),
    "over_time": (TEMPORAL, "clustering"),
    "dyad_census": (DIRECTED,),
    "explain": (DIRECTED, "A -> B -> C"),
    "estimate_stream": (iter([UNDIRECTED.edges()]),),
    "compare": (UNDIRECTED, WEIGHTED),
    "k_truss": (UNDIRECTED, 3),
    "list_matches": (DIRECTED, "A -> B -> C -> A"),
    "list_triads": (DIRECTED, "030T"),
    "mmd": ([UNDIRECTED], [UNDIRECTED, UNDIRECTED]),
    "motif_intensity": (WEIGHTED,),
    "randomize": (UNDIRECTED,),
    "read": None,
    "read_batch": None,
    "read_temporal": None,
    "report": None,
    "sample": (DIRECTED, "030T"),
    "shuffle_events": None,
    "signed_triangles": (SIGNED,),
    "structural_balance": (SIGNED,),
    "temporal_motifs": (TEMPORAL, 50),
    "tile": None,
    "weighted_clustering": (WEIGHTED,),
    "write": None,
}
KEYWORDS = {
    "estimate": {"of": "graphlets", "samples": 100, "seed": 1},
    "mmd": {"of": "degree"},
    "over_time": {"window": 50, "step": 5},
    "significance": {"samples": 5, "seed": 1},
}
FUNCTIONS = [
    name
    for name in library.__all__
    if inspect.isfunction(getattr(library, name)) and ARGUMENTS.get(name, ()) is not None
]
PLAIN = (int, float, np.ndarray, scipy.sparse.csr_array, Iterator, Graph)


def result_of(name):
    return getattr(library, name)(*ARGUMENTS.get(name, (DIRECTED,)), **KEYWORDS.get(name, {}))


RESULTS = {
    "directed_clustering with parts": lambda: library.directed_clustering(DIRECTED, parts=True),
    "triad_census by type": lambda: library.triad_census(DIRECTED, by="type", types=TYPES),
    "significance by type": lambda: library.significance(
        DIRECTED, of=["030T", "A -> B -> C -> D -> A"], by="type", types=TYPES, samples=3, seed=1
    ),
    "triad_census of labelled types": lambda: library.triad_census(DIRECTED, labelled=True),
    "triad_census of an undirected graph": lambda: library.triad_census(UNDIRECTED),
    "significance of an undirected graph": lambda: library.significance(UNDIRECTED, samples=3, seed=1),
    "triad_census of a batch": lambda: library.triad_census(BATCH),
    "transitivity of a batch": lambda: library.transitivity(BATCH),
    "temporal_motifs over time": lambda: library.temporal_motifs(TEMPORAL, 50, "time", window=50, step=5),
    "significance of events": lambda: library.significance(TEMPORAL, delta=50, samples=3, seed=1),
    "estimate of a spectrum": lambda: library.estimate(UNDIRECTED, of="clustering_spectrum", samples=999, seed=1),
    "mixing": lambda: mixing(UNDIRECTED, steps=100, seed=1),
    "plan": lambda: plan((1_000_000, 20_000_000), memory="200MB", threads=2),
    **{name: lambda name=name: result_of(name) for name in FUNCTIONS},
}


@pytest.mark.parametrize("name", RESULTS)
def test_a_result_is_plain_or_prints_short_and_converts_to_data_frames(name):
    result = RESULTS[name]()
    if isinstance(result, PLAIN) and not isinstance(result, tuple):
        return
    lines = repr(result).splitlines()
    assert len(lines) <= 18
    assert max(map(len, lines)) <= 160
    assert "array(" not in repr(result)
    html = result._repr_html_()
    assert html.startswith("<table><caption>")
    assert html.count("<tr>") <= 65
    frame = pytest.importorskip("pandas") and result.to_pandas()
    table = pytest.importorskip("polars") and result.to_polars()
    assert [*filter(None, frame.index.names), *frame.columns] == table.columns
    assert len(frame) == len(table) > 0


def test_networks_print_short():
    source, target = DIRECTED.edges()
    arcs = Arcs(source, target, DIRECTED.num_vertices, directed=True)
    assert repr(arcs) == f"Arcs(directed, 128 vertices, {len(source):,} arcs)"
    for network in (arcs, DIRECTED):
        assert network._repr_html_().startswith("<table><caption>Directed")


def test_tiles_print_short(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("0 1\n1 2\n")
    graph = library.tile(path, tmp_path / "tiles", directed=False)
    assert repr(graph) == "TiledGraph(undirected, 3 vertices, 2 edges, 1 range)"
    assert "<th>edges</th><td>2</td>" in graph._repr_html_()


def test_results_of_several_arrays_are_mappings():
    parts = library.directed_clustering(DIRECTED, parts=True)
    assert list(parts) == ["total", "cycle", "middle", "into", "out"]
    assert parts["label"].tolist() == list(range(128))
    spectrum = library.clustering_spectrum(DIRECTED)
    assert int(spectrum["vertices"].sum()) == 128
    assert spectrum["degree"].tolist() == sorted(set(DIRECTED.degree.tolist()))
    assert library.signed_triangles(SIGNED) == {"+++": 0, "++-": 1, "+--": 1, "---": 0}
    assert library.signed_triangles(SIGNED, by="vertex").to_numpy().shape == (4, 4)
    assert set(spectrum.to_dict()) == {"degree", "clustering", "vertices"}
    with pytest.raises(KeyError, match="'wealth': expected one of the names 'degree', 'clustering', 'vertices'"):
        spectrum["wealth"]


@pytest.mark.parametrize("pickled", [False, True])
def test_rows_of_vertices_have_their_labels(pickled):
    pytest.importorskip("pandas")
    graph = Graph.from_edges([0, 1, 0, 2], [1, 2, 2, 3], directed=True, labels=["a", "b", "c", "d"])
    for result in (
        library.directed_clustering(graph, parts=True),
        library.signed_triangles(SIGNED, by="vertex"),
        library.graphlet_transform(graph),
        library.vertex_table(graph),
    ):
        table = (pickle.loads(pickle.dumps(result)) if pickled else result).to_pandas()
        assert (table.index.name, table.index.tolist()) == ("label", ["a", "b", "c", "d"])


def test_an_undirected_census_shows_no_types_that_cannot_occur():
    census = library.triad_census(UNDIRECTED)
    assert len(census) == 16
    assert [line.split()[0] for line in repr(census).splitlines()[1:5]] == ["003", "102", "201", "300"]
    assert repr(census).splitlines()[5:] == ["  0 of the 12 types with an asymmetric dyad"]
    assert census._repr_html_().count("<tr>") == 5


# Columns have one name in Python, in files and in the terminal.


def file_columns(triadic, words, path):
    assert triadic(*words, "-o", path).code == 0
    return pyarrow.csv.read_csv(path).column_names


def table_columns(triadic, words):
    """Return the words of the first line of the table of counts, which follows an empty line."""
    lines = triadic(*words).out.splitlines()
    return lines[lines.index("") + 1].split()


@pytest.fixture
def network(tmp_path):
    path = tmp_path / "network.triadic"
    library.write(DIRECTED, path)
    return path


def test_columns_of_significance_have_one_name(triadic, network, tmp_path):
    pytest.importorskip("polars")
    words = ["significance", network, "--samples", "3", "--seed", "1"]
    result = library.significance(library.read(network), samples=3, seed=1)
    for names in (
        repr(result).splitlines()[1].split(),
        result.to_polars().columns,
        table_columns(triadic, words),
        file_columns(triadic, words, tmp_path / "a.csv"),
    ):
        assert names == list(COLUMNS)
    assert list(result.to_dict()["030T"]) == list(COLUMNS[1:-1])
    assert "".join(f"<th>{name}</th>" for name in COLUMNS) in result._repr_html_()


def test_columns_of_the_census_have_one_name(triadic, network, tmp_path):
    pytest.importorskip("polars")
    result = library.triad_census(library.read(network))
    names = result.to_polars().columns
    assert names == ["name", "count", "expected", "z"]
    assert [name for name in table_columns(triadic, ["census", network]) if name != "share"] == names
    assert "".join(f"<th>{name}</th>" for name in names) in result._repr_html_()
    words = ["census", network, "--by-vertex"]
    assert file_columns(triadic, words, tmp_path / "a.csv") == ["label", *library.TRIAD_NAMES]


def test_columns_of_vertices_have_one_name(triadic, network, tmp_path):
    pytest.importorskip("polars")
    graph = library.read(network)
    transform = library.graphlet_transform(graph)
    assert file_columns(triadic, ["graphlets", network], tmp_path / "a.csv") == transform.to_polars().columns
    assert table_columns(triadic, ["graphlets", network])[:2] == ["name", "count"]
    assert "<th>name</th><th>count</th>" in transform._repr_html_()
    table = library.vertex_table(graph, ["degree", "triangles", "clustering"])
    assert file_columns(triadic, ["clustering", network], tmp_path / "b.csv") == table.to_polars().columns
    assert table.to_arrow().column_names == repr(table).splitlines()[1].split() == table.to_polars().columns


# Numbers are printed in full.


def test_counts_have_all_their_digits():
    assert format_count(2**100) == "1,267,650,600,228,229,401,496,703,205,376"
    assert format_count(np.int64(5_287_830)) == "5,287,830"


def test_large_means_have_all_digits_before_the_point():
    assert [format_mean(value) for value in (3_719_126.4, 999.96, 142.87, 0.0, 1e-9, 1e30)] == [
        "3,719,126",
        "1,000",
        "142.9",
        "0",
        "1e-09",
        "1e+30",
    ]
    assert format_float(float("nan")) == "undefined"
    assert format_float(float("inf")) == "inf"


def test_scores_have_two_decimals_and_no_negative_zero():
    assert [format_z(z) for z in (-0.004, 10.645, -1234.5)] == ["0.00", "10.64", "-1,234.50"]


@pytest.mark.parametrize(("samples", "floor"), [(2, "≤ 0.67"), (20, "≤ 0.096"), (99, "≤ 0.02"), (100, "≤ 0.02")])
def test_the_smallest_p_is_an_upper_bound(samples, floor):
    resolution = 2 / (samples + 1)
    assert format_p(resolution, resolution) == floor
    assert float(floor.removeprefix("≤ ")) >= resolution
    assert format_p(0.999, resolution) == "0.999"
    for q in (resolution, 0.123, 1.0):
        assert float(format_q(q, resolution, resolution).removeprefix("≤ ")) >= q
        assert format_q(q, 1.5 * resolution, resolution) == f"{q:.2g}"


@pytest.mark.parametrize("graph", [DIRECTED, UNDIRECTED], ids=repr)
def test_no_table_has_a_power_of_ten_for_a_count(graph):
    large = generate.rmat(13, seed=1, directed=graph.directed)
    for result in (library.triad_census(large), library.graphlet_transform(large), library.dyad_census(large)):
        for text in (repr(result), result._repr_html_()):
            assert "e+" not in text


@pytest.mark.parametrize(
    ("result", "words"),
    [
        (library.vertex_table(Graph.from_edges([], [], num_vertices=1), "degree"), "Table of 1 vertex"),
        (library.vertex_table(Graph.from_edges([], [], num_vertices=9), "degree"), "\n1 more vertex"),
        (library.triangle_count(GraphBatch.from_graphs([DIRECTED])), "Table of 1 graph"),
        (Arcs(np.array([0]), np.array([1]), 2, directed=True), "Arcs(directed, 2 vertices, 1 arc)"),
        (Graph.from_edges([0], [1], directed=True), "Graph(directed, 2 vertices, 1 arc)"),
        (
            library.clustering_spectrum(Graph.from_edges([], [], num_vertices=1)),
            "Table of 1 degree, 1 vertex",
        ),
    ],
)
def test_one_of_a_thing_has_its_singular(result, words):
    text = repr(result)
    assert text.endswith(words) if words.startswith("\n") else text.splitlines()[0] == words
