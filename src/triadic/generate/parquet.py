"""Writing the arcs of a model to Parquet, block by block."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triadic.generate.model import BLOCK, ids_dtype, stream

if TYPE_CHECKING:
    import os
    from collections.abc import Iterator

    from triadic.core.blocks import Progress
    from triadic.generate.model import Ids, Model


def write_parquet(
    path: str | os.PathLike[str],
    model: Model,
    *,
    block: int = BLOCK,
    threads: int | None = None,
    progress: Progress | None = None,
) -> None:
    """Write the arcs of a model to a Parquet file, with one block of them in memory at a time.

    The columns are ``source`` and ``target``; loops and repeats stay as the model has them. The schema's metadata
    holds, as JSON under ``triadic``, the ``vertices`` and ``directed`` that `triadic.read` needs and the ``model``
    with its parameters and seed. The file appears when it is complete; until then a file that stood at `path` before
    stays.

    Parameters
    ----------
    path : path-like
        Where to write the file.
    model : Model
        The network, such as `RMat` or `Grid`.
    block : int, default 4194304
        Number of arcs in a row group; the last may be shorter.
    threads : int, optional
        Number of threads that make the arcs; by default as many as the process may use.
    progress : callable, optional
        Called as ``progress(done, total)``, in arcs, after each block.

    Raises
    ------
    ArgumentError
        `block` is less than 1.
    WriteError
        The file cannot be written.

    Notes
    -----
    The same model writes the same bytes on any number of threads.

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
    from triadic.io.parquet_arcs import write_arc_blocks  # noqa: PLC0415 - imports pyarrow, which is slow

    def blocks() -> Iterator[tuple[Ids, Ids]]:
        done = 0
        for source, target in stream(model, block=block, threads=threads):
            yield source, target
            done += len(source)
            if progress:
                progress(done, model.arcs)

    metadata = {"directed": model.directed, "vertices": model.vertices, "model": repr(model)}
    write_arc_blocks(path, blocks(), dtype=ids_dtype(model.vertices), metadata=metadata)
