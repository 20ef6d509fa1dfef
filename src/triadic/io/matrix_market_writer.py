"""Writing Matrix Market, by ``scipy.io.mmwrite``."""

from __future__ import annotations

from typing import TYPE_CHECKING, BinaryIO, cast

import numpy as np
import scipy.io
from scipy.sparse import coo_array

from triadic.io.edge_blocks import edge_blocks
from triadic.io.whole_file import whole_stream

if TYPE_CHECKING:
    import pyarrow as pa

    from triadic.graph.graph import Graph


def write_matrix_market(graph: Graph, path: str) -> None:
    """Write a graph as a square matrix: symmetric if it is undirected, of pattern kind if it has no weights.

    Parameters
    ----------
    graph : Graph
        Its labels are not written: the format has no place for them.
    path : str
        Packed if it ends in ``.gz`` or ``.zst``.

    Raises
    ------
    WriteError
        The file cannot be written.
    """
    blocks = list(edge_blocks(graph))
    nothing = np.empty(0, dtype=np.int32)
    source = np.concatenate([block.source for block in blocks] or [nothing])
    target = np.concatenate([block.target for block in blocks] or [nothing])
    weights = [np.ones(len(block.source)) if block.weights is None else block.weights for block in blocks]
    # A symmetric matrix is written by its lower triangle, and an undirected edge has the smaller vertex first.
    ends = (source, target) if graph.directed else (target, source)
    shape = (graph.num_vertices, graph.num_vertices)
    matrix = coo_array((np.concatenate(weights or [np.empty(0)]), ends), shape=shape)
    with whole_stream(path) as stream:
        scipy.io.mmwrite(
            cast("BinaryIO", _OnlyWrite(stream)),
            matrix,
            comment="written by triadic",
            field="pattern" if graph.weights is None else "real",
            symmetry="general" if graph.directed else "symmetric",
        )


class _OnlyWrite:
    """What scipy needs of a stream; of a whole one it would ask for its place, which a packed stream does not know."""

    def __init__(self, stream: pa.NativeFile) -> None:
        self._stream = stream

    def write(self, part: bytes) -> int:
        self._stream.write(part)
        return len(part)
