"""Parquet: a row for each edge; its columns are found by their names (:mod:`triadic.io.columns`).

Format: https://parquet.apache.org/docs/file-format. Ids are integers or strings, as in text. triadic writes the columns
``source``, ``target`` and, for weights, ``weight``, and the direction and the number of vertices into the metadata of
the schema, under ``triadic``, with the list of the labels if the rows do not tell it (:mod:`triadic.io.edge_blocks`). A
file without them is directed, and its vertices are the ids that occur.
"""

from __future__ import annotations

import re

from triadic.io.format import Format, Keeps, later

PARQUET = Format(
    name="parquet",
    suffixes=(".parquet", ".pq"),
    recognise=re.compile(b"PAR1").match,
    blocks=later("parquet_file", "ParquetBlocks"),
    write=later("parquet_file", "write_parquet"),
    keeps=Keeps(
        isolated_vertices="metadata",
        direction="metadata",
        assumed_direction="metadata",
        weights="column `weight`",
        columns="columns",
        labels="ids",
        numbering="order of the rows, or metadata",
    ),
    label_problem=later("parquet_file", "metadata_problem"),
    columns=True,
    packed=False,
)
