"""When to estimate in place of counting: what `triadic plan` proposes if counting takes longer than asked."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from triadic.planning.plan import IN_MEMORY, show_seconds

if TYPE_CHECKING:
    from collections.abc import Sequence

    from triadic.planning.plan import Plan

# Counts and the commands that estimate them.
ESTIMATED = {
    "clustering": "clustering",
    "triangles": "clustering",
    "census": "census",
    "graphlets": "graphlets",
    "graphlets of four vertices": "graphlets",
}


def proposal(plan: Plan, seconds: float, options: Sequence[str]) -> str:
    """Return a sentence about an estimate if counting takes longer than some seconds; else an empty string.

    No command is proposed if the steps before the count, which an estimate takes as well, are the larger part of the
    time and exceed the limit by themselves.

    Parameters
    ----------
    plan : Plan
    seconds : float
        Time that the count may take.
    options : sequence of str
        File and options of the command that estimates.

    Examples
    --------
    >>> from triadic.planning.plan import plan
    >>> found = plan((10_000_000, 2_000_000_000), memory="1TB", threads=2)
    >>> proposal(found, 60, ["web.csv", "--estimate"]).partition(": ")[2]
    'triadic clustering web.csv --estimate'
    """
    total = sum(plan.seconds.values())
    if total <= seconds:
        return ""
    longer = f"This is longer than {show_seconds(seconds)}."
    if plan.of not in ESTIMATED:
        return f"{longer} Only {', '.join(ESTIMATED)} are estimated."
    if plan.way != IN_MEMORY and ESTIMATED[plan.of] == "graphlets":
        return f"{longer} An estimate of graphlets needs the whole graph in memory."
    count = plan.seconds.get("count", 0.0)
    before = total - count
    if before > max(count, seconds):
        return f"{longer} An estimate would take longer, too: the steps before the count take {show_seconds(before)}."
    return (
        f"{longer} The steps before the count take {show_seconds(before)} of it, for an estimate as well; most of the "
        f"{show_seconds(count)} of the count is saved by an estimate: "
        f"{shlex.join(['triadic', ESTIMATED[plan.of], *options])}"
    )
