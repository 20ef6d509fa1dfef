"""Generation of R-MAT networks, compared with `numpy.sort` of as many random 64-bit keys."""

from __future__ import annotations

from contextlib import contextmanager
from functools import partial

import numpy as np

import triadic
from contest import Cell, Contender, Goal, Settings
from networks import rmat_arcs

_SORT = "numpy.sort"
_SCALES = (18, 22)
_SCALE_OF_GOAL = 22


def cells():
    for topic, contenders in (("generate-arcs", _arcs), ("generate-graph", _graph)):
        for scale in _SCALES:
            goals = {_SORT: Goal(ratio=1 / 2)} if scale == _SCALE_OF_GOAL else {}
            yield Cell(topic, f"rmat-{scale}", partial(contenders, scale), goals)


@contextmanager
def _arcs(scale: int, settings: Settings):
    yield [Contender("triadic", count=lambda _: rmat_arcs(scale, settings), numbers=len), _sort(16 << scale)]


@contextmanager
def _graph(scale: int, settings: Settings):
    def entries(graph):
        dropped = graph.dropped
        return graph.num_edges + dropped.loops + dropped.duplicates + dropped.reciprocal_merged

    yield [
        Contender(
            "triadic",
            count=lambda _: triadic.generate.rmat(scale, seed=1, threads=settings.threads),
            numbers=entries,
        ),
        _sort(16 << scale),
    ]


def _sort(number: int) -> Contender:
    keys = np.random.default_rng(1).integers(0, 1 << 63, size=number, dtype=np.int64)
    return Contender(_SORT, count=lambda _: np.sort(keys), numbers=len)
