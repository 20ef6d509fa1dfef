"""``triadic demo``: a real network that every machine has."""

from pathlib import Path
from typing import Annotated

import typer

from triadic.cli.options import Progress


def demo(
    *,
    folder: Annotated[Path, typer.Option("-o", "--output", metavar="FOLDER", help="Where the files go.")] = Path(
        "demo"
    ),
    progress: Progress = None,
) -> None:
    """Analyse the import network of this Python installation: which module imports which.

    Its report is the last of the files; it needs jinja2 and matplotlib, and is left out without.
    """
    from triadic.cli import page_of_file, per_vertex
    from triadic.cli.analysis import analyse
    from triadic.cli.networks import wants_progress
    from triadic.cli.tables import print_analysis
    from triadic.core.progress import reporting
    from triadic.errors import MissingExtraError, WriteError
    from triadic.generate.import_network import import_network, write_imports

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise WriteError(f"{folder}: cannot be made a folder: {error.strerror or error}") from error
    network, vertices, page = folder / "imports.txt", folder / "vertices.csv", folder / "report.html"
    per_vertex.check(vertices)
    with reporting(wants_progress(progress), "parsing modules") as report:
        write_imports(network, import_network(progress=report))
    analysis = analyse(network, show_progress=progress)
    per_vertex.write(vertices, analysis.graph, analysis.figures.columns())

    print_analysis("Which module of this Python imports which", analysis)
    typer.echo(
        f"\nThe network is in {network}, figures of every module are in {vertices}.\n"
        f"Now one of your own: triadic clustering FILE, or triadic report FILE\n"
    )
    try:
        page_of_file.write(network, page, show_progress=progress)
    except MissingExtraError as error:
        typer.echo(f"No report is written: {error}")
    else:
        typer.echo(f"The report is in {page.resolve()}: open it in a browser.")
