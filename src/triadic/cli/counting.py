"""Counting a network in a file, for every command that counts: read, prepare, count, and the time of each step.

A graph that does not fit in memory is counted by tiles: see `triadic.cli.tiled_counting`.
"""

from __future__ import annotations

import sys
import time
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypedDict, TypeVar

from triadic.cli.network_files import read_network, reading_of, shows_progress, titled
from triadic.cli.options import TiledCountOptions

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from triadic.cli.network_files import Url
    from triadic.cli.options import CountOptions
    from triadic.counts.count import Count
    from triadic.graph.graph import Graph

Figures = TypeVar("Figures")
Network = TypeVar("Network")  # a graph or a batch


class MeasureKeywords(TypedDict):
    """Keywords of every measure."""

    threads: int | None
    device: str
    progress: bool


@dataclass(frozen=True, slots=True, eq=False)
class CountResult(Generic[Figures]):
    """A network, its figures, the time of each step, and the machine that counted.

    Attributes
    ----------
    graph : Graph
        The graph, or a graph in tiles with the same attributes.
    figures : object
        The numbers that the command prints.
    seconds : dict of str to float
        Time by step.
    device : str
        Device that counted, such as ``"cpu"`` or ``"cuda:0"``.
    threads : int
    tiles : dict of str to int, optional
        Numbers of ranges, tasks and workers of a count by tiles; an estimate has no tasks.
    temporary_tiles : pathlib.Path, optional
        Folder of tiles that were written for this count only.
    """

    graph: Graph
    figures: Figures
    seconds: dict[str, float]
    device: str
    threads: int
    tiles: dict[str, int] | None = None
    temporary_tiles: Path | None = None

    def remove_temporary_tiles(self) -> None:
        """Remove the tiles that were written for this count only; called when all results are printed and written."""
        if self.temporary_tiles is not None:
            import shutil

            shutil.rmtree(self.temporary_tiles, ignore_errors=True)

    @property
    def columns(self) -> str | None:
        """Which columns of the file were read, in words; None if it has no columns to choose."""
        # A graph in tiles does not record them.
        return getattr(getattr(self.graph, "origin", None), "columns", None)

    def title(self, name: str, *, counts_directions: bool = False) -> str:
        """Return the title of the table of a network: the name of its file, and what the file was read as.

        Parameters
        ----------
        name : str
            Name of the file.
        counts_directions : bool, default False
            Whether the table depends on directions. The title then says if they were assumed.
        """
        return titled(name, reading_of(self.graph) if counts_directions else self.columns)

    def as_record(self, figures: Mapping[str, Any], *, arcs: bool = False) -> dict[str, Any]:
        """Return the graph, the figures, the times and the machine as plain numbers and strings, for JSON."""
        graph, dropped = self.graph, self.graph.dropped
        combined = graph.origin.weights
        return {
            "graph": {
                "vertices": graph.num_vertices,
                "edges": graph.num_edges,
                **({"arcs": graph.num_arcs} if arcs else {}),
                "directed": graph.directed,
                "loops_dropped": dropped.loops,
                "duplicates_dropped": dropped.duplicates,
                "reciprocal_merged": dropped.reciprocal_merged,
                **({} if combined is None else {"weights": combined}),
            },
            **figures,
            "seconds": {step: round(seconds, 6) for step, seconds in self.seconds.items()},
            "device": self.device,
            "threads": self.threads,
            **({} if self.tiles is None else {"tiles": self.tiles}),
        }


def check_machine(options: CountOptions, *, count: Count[Any]) -> int:
    """Return the number of threads to count with; raise an error if there is no such device or number of threads.

    Commands call this before they read a large file.

    Parameters
    ----------
    options : CountOptions
    count : Count
        The count, which not every device has.
    """
    from triadic.core.blocks import resolve_threads
    from triadic.counts.count import check_device, check_kind

    _load_numba()
    threads = resolve_threads(options.threads)
    if isinstance(options, TiledCountOptions) and options.dask is not None:  # workers have devices of their own
        check_kind(count, options.device)
    else:
        check_device(count, options.device)
    return threads


def _load_numba() -> None:
    """Load numba's array functions without those of BLAS: no kernel needs them, and SciPy takes long to import.

    Only the command line does so, as no other code of its process uses numba.
    """
    blas = "scipy.linalg.cython_blas"
    if blas in sys.modules or "numba.np.arraymath" in sys.modules:
        return
    sys.modules[blas] = None  # type: ignore[assignment]  # Python's way to make an import fail
    try:
        import numba.np.arraymath  # noqa: F401 - imported for its effect
    finally:
        del sys.modules[blas]


def count_file(
    path: Path | Url,
    measure: Callable[[Graph, MeasureKeywords], Figures],
    options: CountOptions,
    *,
    count: Count[Any],
    plan: str | None = None,
    output: Path | None = None,
    weighted_tiles: bool = False,
) -> CountResult[Figures]:
    """Read a network and count in it, in memory or by tiles.

    Parameters
    ----------
    path : pathlib.Path or Url
        A network in a file, or its tiles.
    measure : callable
        Computes the figures from a graph and the keywords of measures.
    options : CountOptions
    count : Count
        The count that the figures are computed from.
    plan : str, optional
        Name of the count, as `triadic.planning` knows it. None, the default, counts in memory whatever the options.
    output : pathlib.Path, optional
        File for the counts of vertices; temporary tiles are written next to it.
    weighted_tiles : bool, default False
        Whether `measure` counts tiles with weights; if not, a network with weights is counted in memory.
    """
    used_threads = check_machine(options, count=count)
    keywords: MeasureKeywords = {
        "threads": options.threads,
        "device": options.device,
        "progress": shows_progress(options.progress),
    }
    if isinstance(options, TiledCountOptions) and options.weight_words():
        from triadic.cli.tiled_counting import refuse_tiles

        if not weighted_tiles or options.has_weight_range:
            refuse_tiles(path, f"a network with {' '.join(options.weight_words())}", options)
            plan = None
    if plan is None or not isinstance(options, TiledCountOptions):
        return _count_in_memory(Path(path), measure, options, keywords, used_threads)
    from triadic.cli.tiled_counting import client_of, find_tiles, resumable

    with client_of(options.dask) as client:
        tiles = find_tiles(path, options, plan=plan, output=output, client=client)
        if tiles is None:
            return _count_in_memory(Path(path), measure, options, keywords, used_threads, client)
        with resumable():
            started = time.perf_counter()
            graph: Any = tiles.open(client)  # has the attributes of a graph that measures use
            opened = time.perf_counter() - started
            figures, device, counted = timed(graph, measure, keywords)
        seconds = {**(tiles.seconds or {"read": opened}), "count": counted}
        numbers = _numbers_of_tiles(graph, client)
        return CountResult(graph, figures, seconds, device, used_threads, numbers, tiles.temporary)


def _count_in_memory(
    path: Path,
    measure: Callable[[Graph, MeasureKeywords], Figures],
    options: CountOptions,
    keywords: MeasureKeywords,
    used_threads: int,
    client: Any = None,  # noqa: ANN401 - distributed has no types
) -> CountResult[Figures]:
    """Read a graph into memory and count in it, on this machine or on a cluster."""
    threads = options.threads
    graph, seconds = read_network(
        path, **options.read_keywords(), **options.weight_keywords(), threads=threads, progress=keywords["progress"]
    )
    started = time.perf_counter()
    graph.oriented(threads=threads)
    seconds["prepare"] += time.perf_counter() - started
    numbers, counted_graph = None, graph
    if client is not None:
        from triadic.tiles.tiled_graph import TiledGraph

        # Weighted counts of commands ignore directions.
        sent = graph if options.weights is None else graph.to_undirected(combine=options.combine)
        tiled: Any = TiledGraph.of(sent, client=client)  # has the attributes of a graph that measures use
        counted_graph = tiled
    figures, device, seconds["count"] = timed(counted_graph, measure, keywords)
    if client is not None:
        numbers = _numbers_of_tiles(counted_graph, client)
    return CountResult(graph, figures, seconds, device, used_threads, numbers)


def _numbers_of_tiles(graph: Any, client: Any) -> dict[str, int]:  # noqa: ANN401 - a TiledGraph; distributed has no types
    from triadic.tiles.layout import triples

    layout = graph.oriented().layout
    numbers = {"ranges": layout.ranges, "tasks": sum(1 for _ in triples(layout))}
    return numbers if client is None else {**numbers, "workers": len(client.scheduler_info(n_workers=-1)["workers"])}


def timed(
    graph: Network, measure: Callable[[Network, MeasureKeywords], Figures], keywords: MeasureKeywords
) -> tuple[Figures, str, float]:
    """Return the figures, the device that counted, and the seconds of the count."""
    from triadic.counts.count import noting

    started = time.perf_counter()
    with noting() as devices, warnings.catch_warnings():
        warnings.showwarning = _print_warning
        warnings.filterwarnings("default", category=UserWarning)  # printed, whatever the filters of Python are
        figures = measure(graph, keywords)
    return figures, ", ".join(devices) or "cpu", time.perf_counter() - started


def _print_warning(message: Warning | str, *_: object, **__: object) -> None:
    from triadic.cli.printing import print_remark

    print_remark(str(message))
