"""The connected graphs of up to four vertices as they are drawn."""

from __future__ import annotations

from triadic.plot.shape import Shape

_THREE = ((0.0, 0.0), (0.5, 1.0), (1.0, 0.0))
_SQUARE = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
_RING = ((0, 1), (1, 2), (2, 3), (3, 0))

GRAPHLET_SHAPES = {
    "vertex": Shape(((0.5, 0.5),), ()),
    "edge": Shape(((0.0, 0.5), (1.0, 0.5)), ((0, 1),)),
    "2-path": Shape(_THREE, ((0, 1), (1, 2))),
    "triangle": Shape(_THREE, ((0, 1), (1, 2), (0, 2))),
    "3-path": Shape(_SQUARE, ((3, 0), (0, 1), (1, 2))),
    "claw": Shape(((0.5, 0.45), (0.5, 1.0), (0.0, 0.0), (1.0, 0.0)), ((0, 1), (0, 2), (0, 3))),
    "paw": Shape(((0.5, 0.55), (0.5, 1.0), (0.0, 0.0), (1.0, 0.0)), ((0, 1), (0, 2), (0, 3), (2, 3))),
    "4-cycle": Shape(_SQUARE, _RING),
    "diamond": Shape(_SQUARE, (*_RING, (0, 2))),
    "4-clique": Shape(_SQUARE, (*_RING, (0, 2), (1, 3))),
}
