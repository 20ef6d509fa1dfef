"""A module run in a separate process with a given threading layer of numba: a process can load only one layer."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

from triadic.errors import DeviceError

if TYPE_CHECKING:
    from collections.abc import Mapping


def run_with_layer(
    module: str, *words: str, layer: str, threads: int, settings: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run ``python -m module words`` with a threading layer and a number of threads, and wait for it."""
    environment = {"NUMBA_THREADING_LAYER": layer, "NUMBA_NUM_THREADS": str(threads), **(settings or {})}
    return subprocess.run(  # noqa: S603 - this Python and a module of this package
        [sys.executable, "-m", module, *words],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def check_exit(done: subprocess.CompletedProcess[str], whose: str) -> None:
    """Raise the last line of the error output of a process that failed.

    Raises
    ------
    DeviceError
        The exit code is not 0.
    """
    if done.returncode != 0:
        last = (done.stderr.strip() or f"it ended with {done.returncode}").splitlines()[-1]
        raise DeviceError(f"the process with {whose} threads failed: {last}")
