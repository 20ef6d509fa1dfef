"""``sample_of_sizes``: a sample of a model, where a number of vertices and one of edges are all that is known."""

from __future__ import annotations

from math import ceil, log2

import numpy as np

from triadic.errors import ArgumentError
from triadic.io.sampling import COLUMNS, MOST_ARCS, PLACES, SHARE
from triadic.planning.sample import Sample, runs

_TURNS = 8
# What the first pass takes of a model: making arcs, as a file of numbers would be decoded.
_MODEL_SECONDS = 10e-9


def sample_of_sizes(vertices: int, edges: int, *, directed: bool) -> Sample:
    """Take a sample of R-MAT, the model with the skew of a social network, of so many vertices and edges.

    Raises
    ------
    ArgumentError
    """
    from triadic.generate.recursive import RMat  # noqa: PLC0415 - compiled code that files do not need

    if vertices < 2 or edges < 1 or edges > vertices * (vertices - 1) // 2:
        raise ArgumentError(
            f"--vertices {vertices} --edges {edges}: expected 2 or more vertices and edges between them"
        )
    scale = max(2, ceil(log2(vertices)))
    taken = min(edges, max(MOST_ARCS, int(SHARE * edges)), 1 << 24)
    model = RMat(scale, edge_factor=64, seed=1)
    keys = np.empty(0, dtype=np.int64)
    for turn in range(_TURNS):  # until so many edges are different ones
        source, target = np.empty(taken, dtype=np.int64), np.empty(taken, dtype=np.int64)
        model.fill(turn * taken, source, target)
        low, high = np.minimum(source, target), np.maximum(source, target)
        keys, _ = runs(np.concatenate([keys, (low << scale | high)[low != high]]))
        if len(keys) >= taken:
            break
    np.random.default_rng(1).shuffle(keys)
    keys = keys[:taken]
    source, target = keys >> scale, keys & ((1 << scale) - 1)
    whole = taken == edges
    taken = len(keys)
    return Sample(
        source,
        target,
        np.arange(taken) * PLACES // taken,
        1 if whole else PLACES,
        1.0 if whole else PLACES * edges / taken,
        taken if whole else edges,
        vertices,
        directed,
        None,
        0,
        0,
        COLUMNS,
        _MODEL_SECONDS,
        _MODEL_SECONDS,
        "assuming degrees as skewed as those of R-MAT",
    )
