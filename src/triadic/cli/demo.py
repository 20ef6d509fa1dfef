"""``triadic demo``: a real network that every machine has, the imports of its Python modules."""

from pathlib import Path
from typing import Annotated

import typer

from triadic.cli.clustering import count_clustering, print_clustering
from triadic.cli.help import with_examples
from triadic.cli.options import CountOptions, Progress
from triadic.cli.report import write_report

_SAMPLES = 10  # random networks: the fewest that a report compares with, so that the demo ends soon


@with_examples("triadic demo", "triadic demo -o modules")
def demo(
    *,
    folder: Annotated[Path, typer.Option("-o", "--output", metavar="FOLDER", help="Folder of the files to write.")] = (
        Path("demo")
    ),
    progress: Progress = None,
) -> None:
    """Analyse the import network of this Python installation: which module imports which.

    Writes the network, the clustering of every module and, if jinja2 and matplotlib are installed, a report.
    """
    from triadic.cli.network_files import shows_progress
    from triadic.cli.printing import print_text
    from triadic.core.progress import reporting
    from triadic.errors import MissingExtraError, WriteError
    from triadic.generate.import_network import import_network, write_imports
    from triadic.io.tables import check_table, write_vertices

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise WriteError(f"{folder}: the folder cannot be created: {error.strerror or error}") from error
    network, vertices, page = folder / "imports.txt", folder / "vertices.csv", folder / "report.html"
    check_table(vertices)
    with reporting(shows_progress(progress), "parsing modules") as report:
        write_imports(network, import_network(progress=report))
    options = CountOptions(progress=progress)
    result = count_clustering(network, options)
    write_vertices(vertices, result.graph, result.figures.columns())

    print_clustering("Which module of this Python imports which", result)
    print_text(
        f"\nThe network is in {network}, the figures of every module are in {vertices}.\n"
        f"Next, analyse a network of your own: triadic clustering FILE, or triadic report FILE\n"
    )
    try:
        # Graphlets of five vertices would have to be compiled first.
        write_report(network, page, options, samples=_SAMPLES, size=4)
    except MissingExtraError as error:
        print_text(f"No report is written: {error}")
    else:
        print_text(f"The report is in {page.resolve()}: open it in a browser.")
