"""``triadic plan``: what a count will take, before it is begun."""

from pathlib import Path
from typing import Annotated

import typer

from triadic.cli.options import Directed, Format, Json, Memory, Threads


def plan(
    file: Annotated[
        Path | None,
        typer.Argument(metavar="[FILE]", help="The network: a file, or a folder of tiles.", show_default=False),
    ] = None,
    *,
    vertices: Annotated[
        int | None,
        typer.Option(
            metavar="N", help="Without FILE: so many vertices. With it: the vertices are 0 .. N-1.", show_default=False
        ),
    ] = None,
    edges: Annotated[
        int | None, typer.Option(metavar="M", help="Without FILE: so many edges.", show_default=False)
    ] = None,
    of: Annotated[
        str, typer.Option("--of", metavar="COUNT", help="clustering, census, census-by-vertex or graphlets.")
    ] = "clustering",
    memory: Memory = None,
    workers: Annotated[
        int | None,
        typer.Option(metavar="W", help="Plan for a cluster of so many worker processes.", show_default=False),
    ] = None,
    as_json: Json = False,
    directed: Directed = None,
    format_: Format = None,
    threads: Threads = None,
    measure: Annotated[bool, typer.Option("--measure", help="Measure the speed of this machine anew.")] = False,
) -> None:
    """Say what counting will take: bytes read, written and held, tasks, time; in memory, by tiles or on a cluster.

    A part of the file is read, spread over it. Counts of graphlets are of the first five.
    """
    from triadic.errors import ArgumentError
    from triadic.planning.plan import plan as plan_of

    if (file is None) == (edges is None) or (file is None and vertices is None):
        raise ArgumentError("expected FILE, or --vertices N and --edges M without one")
    network = file if file is not None else (vertices or 0, edges or 0)
    found = plan_of(
        network,
        of=of,
        memory=memory,
        threads=threads,
        workers=workers,
        directed=directed,
        format=format_,
        vertices=None if file is None else vertices,
        measure=measure,
    )
    if as_json:
        import json

        typer.echo(json.dumps(found.as_record()))
        return
    from triadic.cli.tables import print_rows

    what = file.name if file is not None else "a graph of these sizes"
    print_rows(found.rows(), title=f"{found.of} of {what}")
    typer.echo(found.footnote())
