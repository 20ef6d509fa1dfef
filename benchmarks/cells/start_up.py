"""The whole process of ``triadic clustering`` on a small file, with and without compiled kernels on disk."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path

import triadic
from contest import Cell, Contender, Goal, Settings

_SCALE = 8
_IMPORT = "import numba, numpy"


def cells():
    yield Cell("start-up", "warm", _warm, {_IMPORT: Goal(ratio=1 / 3)})
    yield Cell("start-up", "cold", _cold, {"triadic": Goal(seconds=10)})


@contextmanager
def _warm(settings: Settings):
    """Use one cache for all runs; the first run, which is not timed, fills it."""
    with tempfile.TemporaryDirectory() as folder:
        cache = Path(folder) / "cache"
        yield [
            Contender("triadic", count=_clustering_of(_small_file(folder), settings, lambda: cache)),
            Contender(_IMPORT, count=lambda _: _process(["-c", _IMPORT], cache)),
        ]


@contextmanager
def _cold(settings: Settings):
    with tempfile.TemporaryDirectory() as folder:
        yield [
            Contender(
                "triadic",
                count=_clustering_of(
                    _small_file(folder), settings, lambda: Path(tempfile.mkdtemp(prefix="cache-", dir=folder))
                ),
            )
        ]


def _clustering_of(file: Path, settings: Settings, new_cache):
    arguments = ["-m", "triadic", "clustering", str(file), "--json", "--threads", str(settings.threads)]
    return lambda _: _process(arguments, new_cache())


def _small_file(folder: str) -> Path:
    file = Path(folder) / "small.txt"
    triadic.write(triadic.generate.rmat(_SCALE, seed=1), file)
    return file


def _process(arguments: list[str], cache: Path) -> None:
    environment = os.environ | {"NUMBA_CACHE_DIR": str(cache)}
    subprocess.run([sys.executable, *arguments], env=environment, stdout=subprocess.DEVNULL, check=True)
