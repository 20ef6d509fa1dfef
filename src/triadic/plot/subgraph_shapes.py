"""Shapes of the sixteen triads and of the connected graphs of up to four vertices."""

from __future__ import annotations

from triadic.plot.shape import Shape

# States of the dyads left-top, left-right and top-right: 1 for an arc to the second vertex, 2 for an arc back, 3 for
# both. Each type is drawn so that its letter can be seen: Down from the top vertex, Up to it, a Chain through it,
# Transitive, Cyclic.
DYADS = {
    "003": (0, 0, 0),
    "012": (0, 1, 0),
    "102": (0, 3, 0),
    "021D": (2, 0, 1),
    "021U": (1, 0, 2),
    "021C": (1, 0, 1),
    "111D": (3, 0, 2),
    "111U": (3, 0, 1),
    "030T": (1, 1, 1),
    "030C": (1, 2, 1),
    "201": (3, 0, 3),
    "120D": (2, 3, 1),
    "120U": (1, 3, 2),
    "120C": (1, 3, 1),
    "210": (1, 3, 3),
    "300": (3, 3, 3),
}

_LEFT_TOP_RIGHT = ((0.0, 0.0), (0.5, 1.0), (1.0, 0.0))
_ENDS = ((0, 1), (0, 2), (1, 2))


def _shape(dyads: tuple[int, int, int]) -> Shape:
    edges = [ends for ends, state in zip(_ENDS, dyads, strict=True) if state]
    arcs = [(a, b) for (a, b), state in zip(_ENDS, dyads, strict=True) if state & 1]
    back = [(b, a) for (a, b), state in zip(_ENDS, dyads, strict=True) if state & 2]
    return Shape(_LEFT_TOP_RIGHT, tuple(edges), tuple(arcs + back))


TRIAD_SHAPES = {name: _shape(dyads) for name, dyads in DYADS.items()}

_SQUARE = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
_RING = ((0, 1), (1, 2), (2, 3), (3, 0))

GRAPHLET_SHAPES = {
    "vertex": Shape(((0.5, 0.5),), ()),
    "edge": Shape(((0.0, 0.5), (1.0, 0.5)), ((0, 1),)),
    "2-path": Shape(_LEFT_TOP_RIGHT, ((0, 1), (1, 2))),
    "triangle": Shape(_LEFT_TOP_RIGHT, ((0, 1), (1, 2), (0, 2))),
    "3-path": Shape(_SQUARE, ((3, 0), (0, 1), (1, 2))),
    "claw": Shape(((0.5, 0.45), (0.5, 1.0), (0.0, 0.0), (1.0, 0.0)), ((0, 1), (0, 2), (0, 3))),
    "paw": Shape(((0.5, 0.55), (0.5, 1.0), (0.0, 0.0), (1.0, 0.0)), ((0, 1), (0, 2), (0, 3), (2, 3))),
    "4-cycle": Shape(_SQUARE, _RING),
    "diamond": Shape(_SQUARE, (*_RING, (0, 2))),
    "4-clique": Shape(_SQUARE, (*_RING, (0, 2), (1, 3))),
}
