"""Tiling and counting whose process is killed at random moments, several times: the same files and counts at the end.

A case is a step (tiling or counting), a way (a process of its own, or a cluster that the process starts) and a place
(a folder, or a real S3 server on this machine). The step is started and killed with SIGKILL at a random moment of the
time that it takes undisturbed, one to three times. Then it runs to its end: tiles have the same bytes as undisturbed
ones, except the record of the input, and counts are the same numbers.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

WORK = """
import sys
from contextlib import nullcontext
import numpy as np
import triadic
from triadic.tiles.cluster.client import connect
step, way, network, tiles, results, answer = sys.argv[1:]
with connect("local:2") if way == "cluster" else nullcontext() as client:
    print("ready", flush=True)
    if step == "tiling":
        triadic.tile(network, tiles, ranges=5, memory="300MB" if client else "60MB", directed=False, client=client)
    elif step == "counting":
        graph = triadic.TiledGraph(tiles, results=results, client=client)
        np.save(answer, triadic.triangles(graph))
    else:
        graph = triadic.TiledGraph(tiles, client=client)
        triadic.vertex_table(graph, ["degree", "triangles", "clustering"], output=results)
"""
STEPS, WAYS, PLACES = ("tiling", "counting", "table"), ("process", "cluster"), ("folder", "S3")


def run(count, seed, folder, tally):
    """Run `count` cases, each combination of step, way and place in turn."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    import triadic

    network = folder / "network"
    shutil.rmtree(network, ignore_errors=True)
    network.mkdir()
    source, target = (1 << 14) * np.random.default_rng(1).random((2, 300_000)) ** 3
    for k, (u, v) in enumerate(zip(np.array_split(source, 6), np.array_split(target, 6), strict=True)):
        table = pa.table({"source": u.astype(np.int64), "target": v.astype(np.int64)})
        pq.write_table(table, network / f"part-{k}.parquet")
    graph = triadic.read(network, directed=False)
    expected = triadic.triangles(graph)
    rng = np.random.default_rng(seed)
    combinations = [(step, way, place) for step in STEPS for way in WAYS for place in PLACES]
    with ExitStack() as stack:
        server = _server(stack)
        if server is None:
            combinations = [case for case in combinations if case[2] != "S3"]
        for number in range(count):
            step, way, place = combinations[number % len(combinations)]
            case = f"case {number} of seed {seed}: {step} by a {way} at {place}"
            paths = Case(folder / "work", network, place, server)
            try:
                problem = _check(paths, step, way, rng, graph, expected)
            except Exception as error:
                problem = repr(error)
            if problem:
                tally.fail(problem, case=case)
            else:
                tally.add(f"{step} by a {way} at {place}")


class Case:
    """The places of one case, all of which are empty."""

    def __init__(self, folder, network, place, server):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        self.folder, self.network, self.system = folder, network, None
        self.tiles, self.results = str(folder / "tiles"), str(folder / "results")
        self.environment = os.environ | {"XDG_CACHE_HOME": str(folder / "cache")}
        if place == "S3":
            from s3_server import BUCKET

            self.system = server.system()
            for key in self.system.find(BUCKET):
                self.system.rm_file(key)
            self.tiles = f"s3://{BUCKET}/tiles"
        self.answer = str(folder / "answer.npy")

    def start(self, step, way):
        """Start a step in a process group of its own."""
        results = self.tiles.replace("tiles", "table") if step == "table" else self.results
        words = [sys.executable, "-c", WORK, step, way, str(self.network), self.tiles, results, self.answer]
        return subprocess.Popen(
            words,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=self.environment,
            start_new_session=True,
        )

    def finish(self, step, way):
        """Run a step to its end, and return its seconds after it began."""
        process = self.start(step, way)
        process.stdout.readline()
        started = time.monotonic()
        _, said = process.communicate()
        if process.returncode:
            raise RuntimeError(said[-2000:])
        return time.monotonic() - started

    def files(self):
        """Return the content of each file of the tiles, without the record of the input."""
        if self.system is None:
            found = {path.name: path.read_bytes() for path in Path(self.tiles).iterdir() if path.is_file()}
        else:
            keys = self.system.find(self.tiles.removeprefix("s3://"))
            found = {key.rpartition("/")[2]: self.system.cat_file(key) for key in keys}
        header = json.loads(found.get("header.json", b"{}"))
        found["header.json"] = {name: value for name, value in header.items() if name not in ("origin", "checksum")}
        return found

    def clear(self):
        """Remove what a step wrote."""
        for place in (self.tiles, self.tiles.replace("tiles", "table")):
            if self.system is not None:
                for key in self.system.find(place.removeprefix("s3://")):
                    self.system.rm_file(key)
            shutil.rmtree(place, ignore_errors=True)
        shutil.rmtree(self.folder / "cache", ignore_errors=True)


def _check(case, step, way, rng, graph, expected):
    """Run a step undisturbed, then killed, and compare; return the problem, or None."""
    if step == "tiling":
        seconds = case.finish(step, way)
        undisturbed = case.files()
        case.clear()
    else:
        case.finish("tiling", "process")
        seconds = 1.5
    for _ in range(int(rng.integers(1, 4))):
        process = case.start(step, way)
        process.stdout.readline()
        time.sleep(float(rng.random()) * seconds)
        os.kill(process.pid, signal.SIGKILL)
        process.communicate()
    case.finish(step, way)
    if step == "tiling":
        found = case.files()
        if found != undisturbed:
            odd = sorted(set(found) ^ set(undisturbed)) or [k for k in found if found[k] != undisturbed[k]]
            return f"files differ: {odd[:5]}"
        return None
    if step == "counting":
        return None if np.array_equal(np.load(case.answer), expected) else "another number"
    return _compare_table(case, graph, expected)


def _compare_table(case, graph, expected):
    import pyarrow.parquet as pq

    place = case.tiles.replace("tiles", "table")
    table = pq.read_table(place.removeprefix("s3://"), filesystem=case.system).sort_by("vertex")
    names = table["label"].to_numpy()
    order = np.argsort(names)
    mine = np.argsort(graph.labels) if graph.labels is not None else np.arange(graph.num_vertices)
    return None if np.array_equal(table["triangles"].to_numpy()[order], expected[mine]) else "another table"


def _server(stack):
    """Start an S3 server; None if its packages are missing."""
    try:
        from s3_server import s3_server

        return stack.enter_context(s3_server())
    except ImportError:
        print("  resumed: without S3, whose packages moto and s3fs are not installed", flush=True)
        return None
