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

_IN_MEMORY, _ONE_PASS = "in memory, from its folder", "edges read and written once"
# Number of ranges: the edges of a triple of ranges are a fraction of all edges.
_RANGES = 5


def cells():
    for scale in (20, 22):
        yield Cell("tiles", f"rmat-{scale}", partial(_counting, scale), {_IN_MEMORY: Goal(ratio=1 / 2)})
    for scale in (20, 22):
        yield Cell("tiling", f"rmat-{scale}", partial(_tiling, scale), {_ONE_PASS: Goal(ratio=1 / 3)})


@contextmanager
def _counting(scale: int, settings: Settings):
    """Compute the clustering of every vertex from files; in memory, this includes orientation."""
    with tempfile.TemporaryDirectory(prefix="triadic-") as name:
        folder, numbers = Path(name), count()
        graph = triadic.generate.rmat(scale, seed=1)
        triadic.write(graph, folder / "graph")
        triadic.tile(folder / "graph", folder / "tiles", ranges=_RANGES, threads=settings.threads)
        del graph

        def in_memory(_):
            return triadic.clustering(triadic.read(folder / "graph"), threads=settings.threads)

        def in_tiles(_):
            tiled = triadic.TiledGraph(folder / "tiles", results=folder / f"results-{next(numbers)}")
            return triadic.clustering(tiled, threads=settings.threads)

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
