"""The number of kernels that a command compiles on a new installation, and so how long the first call takes."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter

import pytest

from triadic.generate import rmat
from triadic.io import write

_DEMO = """
import sys
from pathlib import Path
from triadic.generate import import_network
find = import_network.import_network
import_network.import_network = lambda **keywords: find([Path("modules")], **keywords)
from triadic.cli import main
sys.exit(main(["demo", "--quiet"]))
"""


def compiled_by(command, folder):
    """Return how many variants of each kernel a command compiles without a cache, by the name of the kernel."""
    cache = folder / "cache"
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(cache), "NUMBA_OPT": "0"}  # slow kernels, compiled faster
    subprocess.run(
        [sys.executable, *command], check=True, capture_output=True, cwd=folder, env=environment, timeout=170
    )
    return Counter(file.name.partition("-")[0] for file in cache.rglob("*.nbc"))


def test_clustering_compiles_few_kernels_and_one_variant_of_each(tmp_path):
    write(rmat(10, seed=1), tmp_path / "network.txt")
    kernels = compiled_by(["-m", "triadic", "clustering", "network.txt", "--json"], tmp_path)
    assert set(kernels.values()) == {1}, kernels
    assert len(kernels) <= 17, sorted(kernels)


@pytest.mark.nightly
def test_the_demo_compiles_one_variant_of_each_kernel(tmp_path):
    modules = tmp_path / "modules"
    modules.mkdir()
    for i in range(12):
        (modules / f"m{i}.py").write_text("".join(f"import m{i * step % 12}\n" for step in (2, 3, 5, 7)))
    kernels = compiled_by(["-c", _DEMO], tmp_path)
    assert set(kernels.values()) == {1}, kernels
    assert len(kernels) <= 51, sorted(kernels)
