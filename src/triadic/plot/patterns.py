"""The drawing of a pattern: arrows, types in colours, absent arcs dashed and crossed, and its conditions."""

from __future__ import annotations

from itertools import combinations, permutations
from math import cos, dist, pi, sin
from typing import TYPE_CHECKING, Any

from triadic.core.pattern import Term, has_arc, turned
from triadic.plot.canvas import COLOURS, axes_for, colours_on, ink_of
from triadic.plot.subgraph_shapes import Shape

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from triadic.measures.patterns.pattern import Pattern

    Point = tuple[float, float]

PATTERN_SIZE = (2.6, 2.6)  # inches
_DISC = 15.0  # points, the radius of a vertex
_BEND = 0.3  # of absent arcs beside present ones


def draw_pattern(pattern: Pattern, ax: Axes | None) -> Axes:
    """Draw a pattern, as `triadic.Pattern.draw` describes."""
    ax, _ = axes_for(ax, f"the pattern {pattern.text!r}", PATTERN_SIZE, alone=True)
    from matplotlib.patches import FancyArrowPatch  # noqa: PLC0415 - an extra, and slow to import

    ink, places = ink_of(ax), _places(pattern)
    types, texts = _conditions(pattern)
    colours = dict(zip(dict.fromkeys(types.values()), colours_on(ax), strict=False))
    ax.set(xlim=(-1.6, 1.6), ylim=(-1.6, 1.6), aspect="equal")
    ax.set_axis_off()
    for i, j in combinations(range(len(places)), 2):
        states = pattern.states[i][j]
        to, back = has_arc(states), has_arc(turned(states))
        no, never = not states & 0b1010, not states & 0b1100
        lines: list[tuple[str, float, Any]] = [] if states & 1 else [(f"{'<|' * back}-{'|>' * to}", 0.0, "-")]
        (x, y), (right, top) = places[i], places[j]
        if (no or never) and not pattern.induced:  # which has no other arcs than those that are drawn
            outward = 1 if (x + right) * (top - y) > (y + top) * (right - x) else -1
            bend = outward * _BEND * (not states & 1)
            lines.append(("-" if no and never else "-|>" if no else "<|-", bend, (0, (4, 3))))
            middle = (x + right + bend * (top - y)) / 2, (y + top - bend * (right - x)) / 2
            ax.plot(*middle, "x", color=COLOURS[1], markersize=8, markeredgewidth=2, zorder=2)
        for heads, bend, dashes in lines:
            arrow = FancyArrowPatch(
                places[i], places[j], arrowstyle=heads, connectionstyle=f"arc3,rad={bend}", mutation_scale=13,
                shrinkA=_DISC, shrinkB=_DISC, color=ink, zorder=1, linewidth=1.3, linestyle=dashes
            )  # fmt: skip
            ax.add_patch(arrow)
    words: dict[str, Any] = {"ha": "center", "color": ink}
    for v, (x, y) in enumerate(places):
        face = (colours.get(types[v], ink), 0.45) if v in types else "none"
        ax.plot(x, y, "o", markersize=1.7 * _DISC, markerfacecolor=face, markeredgecolor=ink, zorder=2)
        ax.text(x, y, pattern.names[v], va="center", zorder=3, **words)
        if v in types:
            place = (0.0, _DISC if y > 0 else -_DISC)
            side = "bottom" if y > 0 else "top"
            ax.annotate(str(types[v]), (x, y), place, textcoords="offset points", va=side, fontsize="small", **words)
    if texts:
        ax.text(0, -1.6, "\n".join(texts), va="top", fontsize="small", **words)
    return ax


def _conditions(pattern: Pattern) -> tuple[dict[int, Any], list[str]]:
    """Return the types of vertices, values of the first column that one is equal to, and other conditions as texts."""
    types, texts, of = dict[int, Any](), list[str](), None
    for each in pattern.shape.conditions:
        left, right = (
            f"{' → '.join(pattern.names[v] for v in side.vertices)}.{side.column}" if isinstance(side, Term) else side
            for side in (each.left, each.right)
        )
        is_type = each.operator == "=" and right is each.right and len(each.left.vertices) == 1
        of = of or each.left.column * is_type
        if is_type and of == each.left.column:
            types[each.left.vertices[0]] = right
        else:
            texts.append(f"{left} {each.operator} {right if isinstance(each.right, Term) else repr(right)}")
    return types, texts


def shape_of(pattern: Pattern) -> Shape:
    """Return the small drawing of a pattern, without its conditions and absent arcs."""
    pairs = [(i, j) for i, j in permutations(range(pattern.shape.size), 2) if not pattern.states[i][j] & 1]
    places = tuple(((x + 1) / 2, (y + 1) / 2) for x, y in _places(pattern))
    arcs = tuple((i, j) for i, j in pairs if has_arc(pattern.states[i][j]))
    return Shape(places, tuple((i, j) for i, j in pairs if i < j), arcs)


def _places(pattern: Pattern) -> list[Point]:
    """Return a place on a polygon for each vertex, so that lines are short."""
    size = pattern.shape.size
    turns = [pi / 2 + pi * (size in (2, 4)) / size - 2 * pi * corner / size for corner in range(size)]
    points = [(cos(turn), sin(turn)) for turn in turns]
    pairs = [(i, j) for i, j in combinations(range(size), 2) if not pattern.states[i][j] & 1]

    def length(order: tuple[int, ...]) -> float:
        return round(sum(dist(points[order[i]], points[order[j]]) for i, j in pairs), 6)

    return [points[place] for place in min(permutations(range(size)), key=length)]
