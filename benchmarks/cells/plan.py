"""Compare ``triadic plan`` with measurements on five networks: ``python benchmarks/cells/plan.py``.

Each network is counted in memory and by tiles, in a process of its own. Bytes should agree within 20%, memory from 0.8
to 1.5 times, and time within a factor of two. Networks whose files are missing are left out.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import triadic
from triadic.core.blocks import resolve_threads
from triadic.core.memory import show_bytes
from triadic.planning.plan import IN_MEMORY, Plan, plan
from triadic.planning.rates import rates

_DATA = Path(os.environ.get("TRIADIC_DATA") or Path(__file__).resolve().parents[3] / "shared" / "data")
_NETWORKS = {"web-NotreDame.txt.gz": "58MB", "cnr-2000.tsv.gz": "80MB", "ego-twitter.txt.gz": "60MB"}
_MODELS = {18: "100MB", 20: "250MB"}


def main() -> int:
    """Print a table of estimates and measurements."""
    print(f"{'graph':<20} {'way':<10} {'figure':<8} {'predicted':>12} {'measured':>12} {'ratio':>6}")
    rates(resolve_threads(None), again=True)  # measured now
    with tempfile.TemporaryDirectory() as folder:
        for file, memory in _files(Path(folder)):
            for limit in (None, memory):
                estimate = plan(file, memory=limit)
                _print(file.name, estimate, _measured(file, estimate, Path(folder)))
    return 0


def _files(folder: Path):
    for name, memory in _NETWORKS.items():
        if (_DATA / name).is_file():
            yield _DATA / name, memory
    for scale, memory in _MODELS.items():
        file = folder / f"rmat-{scale}.txt"
        triadic.write(triadic.generate.rmat(scale, seed=1), file)
        yield file, memory


def _measured(file: Path, estimate: Plan, folder: Path) -> dict[str, float]:
    memory = [str(estimate.memory), str(estimate.memory_to_tile)]
    command = [sys.executable, __file__, str(file), estimate.way, *memory, str(folder)]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def _print(name: str, estimate: Plan, measured: dict[str, float]) -> None:
    figures = {
        "read": (estimate.bytes_read, measured["read"]),
        "written": (estimate.bytes_written, measured["written"]),
        "held": (estimate.bytes_held, measured["held"]),
    }
    rows = [(figure, *map(show_bytes, map(int, pair)), pair) for figure, pair in figures.items()]
    # The measured process has counted before, so the estimate of the start is subtracted.
    seconds = sum(estimate.seconds.values()) - rates(estimate.threads).start, measured["seconds"]
    rows.append(("time", f"{seconds[0]:.2f} s", f"{seconds[1]:.2f} s", seconds))
    for figure, predicted, actual, (a, b) in rows:
        ratio = f"{a / b:.2f}" if b else ""
        print(f"{name:<20} {estimate.way:<10} {figure:<8} {predicted:>12} {actual:>12} {ratio:>6}", flush=True)


def _child(file: str, way: str, memory: int, memory_to_tile: int, folder: str) -> None:
    """Count in this process, and print what the count took, without the memory of loading triadic and Arrow."""
    tiny = Path(folder) / "tiny.txt"
    tiny.write_text("1 2\n2 3\n1 3\n")
    triadic.clustering(triadic.read(tiny))
    (read, written), started = _moved(), time.perf_counter()
    mapped = 0
    with _Peak() as peak:
        tiles = _count(file, way, memory, memory_to_tile, folder)
    seconds = time.perf_counter() - started
    now = _moved()
    if tiles is not None:
        files = (tiles / "results").rglob("*.npy")
        mapped = sum(part.stat().st_size for part in files if not part.name.startswith("range-"))
    figures = {"read": now[0] - read, "written": now[1] - written + mapped, "held": peak.held, "seconds": seconds}
    print(json.dumps(figures))


def _count(file: str, way: str, memory: int, memory_to_tile: int, folder: str) -> Path | None:
    tiles = None
    if way == IN_MEMORY:
        graph = triadic.read(file)
    else:
        tiles = Path(tempfile.mkdtemp(dir=folder))
        triadic.tile(file, tiles, memory=memory_to_tile)
        graph = triadic.TiledGraph(tiles, memory=memory)
    triadic.triangles(graph)
    triadic.clustering(graph)
    graph.degree  # noqa: B018 - computed on first use
    return tiles


def _moved() -> tuple[int, int]:
    fields = dict(line.split(": ") for line in Path("/proc/self/io").read_text().splitlines())
    return int(fields["rchar"]), int(fields["wchar"])


class _Peak:
    """The largest anonymous memory of this process. Mapped files do not count: the system frees their pages."""

    def __init__(self) -> None:
        self.most, self._ended = 0, threading.Event()
        self._watch = threading.Thread(target=self._look, daemon=True)

    def __enter__(self):
        self._before = _anonymous()
        self._watch.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._watch.join()

    @property
    def held(self) -> int:
        return self.most - self._before

    def _look(self) -> None:
        while not self._ended.wait(0.002):
            self.most = max(self.most, _anonymous())


def _anonymous() -> int:
    line = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("RssAnon:"))
    return 1024 * int(line.split()[1])


if __name__ == "__main__":
    if len(sys.argv) == 6:
        _child(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), sys.argv[5])
        sys.exit()
    sys.exit(main() if len(sys.argv) == 1 else __doc__)
