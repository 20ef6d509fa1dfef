"""Streaming a model to Parquet."""

from __future__ import annotations

import json

import numpy as np
import pyarrow.parquet as pq
import pytest

from triadic import generate
from triadic.errors import WriteError

MODEL = generate.RMat(10, 8, seed=5, directed=True)


def test_the_file_holds_the_arcs_and_describes_the_model(tmp_path):
    path = tmp_path / "made.parquet"
    generate.write_parquet(path, MODEL, block=1000)
    table = pq.read_table(path)
    arcs = generate.make_arcs(MODEL)
    assert table.column_names == ["source", "target"]
    assert np.array_equal(table["source"].to_numpy(), arcs.source)
    assert np.array_equal(table["target"].to_numpy(), arcs.target)
    about = json.loads(pq.read_schema(path).metadata[b"triadic"])
    assert about["vertices"] == 1024
    assert about["directed"] is True
    assert "seed=5" in about["model"]
    assert pq.ParquetFile(path).num_row_groups == 9


def test_the_same_seed_writes_the_same_bytes_on_any_number_of_threads(tmp_path):
    for threads in (1, 3):
        generate.write_parquet(tmp_path / f"{threads}.parquet", MODEL, block=3000, threads=threads)
    assert (tmp_path / "1.parquet").read_bytes() == (tmp_path / "3.parquet").read_bytes()


def test_a_network_without_arcs_is_a_file_without_rows(tmp_path):
    generate.write_parquet(tmp_path / "empty.parquet", generate.ErdosRenyi(7, 0))
    assert pq.read_table(tmp_path / "empty.parquet").num_rows == 0


def test_progress_is_reported_after_each_block(tmp_path):
    seen = []
    generate.write_parquet(
        tmp_path / "made.parquet", MODEL, block=4096, progress=lambda done, total: seen.append((done, total))
    )
    assert seen == [(4096, 8192), (8192, 8192)]


def test_an_interrupted_run_leaves_the_earlier_file(tmp_path):
    path = tmp_path / "made.parquet"
    path.write_bytes(b"before")

    def stop(done, total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        generate.write_parquet(path, MODEL, block=1000, progress=stop)
    assert path.read_bytes() == b"before"
    assert [file.name for file in tmp_path.iterdir()] == ["made.parquet"]


def test_a_missing_folder_is_named(tmp_path):
    with pytest.raises(WriteError, match="nowhere"):
        generate.write_parquet(tmp_path / "nowhere" / "made.parquet", MODEL)
