"""Labels as keys: the vertices of labels, the arguments that take labels, and edges filtered by weight."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import triadic
from strategies import examples, networks
from triadic import Graph
from triadic.errors import ArgumentError
from triadic.graph.labels import names_of
from triadic.graph.selection import values_at_vertices
from triadic.null_models.constraints import Constraints, take_groups

NAMES = ["Valjean", "Javert", "Fantine", "Cosette"]
KITE = {"source": [0, 0, 1, 2], "target": [1, 2, 2, 3]}


@pytest.fixture
def kite():
    """A triangle of Valjean, Javert and Fantine, with Cosette at Fantine."""
    return Graph.from_edges(**KITE, labels=NAMES)


@pytest.fixture
def numbered():
    """The same network with years as labels."""
    return Graph.from_edges(**KITE, labels=[2003, 2001, 2000, 2002])


# index


def test_the_index_of_a_label_is_its_vertex(kite, numbered):
    assert [kite.index(name) for name in NAMES] == [0, 1, 2, 3]
    assert type(kite.index("Javert")) is int
    assert kite.index(["Cosette", "Valjean", "Cosette"]).tolist() == [3, 0, 3]
    assert kite.index({"Cosette", "Valjean"}).tolist() == [0, 3]
    assert kite.index(("Cosette", "Valjean")).tolist() == [3, 0]
    assert kite.index([]).tolist() == []
    assert kite.index(["Javert"]).dtype == np.int64
    assert numbered.index(2000) == numbered.index(np.int32(2000)) == numbered.index(np.array(2000)) == 2
    assert numbered.index(np.array([2002, 2003], dtype=np.uint64)).tolist() == [3, 0]


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_columns_of_tables_are_labels(kite, library):
    package = pytest.importorskip(library)
    make = package.array if library == "pyarrow" else package.Series
    assert kite.index(make(["Cosette", "Javert"])).tolist() == [3, 1]
    assert triadic.triangles(kite, vertices=make(["Cosette", "Javert"])).tolist() == [0, 1]


def test_the_vertices_of_a_graph_without_labels_are_their_own_labels():
    graph = Graph.from_edges(**KITE)
    assert graph.index(3) == 3
    assert graph.index([2, 0]).tolist() == [2, 0]


@examples(25)
@given(st.lists(st.text(max_size=3) | st.integers() | st.floats(allow_nan=False), unique_by=(repr, hash), max_size=20))
def test_every_label_is_found_again(nodes):
    names = names_of(nodes)
    graph = Graph.from_edges([], [], num_vertices=len(nodes), labels=np.array(names, dtype=object))
    if len(set(names)) == len(names):
        assert graph.index(nodes).tolist() == list(range(len(nodes)))


@given(st.lists(st.integers(-(2**63), 2**63 - 1), unique=True, max_size=20))
def test_every_number_is_found_again(labels):
    graph = Graph.from_edges([], [], num_vertices=len(labels), labels=np.array(labels, dtype=np.int64))
    assert graph.index(labels).tolist() == list(range(len(labels)))


@pytest.mark.parametrize(
    ("label", "words"),
    [
        ("Javart", "no vertex has the label 'Javart'; similar ones among the 4 labels: 'Javert'"),
        ("JAVERT", "similar ones among the 4 labels: 'Javert'"),
        ("x", "no vertex has the label 'x'; the 4 labels begin with 'Valjean', 'Javert', 'Fantine'"),
        (["a", "b", "c", "d"], "no vertex has the label 'a', 'b', 'c' and 1 more"),
        (7, "no vertex has the label '7'"),
        ([["Javert"]], "no vertex has the label"),
        (np.array([["Javert"]]), "expected one label or a 1-D array of labels, got one of shape (1, 1)"),
    ],
)
def test_a_label_that_no_vertex_has_is_refused_with_similar_ones(kite, label, words):
    with pytest.raises(ArgumentError) as caught:
        kite.index(label)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("label", "words"),
    [
        (1999, "no vertex has the label 1999; the 4 labels are numbers from 2000 to 2003"),
        (2**70, "no vertex has the label 1180591620717411303424"),
        ("Javert", "expected whole numbers, as the labels of the graph are, got 'Javert'"),
        (True, "expected whole numbers"),
        (2000.0, "expected whole numbers"),
    ],
)
def test_a_number_that_is_no_label_is_refused_with_the_range(numbered, label, words):
    with pytest.raises(ArgumentError) as caught:
        numbered.index(label)
    assert words in str(caught.value)


def test_a_graph_without_labels_says_so():
    graph = Graph.from_edges(**KITE)
    with pytest.raises(ArgumentError, match="the graph has no labels, and its vertices are the numbers below 4"):
        graph.index(4)
    with pytest.raises(ArgumentError, match="as the vertices of a graph without labels are, got 'Javert'"):
        graph.index("Javert")


@pytest.mark.parametrize("labels", [["x", "y", "x"], [5, 6, 5]])
def test_a_label_of_two_vertices_is_refused(labels):
    graph = Graph.from_edges([0], [1], num_vertices=3, labels=labels)
    assert graph.index(labels[1]) == 1
    with pytest.raises(ArgumentError, match=f"more than one vertex has the label {labels[0]!r}"):
        graph.index([labels[1], labels[0]])


def test_the_index_is_freed_with_the_oriented_form_and_not_pickled(kite):
    fresh = len(pickle.dumps(kite))
    assert kite.index("Javert") == 1
    assert len(pickle.dumps(kite)) == fresh
    assert pickle.loads(pickle.dumps(kite)).index("Javert") == 1
    kite.release()
    assert kite._label_index is None
    assert kite.index("Javert") == 1


# vertices=


@pytest.mark.parametrize("measure", [triadic.triangles, triadic.clustering])
def test_labels_choose_the_vertices_of_a_measure(kite, measure):
    everywhere = measure(kite)
    for vertices in (["Cosette", "Fantine"], np.array(["Cosette", "Fantine"]), ("Cosette", "Fantine")):
        np.testing.assert_array_equal(measure(kite, vertices=vertices), everywhere[[3, 2]])
    np.testing.assert_array_equal(measure(kite, vertices={"Cosette", "Fantine"}), everywhere[[2, 3]])


def test_labels_choose_the_triads_of_a_census(kite):
    by_label = triadic.triad_census(kite, vertices=["Cosette"])
    assert by_label == triadic.triad_census(Graph.from_edges(**KITE), vertices=[3])
    assert triadic.triad_census(kite, vertices={"Cosette"}, labelled=True)["63"] == 0


def test_a_subgraph_of_labels_is_that_of_their_vertices(kite):
    part = kite.subgraph(["Fantine", "Cosette"])
    assert part.labels.tolist() == ["Fantine", "Cosette"]
    assert part.num_edges == 1
    assert kite.subgraph({"Cosette", "Fantine"}).labels.tolist() == ["Fantine", "Cosette"]


def test_a_column_of_several_types_is_refused_with_the_remedy():
    pandas = pytest.importorskip("pandas")
    with pytest.raises(ArgumentError, match=r"expected ids of one type; table.astype\(str\) makes all of them"):
        Graph(pandas.DataFrame({"source": ["a", 1], "target": [1, "b"]}))


def test_nodes_that_are_tuples_choose_vertices():
    nx = pytest.importorskip("networkx")
    grid = Graph(nx.grid_2d_graph(3, 3))
    assert grid.index((1, 1)) == 4
    assert grid.index([(1, 1), (0, 2)]).tolist() == [4, 2]
    assert grid.subgraph([(0, 0), (0, 1)]).num_edges == 1


TAKERS = {
    "triangles": lambda graph, vertices: triadic.triangles(graph, vertices=vertices),
    "clustering": lambda graph, vertices: triadic.clustering(graph, vertices=vertices),
    "triad_census": lambda graph, vertices: triadic.triad_census(graph, vertices=vertices),
    "subgraph": lambda graph, vertices: graph.subgraph(vertices),
}


@pytest.mark.parametrize("taker", TAKERS.values(), ids=TAKERS)
@pytest.mark.parametrize(
    ("vertices", "words"),
    [
        (["Javart"], "vertices: no vertex has the label 'Javart'; similar ones among the 4 labels: 'Javert'"),
        (
            ["Javert", 2],
            "vertices: no vertex has the label '2'; the 4 labels begin with 'Valjean', 'Javert', ",
        ),
        ("Javert", r"vertices='Javert': expected a list of vertices, such as ['Javert']"),
        ([3], "vertices: no vertex has the label '3'"),
        (3, "vertices: expected a 1-D array of whole numbers, got int64 of shape ()"),
        (np.ma.array([0, 1], mask=[False, True]), "vertices: 1 of 2 are masked, the first at 1"),
    ],
)
def test_vertices_that_are_no_labels_are_refused(kite, taker, vertices, words):
    with pytest.raises(ArgumentError) as caught:
        taker(kite, vertices)
    assert str(caught.value).startswith(words)


@pytest.mark.parametrize("taker", TAKERS.values(), ids=TAKERS)
def test_whole_numbers_are_labels_wherever_the_graph_has_labels(numbered, taker):
    plain, at = Graph.from_edges(**KITE), {2003: 0, 2001: 1, 2000: 2, 2002: 3}
    for labels in ([2002, 2000], np.array([2001], dtype=np.uint64), range(2001, 2003)):
        same = taker(numbered, labels), taker(plain, [at[int(label)] for label in labels])
        assert repr(same[0]) == repr(same[1])
    with pytest.raises(ArgumentError, match=r"^vertices: no vertex has the label 0, 3; the 4 labels are numbers from "):
        taker(numbered, [0, 2001, 3])


def test_a_number_is_an_id_of_the_file(real_networks, tmp_path):
    """The vertex at place 30 of wiki-Vote is in 334 triangles, and the voter 30 in 57."""
    graph = triadic.read(real_networks / "wiki-Vote.txt.gz")
    assert triadic.triangles(graph, vertices=[30]).tolist() == [57]
    assert graph.subgraph([30, 3]).labels.tolist() == [30, 3]
    tiled = triadic.tile(real_networks / "wiki-Vote.txt.gz", tmp_path / "tiles", ranges=2)
    assert triadic.triangles(tiled, vertices=[30, 3]).tolist() == triadic.triangles(graph, vertices=[30, 3]).tolist()


def test_a_vertex_without_a_label_is_chosen_by_a_mask():
    graph = Graph.from_edges([0, 1, 2], [1, 2, 3], labels=["a", "b"])
    assert graph.subgraph([False, True, True, False]).labels.tolist() == ["b"]
    with pytest.raises(ArgumentError, match="no vertex has the label '3'"):
        graph.subgraph([3])


# A value for each vertex


def forms_of(values):
    """Return values by label as a mapping, a Series and tables with the column "label", in another order."""
    pandas, polars, pyarrow = (pytest.importorskip(library) for library in ("pandas", "polars", "pyarrow"))
    labels = list(values)[::-1]
    columns = {"label": labels, "value": [values[label] for label in labels]}
    frame = pandas.DataFrame(columns)
    series = frame.set_index("label")["value"]
    return [values, series, series.to_frame(), frame, polars.DataFrame(columns), pyarrow.table(columns)]


@given(networks(directed=True), st.data())
@examples(10)
def test_the_same_groups_of_the_same_vertices_give_the_same_random_networks(network, data):
    assume(n := network.vertices)
    names = data.draw(st.permutations(range(n)) | st.permutations([f"v{i}" for i in range(n)]))
    graph = network.graph(labels=names)
    groups = data.draw(st.lists(st.sampled_from("xyz"), min_size=n, max_size=n))
    expected = take_groups(groups, graph)
    for form in forms_of(dict(zip(names, groups, strict=True))):
        group, known = take_groups(form, graph)
        assert (group.tolist(), known.tolist()) == (expected[0].tolist(), expected[1].tolist())


def test_positions_and_types_are_aligned_by_label(kite):
    pandas = pytest.importorskip("pandas")
    places = pandas.DataFrame({"x": [0, 1, 2, 3], "y": [0.5] * 4}, index=NAMES)
    aligned = Constraints.of(kite, positions=places.sample(frac=1, random_state=1))
    assert aligned.place.tolist() == [[x, 0.5, 0] for x in range(4)]
    types = pandas.Series(["a", "a", "b", "b"], index=NAMES)
    given, shuffled = (triadic.triad_census(kite, by="type", types=form).to_dict() for form in (types, types[::-1]))
    assert given == shuffled
    assert [given[place][-1] for place in ("name", "first", "second", "third")] == ["300", "a", "a", "b"]


@pytest.mark.parametrize("taker", TAKERS.values(), ids=TAKERS)
def test_a_mask_is_aligned_by_label(kite, numbered, taker):
    for graph in (kite, numbered):
        names = graph.labels.tolist()
        expected = repr(taker(graph, names[1:3]))
        for mask in forms_of(dict(zip(names, [False, True, True, False], strict=True))):
            assert repr(taker(graph, mask)) == expected
        assert repr(taker(graph, np.array([False, True, True, False]))) == expected


def test_an_index_of_numbers_is_aligned_where_the_graph_has_no_labels():
    pandas = pytest.importorskip("pandas")
    graph = Graph.from_edges(**KITE)
    assert values_at_vertices("groups", pandas.Series(list("dbca"), index=[3, 1, 2, 0]), graph).tolist() == list("abcd")
    assert values_at_vertices("groups", pandas.Series(list("abcd")), graph).tolist() == list("abcd")
    for index in ([1, 2, 3, 4], list("abcd"), [0.0, 1.0, 2.0, 3.0]):
        with pytest.raises(ArgumentError, match=r"groups: the index lacks the label 0.*set it to the numbers"):
            triadic.randomize(graph, groups=pandas.Series(list("abcd"), index=index))
    with pytest.raises(ArgumentError, match="groups: the index has 4, expected numbers below 4"):
        triadic.randomize(graph, groups=pandas.Series(list("abcde")))


def test_labels_in_a_series_are_in_the_order_of_the_vertices():
    pandas = pytest.importorskip("pandas")
    names = pandas.Series(NAMES)
    assert Graph.from_edges(**KITE, labels=names).labels.tolist() == NAMES
    for make in (
        lambda: Graph.from_edges(**KITE, labels=names.sort_values()),
        lambda: triadic.TemporalGraph.from_edges(**KITE, time=range(4), labels=names.sort_values()),
    ):
        with pytest.raises(ArgumentError, match=r"^labels: expected an index of 0, 1, 2, ..., got \[3, 2, 1\]; sort"):
            make()
    with pytest.raises(ArgumentError, match=r"^graph_of_vertex: expected an index of 0, 1, 2, "):
        triadic.GraphBatch.from_arrays([0], [1], pandas.Series([0, 0, 1], index=[2, 1, 0]))


def test_values_that_cannot_be_aligned_are_refused(kite, numbered):
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    types = pandas.Series(list("abcd"), index=NAMES)
    for form, words in [
        (
            types.reset_index(drop=True),
            "index lacks the label 'Valjean', 'Javert', 'Fantine' and 1 more, and begins",
        ),
        (
            types[["Fantine", "Valjean"]],
            "index lacks the label 'Javert', 'Cosette', and begins with 'Fantine', ",
        ),
        (types.iloc[[0, 1, 2, 3, 1]], "index has more than one row for 'Javert'"),
        (
            polars.DataFrame({"id": NAMES, "type": list("abcd")}),
            "expected a table .* in a column .label., got .*'id'",
        ),
        (pandas.DataFrame({"label": NAMES}), "got pandas.*DataFrame; expected a table in memory, with values"),
        (types.replace("b", None), "vertex Javert has none"),
        (types.astype("string").replace("b", pandas.NA), "vertex Javert has none"),
        (
            dict(zip(NAMES, ["a", float("nan"), "c", pandas.NA], strict=True)),
            "vertex Javert has none, and 2 vert",
        ),
        (np.ma.array([1, 2, 3, 4], mask=[0, 0, 0, 1]), "vertex Cosette has none"),
    ]:
        with pytest.raises(ArgumentError, match=f"^groups: (the )?{words}") as caught:
            triadic.randomize(kite, groups=form)
        assert "\n" not in str(caught.value)
    with pytest.raises(ArgumentError, match=r"begins with 2003\.0, 2001\.0, 2000\.0; set it to the labels"):
        triadic.randomize(numbered, groups=pandas.Series(1, index=numbered.labels.astype(float)))
    with pytest.raises(ArgumentError, match="vertices: expected a mask of True and False, got None"):
        kite.subgraph(pandas.Series([True, None, False, True], index=NAMES, dtype="boolean"))


# filter


@pytest.mark.parametrize("directed", [False, True])
def test_a_filter_keeps_the_edges_in_the_range_and_all_vertices(directed):
    weights = [5, 1, 3, 9]
    graph = Graph.from_edges(**KITE, weights=weights, labels=NAMES, directed=directed)
    for low, high in [(None, None), (2, None), (None, 5), (3, 5), (100, None)]:
        kept = graph.filter(weights=(low, high))
        chosen = [i for i, w in enumerate(weights) if (low is None or w >= low) and (high is None or w <= high)]
        expected = Graph.from_edges(
            [KITE["source"][i] for i in chosen],
            [KITE["target"][i] for i in chosen],
            num_vertices=4,
            weights=[weights[i] for i in chosen],
            labels=NAMES,
            directed=directed,
        )
        np.testing.assert_array_equal(kept.indptr, expected.indptr)
        np.testing.assert_array_equal(kept.indices, expected.indices)
        np.testing.assert_array_equal(kept.weights, expected.weights)
        assert (kept.num_edges, kept.num_arcs, kept.directed) == (expected.num_edges, expected.num_arcs, directed)
        assert kept.labels.tolist() == NAMES
        np.testing.assert_array_equal(triadic.triangles(kept), triadic.triangles(expected))


def test_a_filtered_edge_is_not_dropped():
    graph = Graph.from_edges([0, 0, 1, 1], [1, 1, 1, 2], weights=[1, 1, 1, 1])
    kept = graph.filter(weights=(2, None))
    assert kept.num_edges == 1
    assert kept.dropped == graph.dropped
    assert kept.origin == graph.origin
    assert graph.num_edges == 2


@pytest.mark.parametrize("weights", [3, (1,), (1, 2, 3), ("1", 2), (float("nan"), None), None])
def test_a_filter_takes_a_pair_of_limits(weights):
    graph = Graph.from_edges(**KITE, weights=[1, 2, 3, 4])
    with pytest.raises(ArgumentError, match="expected a pair of numbers or None"):
        graph.filter(weights=weights)
    with pytest.raises(ArgumentError, match=r"weights=\(3, 2\): expected the smaller weight first"):
        graph.filter(weights=(3, 2))


def test_a_graph_without_weights_cannot_be_filtered_by_them(kite):
    with pytest.raises(ArgumentError, match="the graph has no weights"):
        kite.filter(weights=(1, None))
