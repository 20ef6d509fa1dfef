"""Stress runs: what tests check on a few cases, on very many random ones.

``python stress/run.py --short`` runs a batch of each kind, about a minute. ``python stress/run.py`` runs batches of new
seeds for an hour, which the kinds share equally, or for ``--minutes``; of abuse it runs all cases that there are. Each
kind prints what it counted; inputs that failed are kept in ``stress-failures/``, with the seed that repeats them.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

HERE = Path(__file__).resolve().parent
ALL = 10**9
# Cases of a batch in the short form and in the long one. Kinds that fork or preload run as programs of their own.
KINDS = {
    "files": (1_500, 15_000),
    "states": (40, 400),
    "archives": (80, 800),
    "graphs": (150, 1_500),
    "abuse": (1_500, ALL),  # at most as many as there are
    "flips": (20, 100),
    "kills": (12, 60),
    "disks": (12, 60),
    "threads": (10, 50),
    "urls": (10, 50),
    "cluster": (0, 2),  # a cluster takes half a minute to start and stop
    "resumed": (0, 2),
}
FORKING = ("kills", "disks")
SHARDED = (
    "files",
    "states",
    "archives",
    "graphs",
    "flips",
    "kills",
    "disks",
)  # the other kinds use all cores themselves


def fault_library(folder):
    """Compile the library that fails at a system call; return None where there is no compiler or no Linux."""
    compiler = shutil.which("cc")
    if compiler is None or sys.platform != "linux":
        return None
    target = folder / "fault_at_call.so"
    subprocess.run([compiler, "-O2", "-shared", "-fPIC", "-o", target, HERE / "fault_at_call.c", "-ldl"], check=True)
    return target


def one(kind, count, seed, folder):
    """Run one kind in this process, and write its counts."""
    from tally import Tally

    folder.mkdir(parents=True, exist_ok=True)
    tally = Tally(kind)
    if kind in FORKING:
        import writers

        faults = ["kill"] if kind == "kills" else [fault for fault in writers.FAULTS if fault != "kill"]
        writers.run(count, seed, folder, tally, faults)
    else:
        importlib.import_module(kind).run(count, seed, folder, tally)
    (folder / "tally.json").write_text(json.dumps(tally.record()))
    return bool(tally.failures)


def start(kind, count, seed, folder, library):
    """Start one kind in a process of its own."""
    environment = dict(os.environ)
    if kind in FORKING:
        environment["LD_PRELOAD"] = str(library)
    words = [sys.executable, str(HERE / "run.py"), "--one", kind, str(count), str(seed), str(folder)]
    return subprocess.Popen(words, env=environment)


def batch(kind, count, seed, folder, library):
    """Run cases of one kind in as many processes as there are cores, if they can share them; return what was counted.

    Returns
    -------
    Counter
        Number of cases, and of each outcome.
    bool
        Whether one failed.
    """
    shards = min(count, os.cpu_count() or 1) if kind in SHARDED else 1
    folders = [folder / f"{kind}-{shard}" for shard in range(shards)]
    running = [
        start(kind, -(-count // shards), 1000 * seed + shard, place, library) for shard, place in enumerate(folders)
    ]
    codes = [process.wait() for process in running]
    found = Counter()
    for place, code in zip(folders, codes, strict=True):
        report = place / "tally.json"
        found.update(json.loads(report.read_text()) if report.exists() else {f"ended with {code}": 1})
        shutil.rmtree(place, ignore_errors=True)
    return found, any(codes)


def main():
    """Run all kinds, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--short", action="store_true", help="about a minute, as in continuous integration")
    parser.add_argument("--minutes", type=float, default=60, help="of the long form, for all kinds but abuse together")
    parser.add_argument("--only", default=",".join(KINDS), help="kinds, separated by commas")
    parser.add_argument("--seed", type=int, default=1, help="of the first batch")
    parser.add_argument("--one", nargs=4, metavar=("KIND", "COUNT", "SEED", "FOLDER"), help=argparse.SUPPRESS)
    asked = parser.parse_args()
    sys.path.insert(0, str(HERE))
    if asked.one:
        kind, count, seed, folder = asked.one
        sys.exit(one(kind, int(count), int(seed), Path(folder)))
    shared_memory = Path("/dev/shm")
    base = shared_memory if os.access(shared_memory, os.W_OK) else None
    kinds, totals, failed = asked.only.split(","), {}, False
    with tempfile.TemporaryDirectory(prefix="triadic-stress-", dir=base) as scratch:
        folder = Path(scratch)
        library = fault_library(folder)
        for kind in kinds:
            count = KINDS[kind][not asked.short]
            if count == 0 or (kind in FORKING and library is None):
                print(f"{kind}: left out")
                continue
            seconds = 60 * asked.minutes / len(kinds)
            begin, seed, totals[kind] = time.monotonic(), asked.seed, Counter()
            while seed == asked.seed or time.monotonic() - begin < seconds:
                print(f"{kind}: {'all' if count == ALL else f'{count:,}'} cases, seed {seed}", flush=True)
                found, wrong = batch(kind, count, seed, folder, library)
                totals[kind].update(found)
                failed |= wrong
                seed += 1
                if asked.short or count == ALL:
                    break
    print()
    for kind, found in totals.items():
        outcomes = ", ".join(f"{number:,} {name}" for name, number in sorted(found.items()) if name != "cases")
        print(f"{kind:<8}{found.get('cases', 0):>10,} cases: {outcomes}")
    Path("stress-report.json").write_text(json.dumps({"seed": asked.seed, **totals}, indent=1) + "\n")
    sys.exit(failed)


if __name__ == "__main__":
    main()
