"""Reading of a compressed edge list, compared with Arrow, and building with weights, compared with building without."""

from __future__ import annotations

from contextlib import contextmanager
from functools import partial

import numpy as np

import triadic
from contest import Cell, Contender, Goal, LeftOutError, Settings
from triadic.generate.model import make_arcs

_FILE = "web-NotreDame.txt.gz"
_HEADER_LINES = 4
_ARROW = "pyarrow, columns only"
_PLAIN = "triadic without weights"


def cells():
    yield Cell("read", _FILE.split(".", maxsplit=1)[0], _reading, {_ARROW: Goal(ratio=1 / 3)})
    for directed in (False, True):
        kind = "directed" if directed else "undirected"
        yield Cell("weights", f"{kind} R-MAT 20", partial(_building, directed), {_PLAIN: Goal(ratio=1 / 2)})


@contextmanager
def _reading(settings: Settings):
    import pyarrow as pa
    from pyarrow import csv

    path = settings.data / _FILE
    if not path.exists():
        raise LeftOutError(f"{path} does not exist; TRIADIC_DATA names another folder of networks")
    pa.set_cpu_count(settings.threads)

    def columns(_):
        return csv.read_csv(
            path,
            read_options=csv.ReadOptions(column_names=["source", "target"], skip_rows=_HEADER_LINES),
            parse_options=csv.ParseOptions(delimiter="\t"),
        )

    def entries(graph):
        return graph.num_arcs + graph.dropped.loops + graph.dropped.duplicates

    yield [
        Contender("triadic", count=lambda _: triadic.read(path), numbers=entries),
        Contender(_ARROW, count=columns, numbers=lambda table: table.num_rows),
    ]


@contextmanager
def _building(directed: bool, settings: Settings):
    arcs = make_arcs(triadic.generate.RMat(20, seed=1))
    weights = np.random.default_rng(1).random(len(arcs))

    def build(given):
        return lambda _: triadic.Graph.from_edges(
            arcs.source,
            arcs.target,
            num_vertices=arcs.vertices,
            directed=directed,
            weights=given,
            threads=settings.threads,
        )

    yield [
        Contender("triadic", count=build(weights), numbers=lambda graph: graph.num_arcs),
        Contender(_PLAIN, count=build(None), numbers=lambda graph: graph.num_arcs),
    ]
