"""The five metrics of the poster, read from a card's counters by NVIDIA's profiler ``ncu`` while a kernel runs.

``python -m triadic_papers.studies.counters FOLDER ALGORITHM DEVICE`` is the process that the profiler watches: it
counts once and writes the number of triangles into the folder.
"""

from __future__ import annotations

import csv
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import numpy as np

from triadic.devices.runtimes.registry import DEVICES, kind_of
from triadic.graph.graph import Graph
from triadic_papers.local_clustering import neighbour_rows
from triadic_papers.studies.cells import Outcome, UnavailableError
from triadic_papers.studies.paper_values.poster import METRICS
from triadic_papers.vertex_edge_centric import edge_centric, vertex_centric

if TYPE_CHECKING:
    from collections.abc import Sequence

_ALGORITHMS = {"vertex-centric": vertex_centric, "edge-centric": edge_centric}
# ncu's names, and the factors that convert them to the poster's units. Stalls on a fixed latency, as a share of all
# cycles between two instructions of a warp, are what the profiler of older cards called execution dependency.
_COUNTERS = (
    ("sm__warps_active.avg.pct_of_peak_sustained_active", 0.01),
    ("smsp__thread_inst_executed_per_inst_executed.ratio", 100 / 32),
    ("smsp__average_warps_issue_stalled_wait_per_issue_active.ratio", 100.0),
    ("smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct", 1.0),
    ("smsp__sass_average_data_bytes_per_sector_mem_global_op_st.pct", 1.0),
)
_STALLED = _COUNTERS[2][0]
_LATENCY = "smsp__average_warp_latency_per_inst_issued.ratio"
_AS_CSV = ("--csv", "--page", "raw", "--print-units", "base")
_KERNELS = "regex:vertex_centric|count_over_arcs"
_PROFILER = "ncu"
_FORBIDDEN = "ERR_NVGPUCTRPERM"


def read_counters(algorithm: str, device: str, graph: Graph) -> Outcome:
    """Run a kernel once under the profiler; its time is the profiled time of the kernel, the metrics are facts.

    Raises
    ------
    UnavailableError
        The counters of the device cannot be read; the message contains the reason.
    """
    kind = DEVICES.get(kind_of(device))
    if kind is None or kind.profiler != _PROFILER:
        raise UnavailableError(f"{device} has no counters that ncu reads: they are NVIDIA's, under CUDA")
    profiler = shutil.which(_PROFILER)
    if profiler is None:
        raise UnavailableError("NVIDIA's profiler ncu (Nsight Compute) is not on the path")
    with TemporaryDirectory(prefix="triadic-counters-") as name:
        folder = Path(name)
        for part, rows in zip(("indptr", "indices"), neighbour_rows(graph), strict=True):
            np.save(folder / f"{part}.npy", rows)
        metrics = ",".join(["gpu__time_duration.sum", *(counter for counter, _ in _COUNTERS), _LATENCY])
        watched = [sys.executable, "-m", __name__, name, algorithm, device]
        done = subprocess.run(  # noqa: S603 - the profiler, with this Python and this module
            [profiler, *_AS_CSV, "--kernel-name", _KERNELS, "--metrics", metrics, *watched],
            env=dict(os.environ),
            capture_output=True,
            text=True,
            check=False,
        )
        output = done.stdout + done.stderr
        if _FORBIDDEN in output:
            raise UnavailableError(f"the driver does not allow this user to read counters ({_FORBIDDEN})")
        if done.returncode != 0:
            last = (output.strip() or f"it ended with {done.returncode}").splitlines()[-1]
            raise UnavailableError(f"ncu could not read the counters: {last}")
        total = json.loads((folder / "total.json").read_text(encoding="utf-8"))
    seconds, facts = _parsed(done.stdout)
    return Outcome({"total": int(total)}, seconds, {}, facts)


def _parsed(text: str) -> tuple[float, dict[str, float]]:
    """Return the time of the longest kernel in the profiler's CSV, and its metrics."""
    lines = [line for line in text.splitlines() if line.startswith('"')]
    rows = [row for row in csv.DictReader(lines) if row.get("ID")]  # the row below the headings holds units
    if not rows:
        raise UnavailableError("ncu reported no kernel")
    longest = max(rows, key=lambda row: _number(row.get("gpu__time_duration.sum")) or 0.0)
    facts: dict[str, float] = {}
    for metric, (counter, factor) in zip(METRICS, _COUNTERS, strict=True):
        value, over = _number(longest.get(counter)), _number(longest.get(_LATENCY)) if counter == _STALLED else 1.0
        if value is not None and over:
            facts[metric] = factor * value / over
    return (_number(longest.get("gpu__time_duration.sum")) or 0.0) * 1e-9, facts


def _number(text: str | None) -> float | None:
    try:
        return float((text or "").replace(",", ""))
    except ValueError:
        return None


def _main(arguments: Sequence[str]) -> None:
    folder, algorithm, device = Path(arguments[0]), arguments[1], arguments[2]
    indptr, indices = (np.load(folder / f"{name}.npy", allow_pickle=False) for name in ("indptr", "indices"))
    found = _ALGORITHMS[algorithm](Graph.from_csr(indptr, indices, trusted=True), device=device)
    (folder / "total.json").write_text(json.dumps(int(found.triangles.sum()) // 3), encoding="utf-8")


if __name__ == "__main__":
    _main(sys.argv[1:])
