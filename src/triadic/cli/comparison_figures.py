"""The figures of ``triadic compare``: two networks counted one after the other, and how far apart they are."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from triadic.cli.graphlet_figures import count_graphlets

if TYPE_CHECKING:
    from pathlib import Path
    from typing import Unpack

    from triadic.cli.counting import Options
    from triadic.measures.graphlet_result import GraphletTransform


@dataclass(frozen=True, slots=True, eq=False)
class Network:
    """What is left of a network once its graphlets are counted: without its edges, so that the next has room."""

    path: Path
    record: dict[str, Any]  # what `triadic graphlets --json` says of it, but for the sums
    transform: GraphletTransform
    seconds: dict[str, float]


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """Two networks, and how far apart they are."""

    networks: tuple[Network, Network]
    correlation_distance: float
    arithmetic_agreement: float
    geometric_agreement: float
    frequency_distance: float
    seconds: dict[str, float]

    def as_record(self) -> dict[str, Any]:
        """Give plain numbers and strings, for JSON, which has neither infinity nor what is not a number."""
        first = self.networks[0].record
        return {
            "networks": [
                {"file": str(of.path), "graph": of.record["graph"], "graphlets": of.record["graphlets"]}
                for of in self.networks
            ],
            "graphlet_correlation_distance": _finite(self.correlation_distance),
            "graphlet_degree_agreement": {
                "arithmetic": _finite(self.arithmetic_agreement),
                "geometric": _finite(self.geometric_agreement),
            },
            "graphlet_frequency_distance": _finite(self.frequency_distance),
            "only_in_one": self.only_in_one(),
            "seconds": {step: round(seconds, 6) for step, seconds in self.seconds.items()},
            "device": first["device"],
            "threads": first["threads"],
        }

    def only_in_one(self) -> list[str]:
        """Name the graphlets, of those that are compared, that one network has and the other lacks."""
        from triadic.measures.graphlet_comparison import COMPARED

        ours, theirs = (network.record["graphlets"] for network in self.networks)
        return [graphlet for graphlet in COMPARED if bool(ours[graphlet]) != bool(theirs[graphlet])]


def compare_files(first: Path, second: Path, **options: Unpack[Options]) -> Comparison:
    """Read two networks, count their graphlets and compare them."""
    from triadic.measures.graphlet_comparison import graphlet_frequency_distance, mean_agreement, orbit_agreements
    from triadic.measures.graphlet_correlation import graphlet_correlation_distance

    networks = _count(first, **options), _count(second, **options)
    a, b = (network.transform for network in networks)
    started = time.perf_counter()
    agreements = orbit_agreements(a.net, b.net)
    figures = {
        "correlation_distance": graphlet_correlation_distance(a, b),
        "arithmetic_agreement": mean_agreement(agreements, "arithmetic"),
        "geometric_agreement": mean_agreement(agreements, "geometric"),
        "frequency_distance": graphlet_frequency_distance(a, b),
    }
    compared = time.perf_counter() - started
    seconds = {step: sum(network.seconds[step] for network in networks) for step in networks[0].seconds}
    return Comparison(networks=networks, seconds={**seconds, "compare": compared}, **figures)


def _count(path: Path, **options: Unpack[Options]) -> Network:
    counted = count_graphlets(path, graphlets=16, **options)
    return Network(
        path=path,
        record=counted.as_record({"graphlets": counted.figures.totals}),
        transform=counted.figures.transform,
        seconds=counted.seconds,
    )


def _finite(figure: float) -> float | None:
    return figure if math.isfinite(figure) else None
