"""``triadic census``: the triads of a network in a file."""

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


def census(
    file: NetworkOrTiles,
    *,
    types: Annotated[
        int, typer.Option(metavar="16|64", help="The 16 types, or the 64 codes of vertices u < v < w.")
    ] = 16,
    by_vertex: Annotated[
        bool, typer.Option("--by-vertex", help="Count also the triads that each vertex is in, for -o.")
    ] = False,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help="With --by-vertex: write label and the 16 counts of every vertex: .csv, .parquet or .npy.",
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
    """Count the triads of each type exactly: how each three vertices are joined.

    Edges are read as arcs. A network without directions is counted with every edge mutual.
    """
    from triadic.cli import per_vertex
    from triadic.cli.by_tiles import Asked, refuse
    from triadic.cli.census_figures import take_census
    from triadic.cli.locations import located
    from triadic.errors import ArgumentError

    if types not in (16, 64):
        raise ArgumentError(f"--types {types}: expected 16 or 64")
    if by_vertex and types != 16:
        raise ArgumentError("--types 64: the triads of vertices are counted by the 16 types; leave out --by-vertex")
    if by_vertex and output is None:
        raise ArgumentError("--by-vertex goes together with -o FILE, where the counts of vertices are written")
    if output is not None and not by_vertex:
        raise ArgumentError(f"-o {output} goes together with --by-vertex: only the counts of vertices are written")
    network = located(file)
    if output is not None:
        per_vertex.check(output)  # before minutes of counting, not after
    if types != 16:
        refuse(network, "--types 64", memory=memory, tiles=tiles, results=results, dask=dask)
    counted = take_census(
        network,
        types=types,
        by_vertex=by_vertex,
        directed=directed,
        format=format_,
        vertices=vertices,
        threads=threads,
        device=device,
        show_progress=progress,
        by_tiles=None
        if types != 16
        else Asked("census-by-vertex" if by_vertex else "census", memory, tiles, dask, output, results),
    )
    if not counted.graph.directed:
        typer.echo(f"triadic: {network.name} has no directions: every edge is counted as mutual", err=True)
    if output is not None:
        per_vertex.write(output, counted.graph, counted.figures.columns())
    if as_json:
        import json

        typer.echo(json.dumps(counted.as_record(counted.figures.totals(), arcs=True)))
    else:
        from triadic.cli.census_table import print_census

        print_census(network.name, counted)
    counted.done()
