"""Lines of time against edges: read from the files of several machines, with slopes, fixed costs and jumps."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from growth import contenders, families

if TYPE_CHECKING:
    from pathlib import Path

JUMP = 1.6  # a jump: the time grows by more than this factor times the growth of the edges
_ABOVE_FIXED = 4.0  # times the fixed cost that a point takes to count for the slope
_LEAST_POINTS = 3  # of a slope


class Point(NamedTuple):
    """The median and the least seconds of a call in one network."""

    scale: int
    edges: int
    seconds: float
    least: float


@dataclass
class Line:
    """The points of a contender, rising, from one machine; `end` is the reason why there are no more."""

    contender: str
    machine: int
    points: list[Point]
    end: str | None = None

    @property
    def fixed(self) -> float:
        """The fixed cost: the least seconds of all points."""
        return min(point.seconds for point in self.points)

    @property
    def slope(self) -> float | None:
        """The slope of log time against log edges above the fixed cost, or None if too few points are above it.

        Examples
        --------
        >>> times = [(4, 100, 1e-5), (5, 10**3, 1e-4), (6, 10**4, 1e-2), (7, 10**5, 1.0)]
        >>> line = Line("triadic", 0, [Point(*time, time[-1]) for time in times])
        >>> round(line.slope, 3)
        2.0
        """
        above = [point for point in self.points if point.seconds >= _ABOVE_FIXED * self.fixed]
        if len(above) < _LEAST_POINTS:
            return None
        logs = np.log([(point.edges, point.seconds) for point in above])
        return float(np.polyfit(logs[:, 0], logs[:, 1], 1)[0])

    def jumps(self) -> list[tuple[Point, Point]]:
        """Return the pairs of neighbouring sizes between which both the median and the least seconds jump.

        Examples
        --------
        >>> times = [(4, 100, 1e-5), (5, 200, 2e-5), (6, 400, 8e-5), (7, 800, 16e-5)]
        >>> line = Line("triadic", 0, [Point(*time, time[-1]) for time in times])
        >>> [(before.scale, after.scale) for before, after in line.jumps()]
        [(5, 6)]
        """
        return [
            (before, after)
            for before, after in pairwise(self.points)
            if after.scale == before.scale + 1
            and min(after.seconds / before.seconds, after.least / before.least) > JUMP * after.edges / before.edges
        ]


@dataclass
class Results:
    """All lines, by family and count, and the machines that they come from."""

    machines: list[dict[str, Any]] = field(default_factory=list)
    lines: dict[tuple[str, str], list[Line]] = field(default_factory=dict)

    def families(self) -> list[str]:
        """Return the families that have lines, in order."""
        return [family for family in families.FAMILIES if any(key[0] == family for key in self.lines)]

    def line(self, family: str, measure: str, contender: str) -> Line | None:
        """Return the line of a contender, if it has points."""
        lines = self.lines.get((family, measure), [])
        return next((line for line in lines if line.contender == contender), None)


def read(folder: Path) -> Results:
    """Read all files of a folder, in the order of their dates; a line of a later file replaces that of an earlier one.

    Raises
    ------
    SystemExit
        There is no file with a point.
    """
    contents = sorted((json.loads(path.read_text()) for path in folder.glob("*.json")), key=lambda file: file["date"])
    networks = {name: numbers for content in contents for name, numbers in content["networks"].items()}
    found: dict[tuple[str, str, str], Line] = {}
    for number, content in enumerate(contents):
        for key, line in _lines(content, number, networks).items():
            if line.points or key not in found:
                found[key] = line
    if not any(line.points for line in found.values()):
        raise SystemExit(f"{folder}: no measured points; run python benchmarks/scaling.py measure")
    used = sorted({line.machine for line in found.values() if line.points})
    results = Results([contents[number] for number in used])
    for family in families.FAMILIES:
        for measure in contenders.MEASURES:
            for name in contenders.names(measure):
                line = found.get((family, measure, name))
                if line is not None:
                    line.machine = used.index(line.machine) if line.points else -1
                    results.lines.setdefault((family, measure), []).append(line)
    return results


def _lines(content: dict[str, Any], number: int, networks: dict[str, dict[str, int]]) -> dict[tuple[str, ...], Line]:
    lines: dict[tuple[str, ...], Line] = {}
    for record in sorted(content["points"], key=lambda point: point["scale"]):
        line = lines.setdefault(
            (record["family"], record["measure"], record["contender"]), Line(record["contender"], number, [])
        )
        if "seconds" not in record:
            line.end = line.end or record.get("left_out") or record["stopped"]
            continue
        network = networks.get(f"{record['family']}-{record['scale']}")
        if network is not None:
            line.points.append(Point(record["scale"], network["edges"], record["seconds"], record["least"]))
    return lines
