"""A module run in a process of its own, as a threading layer of numba's wants: a process has one for good."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

from triadic.errors import DeviceError

if TYPE_CHECKING:
    from collections.abc import Mapping


def run_module(
    module: str, *words: str, layer: str, threads: int, settings: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run ``python -m module words`` with one of numba's threading layers and so many threads, and wait for it."""
    asked = {"NUMBA_THREADING_LAYER": layer, "NUMBA_NUM_THREADS": str(threads), **(settings or {})}
    return subprocess.run(  # noqa: S603 - this Python, a module of this package
        [sys.executable, "-m", module, *words], env={**os.environ, **asked}, capture_output=True, text=True, check=False
    )


def check_done(done: subprocess.CompletedProcess[str], whose: str) -> None:
    """Raise the last line of what a process that failed had to say.

    Raises
    ------
    DeviceError
    """
    if done.returncode != 0:
        last = (done.stderr.strip() or f"it ended with {done.returncode}").splitlines()[-1]
        raise DeviceError(f"the process with {whose} threads failed: {last}")
