"""`PatternCounts` is a transformer of scikit-learn whose columns are the counts of each graph, or of each vertex."""

from __future__ import annotations

import sys
from importlib import import_module

import networkx as nx
import numpy as np
import pytest

import triadic
from triadic.errors import ArgumentError, MissingExtraError

pytest.importorskip("sklearn")

from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils import estimator_checks

from triadic.features import PatternCounts

GRAPHS = [nx.gnp_random_graph(n, 0.4, seed=n) for n in (3, 7, 9, 8, 12, 10)]
CLASSES = [0, 1, 0, 1, 0, 1]
OF = [
    "A - B - C",
    triadic.Pattern("A - B - C - D - A", induced=True),
    "triangles",
    "cliques",
    "graphlets",
    "clustering",
]


@pytest.mark.parametrize("of", [*OF, OF[:2], ["triangles", OF[0]]], ids=str)
def test_a_row_of_a_graph_has_its_counts(of):
    counts = PatternCounts(of)
    rows = counts.fit_transform(GRAPHS)
    names = counts.get_feature_names_out()
    assert rows.shape == (len(GRAPHS), len(names))
    for graph, row in zip(GRAPHS, rows.tolist(), strict=True):
        found = triadic.count(graph, of)
        if of == "cliques":
            found = {f"cliques of {size}": number for size, number in found.items()}
        if isinstance(found, int):
            assert row == [found]
        else:
            assert row == pytest.approx([found.get(name, 0) for name in names])
    assert np.array_equal(counts.transform(triadic.GraphBatch.from_graphs(GRAPHS)), rows)
    assert np.array_equal(counts.fit(GRAPHS).transform(GRAPHS), rows)


def test_a_row_of_a_vertex_has_its_counts():
    of = ["degree", "A - B - C", "triads"]
    counts = PatternCounts(of, by="vertex")
    expected = [np.asarray(triadic.vertex_table(graph, of)) for graph in GRAPHS]
    assert np.array_equal(counts.fit_transform(GRAPHS), np.vstack(expected))
    for graph, rows in zip(GRAPHS, expected, strict=True):
        assert np.array_equal(counts.transform(graph), rows)
    assert list(counts.get_feature_names_out()[:4]) == ["degree", "A - B - C: A", "A - B - C: B", "triad 003"]


def test_the_columns_are_those_of_the_training_data():
    counts = PatternCounts("cliques").fit([nx.complete_graph(3), nx.path_graph(2)])
    assert list(counts.get_feature_names_out()) == ["cliques of 1", "cliques of 2", "cliques of 3"]
    assert counts.transform([nx.complete_graph(5)]).tolist() == [[5, 10, 10]]
    assert counts.transform([nx.empty_graph(2)]).tolist() == [[2, 0, 0]]
    assert PatternCounts("cliques", size=(3, 4)).fit_transform([nx.complete_graph(5)]).tolist() == [[10, 5]]


def test_it_is_a_step_of_a_pipeline_and_its_options_are_searched():
    steps = make_pipeline(PatternCounts(), StandardScaler(), LogisticRegression())
    assert cross_val_score(steps, GRAPHS, CLASSES, cv=3).shape == (3,)
    options = {"patterncounts__patterns": ["graphlets", ["triangles", "A - B - C"]], "patterncounts__size": [None]}
    found = GridSearchCV(steps, options, cv=3, error_score="raise").fit(GRAPHS, CLASSES)
    assert len(found.predict(GRAPHS)) == len(GRAPHS)
    assert list(steps.fit(GRAPHS, CLASSES)[:-1].get_feature_names_out())[:2] == ["edge", "2-path"]


def test_output_is_a_data_frame_if_it_is_set():
    frame = PatternCounts("graphlets", size=3).set_output(transform="pandas").fit(GRAPHS).transform(GRAPHS)
    assert list(frame.columns) == ["edge", "2-path", "triangle"]
    assert frame["edge"].tolist() == [graph.size() for graph in GRAPHS]
    polars = PatternCounts("triangles", by="vertex").set_output(transform="polars").fit_transform(GRAPHS[1])
    assert polars["triangles"].to_list() == list(nx.triangles(GRAPHS[1]).values())


@pytest.mark.parametrize(
    "check",
    [  # the other checks of scikit-learn fit matrices of numbers, which are no graphs
        "check_estimator_cloneable",
        "check_estimator_repr",
        "check_no_attributes_set_in_init",
        "check_parameters_default_constructible",
        "check_get_params_invariance",
        "check_set_params",
    ],
)
def test_checks_of_scikit_learn_that_need_no_matrix(check):
    function = getattr(estimator_checks, check, None)
    if function is None:
        pytest.skip("this version of scikit-learn has no such check")
    function("PatternCounts", PatternCounts())


def test_a_clone_is_not_fitted_and_has_the_same_options():
    counts = PatternCounts(OF, by="vertex", size=4, threads=1).fit(GRAPHS)
    again = clone(counts)
    assert again.get_params() == counts.get_params()
    for call in (lambda: again.transform(GRAPHS), again.get_feature_names_out):
        with pytest.raises(NotFittedError):
            call()


def test_what_is_no_list_of_graphs_is_refused():
    for wrong, message in [
        (GRAPHS[0], "graphs: got one networkx.classes.graph.Graph; expected a list or a dict of graphs"),
        ([], "graphs: expected at least one graph"),
        (np.zeros((3, 3)), "graphs: got numpy.ndarray; expected a list or a dict of graphs"),
    ]:
        with pytest.raises(ArgumentError, match=message):
            PatternCounts().fit(wrong)
    with pytest.raises(ArgumentError, match="by='edge': expected one of 'graph', 'vertex'"):
        PatternCounts(by="edge").fit(GRAPHS)
    with pytest.raises(ArgumentError, match="of='triangels': expected one of"):
        PatternCounts("triangels").fit(GRAPHS)


def test_without_scikit_learn_the_error_tells_what_to_install(monkeypatch):
    monkeypatch.delitem(sys.modules, "triadic.features")
    monkeypatch.setattr("triadic.core.checked.find_spec", lambda name: None if name == "sklearn" else name)
    with pytest.raises(MissingExtraError, match=r"triadic.features needs sklearn, .*pip install 'triadic\[sklearn\]'"):
        import_module("triadic.features")
