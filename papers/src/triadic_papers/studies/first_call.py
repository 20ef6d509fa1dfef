"""The cost of the OpenCL program's first call, measured in a separate process that has no compiled kernel.

``python -m triadic_papers.studies.first_call FOLDER DEVICE`` is that process: it reads the rows from the folder and
writes the seconds of each phase and the number of triangles there.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import numpy as np

from triadic.errors import DeviceError
from triadic.graph.graph import Graph
from triadic_papers import padded_rows
from triadic_papers.studies.cells import Outcome

if TYPE_CHECKING:
    from collections.abc import Sequence

# By default, drivers and packages store compiled kernels on disk.
_NO_CACHES = {
    "POCL_KERNEL_CACHE": "0",
    "PYOPENCL_NO_CACHE": "1",
    "CUDA_CACHE_DISABLE": "1",
    "CUPY_CACHE_IN_MEMORY": "1",
}


def first_call(device: str, graph: Graph) -> Outcome:
    """Run the program once in a new process; its time is the sum of all phases.

    Raises
    ------
    DeviceError
        The process failed.
    """
    with TemporaryDirectory(prefix="triadic-first-call-") as name:
        folder = Path(name)
        np.save(folder / "indptr.npy", graph.indptr)
        np.save(folder / "indices.npy", graph.indices)
        done = subprocess.run(  # noqa: S603 - this Python and this module
            [sys.executable, "-m", __name__, name, device],
            env={**os.environ, **_NO_CACHES},
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode != 0:
            last = (done.stderr.strip() or f"it ended with {done.returncode}").splitlines()[-1]
            raise DeviceError(f"the first call on {device} failed: {last}")
        phases = json.loads((folder / "seconds.json").read_text(encoding="utf-8"))
        triangles = np.load(folder / "triangles.npy", allow_pickle=False)
    return Outcome({"triangles": triangles}, sum(phases.values()), phases)


def _main(arguments: Sequence[str]) -> None:
    folder, device = Path(arguments[0]), arguments[1]
    indptr, indices = (np.load(folder / f"{name}.npy", allow_pickle=False) for name in ("indptr", "indices"))
    found = padded_rows.opencl(Graph.from_csr(indptr, indices, trusted=True), device=device)
    np.save(folder / "triangles.npy", found.triangles)
    (folder / "seconds.json").write_text(json.dumps(dict(found.seconds)), encoding="utf-8")


if __name__ == "__main__":
    _main(sys.argv[1:])
