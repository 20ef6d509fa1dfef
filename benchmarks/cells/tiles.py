"""Counting of tiled graphs compared with graphs in memory, and tiling compared with one pass over the edges."""

from __future__ import annotations

import tempfile
from contextlib import contextmanager
from functools import partial
from itertools import count
from pathlib import Path

import numpy as np

import triadic
from contest import Cell, Contender, Goal, Settings
from triadic.counts.count import run
from triadic.counts.triangles import TRIANGLES

_IN_MEMORY, _ONE_PASS = "in memory", "edges read and written once"
_SHARE = 1 / 4  # of the memory that counting in memory takes
_RANGES = 12  # the first holds the hubs


def cells():
    for scale in (22, 24, 25):
        yield Cell("tiles", f"rmat-{scale}", partial(_counting, scale), {_IN_MEMORY: Goal(ratio=1 / 1.3)})
    for scale in (20, 22):
        yield Cell("tiling", f"rmat-{scale}", partial(_tiling, scale), {_ONE_PASS: Goal(ratio=1 / 3)})


@contextmanager
def _counting(scale: int, settings: Settings):
    """Count the triangles of every vertex of an oriented graph, and of its tiles in a quarter of the memory."""
    with tempfile.TemporaryDirectory(prefix="triadic-") as name:
        folder, numbers = Path(name), count()
        graph = triadic.generate.rmat(scale, seed=1)
        triadic.write(graph, folder / "graph")
        oriented = graph.oriented()
        del graph
        held = sum(array.nbytes for array in (oriented.rank, oriented.indptr, oriented.indices, oriented.degree))
        memory = int(_SHARE * (held + TRIANGLES.bytes(oriented.sizes, settings.threads)))
        triadic.tile(folder / "graph", folder / "tiles", ranges=_RANGES, threads=settings.threads)

        def in_memory(_):
            return run(TRIANGLES, oriented, threads=settings.threads, device="cpu")

        def in_tiles(_):
            results = folder / f"results-{next(numbers)}"
            tiled = triadic.TiledGraph(folder / "tiles", results=results, memory=memory)
            return run(TRIANGLES, tiled.oriented(), threads=settings.threads, device="cpu")

        yield [
            Contender("triadic", count=in_tiles, numbers=np.asarray),
            Contender(_IN_MEMORY, count=in_memory, numbers=np.asarray),
        ]


@contextmanager
def _tiling(scale: int, settings: Settings):
    """Tile a Parquet file; for comparison, read the same file once and write its edges, 8 bytes each."""
    import pyarrow.parquet as pq

    with tempfile.TemporaryDirectory(prefix="triadic-") as name:
        folder, numbers = Path(name), count()
        file = folder / "edges.parquet"
        triadic.generate.write_parquet(file, triadic.generate.RMat(scale, seed=1))

        def tiled(_):
            output = folder / f"tiles-{next(numbers)}"
            return triadic.tile(file, output, memory="2GB", directed=False, threads=settings.threads)

        def one_pass(_):
            arcs = 0
            with (folder / f"edges-{next(numbers)}").open("wb") as written:
                for batch in pq.ParquetFile(file).iter_batches(1 << 20, columns=["source", "target"]):
                    ends = [np.asarray(column, dtype=np.int32) for column in batch.columns]
                    np.stack(ends, axis=1).tofile(written)
                    arcs += len(batch)
            return arcs

        yield [
            Contender("triadic", count=tiled, numbers=lambda tiled: 16 << scale if tiled.num_edges else 0),
            Contender(_ONE_PASS, count=one_pass, numbers=int),
        ]
