"""Values that a count takes of the weights of edges, made when a tile is loaded."""

from __future__ import annotations

from dataclasses import dataclass
from math import frexp, isfinite
from typing import TYPE_CHECKING, Literal

import numpy as np

from triadic.errors import ArgumentError
from triadic.tiles.tile import Tile

if TYPE_CHECKING:
    from triadic.core.array_types import Float64Array
    from triadic.tiles.layout import Layout


Joined = Literal["sum", "once"]


@dataclass(frozen=True, slots=True)
class EdgeValues:
    """Values of edges: weights divided by a number, or the cube roots of these, divided by a power of two.

    The value of an edge with arcs in both directions is the sum of the values of its arcs, or, without directions, the
    value of the sum of their weights, or of the weight of either if they are equal and count once.

    Attributes
    ----------
    scale : float
        Number by which weights are divided.
    cube_root : bool
        Whether the values are cube roots.
    exponent : int
        Power of two that no value exceeds, and by which values are divided, so that their absolute value is 1 at most.
    joined : {"sum", "once"}, optional
        What becomes of the weights of arcs both ways in a network without directions; by default directions count.
    """

    scale: float
    cube_root: bool
    exponent: int
    joined: Joined | None = None

    @property
    def name(self) -> str:
        """Name that differs between different values of the same weights, for files."""
        kind = f"{'cube-roots' if self.cube_root else 'weights'}-over-{self.scale.hex()}"
        return f"undirected-{self.joined}-{kind}" if self.joined else kind

    def of(self, tile: Tile) -> Float64Array:
        """Return the values of the entries of a tile with weights: float64, shape (entries,)."""
        assert tile.weights is not None  # noqa: S101 - of tiles with weights
        values, of_arcs = np.zeros(0), tile.weights
        if self.joined:
            of_arcs = of_arcs.sum(axis=0, keepdims=True) / (2 if self.joined == "once" else 1)
        for kind, weights in enumerate(of_arcs):
            of_kind = weights / self.scale
            if self.cube_root:
                np.cbrt(of_kind, out=of_kind)
            values = of_kind if kind == 0 else np.add(values, of_kind, out=values)
        return np.ldexp(values, -self.exponent, out=values)

    def applied(self, tile: Tile) -> Tile:
        """Return a tile with values in place of weights, float64 of shape (1, edges), and without states."""
        return Tile(tile.indptr, tile.indices, None, self.of(tile)[None])


@dataclass(frozen=True, slots=True)
class EdgeSigns:
    """Signs of the edges of an undirected graph, which tiles then have in place of states.

    Attributes
    ----------
    positive, negative : int
        States that stand for the signs.
    """

    positive: int
    negative: int

    @property
    def name(self) -> str:
        """Name of the values, for files."""
        return "signs"

    def applied(self, tile: Tile) -> Tile:
        """Return a tile with the signs of its weights in place of states.

        Raises
        ------
        ArgumentError
            If a weight is neither +1 nor -1.
        """
        assert tile.weights is not None  # noqa: S101 - of tiles with weights
        weights = tile.weights[0]
        wrong = np.flatnonzero(np.abs(weights) != 1)
        if len(wrong):
            raise ArgumentError(f"weights: expected +1 and -1 alone, got {weights[wrong[0]]:g}")
        state = np.where(weights < 0, np.uint8(self.negative), np.uint8(self.positive))
        return Tile(tile.indptr, tile.indices, state)


def edge_values(layout: Layout, scale: float, *, cube_root: bool, joined: Joined | None = None) -> EdgeValues:
    """Return the values of the edges of tiles with weights.

    Parameters
    ----------
    layout : Layout
        The layout of the tiles, with the limits of their weights.
    scale : float
        Number by which weights are divided, finite and not 0.
    cube_root : bool
        Whether the values are the cube roots of the quotients.
    joined : {"sum", "once"}, optional
        What becomes of the weights of arcs both ways before the division, if directions are ignored.

    Raises
    ------
    ArgumentError
        If the quotients exceed the range of float64.
    """
    assert layout.weight_limits is not None  # noqa: S101 - of tiles with weights
    # Of joined weights, no limit of the header is used: the weights of arcs are compared with their limits alone.
    with np.errstate(over="ignore"):
        bound = float(np.abs(np.array(layout.weight_limits) / scale * (layout.kinds if joined == "sum" else 1)).max())
    if not isfinite(bound):
        raise ArgumentError(f"weights: after division by {scale:g}, some exceed the range of float64")
    bound = float(np.cbrt(bound)) if cube_root else bound
    _, exponent = frexp(bound)
    return EdgeValues(float(scale), cube_root, exponent + (0 if joined else layout.kinds - 1), joined)
