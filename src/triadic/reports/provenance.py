"""How a report was computed: the devices, the machine, the time of each step and the versions of packages."""

from __future__ import annotations

import platform
from datetime import UTC, datetime
from importlib.metadata import version
from typing import TYPE_CHECKING

from triadic._version import __version__
from triadic.core.processor import processor_name
from triadic.reports.numbers import format_duration
from triadic.reports.tables import Fact

if TYPE_CHECKING:
    from collections.abc import Mapping

    from triadic.reports.findings import Findings

_PACKAGES = ("numpy", "numba", "matplotlib")


def provenance(found: Findings, earlier: Mapping[str, float]) -> list[Fact]:
    """Return the facts about a run.

    Parameters
    ----------
    found : Findings
    earlier : mapping of str to float
        Seconds that reading the network took, by step.
    """
    steps = {**earlier, **found.seconds}
    times = ", ".join(f"{step} {format_duration(seconds)}" for step, seconds in steps.items())
    versions = [f"triadic {__version__}", f"Python {platform.python_version()}"]
    versions += [f"{package} {version(package)}" for package in _PACKAGES]
    facts = [
        Fact("device", ", ".join(found.devices) or "cpu"),
        Fact("threads", str(found.threads)),
        Fact("processor", processor_name()),
        Fact("system", platform.platform(terse=True)),
        Fact("time", format_duration(sum(steps.values())), times),
        Fact("versions", ", ".join(versions)),
        Fact("written", f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC"),
    ]
    if found.samples:
        facts.insert(2, Fact("random networks", str(found.samples), f"seed {found.seed}"))
    return facts
