"""``sample_of``: a sample of the arcs of a file, whatever its format."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from triadic.io.formats import open_network
from triadic.io.options import ReadOptions
from triadic.io.sampling import sample_whole
from triadic.planning.of_sizes import sample_of_sizes
from triadic.planning.sample import sample_of_parts

if TYPE_CHECKING:
    from os import PathLike

    from triadic.io.sampling import FileSample
    from triadic.planning.sample import Sample


def sample_of(
    path: str | PathLike[str],
    *,
    directed: bool | None,
    format: str | None,  # noqa: A002 - the keyword of triadic.read
    vertices: int | None,
    threads: int,
) -> Sample:
    """Take a sample of a file: all its arcs up to 2 million, of more arcs 2 million or a twentieth, whichever is more.

    Raises
    ------
    MissingFileError, ReadError, ArgumentError
        As `triadic.read` does.
    """
    _load_readers()
    options = ReadOptions(directed, vertices, False)
    source, known = open_network(path, format)
    if known.sample is None:
        read = sample_whole(known.name, known.read, source, options)
    else:
        read = known.sample(source, options, threads)
    return _sample_of_header(read) if read.parts is None else sample_of_parts(read)


def _sample_of_header(header: FileSample) -> Sample:
    """Return R-MAT of the sizes that a header states, with each edge from both its ends."""
    n = max(header.vertices or 0, 2)
    # The number in the header includes repeats and loops.
    edges = min(max(header.arcs // 2, 1), n * (n - 1) // 2)
    like = sample_of_sizes(n, edges, directed=header.directed)
    return replace(
        like,
        source=np.concatenate([like.source, like.target]),
        target=np.concatenate([like.target, like.source]),
        place=np.concatenate([like.place, like.place]),
        arcs=header.arcs,
        input_bytes=header.input_bytes,
        reads=header.reads,
        survey=header.survey,
        again=header.again,
        basis=f"from its header, {like.basis}",
        kept=header.kept,
    )


@cache
def _load_readers() -> None:
    """Read a small file once, so that importing Arrow and compiling kernels is not timed as reading."""
    from triadic.io.streaming import stream_arcs  # noqa: PLC0415 - only plans of files need it

    with tempfile.TemporaryDirectory(prefix="triadic-") as folder:
        path = Path(folder) / "edges.txt"
        path.write_text("1 2\n2 4\n")
        stream = stream_arcs(path)
        stream.survey()
        for _ in stream.pieces():
            pass
