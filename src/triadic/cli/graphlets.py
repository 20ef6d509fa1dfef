"""``triadic graphlets``: the graphlets of a network in a file."""

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


def graphlets(
    file: NetworkOrTiles,
    *,
    graphlets: Annotated[
        int, typer.Option(metavar="5|16", help="All 16 graphlets, or the first 5, which need only triangles.")
    ] = 16,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help="Write label and the induced graphlets at every vertex: .csv, .parquet or .npy.",
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
    """Count the connected subgraphs of up to four vertices exactly, by their shape.

    A directed network is taken without its directions: two vertices are joined if an arc runs either way.
    """
    from triadic.cli import per_vertex
    from triadic.cli.by_tiles import Asked, refuse
    from triadic.cli.graphlet_figures import count_graphlets
    from triadic.cli.locations import located
    from triadic.errors import ArgumentError

    if graphlets not in (5, 16):
        raise ArgumentError(f"--graphlets {graphlets}: expected 5 or 16")
    network = located(file)
    if output is not None:
        per_vertex.check(output)  # before minutes of counting, not after
    if graphlets != 5:
        refuse(network, "--graphlets 16", memory=memory, tiles=tiles, results=results, dask=dask)
    counted = count_graphlets(
        network,
        graphlets=graphlets,
        directed=directed,
        format=format_,
        vertices=vertices,
        threads=threads,
        device=device,
        show_progress=progress,
        by_tiles=None if graphlets != 5 else Asked("graphlets", memory, tiles, dask, output, results),
    )
    if output is not None:
        per_vertex.write(output, counted.graph, counted.figures.columns())
    if as_json:
        import json

        typer.echo(json.dumps(counted.as_record(counted.figures.sums())))
    else:
        from triadic.cli.graphlet_table import print_graphlets

        print_graphlets(network.name, counted)
    counted.done()
