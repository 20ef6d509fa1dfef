"""Edges are kept by the values of their columns; the oracle looks at one edge after the other."""

from __future__ import annotations

import datetime as dt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.strategies import examples

import triadic
from triadic.errors import ArgumentError

COLUMNS = {
    "kind": np.array(["a", "b", None, "a"], dtype=object),
    "sure": np.array([True, None, False, True], dtype=object),
    "n": [1, 2, 3, 4],
    "x": [0.5, np.nan, 2, 3],
    "on": np.array(["2024-01-01", "NaT", "2024-02-01", "2024-03-01"], "M8[D]"),
    "ok": [True, False, True, True],
}


@pytest.fixture(params=[True, False])
def graph(request):
    return triadic.Graph.from_edges(
        range(4), range(1, 5), directed=request.param, weights=[1, 5, 9, 2], columns=COLUMNS
    )


@pytest.mark.parametrize(
    ("conditions", "kept"),
    [
        ({}, [0, 1, 2, 3]),
        ({"kind": "a"}, [0, 3]),
        ({"kind": {"a", "b"}}, [0, 1, 3]),
        ({"kind": [None, "b"]}, [1, 2]),
        ({"sure": True}, [0, 3]),
        ({"sure": [False, None]}, [1, 2]),
        ({"kind": np.array(["b"], dtype=object)}, [1]),
        ({"n": (2, 3)}, [1, 2]),
        ({"n": 2}, [1]),
        ({"n": [1, 4]}, [0, 3]),
        ({"n": []}, []),
        ({"x": (None, 2.5)}, [0, 2]),
        ({"x": (None, None)}, [0, 2, 3]),
        ({"x": None}, [1]),
        ({"on": ("2024-01-15", None)}, [2, 3]),
        ({"on": (dt.date(2024, 1, 15), dt.date(2024, 2, 1))}, [2]),
        ({"on": {"2024-01-01", None}}, [0, 1]),
        ({"ok": False}, [1]),
        ({"weights": (2, None), "kind": "a"}, [3]),
        ({"weight": (2, 5)}, [1, 3]),
    ],
)
def test_edges_are_kept_by_their_values(graph, conditions, kept):
    found = graph.filter(**conditions)
    assert found.edges()[0].tolist() == kept
    assert (found.num_vertices, found.directed, found.dropped) == (5, graph.directed, graph.dropped)
    assert found.columns["n"].tolist()[:: 1 if graph.directed else 2] == [COLUMNS["n"][place] for place in kept]
    assert triadic.triangles(found).tolist() == [0] * 5


@pytest.mark.parametrize(
    ("conditions", "words"),
    [
        ({"nope": 1}, "nope: the graph has no such column; its columns are weight, kind, sure, n, x, on, ok"),
        ({"kind": ("a", "b")}, "expected a pair, for a column of numbers or dates, or a list or set of values"),
        ({"ok": (0, 1)}, "expected a pair, for a column of numbers or dates"),
        ({"n": (1, 2, 3)}, "expected a pair"),
        ({"n": (3, 2)}, "expected the smaller value first"),
        ({"n": "x"}, "n: the column holds numbers, got 'x'"),
        ({"kind": 3}, "kind: the column holds texts, got 3"),
        ({"on": "soon"}, "on: the column holds dates, got 'soon'"),
        ({"ok": "yes"}, "ok: the column holds booleans, got 'yes'"),
    ],
)
def test_other_conditions_are_refused(graph, conditions, words):
    with pytest.raises(ArgumentError, match=words):
        graph.filter(**conditions)


def test_a_graph_without_columns_says_so():
    with pytest.raises(ArgumentError, match="kind: the graph has no such column; it has none"):
        triadic.Graph.from_edges([0], [1]).filter(kind="a")


VALUES = st.none() | st.integers(-3, 3)


@given(
    cells=st.lists(st.none() | st.floats(-3, 3).map(round), min_size=8, max_size=8),
    wanted=st.tuples(VALUES, VALUES) | st.lists(VALUES, max_size=4) | VALUES,
    directed=st.booleans(),
)
@examples(100)
def test_what_is_kept_is_what_the_oracle_keeps(cells, wanted, directed):
    def is_kept(cell):
        if isinstance(wanted, tuple):
            low, high = wanted
            return cell is not None and (low is None or cell >= low) and (high is None or cell <= high)
        return cell in wanted if isinstance(wanted, list) else cell == wanted

    if isinstance(wanted, tuple) and None not in wanted and wanted[0] > wanted[1]:
        return
    column = np.array([np.nan if cell is None else cell for cell in cells])
    source, target = [0, 1, 2, 3, 0, 1, 2, 0], [1, 2, 3, 4, 2, 3, 4, 3]
    graph = triadic.Graph.from_edges(source, target, directed=directed, columns={"cell": column})
    found = graph.filter(cell=wanted)
    expected = {
        ends for *ends, cell in zip(source, target, cells, strict=True) if is_kept(cell) for ends in [tuple(ends)]
    }
    assert set(zip(*(end.tolist() for end in found.edges()), strict=True)) == expected
