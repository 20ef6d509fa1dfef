"""``triadic convert``: a network from one format to another."""

from pathlib import Path
from typing import Annotated

import typer

from triadic.cli.options import Directed, Format, Network, Progress, Vertices


def convert(
    file: Network,
    target: Annotated[
        Path,
        typer.Argument(
            help="Where to write it. The suffix chooses the format: .txt .csv .tsv (edge list), .parquet, .mtx; none: "
            "a folder in triadic's own format, the fastest to read.",
            show_default=False,
        ),
    ],
    *,
    directed: Directed = None,
    format_: Format = None,
    vertices: Vertices = None,
    weights: Annotated[
        str | None,
        typer.Option(
            metavar="COLUMN", help="Keep this column as weights: a name, or a number from 0.", show_default=False
        ),
    ] = None,
    weighted: Annotated[
        bool, typer.Option("--weighted", help="Keep the weights of a format that has its own, such as Pajek.")
    ] = False,
    progress: Progress = None,
) -> None:
    """Read a network in any format and write it in another.

    Loops and repeated edges are dropped on the way; weights of repeated edges are added up.
    """
    import triadic
    from triadic.cli.networks import check_target, read_network, wants_progress

    check_target(target)
    column = int(weights) if weights is not None and weights.isdecimal() else weights
    graph, _ = read_network(
        file,
        directed=directed,
        format=format_,
        vertices=vertices,
        # None is not False: triadic's own format then gives the weights that it has.
        weights=(weighted or None) if column is None else column,
        show_progress=wants_progress(progress),
    )
    triadic.write(graph, target)
    typer.echo(f"{target}: {graph!r}")
