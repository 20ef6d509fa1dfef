"""Deviations of the counts of a network from random networks: rows of tables, ranked sentences, drawn subgraphs."""

from __future__ import annotations

from math import inf, isnan
from typing import TYPE_CHECKING, NamedTuple

from triadic.core.formatting import format_p, format_q
from triadic.core.graphlets import GRAPH_NAMES
from triadic.core.records import value_class
from triadic.measures.census import TriadCensus
from triadic.plot.subgraph_shapes import GRAPHLET_SHAPES, TRIAD_SHAPES, Point, Shape, strokes_of
from triadic.reports.tables import (
    format_coefficient,
    format_multiple,
    format_number,
    format_ratio,
    format_score,
    format_spread,
    unbroken,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from triadic.measures.significance.result import Significance
    from triadic.reports.findings import Findings

_WIDTH, _HEIGHT = 30.0, 24.0
_MUTUAL_PAIR = Shape(((0.0, 0.5), (1.0, 0.5)), ((0, 1),), ((0, 1), (1, 0)))
_SHAPES = {**TRIAD_SHAPES, **GRAPHLET_SHAPES, "mutual pair": _MUTUAL_PAIR}

TRIAD_WORDS = {
    "003": "no arc",
    "012": "a single arc",
    "102": "a single mutual pair",
    "021D": "one vertex points at two",
    "021U": "two vertices point at one",
    "021C": "a chain of two arcs",
    "111D": "an arc to a mutual pair",
    "111U": "an arc from a mutual pair",
    "030T": "a feed-forward loop",
    "030C": "a cycle of three arcs",
    "201": "two mutual pairs that share a vertex",
    "120D": "one vertex points at a mutual pair",
    "120U": "a mutual pair points at one vertex",
    "120C": "a chain closed by a mutual pair",
    "210": "two mutual pairs and an arc",
    "300": "three mutual pairs",
}

NOTABLE = 2.0  # standard deviations
_STRONGER = (5.0, 20.0)  # from which on the colour is stronger


@value_class
class Row:
    """A count and its expectation.

    `std` is None if the expectation is exact, and `p`, `q` and `resolution` are 0 then.
    """

    name: str
    count: int | float
    mean: float
    std: float | None
    z: float
    p: float
    q: float
    resolution: float

    @property
    def strength(self) -> float:
        """Size of the z-score; infinite where only the network itself differs, 0 where nothing differs."""
        return abs(self.z) if not isnan(self.z) else inf if self.count != self.mean and self.p else 0.0

    @property
    def side(self) -> str:
        """Whether the count is "more" or "fewer" than expected, or "same" within two standard deviations."""
        if self.strength < NOTABLE:
            return "same"
        return "more" if self.count > self.mean else "fewer"

    @property
    def level(self) -> str:
        """Name of the colour: the side and, from 1 to 3, the strength."""
        return "same" if self.side == "same" else f"{self.side}-{1 + sum(self.strength >= z for z in _STRONGER)}"

    @property
    def counted(self) -> str:
        """The count as text."""
        return f"{self.count:,}" if isinstance(self.count, int) else format_coefficient(self.count)

    @property
    def expected(self) -> str:
        """The expectation as text."""
        return format_number(self.mean) if self.std is None else format_spread(self.mean, self.std)

    @property
    def ratio(self) -> str:
        """The count as a multiple of its expectation, as text."""
        return f"{format_multiple(self.count / self.mean)} ×" if self.mean else "–"

    @property
    def score(self) -> str:
        """The z-score as text."""
        return "undefined" if self.strength == inf else format_score(self.z)

    @property
    def probability(self) -> str:
        """The p-value as text; empty if the expectation is exact."""
        return unbroken(format_p(self.p, self.resolution)) if self.resolution else ""

    @property
    def discovery(self) -> str:
        """The false discovery rate as text; empty if the expectation is exact."""
        return unbroken(format_q(self.q, self.p, self.resolution)) if self.resolution else ""

    @property
    def how_often(self) -> str:
        """Clause that says how often something occurs, compared with random networks."""
        if not self.count:
            return "never, unlike in" if self.side == "fewer" else "never, as in most"
        if self.side == "same":
            return "about as often as in"
        return f"{format_ratio(self.count / self.mean)} in" if self.mean else f"{self.counted} times, and never in"


class Finding(NamedTuple):
    """A sentence about a deviation, its row, the section with more about it, and the subgraph that it is about."""

    sentence: str
    row: Row
    section: str
    subgraph: str


def rows_of(compared: Significance | TriadCensus, names: Iterable[str] = ()) -> list[Row]:
    """Return a row for each name: triads in the order of their types, and graphlets in that of G0 to G29.

    Parameters
    ----------
    compared : Significance or TriadCensus
        Counts compared with random networks, or with their exact expectation under the null model U|MAN.
    names : iterable of str, optional
        Names of the rows; by default all.
    """
    chosen = in_order(names or compared)
    if isinstance(compared, TriadCensus):
        mean, z = compared.expected(), compared.z_scores()
        return [Row(name, compared[name], mean[name], None, z[name], 0.0, 0.0, 0.0) for name in chosen]
    found = ((name, compared[name]) for name in chosen)
    return [Row(name, r.count, r.mean, r.std, r.z, r.p, r.q, compared.resolution) for name, r in found]


def triad_rows(found: Findings) -> list[Row]:
    """Return the rows of the sixteen triads of a directed network."""
    return [] if found.census is None else rows_of(found.compared.get("triads", found.census))


def strongest(found: Findings, of: str) -> list[Row]:
    """Return the row that exceeds its expectation the most and the one that falls short of it the most.

    Of "triads" the connected ones, as the others say little more than that a network is sparse; of "graphlets" those of
    four vertices, as transitivity says the same of the others.
    """
    rows = triad_rows(found)[3:] if of == "triads" else rows_of(found.compared[of])[2:] if of in found.compared else []
    return extremes(rows)


def extremes(rows: Iterable[Row]) -> list[Row]:
    """Return the row that exceeds its expectation the most and the one that falls short of it the most."""
    first: dict[str, Row] = {}
    for row in sorted(rows, key=lambda row: -row.strength):
        first.setdefault(row.side, row)
    return [first[side] for side in ("more", "fewer") if side in first]


def findings_of(found: Findings) -> list[Finding]:
    """Return the main deviations of a network from random networks, the strongest first."""
    findings: list[Finding] = []
    for of, name, subgraph, begin, end in (
        ("clustering", "transitivity", "triangle", "Two neighbours of a vertex are joined", ": transitivity"),
        ("clustering", "average_clustering", "triangle", "Around an average vertex, two neighbours are joined", ""),
        ("reciprocity", "mutual pairs", "mutual pair", "Two vertices point at each other", ": mutual pairs"),
    ):
        if of in found.compared:
            (row,) = rows_of(found.compared[of], [name])
            findings.append(Finding(f"{begin} {row.how_often} random networks{end}.", row, of, subgraph))
    findings += [
        Finding(
            f"{row.name}, {TRIAD_WORDS[row.name]}, occurs {row.how_often} random networks.", row, "triads", row.name
        )
        for row in strongest(found, "triads")
    ]
    findings += [
        Finding(f"The induced {row.name} occurs {row.how_often} random networks.", row, "graphlets", row.name)
        for row in strongest(found, "graphlets")
    ]
    deviations = [finding for finding in findings if finding.row.strength]
    return sorted(deviations, key=lambda finding: -finding.row.strength)


def subgraph_svg(name: str) -> str:
    """Return a drawing of a triad, a graphlet or a "mutual pair" as an SVG element in the colour of the text.

    Examples
    --------
    >>> subgraph_svg("003").count("circle"), subgraph_svg("4-cycle").count("circle")
    (3, 4)
    """
    strokes = strokes_of(_SHAPES[name], _WIDTH, _HEIGHT)
    lines = "".join(f"M{_coordinates(a)}L{_coordinates(b)}" for a, b in strokes.lines)
    heads = "".join(f"M{'L'.join(map(_coordinates, head))}Z" for head in strokes.heads)
    discs = "".join(f'<circle cx="{x:.1f}" cy="{_HEIGHT - y:.1f}" r="{strokes.radius:.1f}"/>' for x, y in strokes.discs)
    return (
        f'<svg class="subgraph" viewBox="0 0 {_WIDTH:.0f} {_HEIGHT:.0f}" width="{_WIDTH:.0f}" height="{_HEIGHT:.0f}" '
        f'aria-hidden="true"><path class="line" d="{lines}"/><path d="{heads}"/>{discs}</svg>'
    )


def in_order(names: Iterable[str]) -> list[str]:
    """Return names in the order of all tables and plots: graphlets in that of G0 to G29, and others as they come.

    Examples
    --------
    >>> in_order(["claw", "paw", "4-cycle"]), in_order(["003", "012"])
    (['claw', '4-cycle', 'paw'], ['003', '012'])
    """
    places = {name: place for place, name in enumerate(GRAPH_NAMES)}
    return sorted(names, key=lambda name: places.get(name, -1))


def _coordinates(point: Point) -> str:
    return f"{point[0]:.1f} {_HEIGHT - point[1]:.1f}"
