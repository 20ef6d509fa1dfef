"""``triadic compare``: two networks in files, compared by their graphlets."""

from pathlib import Path
from typing import Annotated

import typer

from triadic.cli.options import Device, Directed, Format, Json, Progress, Threads, Vertices


def compare(
    first: Annotated[Path, typer.Argument(metavar="A", help="A network, in any format that triadic reads.")],
    second: Annotated[Path, typer.Argument(metavar="B", help="Another network.")],
    *,
    as_json: Json = False,
    directed: Directed = None,
    format_: Format = None,
    vertices: Vertices = None,
    threads: Threads = None,
    device: Device = "auto",
    progress: Progress = None,
) -> None:
    """Count the graphlets of two networks exactly and print how far apart the networks are.

    Options hold for both files. A directed network is taken without its directions.
    """
    from triadic.cli.comparison_figures import compare_files

    comparison = compare_files(
        first,
        second,
        directed=directed,
        format=format_,
        vertices=vertices,
        threads=threads,
        device=device,
        show_progress=progress,
    )
    if as_json:
        import json

        typer.echo(json.dumps(comparison.as_record(), allow_nan=False))
        return
    from triadic.cli.comparison_table import print_comparison

    alike = first.name == second.name
    print_comparison((str(first), str(second)) if alike else (first.name, second.name), comparison)
