"""``triadic tile``: a network of any size as tiles on disk."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from triadic.cli.options import Directed, Format, Network, Progress, Vertices

if TYPE_CHECKING:
    from triadic.tiles.tiling import TilingResult

Memory = Annotated[
    str,
    typer.Option(metavar="SIZE", help="Bytes to hold beside the interpreter, now and when counting: 2GB, 500MB, 1GiB."),
]


def tile(
    file: Network,
    target: Annotated[
        str, typer.Argument(metavar="OUT", help="Folder for the tiles, or a URL of fsspec's.", show_default=False)
    ],
    *,
    memory: Memory = "2GB",
    ranges: Annotated[
        int | None,
        typer.Option(
            metavar="P", help="Ranges of vertices. By default the least that SIZE allows.", show_default=False
        ),
    ] = None,
    directed: Directed = None,
    format_: Format = None,
    vertices: Vertices = None,
    scratch: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="For what is set aside meanwhile: 8 bytes an edge. By default OUT.",
            show_default=False,
        ),
    ] = None,
    threads: Annotated[
        int | None,
        typer.Option(metavar="N", help="Threads. By default all that this process may use.", show_default=False),
    ] = None,
    progress: Progress = None,
) -> None:
    """Write a network of any size as tiles, to be counted in bounded memory.

    Interrupted however it may be, the same command goes on, and gives the same files.
    """
    from triadic.cli.by_tiles import resumable
    from triadic.cli.networks import wants_progress
    from triadic.tiles.tiling import make_tiles

    with resumable():
        made = make_tiles(
            file,
            target,
            memory=memory,
            ranges=ranges,
            directed=directed,
            format=format_,
            vertices=vertices,
            scratch=scratch,
            threads=threads,
            progress=wants_progress(progress),
        )
    if not made.seconds:
        typer.echo(f"{target}: is complete, nothing was done")
        return
    _print(target, made)


def _print(target: str, made: "TilingResult") -> None:
    from triadic.cli.tables import print_rows
    from triadic.core.sizes import show_bytes

    layout = made.tiles.layout
    dropped = layout.dropped
    lost = {"loops": dropped.loops, "repeats": dropped.duplicates, "reversed": dropped.reciprocal_merged}
    edges = int(layout.tile_edges.max(initial=0))
    rows = [
        ("vertices", f"{layout.vertices:,}", ""),
        ("edges", f"{layout.edges:,}", f"of {layout.arcs:,} arcs" if layout.directed else ""),
        ("dropped", f"{sum(lost.values()):,}", ", ".join(f"{what} {n:,}" for what, n in lost.items() if n)),
        ("ranges", f"{layout.ranges:,}", f"the largest tile has {edges:,} edges"),
        ("bytes", show_bytes(made.tiles.nbytes), ""),
        (
            "seconds",
            f"{sum(made.seconds.values()):.3f}",
            ", ".join(f"{step} {time:.3f}" for step, time in made.seconds.items()),
        ),
    ]
    print_rows(rows, title=target)
