"""``triadic info``: what triadic runs on."""

from pathlib import Path
from typing import Annotated, Any, cast

import typer

from triadic.cli.options import Json


def info(
    tiles: Annotated[
        Path | None,
        typer.Argument(metavar="[FOLDER]", help="A folder of tiles, to say what it holds.", show_default=False),
    ] = None,
    *,
    as_json: Json = False,
) -> None:
    """Print versions, threads, the kernel cache and devices: what a bug report needs."""
    import json

    facts = _gather() if tiles is None else _of_tiles(tiles)
    if as_json:
        typer.echo(json.dumps(facts, indent=2))
        return
    from triadic.cli.tables import print_facts

    print_facts(facts)


def _of_tiles(folder: Path) -> dict[str, object]:
    from triadic.tiles.store import FolderStore
    from triadic.tiles.stored_tiles import StoredTiles
    from triadic.tiles.triples import triples

    tiles = StoredTiles(FolderStore(folder))
    layout = tiles.layout
    return {
        "vertices": layout.vertices,
        "edges": layout.edges,
        **({"arcs": layout.arcs} if layout.directed else {}),
        "directed": layout.directed,
        "ranges": layout.ranges,
        "tasks": sum(1 for _ in triples(layout)),
        "bytes": tiles.nbytes,
        "made_of": str(tiles.origin["input"].get("name") or tiles.origin["input"].get("model")),
    }


def _gather() -> dict[str, object]:
    import platform
    from importlib.metadata import version

    from triadic._version import __version__
    from triadic.core.blocks import allowed_threads
    from triadic.devices.cpu.sort_kernels import rank_by_degree
    from triadic.devices.gpu import open as gpus

    cache = cast("Any", rank_by_degree).stats.cache_path  # every kernel lies in the same folder or beside it
    return {
        "triadic": __version__,
        "python": platform.python_version(),
        **{package: version(package) for package in ("numpy", "scipy", "numba", "pyarrow")},
        "platform": platform.platform(),
        "threads": allowed_threads(),
        "kernel_cache": cache or "none: kernels are compiled anew in each process",
        "devices": ["cpu", *gpus.described()],
    }
