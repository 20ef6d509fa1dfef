"""``triadic clustering``: triangles and clustering coefficients of a network in a file."""

from pathlib import Path
from typing import Annotated

import typer

from triadic.cli.options import (
    Dask,
    Device,
    Directed,
    Format,
    Json,
    Memory,
    NetworkOrTiles,
    Progress,
    Results,
    Threads,
    Tiles,
    Vertices,
)


def clustering(
    file: NetworkOrTiles,
    *,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help="Write label, degree, triangles and clustering of every vertex: .csv, .parquet or .npy.",
            show_default=False,
        ),
    ] = None,
    as_json: Json = False,
    directed: Directed = None,
    format_: Format = None,
    vertices: Vertices = None,
    threads: Threads = None,
    device: Device = "auto",
    memory: Memory = None,
    tiles: Tiles = None,
    results: Results = None,
    dask: Dask = None,
    progress: Progress = None,
) -> None:
    """Count triangles exactly and print transitivity and average clustering.

    A directed network is taken without its directions: two vertices are joined if an arc runs either way.
    """
    from triadic.cli import per_vertex
    from triadic.cli.analysis import analyse
    from triadic.cli.by_tiles import Asked
    from triadic.cli.locations import located

    network = located(file)
    if output is not None:
        per_vertex.check(output)  # before minutes of counting, not after
    analysis = analyse(
        network,
        directed=directed,
        format=format_,
        vertices=vertices,
        threads=threads,
        device=device,
        show_progress=progress,
        by_tiles=Asked("clustering", memory, tiles, dask, output, results),
    )
    if output is not None:
        per_vertex.write(output, analysis.graph, analysis.figures.columns())
    if as_json:
        import json

        typer.echo(json.dumps(analysis.as_record(analysis.figures.totals()), allow_nan=False))
    else:
        from triadic.cli.tables import print_analysis

        print_analysis(network.name, analysis)
    analysis.done()
