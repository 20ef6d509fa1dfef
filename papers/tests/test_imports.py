"""The papers' programs do not import the engine that they are compared with."""

from __future__ import annotations

import subprocess
import sys

import pytest

ENGINE = ("triadic.counts", "triadic.devices.cpu", "triadic.graph")


@pytest.mark.parametrize(
    ("names", "with_them", "engine"),
    [
        (["batagelj_mrvar", "fglt"], ["batagelj_mrvar_kernels", "adjacency"], (*ENGINE, "triadic.devices")),
        (
            ["cstn117", "padded_rows", "padded_rows_gpu", "vertex_edge_centric", "vertex_edge_centric_gpu"],
            ["cstn117_gpu", "padded_rows_kernels", "vertex_edge_centric_kernels"],
            (*ENGINE, "triadic.measures"),
        ),
    ],
    ids=["on threads", "on GPUs too"],
)
def test_nothing_of_the_engine_is_brought_in(names, with_them, engine):
    text = f"import sys, {', '.join(f'triadic_papers.{name}' for name in names)}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True, timeout=120)
    loaded = done.stdout.split()
    assert {f"triadic_papers.{name}" for name in with_them} <= set(loaded)
    assert not [name for name in loaded if name.startswith(engine)]
