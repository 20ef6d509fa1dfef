"""What a stress run counts: cases by outcome, and the failures with what it takes to repeat them."""

from __future__ import annotations

import json
import os
import time
from collections import Counter
from pathlib import Path

FAILURES = Path("stress-failures")


class Tally:
    """Outcomes of one kind of stress.

    Parameters
    ----------
    name : str
    """

    def __init__(self, name):
        self.name, self.outcomes, self.failures = name, Counter(), []
        self._started, self._said = time.monotonic(), 0.0

    @property
    def cases(self):
        return sum(self.outcomes.values())

    def add(self, outcome, times=1):
        """Count a case."""
        self.outcomes[outcome] += times
        if time.monotonic() - self._said > 10:
            self._said = time.monotonic()
            print(f"  {self.name}: {self.cases:,} cases, {len(self.failures)} failures", flush=True)

    def fail(self, problem, *, case, content=None):
        """Count a case that failed, and keep its input."""
        self.outcomes["FAILED"] += 1
        self.failures.append(f"{case}: {problem}")
        FAILURES.mkdir(exist_ok=True)
        path = FAILURES / f"{self.name}-{os.getpid()}-{len(self.failures)}"  # shards write to one folder
        path.with_suffix(".txt").write_text(f"{case}\n{problem}\n")
        if content is not None:
            path.write_bytes(content)
        print(f"  {self.name}: FAILED {case}: {str(problem)[-300:]}", flush=True)

    def line(self):
        """Return one line about all cases."""
        seconds = time.monotonic() - self._started
        what = ", ".join(f"{number:,} {outcome}" for outcome, number in sorted(self.outcomes.items()))
        return f"{self.name:<8} {self.cases:>9,} cases in {seconds:>6,.0f} s: {what}"

    def record(self):
        """Return the counts for JSON."""
        return json.loads(json.dumps({"cases": self.cases, **self.outcomes}))
