"""Which calls answer which within half an hour: from a folder of Parquet files to motifs and a figure.

Written from docs/how-to/temporal.md.
"""

# ruff: noqa: T201 - what the script finds is printed

from pathlib import Path

import numpy as np
import pyarrow as pa
from pyarrow import parquet

import triadic

# A file for each month: calls at random, many of which are returned within minutes.
rng = np.random.default_rng(6)
Path("calls").mkdir()
for month in ("2026-01", "2026-02"):
    caller, callee = (80 * rng.random((2, 2000)) ** 2).astype(int)
    start = rng.integers(0, 28 * 86_400, 2000)
    returned = rng.random(2000) < 0.4
    later = start[returned] + rng.integers(60, 900, returned.sum())
    table = pa.table(
        {
            "caller": np.array([f"+49 {number:03}" for number in np.r_[caller, callee[returned]]]),
            "callee": np.array([f"+49 {number:03}" for number in np.r_[callee, caller[returned]]]),
            "start_time": np.datetime64(f"{month}-01", "s") + np.r_[start, later].astype("m8[s]"),
            "seconds": rng.integers(1, 600, 2000 + returned.sum()),
        }
    )
    parquet.write_table(table, f"calls/{month}.parquet")

table = parquet.read_table("calls", columns=["caller", "callee", "start_time"])
graph = triadic.read_temporal(table)
print(graph, "self-calls:", graph.dropped.loops, "tied:", graph.num_tied)

motifs = triadic.count(graph, "motifs", delta="30min")
print(motifs)
print("M51, a call, an answer and its answer:", motifs["M51"])
at_callers = triadic.temporal_motifs(graph, "30min", by="vertex")
m51 = at_callers[:, motifs.names.index("M51")]
print("most in M51:", *graph.labels[np.argsort(m51)[::-1][:3]])

weeks = triadic.over_time(graph, "clustering", window="7 days", step="7 days", start="2026-01-08")
weeks.to_pandas().to_csv("weeks.csv")
print(weeks)
series = triadic.count(graph, "motifs", delta="30min", by="time", window="7 days", step="7 days")
print(series["M51"])
print(triadic.count(graph.window("2026-01-01", "2026-02-01"), "triads")["300"], "triads 300 in January")

found = triadic.significance(graph, delta="30min", null="shuffled_times", block="1 day", samples=100, seed=1)
print(found.to_pandas().loc[["M51", "M46"], ["count", "mean", "z", "p"]].round(2))
ax = triadic.plot.temporal_motifs(found)
ax.figure.savefig("motifs.pdf")
ax.figure.savefig("motifs.png")
