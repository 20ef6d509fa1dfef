"""``triadic tile``: a network of any size as tiles on disk."""

from typing import TYPE_CHECKING, Annotated

import typer

from triadic.cli.help import with_examples
from triadic.cli.options import NetworkOrUrl, Progress, ReadOptions, Threads, with_options

if TYPE_CHECKING:
    from triadic.tiles.stored_tiles import StoredTiles
    from triadic.tiles.tiling import TilingResult


@with_examples("triadic tile large.txt.gz large.tiles --memory 4GB", "triadic clustering large.tiles")
@with_options
def tile(
    file: NetworkOrUrl,
    output: Annotated[
        str,
        typer.Argument(metavar="OUT", help="Folder of the tiles, or a URL that fsspec knows.", show_default=False),
    ],
    *,
    memory: Annotated[
        str,
        typer.Option(
            metavar="SIZE",
            help="Memory limit, such as 2GB, 500MB or 1GiB, of this command and of a later count of the tiles; the "
            "interpreter is not included.",
        ),
    ] = "2GB",
    ranges: Annotated[
        int | None,
        typer.Option(
            metavar="P",
            help="Number of ranges of vertices. Default: the least number that the memory limit allows.",
            show_default=False,
        ),
    ] = None,
    options: ReadOptions,
    scratch: Annotated[
        str | None,
        typer.Option(
            metavar="FOLDER",
            help="Folder for temporary files, 8 bytes per edge, 16 with weights; with --dask also a URL. Default: OUT.",
            show_default=False,
        ),
    ] = None,
    dask: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            help="Make the tiles on a Dask cluster, from Parquet files that all workers can read, at paths or URLs: "
            "tcp://host:8786 is the address of a scheduler, local:4 starts four processes on this machine. Each "
            "thread of a worker may hold --memory.",
            show_default=False,
        ),
    ] = None,
    threads: Threads = None,
    progress: Progress = None,
) -> None:
    """Write a network of any size as tiles, to be counted in bounded memory.

    With --weights, tiles also have the weights of the edges, for weighted clustering and signed triangles. Add
    --undirected if no count needs directions: the tiles then take less space.

    After any interruption, run the same command again: it resumes and writes the same files.
    """
    from triadic.cli.network_files import Url, parse_location, printed_warnings, shows_progress
    from triadic.cli.printing import print_text
    from triadic.cli.tiled_counting import client_of, resumable
    from triadic.errors import UnsupportedError
    from triadic.tiles.tiling import make_tiles

    if options.has_weight_range:
        raise UnsupportedError(
            f"{' '.join(options.weight_words())}: tiles have the edges of all weights; `triadic convert` with these "
            "options writes the edges that are left, which can be tiled"
        )
    network = parse_location(file)
    if isinstance(network, Url) and dask is None:
        raise UnsupportedError(f"{file}: expected a path; a network at a URL is tiled with --dask")
    with resumable(), printed_warnings(), client_of(dask) as client:
        made = make_tiles(
            network,
            output,
            memory=memory,
            ranges=ranges,
            **options.read_keywords(),
            weights=options.weight_keywords()["weights"],
            combine=options.combine,
            scratch=scratch,
            threads=threads,
            progress=shows_progress(progress),
            client=client,
        )
    if made.seconds:
        _print_tiles(output, made)
    else:
        print_text(f"{output}: the tiles are complete, nothing to do")


def _print_tiles(output: str, made: "TilingResult") -> None:
    from triadic.cli.network_files import titled
    from triadic.cli.printing import dropped_rows, print_rows, seconds_row
    from triadic.core.memory import show_bytes

    layout = made.tiles.layout
    largest = int(layout.tile_edges.max(initial=0))
    rows = [
        ("vertices", f"{layout.vertices:,}", ""),
        ("edges", f"{layout.edges:,}", f"of {layout.arcs:,} arcs" if layout.directed else ""),
        *_weight_rows(made.tiles),
        *dropped_rows(layout.dropped),
        ("ranges", f"{layout.ranges:,}", f"the largest tile has {largest:,} edges"),
        ("bytes", show_bytes(made.tiles.nbytes), ""),
        seconds_row(made.seconds),
    ]
    print_rows(rows, title=titled(output, made.columns))


def _weight_rows(tiles: "StoredTiles") -> list[tuple[str, str, str]]:
    """Return the row about weights; none without weights."""
    limits = tiles.weight_limits
    return [] if limits is None else [("weights", f"{limits[0]:g} to {limits[1]:g}", tiles.origin["combined"] or "")]
