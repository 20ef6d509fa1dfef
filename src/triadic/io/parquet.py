"""Parquet: a row for each edge; its columns are found by their names (:mod:`triadic.io.columns`).

Format: https://parquet.apache.org/docs/file-format. Ids are integers or strings, as in text. triadic writes the columns
``source``, ``target`` and, for weights, ``weight``, and the direction and the number of vertices into the metadata of
the schema, under ``triadic``, with the list of the labels if the rows do not tell it (:mod:`triadic.io.edge_blocks`). A
file without them is directed, and its vertices are the ids that occur.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from triadic.io.format import Format, Keeps

if TYPE_CHECKING:
    from triadic.graph.graph import Graph
    from triadic.io.blocks import Blocks
    from triadic.io.file_source import Source
    from triadic.io.options import ReadOptions


def _blocks(source: Source, options: ReadOptions, before: Blocks | None) -> Blocks:  # noqa: ARG001 - as of text
    from triadic.io.parquet_file import ParquetBlocks  # noqa: PLC0415 - Arrow takes long to import

    return ParquetBlocks(source, options)


def _write(graph: Graph, path: str) -> None:
    from triadic.io.parquet_file import write_parquet  # noqa: PLC0415 - Arrow takes long to import

    write_parquet(graph, path)


def _label_problem(graph: Graph) -> str | None:
    from triadic.io.parquet_file import metadata_problem  # noqa: PLC0415 - Arrow takes long to import

    return metadata_problem(graph)


PARQUET = Format(
    name="parquet",
    suffixes=(".parquet", ".pq"),
    recognise=re.compile(b"PAR1").match,
    blocks=_blocks,
    write=_write,
    keeps=Keeps(
        isolated_vertices="metadata",
        direction="metadata",
        assumed_direction="metadata",
        weights="column `weight`",
        labels="ids",
        numbering="order of the rows, or metadata",
    ),
    label_problem=_label_problem,
    columns=True,
    packed=False,
)
