"""The error for weights that cannot be combined: a task knows ranks, and the client names the vertices."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from triadic.errors import ArgumentError, ReadError
from triadic.graph.weights import wrong_weights
from triadic.tiles.cluster.tiling.pieces import read_parts

if TYPE_CHECKING:
    from triadic.devices.cpu.orient.bucket_keys import Wrong
    from triadic.tiles.cluster.tiling.pieces import PieceSet
    from triadic.tiles.partition import Grid
    from triadic.tiles.store import TileStore


class UncombinedWeightsError(ArgumentError):
    """The weights of an edge cannot be combined; the client names its vertices.

    Attributes
    ----------
    wrong : Wrong
        What is wrong with them.
    ranks : (int, int)
        Ranks of the row and of the column.
    """

    def __init__(self, wrong: Wrong, ranks: tuple[int, int]) -> None:
        super().__init__(wrong, ranks)  # the arguments, as an exception is sent by them
        self.wrong, self.ranks = wrong, ranks


def named_error(
    error: UncombinedWeightsError,
    store: TileStore,
    placed: PieceSet,
    grid: Grid,
    labels: str | None,
    *,
    directed: bool,
    both: int,
    equal: int,
) -> ArgumentError:
    """Return the error that names the vertices of the edge.

    Parameters
    ----------
    error : UncombinedWeightsError
        The error of the task.
    store : TileStore
        The work folder.
    placed : PieceSet
        The pieces with the vertices and labels of each fine range.
    grid : Grid
        The fine ranges.
    labels : str or None
        Kind of the labels.
    directed : bool
        Whether the graph is directed.
    both, equal : int
        Arguments of `wrong_weights`.
    """
    (row, row_name), (column, column_name) = (_vertex_at(store, placed, grid, rank, labels) for rank in error.ranks)
    names = {row: row_name, column: column_name}
    return wrong_weights(
        error.wrong, (row, column), lambda end: f"vertex {names[end]}", directed=directed, both=both, equal=equal
    )


def _vertex_at(store: TileStore, placed: PieceSet, grid: Grid, rank: int, labels: str | None) -> tuple[int, int | str]:
    """Return the vertex of a rank, and its label or, without labels, the vertex again; for messages."""
    fine = int(np.searchsorted(grid.cuts, rank, side="right")) - 1
    for place, vertices, *of_labels in read_parts(store, placed.part(fine)):
        for found in np.flatnonzero(place == rank - grid.cuts[fine]).tolist():
            vertex = int(vertices[found])
            if labels == "numbers":
                return vertex, int(of_labels[0][found])
            if labels == "names":
                ends = np.cumsum(of_labels[1].astype(np.int64))
                name = of_labels[0][ends[found] - int(of_labels[1][found]) : ends[found]]
                return vertex, name.tobytes().decode()
            return vertex, vertex
    raise ReadError(store.place, f"is damaged: no vertex has the rank {rank}")
