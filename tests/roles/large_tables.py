"""Triads of payments in a folder of Parquet files, in bounded memory: tiles, a table and a figure.

Written from docs/how-to/parquet-folder.md.
"""

# ruff: noqa: T201 - what the script finds is printed

from pathlib import Path

import numpy as np
import pyarrow as pa
from pyarrow import parquet

import triadic

# A file for each month, with columns that the network does not need.
rng = np.random.default_rng(8)
Path("payments").mkdir()
for month in range(1, 7):
    ends = (3000 * rng.random((2, 8000)) ** 2).astype(np.int64)
    names = {"payer": ends[0], "payee": ends[1], "amount": rng.integers(1, 5000, 8000), "currency": ["EUR"] * 8000}
    parquet.write_table(pa.table(names), f"payments/2026-{month:02}.parquet")

options = {"directed": True, "source": "payer", "target": "payee", "where": {"amount": (1000, None)}}
graph = triadic.tile("payments", "payments.tiles", memory="1GB", **options)
print(graph)
print("triangles:", triadic.triangle_count(graph), "transitivity:", round(triadic.transitivity(graph), 4))
census = triadic.triad_census(graph)
print("cycles:", census["030C"], "feed-forward loops:", census["030T"])
print("written:", triadic.vertex_table(graph, ["degree", "triangles"], output="accounts.parquet"))
accounts = parquet.read_table("accounts.parquet").to_pandas()
print(accounts.sort_values("triangles").iloc[-1].to_dict())

# On another day.
again = triadic.TiledGraph("payments.tiles")
in_memory = triadic.read("payments", **options)
print("as in memory:", triadic.triad_census(in_memory).to_dict() == triadic.triad_census(again).to_dict())
ax = triadic.plot.triad_census(again)
ax.figure.savefig("triads.pdf")
