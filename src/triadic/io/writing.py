"""``write``: from a graph to a file."""
# ruff: noqa: PLC0415 - Arrow and SciPy, which the writers need, take long to import

from __future__ import annotations

from typing import TYPE_CHECKING

from triadic.errors import ArgumentError
from triadic.io.detect import FORMATS, WRITTEN, format_of_name, known_format, suffix_of
from triadic.io.file_source import path_text

if TYPE_CHECKING:
    from os import PathLike

    from triadic.graph.graph import Graph


def write(
    graph: Graph,
    path: str | PathLike[str],
    *,
    format: str | None = None,  # noqa: A002 - the word that everybody looks for
) -> None:
    """Write a graph; the file appears whole or not at all.

    Parameters
    ----------
    graph : Graph
    path : path-like
        Packed if it ends in ``.gz`` or ``.zst``.
    format : {"text", "csv", "tsv", "parquet", "matrix-market", "triadic"}, optional
        None goes by the suffix; without one it is triadic's own format, a folder. That keeps everything; text and
        Parquet keep labels as ids (a label must then stand for one vertex only, and those of isolated vertices are
        lost), Matrix Market keeps none. CSV and TSV keep neither the direction nor isolated vertices.

    Raises
    ------
    WriteError
        It cannot be written, or the format cannot hold its labels; what stood at ``path`` is untouched.
    ArgumentError
        The format is not known or not written.

    Examples
    --------
    >>> from triadic import Graph, read
    >>> folder = getfixture("tmp_path")
    >>> write(Graph.from_edges([0, 1], [1, 2]), folder / "path.txt.gz")
    >>> read(folder / "path.txt.gz").num_edges
    2
    """
    text = path_text(path)
    name = _written_format(text, format)
    if name == "triadic":
        from triadic.io.folder import write_folder

        write_folder(graph, text)
    elif name == "parquet":
        from triadic.io.parquet import write_parquet

        write_parquet(graph, text)
    elif name == "matrix-market":
        from triadic.io.matrix_market_writer import write_matrix_market

        write_matrix_market(graph, text)
    else:
        from triadic.io.text_writer import write_text

        write_text(graph, text, format=name)


def _written_format(path: str, asked: str | None) -> str:
    suffix, packing = suffix_of(path)
    if asked is not None:
        name: str | None = known_format(asked)
    else:
        name = "triadic" if not suffix else format_of_name(path)
    if name is None:
        suffixes = ", ".join(each for known in WRITTEN for each in FORMATS[known])
        raise ArgumentError(f"{path}: no format has the suffix {suffix!r}; expected one of {suffixes}, or format=")
    if name not in WRITTEN:
        raise ArgumentError(f"format={name!r} is read only; expected one of {', '.join(WRITTEN)}")
    if packing is not None and name in ("parquet", "triadic"):
        raise ArgumentError(f"{path}: the format {name!r} is not packed by {packing}; expected a name without it")
    return name
