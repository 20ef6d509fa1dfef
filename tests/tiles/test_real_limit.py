"""Under a memory limit of the system, a graph too large to read is cut into tiles and counted."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

_LIMITED = """
import resource, sys
import triadic
from triadic.generate import RMat, write_parquet

def private():
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) << 10 for line in status if line.startswith("VmData"))

def count(file, tiles, **words):
    triadic.tile(file, tiles, directed=False, threads=2, **words)
    return triadic.triangle_count(triadic.TiledGraph(tiles, memory="64MB"), threads=2)

folder = sys.argv[1]
write_parquet(f"{folder}/small.parquet", RMat(12, seed=1))
write_parquet(f"{folder}/large.parquet", RMat(19, seed=1))
for number, words in enumerate(({"ranges": 3}, {"memory": "64MB"})):  # compiles kernels and loads libraries
    count(f"{folder}/small.parquet", f"{folder}/{number}", **words)
most = private() + (160 << 20)  # with the stacks and memory pools of threads
resource.setrlimit(resource.RLIMIT_DATA, (most, most))
print(count(f"{folder}/large.parquet", f"{folder}/tiles", memory="64MB"))
try:
    triadic.read(f"{folder}/large.parquet", directed=False)
except MemoryError:
    print("too large")
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs /proc of Linux")
def test_tiles_are_made_and_counted_where_a_graph_cannot_be_read(tmp_path):
    words = [sys.executable, "-c", _LIMITED, str(tmp_path)]
    found = subprocess.run(words, check=True, capture_output=True, text=True)
    assert found.stdout.split("\n")[:2] == ["188378688", "too large"]
