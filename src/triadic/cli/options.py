"""Options that several commands share, each with one spelling and one help text."""

# typer reads annotations while the program runs, so they are not postponed here nor in the commands.

from pathlib import Path
from typing import Annotated

import typer

Network = Annotated[
    Path, typer.Argument(metavar="FILE", help="The network: an edge list, or any other format that triadic reads.")
]
NetworkOrTiles = Annotated[
    str,
    typer.Argument(
        metavar="FILE",
        help="The network: an edge list, or any other format that triadic reads; or its tiles, in a folder or at "
        "a URL.",
        show_default=False,
    ),
]
Directed = Annotated[
    bool | None,
    typer.Option(
        "--directed/--undirected",
        help="How to read the edges. By default what the format or the file's header says, else directed.",
        show_default=False,
    ),
]
Format = Annotated[
    str | None,
    typer.Option(
        "--format",
        metavar="NAME",
        help="Format of FILE. By default told from its content and suffix.",
        show_default=False,
    ),
]
Vertices = Annotated[
    int | None,
    typer.Option(metavar="N", help="The vertices are 0 .. N-1, also those without an edge.", show_default=False),
]
Threads = Annotated[
    int | None,
    typer.Option(
        metavar="N", help="Threads to count with. By default all that this process may use.", show_default=False
    ),
]
Device = Annotated[str, typer.Option(metavar="NAME", help="What to count on: auto, cpu, cuda, cuda:1, opencl ...")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of the table.")]
Progress = Annotated[
    bool | None,
    typer.Option(
        "--progress/--no-progress",
        " /--quiet",
        " /-q",
        help="Show progress on standard error. By default on a terminal only.",
        show_default=False,
    ),
]
Memory = Annotated[
    str | None,
    typer.Option(
        metavar="SIZE",
        help="Memory to hold: 2GB, 500MB, 1GiB. A graph that needs more is counted by tiles on disk. By default what "
        "is available.",
        show_default=False,
    ),
]
Tiles = Annotated[
    Path | None,
    typer.Option(
        metavar="FOLDER",
        help="Count by tiles, and keep them in FOLDER. By default only where memory is short, and they are removed.",
        show_default=False,
    ),
]
Results = Annotated[
    Path | None,
    typer.Option(
        metavar="FOLDER",
        help="Keep what is counted by tiles in FOLDER. By default with the tiles, and of tiles at a URL in the user's "
        "cache.",
        show_default=False,
    ),
]
Dask = Annotated[
    str | None,
    typer.Option(
        metavar="ADDRESS",
        help="Count on a Dask cluster: tcp://host:8786 of its scheduler, or local:4 for four processes here.",
        show_default=False,
    ),
]
Directedness = Annotated[bool, typer.Option("--directed", help="Draw arcs instead of edges.")]
Seed = Annotated[
    int | None, typer.Option(metavar="N", help="The same seed gives the same network.", show_default=False)
]
Output = Annotated[Path, typer.Option("-o", "--output", metavar="FILE", help="Where to write the network.")]
