"""Weights are known by the name of their column, beside "weight"."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import triadic
from triadic.errors import ArgumentError

TABLE = pd.DataFrame({"pre": [1, 1, 2], "post": [2, 3, 3], "syn_count": [4, 9, 2], "side": ["L", "R", "L"]})


def _csv(folder: Path) -> Path:
    TABLE.to_csv(folder / "neurons.csv", index=False)
    return folder / "neurons.csv"


def _parquet(folder: Path) -> Path:
    pq.write_table(pa.Table.from_pandas(TABLE), folder / "neurons.parquet")
    return folder / "neurons.parquet"


def _networkx(_: Path) -> Any:
    return nx.from_pandas_edgelist(TABLE, "pre", "post", ["syn_count", "side"], create_using=nx.DiGraph)


def _graphml(folder: Path) -> Path:
    nx.write_graphml(_networkx(folder), folder / "neurons.graphml")
    return folder / "neurons.graphml"


def _graph(made: Any, weights: str | bool) -> triadic.Graph:
    read = triadic.read if isinstance(made, Path) else triadic.Graph
    return read(made, weights=weights, columns=["side"])


@pytest.mark.parametrize("make", [_csv, _parquet, _graphml, _networkx, lambda _: TABLE])
def test_weights_are_found_by_the_name_of_their_column(make: Any, tmp_path: Path) -> None:
    graph = _graph(make(tmp_path), "syn_count")
    assert list(graph.columns) == ["weight", "side"]
    assert "syn_count" in graph.columns
    assert graph.columns["syn_count"] is graph.columns["weight"]
    assert graph.filter(syn_count=(3, None)).num_edges == 2
    assert graph.filter(weight=(3, None), side="L").filter(syn_count=4).num_edges == 1
    assert graph.subgraph(graph.labels[:2]).filter(syn_count=4).num_edges == 1


@pytest.mark.parametrize("make", [_csv, _parquet, lambda _: TABLE])
def test_a_column_that_is_found_by_its_usual_name_keeps_it(make: Any, tmp_path: Path) -> None:
    graph = _graph(make(tmp_path), weights=True)
    assert graph.filter(syn_count=(3, None)).num_edges == 2


def test_no_other_name_is_known() -> None:
    graph = triadic.Graph(TABLE, weights="syn_count")
    assert None not in graph.columns
    with pytest.raises(KeyError):
        graph.columns["synapses"]
    with pytest.raises(ArgumentError, match="no such column"):
        graph.filter(synapses=3)
    with pytest.raises(ArgumentError, match="no such column"):
        triadic.Graph(TABLE).filter(syn_count=3)


def test_another_column_of_this_name_is_meant_first() -> None:
    graph = triadic.Graph(TABLE, weights="syn_count", columns=["syn_count"])
    assert graph.columns["syn_count"].dtype == np.int64
    assert graph.columns["weight"].dtype == np.float64
