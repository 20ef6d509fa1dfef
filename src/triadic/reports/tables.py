"""The numbers of a report as text: headline, degrees, components, lists of vertices, and how numbers are set in type.

Numbers are those of `triadic.core.formatting` with a minus sign, powers of ten, and a dash for no number.
"""

from __future__ import annotations

from collections import Counter
from math import floor, log10
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from triadic.convert.result_table import cells
from triadic.core import formatting
from triadic.core.formatting import format_length, plural
from triadic.graph.graph import weight_limits
from triadic.graph.weights import WEIGHT
from triadic.measures.clustering import count_of, mean_clustering, transitivity_of
from triadic.measures.temporal import rows_decide
from triadic.measures.triads import dyads_of

if TYPE_CHECKING:
    from triadic.core.array_types import AnyArray, Int64Array
    from triadic.graph.graph import Graph
    from triadic.graph.temporal import TemporalGraph
    from triadic.measures.temporal import TemporalMotifs
    from triadic.reports.findings import Findings

_LISTED, _FREQUENT = 10, 3  # vertices of a list, values of a column
NO_BREAK = "\u00a0"  # a space at which no line ends
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


class Fact(NamedTuple):
    """A name, its value, and an explanation."""

    name: str
    value: str
    note: str = ""


class ColumnSummary(NamedTuple):
    """A column of the vertices or of the edges, and what its values are, as text."""

    name: str
    of: str
    values: str


class VertexList(NamedTuple):
    """Vertices with the number that orders them and another number, as text."""

    heading: str
    columns: tuple[str, str]
    rows: list[tuple[str, str, str]]


def headline(found: Findings) -> list[Fact]:
    """Return the eight main numbers of a network."""
    graph, degree, largest = found.graph, found.degree, int(found.components.max(initial=0))
    n, isolated = graph.num_vertices, int(np.count_nonzero(found.degree == 0))
    density = f"join {format_share(graph.num_edges, n * (n - 1) // 2)} of all pairs"
    mean = Fact("mean degree", f"{2 * graph.num_edges / max(1, n):,.3g}", "neighbours of a vertex")
    if graph.directed:
        mutual = format_share(dyads_of(graph)[0], graph.num_edges)
        facts = [Fact("arcs", f"{graph.num_arcs:,}", density)]
        facts += [Fact("mutual pairs", mutual, f"of {graph.num_edges:,} joined pairs"), mean]
    else:
        facts = [Fact("edges", f"{graph.num_edges:,}", density), mean]
        facts += [Fact("largest degree", f"{int(degree.max(initial=0)):,}", "neighbours")]
    parts = f"{format_share(largest, n)} of the vertices are in the largest" if largest < n else "all are connected"
    transitivity = format_coefficient(transitivity_of(found.triangles, degree))
    average = format_coefficient(mean_clustering(found.clustering) if n else 0.0)
    return [
        Fact("vertices", f"{n:,}", f"{isolated:,} without an edge" if isolated else "all with an edge" if n else ""),
        *facts,
        Fact("components", f"{len(found.components):,}", parts if n else ""),
        Fact("triangles", f"{count_of(found.triangles):,}", "sets of three joined vertices"),
        Fact("transitivity", transitivity, "share of closed paths of two edges"),
        Fact("average clustering", average, "mean over vertices; 0 if degree < 2"),
    ]


def degree_facts(found: Findings) -> list[Fact]:
    """Return the numbers of the degrees of a network with edges."""
    graph, degree = found.graph, np.sort(found.degree)[::-1]
    hubs = max(1, len(degree) // 100)
    share = format_share(int(degree[:hubs].sum()), int(degree.sum()))
    named = "1% of vertices" if hubs > 1 else "vertex"
    facts = [
        Fact("mean", f"{degree.mean():,.3g}"),
        Fact("median", f"{np.median(degree):,.3g}"),
        Fact("largest", f"{int(degree[0]):,}"),
    ]
    if graph.directed:
        source, target = graph.edges()
        for name, ends in (("out-degree", source), ("in-degree", target)):
            facts.append(Fact(f"largest {name}", f"{int(np.bincount(ends).max(initial=0)):,}"))
    return [*facts, Fact("concentration", share, f"of all ends of edges are at the {named} with the most neighbours")]


def event_facts(graph: TemporalGraph, motifs: TemporalMotifs) -> list[Fact]:
    """Return the number of events, how ties count, the first and the last time, and the number of motifs."""
    first, last = cells(graph.time[[0, -1]]) if graph.num_events else ("none", "none")
    unit = "" if graph.time.dtype.kind == "M" else graph.unit
    order = "the order of rows decides which comes first"
    if motifs.ties == "simultaneous":
        order = "no motif holds two of one time"
    elif rows_decide(graph):
        order += ": --ties (ties=) chooses"
    tied = Fact("tied events", f"{graph.num_tied:,}", f"share their time with another event; {order}")
    return [
        Fact("events", f"{graph.num_events:,}", f"{graph.dropped.loops:,} from a vertex to itself dropped"),
        *([tied] if graph.num_tied else []),
        Fact("first time", str(first), unit),
        Fact("last time", str(last), unit),
        Fact("delta", format_length(motifs.delta, graph.unit)),
        Fact("motifs", f"{sum(motifs.values()):,}"),
    ]


def component_rows(found: Findings) -> dict[str, tuple[str, ...]]:
    """Return the number of components, the vertices of the largest, their share, and the vertices of the second."""
    if found.strong_components is None:
        return {"along the edges": _sizes(found.components)}
    return {
        "whichever way the arcs run": _sizes(found.components),
        "along the arcs (strong components)": _sizes(found.strong_components),
    }


def _sizes(sizes: Int64Array) -> tuple[str, ...]:
    largest = int(sizes.max(initial=0))
    second = f"{int(sizes[1]):,}" if len(sizes) > 1 else "–"
    return f"{len(sizes):,}", f"{largest:,}", format_share(largest, int(sizes.sum())), second


def vertex_lists(found: Findings) -> list[VertexList]:
    """Return lists of the vertices with the most neighbours, in the most triangles and of the highest clustering."""
    lists = []
    headings = [
        ("Most neighbours", "degree", "triangles"),
        ("Most triangles", "triangles", "degree"),
        ("Highest clustering", "clustering", "degree"),
    ]
    if found.strength is not None:
        headings.append(("Largest strength", "strength", "degree"))
    for heading, first, second in headings:
        values, others = getattr(found, first), getattr(found, second)
        rows = [
            (vertex_name(found.graph, vertex), _cell(values[vertex]), _cell(others[vertex]))
            for vertex in _top(values, others)
            if values[vertex] > 0
        ]
        lists.append(VertexList(heading, (first, second), rows))
    return lists


def weight_facts(found: Findings) -> list[Fact]:
    """Return the numbers of the weights of a network with edges and weights."""
    graph, strength, clustering = found.graph, found.strength, found.weighted
    assert strength is not None and clustering is not None  # noqa: S101, PT018 - the graph has weights
    total = float(strength.sum()) / 2
    edges = graph.num_arcs if graph.directed else graph.num_edges
    hub = int(strength.argmax())
    mean = format_coefficient(float(clustering.mean()))
    return [
        Fact("total", format_number(total), f"{format_number(total / edges)} in the mean of all edges"),
        Fact("smallest and largest", " to ".join(map(format_number, weight_limits(graph)))),
        Fact("mean strength", format_number(2 * total / graph.num_vertices), "sum of the weights at a vertex"),
        Fact("largest strength", format_number(float(strength[hub])), vertex_name(graph, hub)),
        Fact("weighted clustering", mean, "Onnela's coefficient, mean over vertices; directions are ignored"),
    ]


def column_summaries(graph: Graph) -> list[ColumnSummary]:
    """Return a summary of each column of the vertices and of the edges: a range, or the most frequent values.

    Examples
    --------
    >>> import triadic
    >>> graph = triadic.Graph.from_edges([0, 1], [1, 2]).with_vertices({"side": np.array(["left", "right", "left"])})
    >>> column_summaries(graph)
    [ColumnSummary(name='side', of='vertices', values='2 values; left 2, right 1')]
    """
    own = {name: values for name, values in graph.columns.items() if name != WEIGHT}
    columns = [(name, "vertices", values) for name, values in graph.vertex_columns.items()]
    columns += [(name, "arcs" if graph.directed else "edges", values) for name, values in own.items()]
    return [ColumnSummary(name, of, _values_in_words(values)) for name, of, values in columns]


def _values_in_words(values: AnyArray) -> str:
    known = values[values == values] if values.dtype.kind == "f" else values  # noqa: PLR0124 - no nan
    if known.dtype.kind == "O":
        known = values[[each not in (None, "") for each in values.tolist()]]
    if known.dtype.kind in "iuf" and len(known):
        words = f"{format_number(known.min())} to {format_number(known.max())}"
    else:
        often = Counter(known.tolist()).most_common()
        frequent = ", ".join(f"{name} {times:,}" for name, times in often[:_FREQUENT])
        words = f"{plural(len(often), 'value')}; {frequent}"
    return f"{words}; {len(values) - len(known):,} missing" if len(known) < len(values) else words


def _cell(value: np.generic) -> str:
    return format_coefficient(float(value)) if isinstance(value, np.floating) else f"{int(value):,}"


def vertex_name(graph: Graph, vertex: int) -> str:
    """Return the label of a vertex, or its number if it has none."""
    labels = graph.labels
    return str(vertex if labels is None or vertex >= len(labels) else labels[vertex])


def _top(values: AnyArray, tie_break: Int64Array) -> list[int]:
    """Return the indices of the largest values without a full sort; `tie_break`, then the index, orders equal ones."""
    least = np.partition(values, -_LISTED)[-_LISTED] if len(values) > _LISTED else 0
    chosen = np.flatnonzero(values >= least)
    order = np.lexsort((-tie_break[chosen], -values[chosen]))
    return chosen[order][:_LISTED].tolist()


# Numbers set in type


def format_number(value: float) -> str:
    """Format a mean or a standard deviation: without decimals if it is large, with a power of ten if huge or tiny.

    Examples
    --------
    >>> [format_number(value) for value in (1234.5, 0.1234, 2.5e15, 1.2e-7, 0.0, float("nan"))]
    ['1,234', '0.1234', '2.5 × 10¹⁵', '1.2 × 10⁻⁷', '0', '–']
    """
    return typeset(formatting.format_mean(value))


def format_score(value: float) -> str:
    """Format a z-score with its sign.

    Examples
    --------
    >>> format_score(-3.14159), format_score(12345.6), format_score(0.001), format_score(float("nan"))
    ('−3.14', '+12,345.60', '0.00', '–')
    """
    text = typeset(formatting.format_z(value))
    return f"+{text}" if round(value, 2) > 0 else text


def unbroken(number: str) -> str:
    """Set a probability in type, on one line.

    Examples
    --------
    >>> [unbroken(formatting.format_p(p, 2 / 101)).replace(NO_BREAK, " ") for p in (2 / 101, 4 / 101)]
    ['≤ 0.02', '0.0396']
    """
    return typeset(number).replace(" ", NO_BREAK)


def typeset(number: str) -> str:
    """Set a number in type.

    Examples
    --------
    >>> typeset("-2.5e+15"), typeset("1e-07"), typeset("undefined")
    ('−2.5 × 10¹⁵', '1 × 10⁻⁷', '–')
    """
    if number in (formatting.UNDEFINED, "inf", "-inf"):
        return "–"
    digits, power, exponent = number.partition("e")
    raised = f" × 10{str(int(exponent)).translate(_RAISED)}" if power else ""
    return f"{digits.replace('-', '−')}{raised}"


def format_coefficient(value: float) -> str:
    """Format a share or a coefficient.

    Examples
    --------
    >>> [format_coefficient(value) for value in (0.123456, 0.0, 0.0000123, float("nan"))]
    ['0.1235', '0', '1.23 × 10⁻⁵', '–']
    """
    return f"{value:.4f}" if 1e-3 <= value <= 1 else format_number(value)


def format_duration(seconds: float) -> str:
    """Format a time in seconds.

    Examples
    --------
    >>> format_duration(0.0123), format_duration(1.5), format_duration(75.0)
    ('0.012 s', '1.50 s', '75 s')
    """
    return f"{seconds:.3f} s" if seconds < 1 else f"{seconds:.2f} s" if seconds < 10 else f"{seconds:,.0f} s"


def format_spread(mean: float, std: float) -> str:
    """Format a mean with its standard deviation, both to the second digit of the deviation.

    Examples
    --------
    >>> pairs = [(0.12703, 0.00957), (12345.6, 345.6), (7.0, 0.0), (2.5e15, 1e14)]
    >>> [format_spread(*pair).replace(NO_BREAK, " ") for pair in pairs]
    ['0.1270 ± 0.0096', '12,346 ± 346', '7', '(2.50 ± 0.10) × 10¹⁵']
    """
    if not std > 0:
        return format_number(mean)
    power = floor(log10(max(abs(mean), std)))
    if not -5 <= power < 15:
        unit = 10.0**power
        return f"({format_spread(mean / unit, std / unit)}){NO_BREAK}×{NO_BREAK}10{str(power).translate(_RAISED)}"
    digits = max(0, 1 - floor(log10(std)))
    return f"{mean:,.{digits}f}{NO_BREAK}±{NO_BREAK}{std:,.{digits}f}"


def format_ratio(ratio: float) -> str:
    """Format how often something occurs, compared with how often it is expected, to stand before the expectation.

    Examples
    --------
    >>> [format_ratio(ratio) for ratio in (3.94, 9.97, 0.4512, 1.031, 1.0)]
    ['3.9 times as often as', '10 times as often as', '0.45 times as often as', '3.1% more often than', 'as often as']
    """
    if ratio == 1:
        return "as often as"
    if 0.9 < ratio < 1.1:
        share = f"{abs(ratio - 1):.1%}" if abs(ratio - 1) >= 1e-3 else "slightly"
        return f"{share} {'more' if ratio > 1 else 'less'} often than"
    if ratio < 0.01:
        return "less than 0.01 times as often as"
    return (
        f"{ratio:,.0f} times as often as" if ratio >= 9.95 else f"{ratio:.{1 if ratio > 1 else 2}f} times as often as"
    )


def format_multiple(ratio: float) -> str:
    """Format a ratio in a column of ratios.

    Examples
    --------
    >>> [format_multiple(ratio) for ratio in (1.0, 3.549, 0.0712, 167.3, 1234.5, 0.0)]
    ['1.00', '3.55', '0.071', '167', '1,234', '0.00']
    """
    if ratio >= 100:
        return f"{ratio:,.0f}"
    return f"{ratio:.2f}" if ratio >= 0.1 or not ratio else typeset(f"{ratio:.2g}")


def format_share(part: float, whole: float) -> str:
    """Format a share in percent; only a whole is 100%, and only nothing is 0%.

    Examples
    --------
    >>> [format_share(part, 3000) for part in (3000, 2999, 1500, 1, 0)]
    ['100%', '99.97%', '50.0%', '0.03%', '0%']
    """
    share = part / whole if whole else 0.0
    if share in (0, 1):
        return f"{share:.0%}"
    if 1e-3 <= share < 0.999:
        return f"{share:.1%}"
    return "more than 99.99%" if share > 0.9999 else "less than 0.01%" if share < 1e-4 else f"{share:.2%}"
