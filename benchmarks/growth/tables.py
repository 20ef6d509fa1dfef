"""The part of ``docs/scaling.md`` that is written from measurements: machines, pictures, slopes and jumps."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from growth import contenders, families, lines
from growth.pictures import name_of
from triadic.counts.triads import CLOSED_TRIADS
from triadic.counts.triangles import TRIANGLES
from triadic.graph.orientation import FEW_ARCS

if TYPE_CHECKING:
    from growth.lines import Line, Point, Results

_TITLES = {
    "total": ("Total of triangles", "triangle_count"),
    "clustering": ("Clustering coefficient of every vertex", "clustering"),
    "census": ("Triad census", "triad_census"),
    "graphlets": ("All sixteen graphlets of every vertex", "graphlet_transform"),
}
_HEADINGS = ("", "fixed cost", "slope", "largest network", "edges", "time", "why no larger one")


def text(results: Results) -> str:
    """Return the generated part of the page, in Markdown."""
    sections = []
    for family in results.families():
        if len(results.families()) > 1:
            sections.append(f"## {families.FAMILIES[family]} networks")
        sections += [
            _section(results, family, measure)
            for measure in contenders.MEASURES
            if any(line.points for line in results.lines.get((family, measure), []))
        ]
    sections += [_jumps(results), _machines(results)]
    return "\n\n".join(sections)


def _machines(results: Results) -> str:
    rows = [
        "## Machines",
        "",
        "| | processor | card | versions | triadic's commit | measured |",
        "|---|---|---|---|---|---|",
    ]
    for number, content in enumerate(results.machines):
        machine = content["machine"]
        versions = ", ".join(
            f"{name} {version}" for name, version in machine["versions"].items() if version and name != "triadic"
        )
        names = "; ".join(_contenders_of(results, number))
        rows.append(
            f"| {names} | {machine['processor']} | {machine.get('card') or ''} "
            f"| Python {machine['python']}, {versions} | {machine['commit'] or ''} "
            f"| {datetime.fromisoformat(content['date']):%Y-%m-%d} |"
        )
    return "\n".join(rows)


def _contenders_of(results: Results, number: int) -> list[str]:
    found = {
        line.contender for group in results.lines.values() for line in group if line.points and line.machine == number
    }
    return [name for name in (*contenders.OURS, *contenders.PEERS) if name in found]


def _section(results: Results, family: str, measure: str) -> str:
    title, function = _TITLES[measure]
    level = "###" if len(results.families()) > 1 else "##"
    picture = name_of(family, measure)
    alternative = f"{title}: seconds against edges, on logarithmic axes."
    all_lines = results.lines[family, measure]
    rows = ["| " + " | ".join(_HEADINGS) + " |", "|" + "---|" * len(_HEADINGS)]
    rows += [_row(line, family) for line in all_lines if line.points]
    missing = [f"{line.contender} ({line.end})" for line in all_lines if not line.points and line.end]
    parts = [
        f"{level} {title}",
        f"Counted by `triadic.{function}`.",
        f"![{alternative}](figures/{picture}.svg)",
        "\n".join(rows),
    ]
    if missing:
        parts.append(f"Not measured: {'; '.join(missing)}.")
    return "\n\n".join(parts)


def _row(line: Line, family: str) -> str:
    last, slope = line.points[-1], line.slope
    cells = (
        line.contender,
        _time(line.fixed),
        "" if slope is None else f"{slope:.2f}",
        f"{families.FAMILIES[family]} {last.scale}",
        f"{last.edges:,}",
        _time(last.seconds),
        line.end or "",
    )
    return "| " + " | ".join(cells) + " |"


def _jumps(results: Results) -> str:
    found = [
        (family, measure, line, before, after)
        for (family, measure), group in results.lines.items()
        for line in group
        if line.contender in contenders.OURS
        for before, after in line.jumps()
    ]
    rule = f"more than {lines.JUMP:g} times as much as the edges from a network to the next"
    if not found:
        return f"## Jumps\n\nThe time of triadic nowhere grows {rule}."
    rows = [
        "## Jumps",
        "",
        f"Where the time of triadic grows {rule}:",
        "",
        "| count | | from | to | time | edges | what changes there |",
        "|---|---|---|---|---|---|---|",
    ]
    rows += [
        f"| {measure} | {line.contender} | {families.FAMILIES[family]} {before.scale} | {after.scale} "
        f"| × {after.seconds / before.seconds:.1f} | × {after.edges / before.edges:.1f} "
        f"| {_reason(measure, line.contender, before, after)} |"
        for family, measure, line, before, after in found
    ]
    return "\n".join(rows)


_ARCS = 16  # drawn for each vertex


def _reason(measure: str, contender: str, before: Point, after: Point) -> str:
    """Return what is known to change between two sizes."""
    few = _ARCS << before.scale <= FEW_ARCS < _ARCS << after.scale
    if few and (contender != contenders.ONE_CARD or measure == "census"):
        return f"graphs of more than {FEW_ARCS:,} arcs are made in blocks, which threads share"
    most = (CLOSED_TRIADS if measure == "census" else TRIANGLES).small_edges
    small = before.edges <= most < after.edges
    if small and contender != contenders.ONE_CARD and measure != "graphlets":
        return f"graphs of up to {most:,} edges have kernels of their own, without lists and blocks"
    return "nothing that is known"


def _time(seconds: float) -> str:
    """Format seconds with two or three digits.

    Examples
    --------
    >>> _time(1.234e-5), _time(0.0456), _time(1.5), _time(123.4)
    ('12 µs', '46 ms', '1.5 s', '123 s')
    """
    for factor, unit in ((1e6, "µs"), (1e3, "ms"), (1.0, "s")):
        if seconds * factor < 999.5 or unit == "s":
            break
    value = seconds * factor
    return f"{value:.0f} {unit}" if value >= 9.95 else f"{value:.1f} {unit}"
