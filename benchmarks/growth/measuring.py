"""The order of all points, and the rules by which a contender stops."""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import cached_property
from math import sqrt
from typing import TYPE_CHECKING, Any

from contest import LeftOutError
from growth import contenders, families
from growth.timing import Timing, time_point

if TYPE_CHECKING:
    from collections.abc import Callable

    from growth.record import Record
    from triadic.core.arcs import Arcs

_COMPARED_SCALE = 16  # results are compared up to this size
_CARD_FIRST_SCALE = 20  # beyond this size the card goes first, whose points take little of the time limit
_LEAST_GROWTH, _MOST_GROWTH = 2.0, 4.0  # of the time from one size to the next


@dataclass(frozen=True)
class Plan:
    """What to measure: options of the command line."""

    families: list[str]
    measures: list[str]
    contenders: list[str]
    scales: tuple[int, int]
    card_scale: int
    budget: float
    own_budget: float
    settle: float
    device: str


class Measurement:
    """Points measured one after the other, each written to the record at once."""

    def __init__(self, plan: Plan, record: Record, deadline: float, report: Callable[[str], object]) -> None:
        self._plan, self._record, self._deadline, self._report = plan, record, deadline, report
        self._called: set[tuple[str, str]] = set()
        self._no_card: str | None = None
        try:
            families.check_card(plan.device)
        except LeftOutError as reason:
            self._no_card = str(reason)

    def run(self) -> None:
        """Measure all points that are not in the record."""
        for family in self._plan.families:
            first, last = max(self._plan.scales[0], families.LEAST_SCALE[family]), self._plan.scales[1]
            for scale in range(first, min(last, _CARD_FIRST_SCALE) + 1):
                self._measure_network(family, scale, (True, False))
            for scale in range(max(first, _CARD_FIRST_SCALE + 1), self._plan.card_scale + 1):
                self._measure_network(family, scale, (True,))
            for scale in range(max(first, _CARD_FIRST_SCALE + 1), last + 1):
                self._measure_network(family, scale, (False,))

    def _measure_network(self, family: str, scale: int, places: tuple[bool, ...]) -> None:
        network = _Network(family, scale, self._plan.device)
        for measure in self._plan.measures:
            names = [
                name
                for name in contenders.names(measure)
                if contenders.reads_card(measure, name) in places and self._goes_on(family, scale, measure, name)
            ]
            if names:
                self._measure_point(network, measure, names)
            self._record.write()

    def _measure_point(self, network: _Network, measure: str, names: list[str]) -> None:
        self._report(f"{network.name} {measure}: {', '.join(names)}")
        family, scale = network.family, network.scale
        try:
            chosen = [
                contenders.contender(
                    measure,
                    name,
                    network.on_card if contenders.reads_card(measure, name) else network.on_host,
                    self._plan.device,
                )
                for name in names
            ]
        except MemoryError as error:
            for name in names:
                self._record.add(family, scale, measure, name, Timing(left_out=str(error) or "MemoryError"))
            return
        timings = time_point(
            chosen,
            budget=self._budget,
            settle=self._plan.settle,
            compare=scale <= _COMPARED_SCALE,
            is_first=lambda name: (measure, name) not in self._called,
            affords=lambda name: self._affords(family, scale, measure, name),
        )
        self._called.update((measure, name) for name in names)
        for name, timing in zip(names, timings, strict=True):
            if timing.edges is not None and measure != "census":
                self._record.networks[network.name] = {"vertices": 1 << scale, "edges": timing.edges}
            if timing.runs or timing.left_out is not None:
                self._record.add(family, scale, measure, name, timing)

    def _goes_on(self, family: str, scale: int, measure: str, name: str) -> bool:
        """Return whether a contender runs at a size; record the reason if it stops here."""
        if not _chosen(name, self._plan.contenders):
            return False
        line = self._record.points(family, measure, name)
        if "seconds" in line.get(scale, {}) or any("left_out" in point for point in line.values()):
            return False
        if any("stopped" in line[smaller] for smaller in line if smaller < scale):
            return False
        reason = Timing()
        predicted, budget = self._predicted(line, scale), self._budget(name)
        if name == contenders.ONE_CARD and self._no_card is not None:
            reason.left_out = self._no_card
        elif predicted > budget:
            reason.stopped = f"about {predicted:.2g} s, more than {budget:g} s"
        elif time.monotonic() + predicted > self._deadline:
            reason.stopped = "the time limit of the measurement was reached"
        else:
            return True
        self._record.add(family, scale, measure, name, reason)
        return False

    def _budget(self, name: str) -> float:
        return self._plan.own_budget if name in contenders.OURS else self._plan.budget

    def _affords(self, family: str, scale: int, measure: str, name: str) -> bool:
        """Return whether the time limit allows another call."""
        return time.monotonic() + self._predicted(self._record.points(family, measure, name), scale) < self._deadline

    @staticmethod
    def _predicted(line: dict[int, dict[str, Any]], scale: int) -> float:
        """Return the seconds that a call will take, by the three sizes before."""
        times = [point["least"] for _, point in sorted(line.items()) if "seconds" in point and point["scale"] < scale]
        if not times:
            return 0.0
        growth = sqrt(times[-1] / times[-3]) if len(times) > 2 else _LEAST_GROWTH
        return times[-1] * min(_MOST_GROWTH, max(_LEAST_GROWTH, growth))


class _Network:
    """A network whose arcs are made when a contender needs them, on the host or on the card."""

    def __init__(self, family: str, scale: int, device: str) -> None:
        self.family, self.scale, self._device = family, scale, device
        self.name = f"{family}-{scale}"

    @cached_property
    def on_host(self) -> Arcs:
        return families.arcs_on_host(self.family, self.scale)

    @cached_property
    def on_card(self) -> Arcs:
        return families.arcs_on_card(self.family, self.scale, self._device)


def _chosen(name: str, wanted: list[str]) -> bool:
    return not wanted or any(word in name for word in wanted)
