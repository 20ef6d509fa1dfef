"""``triadic significance``: the counts of a network in a file beside those of random networks."""

from pathlib import Path
from typing import Annotated

import typer

from triadic.cli.options import Device, Directed, Format, Json, Network, Progress, Threads, Vertices


def significance(
    file: Network,
    *,
    of: Annotated[str, typer.Option(metavar="WHAT", help="triads, clustering or graphlets.")] = "triads",
    null: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="What random networks keep: degrees, mutual (and mutual degrees), gnm, configuration. By default "
            "degrees, and for triads mutual ones too.",
            show_default=False,
        ),
    ] = None,
    samples: Annotated[int, typer.Option(metavar="N", help="How many random networks.")] = 100,
    steps: Annotated[
        int | None,
        typer.Option(metavar="N", help="Switches tried for each. By default 10 an edge.", show_default=False),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(metavar="N", help="The same seed gives the same figures.", show_default=False)
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="FILE", help="Write the table: .csv or .parquet.", show_default=False),
    ] = None,
    as_json: Json = False,
    directed: Directed = None,
    format_: Format = None,
    vertices: Vertices = None,
    threads: Threads = None,
    device: Device = "auto",
    progress: Progress = None,
) -> None:
    """Hold the counts of a network against those of random ones that share its degrees.

    For clustering and graphlets a directed network is taken without its directions.
    """
    from triadic.cli import significance_figures as figures

    if output is not None:
        figures.check(output)  # before minutes of counting, not after
    counted = figures.take_significance(
        file,
        of=of,
        null=null,
        samples=samples,
        steps=steps,
        seed=seed,
        directed=directed,
        format=format_,
        vertices=vertices,
        threads=threads,
        device=device,
        show_progress=progress,
    )
    if of == "triads" and not counted.graph.directed:
        typer.echo(f"triadic: {file.name} has no directions: every edge is counted as mutual", err=True)
    if output is not None:
        figures.write(output, counted.figures)
    if as_json:
        import json

        typer.echo(json.dumps(counted.as_record(figures.record(counted.figures), arcs=True), allow_nan=False))
        return
    from triadic.cli.significance_table import print_significance

    print_significance(file.name, counted)
