"""``triadic info``: versions and devices of this installation, or what a network or a folder of tiles is read as."""

from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from triadic.cli.help import with_examples
from triadic.cli.options import BatchOptions, Json, ReadOptions, with_options

if TYPE_CHECKING:
    from pathlib import Path

    from triadic.cli.network_files import Url
    from triadic.tiles.stored_tiles import StoredTiles


@with_examples("triadic info", "triadic info friends.csv", "triadic info large.tiles", "triadic info MUTAG")
@with_options
def info(
    file: Annotated[
        str | None,
        typer.Argument(
            metavar="FILE",
            help="Network to describe instead of the installation: a file, folder, quoted pattern or -, as of "
            "`triadic clustering`. Or the folder or URL of its tiles.",
            show_default=False,
        ),
    ] = None,
    *,
    options: ReadOptions,
    many: BatchOptions,
    as_json: Json = False,
) -> None:
    """Print what FILE is read as; without FILE, versions, threads, the folder of kernels, and devices.

    The format, the columns, the header, the separator and the direction are found in the first bytes of a file, as
    every command finds them. Without FILE, the output is what a bug report needs.
    """
    from triadic.cli.batch_counting import is_batch
    from triadic.cli.network_files import Url, parse_location, printed_warnings
    from triadic.cli.network_info import describe_batch, describe_network, in_words
    from triadic.cli.printing import print_facts, print_json
    from triadic.io.folder import is_graph_folder
    from triadic.tiles.header import HEADER

    network = None if file is None else parse_location(file)
    if network is None:
        facts = words = _installation()
    elif isinstance(network, Url):
        facts = words = _describe_tiles(network)
    elif is_batch(network, many):
        facts = describe_batch(network, options, many)
        words = in_words(facts)
    elif (network / HEADER).exists() and not is_graph_folder(network):
        facts = words = _describe_tiles(network)
    else:
        with printed_warnings():
            facts = describe_network(network, options)
        words = in_words(facts)
    if as_json:
        print_json(facts, indent=2)
    else:
        print_facts(words)


def _describe_tiles(place: "Path | Url") -> dict[str, object]:
    from triadic.tiles.stored_tiles import StoredTiles, open_store
    from triadic.tiles.triples import triples

    tiles = StoredTiles(open_store(place))
    layout = tiles.layout
    return {
        "vertices": layout.vertices,
        "edges": layout.edges,
        **({"arcs": layout.arcs} if layout.directed else {}),
        "directed": layout.directed,
        **_weights(tiles),
        "ranges": layout.ranges,
        "tasks": sum(1 for _ in triples(layout)),
        "bytes": tiles.nbytes,
        "made_of": str(tiles.origin["input"].get("name") or tiles.origin["input"].get("model")),
    }


def _weights(tiles: "StoredTiles") -> dict[str, object]:
    """Return the column of the weights, their limits, and what was done with edges that occurred several times."""
    if tiles.weight_limits is None:
        return {}
    least, most = tiles.weight_limits
    column, combine = (tiles.origin.get(name) for name in ("weights", "combine"))
    combine = tiles.origin.get("combined") or combine
    return {"weights": column, "min_weight": least, "max_weight": most, "combine": combine}


def _installation() -> dict[str, object]:
    import platform
    from importlib.metadata import version

    from triadic._version import __version__
    from triadic.core.blocks import allowed_threads
    from triadic.devices.cpu.rows import rank_by_degree
    from triadic.devices.runtimes import registry as gpus

    cache = cast("Any", rank_by_degree).stats.cache_path  # all kernels are stored in this folder or next to it
    return {
        "triadic": __version__,
        "python": platform.python_version(),
        **{package: version(package) for package in ("numpy", "scipy", "numba", "pyarrow")},
        "platform": platform.platform(),
        "threads": allowed_threads(),
        "kernel_cache": cache or "none: every process compiles the kernels again",
        "devices": ["cpu", *gpus.described()],
    }
