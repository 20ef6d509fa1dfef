"""A Dask cluster whose workers or client are killed while they count: the same counts, then or in the next run."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
import time

import numpy as np

CLIENT = """
import sys, triadic
from triadic.tiles.cluster.client import connect
with connect("local:2") as client:
    print("ready", flush=True)
    triadic.triangles(triadic.TiledGraph(sys.argv[1], results=sys.argv[2], client=client))
"""


def run(count, seed, folder, tally):
    """Count `count` times while something is killed."""
    import triadic
    from triadic.errors import TriadicError
    from triadic.tiles.cluster.client import connect

    rng = np.random.default_rng(seed)
    tiles, results = folder / "tiles", folder / "results"
    model = triadic.generate.RMat(12, seed=3)
    shutil.rmtree(tiles, ignore_errors=True)
    triadic.tile(model, tiles, ranges=6)
    expected = triadic.triangles(triadic.generate.make_graph(model)).tolist()
    for number in range(count):
        shutil.rmtree(results, ignore_errors=True)
        case = f"count {number} of seed {seed}"
        if number % 3 == 2:
            client = subprocess.Popen(
                [sys.executable, "-c", CLIENT, tiles, results],
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
            )
            client.stdout.readline()
            time.sleep(float(rng.random()))
            client.kill()
            client.wait()
            found = triadic.triangles(triadic.TiledGraph(tiles, results=results)).tolist()
            tally.add("client killed: equal") if found == expected else tally.fail("another number", case=case)
            continue
        with connect("local:2") as client:
            processes = list(client.run(os.getpid).values())
            timer = threading.Timer(float(rng.random()), os.kill, [processes[rng.integers(2)], signal.SIGKILL])
            timer.start()
            try:
                found = triadic.triangles(triadic.TiledGraph(tiles, results=results, client=client)).tolist()
            except TriadicError as error:
                tally.add("worker killed: refused") if "\n" not in str(error) else tally.fail(str(error), case=case)
            else:
                tally.add("worker killed: equal") if found == expected else tally.fail("another number", case=case)
            timer.cancel()
