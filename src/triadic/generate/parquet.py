"""Writing a model's arcs to Parquet, block by block."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from triadic.generate.model import BLOCK, ids_dtype, stream
from triadic.io.whole_file import whole_file

if TYPE_CHECKING:
    import os

    from triadic.core.blocks import Progress
    from triadic.generate.model import Model


def write_parquet(
    path: str | os.PathLike[str],
    model: Model,
    *,
    block: int = BLOCK,
    threads: int | None = None,
    progress: Progress | None = None,
) -> None:
    """Write the arcs of a model to a Parquet file, in memory for one block.

    The columns are ``source`` and ``target``; loops and repeats are left in, as the model has them. The schema's
    metadata says as JSON, under ``triadic``, what `triadic.read` needs (``vertices`` and ``directed``) and the
    ``model`` with its parameters and seed. The file appears when it is whole; one that stood there before stays until
    then.

    Parameters
    ----------
    path : path-like
    model : Model
    block : int, default 4194304
        Arcs in a row group.
    threads : int, optional
        Threads that make the arcs; by default as many as the process may use.
    progress : callable, optional
        ``progress(done, total)``, in arcs, after each block.

    Raises
    ------
    WriteError
        If the file cannot be written.

    Examples
    --------
    >>> import tempfile, pathlib, pyarrow.parquet
    >>> from triadic import generate
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "lattice.parquet"
    ...     generate.write_parquet(path, generate.Grid(rows=10, columns=10))
    ...     pyarrow.parquet.read_table(path).num_rows
    180
    """
    import pyarrow as pa  # noqa: PLC0415 - slow to import, and for this alone
    import pyarrow.parquet as pq  # noqa: PLC0415

    from triadic.io.parquet_file import METADATA_KEY  # noqa: PLC0415

    ids = pa.from_numpy_dtype(ids_dtype(model.vertices))
    about = {"directed": model.directed, "vertices": model.vertices, "model": repr(model)}
    schema = pa.schema(
        [pa.field("source", ids, nullable=False), pa.field("target", ids, nullable=False)],
        metadata={METADATA_KEY: json.dumps(about)},
    )
    done = 0
    # Random ids repeat too seldom for a dictionary to be worth its time.
    with (
        whole_file(path) as temporary,
        pq.ParquetWriter(temporary, schema, use_dictionary=False, compression="zstd") as writer,
    ):
        for source, target in stream(model, block=block, threads=threads):
            writer.write_table(pa.Table.from_arrays([pa.array(source), pa.array(target)], schema=schema))
            done += len(source)
            if progress:
                progress(done, model.arcs)
