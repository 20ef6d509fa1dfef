"""Parquet files of arcs that are produced block by block, such as those of a model larger than memory."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq

from triadic.io.parquet_file import METADATA_KEY
from triadic.io.whole_file import whole_stream

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Mapping

    import numpy as np

    from triadic.core.array_types import Ids


def write_arc_blocks(
    path: str | os.PathLike[str],
    blocks: Iterable[tuple[Ids, Ids]],
    *,
    dtype: np.dtype[np.integer[Any]],
    metadata: Mapping[str, object],
) -> None:
    """Write blocks of arcs as the row groups of one Parquet file, which appears when it is complete.

    Parameters
    ----------
    path : path-like
    blocks : iterable of (source, target)
        Pairs of integer arrays of equal length.
    dtype : dtype
        Type of the ids in both columns.
    metadata : mapping
        Written as JSON into the schema under ``triadic``: ``vertices`` and ``directed``, which readers need, and
        anything else that describes the network.

    Raises
    ------
    WriteError
        The file cannot be written; a file that stood at `path` before is unchanged.
    """
    ids = pa.from_numpy_dtype(dtype)
    schema = pa.schema(
        [pa.field("source", ids, nullable=False), pa.field("target", ids, nullable=False)],
        metadata={METADATA_KEY: json.dumps(metadata)},
    )
    # Random ids repeat too seldom for a dictionary to save time or space.
    with (
        whole_stream(path) as stream,
        pq.ParquetWriter(stream, schema, use_dictionary=False, compression="zstd") as writer,
    ):
        for source, target in blocks:
            writer.write_table(pa.Table.from_arrays([pa.array(source), pa.array(target)], schema=schema))
