"""Print the largest memory that clustering of a stored graph holds: ``peak_memory.py FOLDER THREADS``."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import triadic

_STATUS = Path("/proc/self/status")


def peak_bytes() -> int:
    """Return the largest resident set of this process so far in bytes, mapped files included."""
    if _STATUS.exists():
        # The figure of getrusage would include the process that started this one.
        line = next(line for line in _STATUS.read_text().splitlines() if line.startswith("VmHWM:"))
        return int(line.split()[1]) * 1024
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


if __name__ == "__main__":
    coefficients = triadic.clustering(triadic.read(sys.argv[1]), threads=int(sys.argv[2]))
    print(json.dumps({"peak_bytes": peak_bytes(), "mean": float(coefficients.mean())}))
