"""The papers' programs do not import the engine that they are compared with."""

from __future__ import annotations

import subprocess
import sys

ENGINE = ("triadic.counts", "triadic.devices.cpu", "triadic.graph")


ON_THREADS = ["batagelj_mrvar", "fglt"]
ON_GPUS_TOO = ["cstn117", "padded_rows", "padded_rows_gpu", "vertex_edge_centric", "vertex_edge_centric_gpu"]


def loaded_by(*groups):
    """Return the modules that the import of each group loads, in one process that forgets ours after each."""
    lines = ["import sys"]
    for names in groups:
        lines += [f"import {', '.join(f'triadic_papers.{name}' for name in names)}", "print(*sys.modules)"]
        lines += ["for name in [name for name in sys.modules if name.startswith('triadic')]: del sys.modules[name]"]
    done = subprocess.run(
        [sys.executable, "-c", "\n".join(lines)], capture_output=True, text=True, check=True, timeout=120
    )
    return [line.split() for line in done.stdout.splitlines()]


def test_nothing_of_the_engine_is_brought_in():
    on_threads, on_gpus_too = loaded_by(ON_THREADS, ON_GPUS_TOO)
    for loaded, with_them, engine in (
        (on_threads, ["batagelj_mrvar_kernels", "adjacency"], (*ENGINE, "triadic.devices")),
        (
            on_gpus_too,
            ["cstn117_gpu", "padded_rows_kernels", "vertex_edge_centric_kernels"],
            (*ENGINE, "triadic.measures"),
        ),
    ):
        assert {f"triadic_papers.{name}" for name in with_them} <= set(loaded)
        assert not [name for name in loaded if name.startswith(engine)]
