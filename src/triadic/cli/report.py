"""``triadic report``: a network in a file as one HTML page."""

from pathlib import Path
from typing import Annotated

import typer

from triadic.cli.options import Device, Directed, Format, Network, Progress, Threads, Vertices


def report(
    file: Network,
    *,
    output: Annotated[Path, typer.Option("-o", "--output", metavar="PAGE", help="Where to write the page.")] = Path(
        "report.html"
    ),
    samples: Annotated[
        int, typer.Option(metavar="N", help="Random networks to hold the triads against; 0 for none.")
    ] = 100,
    seed: Annotated[
        int | None, typer.Option(metavar="N", help="The same seed gives the same random networks.", show_default=False)
    ] = None,
    directed: Directed = None,
    format_: Format = None,
    vertices: Vertices = None,
    threads: Threads = None,
    device: Device = "auto",
    progress: Progress = None,
) -> None:
    """Write a report of a network: one HTML page with its figures, plots, triads and how they were computed.

    The page needs nothing beside it. Random networks take most of the time; on a large network fewer are sampled.
    """
    from triadic.cli import page_of_file

    page_of_file.write(
        file,
        output,
        samples=samples,
        seed=seed,
        directed=directed,
        format=format_,
        vertices=vertices,
        threads=threads,
        device=device,
        show_progress=progress,
    )
    typer.echo(f"The report is in {output}")
