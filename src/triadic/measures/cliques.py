"""Cliques and simplices of every size, in total, at vertices and at edges, and higher-order clustering from them."""

from __future__ import annotations

import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from triadic.convert.recognise import GraphLike, as_graph
from triadic.convert.result_table import table_of_graphs
from triadic.core.checked import check_option, check_positive, check_whole
from triadic.core.progress import reporting
from triadic.counts.cliques import CLIQUES, clique_tables, clique_totals
from triadic.counts.edges import entries_of
from triadic.errors import ArgumentError, CountOverflowError, OutOfTimeError
from triadic.graph.batch import GraphBatch
from triadic.measures.census import Census

if TYPE_CHECKING:
    from collections.abc import Iterator

    from triadic.core.array_types import AnyArray, Float64Array
    from triadic.core.progress import ProgressKeyword
    from triadic.counts.cliques import BySize
    from triadic.graph.graph import Graph

    Sizes = int | tuple[int, int] | None

NAMES = ("cliques", "simplices")
_PLACES = ("source", "inner", "sink")
_MOST = 1 << 31


class CliqueCensus(Census):
    """Counts of cliques, or of simplices, by their number of vertices: an immutable mapping from int to int."""

    @property
    def euler_characteristic(self) -> int:
        """Sum of the counts with alternating signs, + for an odd number of vertices; of the sizes that were counted."""
        return sum(count if size % 2 else -count for size, count in zip(self.names, self.counts, strict=True))


def clique_counts(
    graph: GraphLike,
    of: str,
    size: Sizes = None,
    *,
    max_seconds: float | None = None,
    **machine: Any,  # noqa: ANN401 - threads, device and progress
) -> Any:  # noqa: ANN401 - a table of a batch
    """Return the number of cliques or simplices of each size, of a batch a table with a row for each graph."""
    if isinstance(graph, GraphBatch):
        at_rank, _ = _tables(graph, of, size, max_seconds=max_seconds, **machine)
        # A simplex has one source; a clique is counted at each of its vertices.
        sums = {
            f"{of} of {k}": graph._sums(counts[0]) // (k if of == "cliques" else 1)  # noqa: SLF001 - for measures of batches
            for k, counts in at_rank.items()
        }
        return table_of_graphs(sums, graph.names)
    with _watched(of, max_seconds, machine) as keywords:
        oriented, sizes = clique_network(graph, of).oriented(threads=keywords.get("threads")), check_sizes(size)
        totals = clique_totals(oriented, sizes, simplices=of == "simplices", **keywords)
    return CliqueCensus(tuple(totals), tuple(totals.values()))  # type: ignore[arg-type] # sizes are names


def clique_columns(
    graph: GraphLike,
    of: str,
    size: Sizes = None,
    *,
    edges: bool = False,
    dtype: Any = None,  # noqa: ANN401 - a type of NumPy
    **options: Any,  # noqa: ANN401 - max_seconds, threads, device and progress
) -> dict[str, AnyArray]:
    """Return by name a column for each size: the counts at vertices or at edges, int64 or Python ints."""
    network = clique_network(graph, of)
    at_rank, at_entry = _tables(network, of, size, edges=edges, **options)
    oriented = network.oriented()
    place_of = entries_of(oriented, *network.edges(), threads=options.get("threads")) if edges else oriented.rank
    columns: dict[str, AnyArray] = {}
    for k, counts in (at_entry if edges else at_rank).items():
        places = [f" {place}" for place in _PLACES] if of == "simplices" else [""]
        for place, exact in zip(places, [counts] if edges else counts, strict=True):
            name, column = f"{of} of {k}{place}", exact
            if exact.dtype == object and dtype is not object:
                if max(exact, default=0) >= 1 << 63:
                    raise CountOverflowError(f"{name}: a count exceeds 2**63; count other sizes, or use dtype=object")
                column = exact.astype(np.int64)
            columns[name] = column[place_of]
    return columns


def higher_order_clustering(
    graph: GraphLike,
    *,
    size: int = 3,
    by: Literal["vertex"] | None = None,
    threads: int | None = None,
    device: str = "auto",
    progress: ProgressKeyword = False,
) -> Float64Array | float:
    """Compute the higher-order clustering coefficient: how often a clique and an edge at a vertex make a larger one.

    Parameters
    ----------
    graph : Graph, or any input that `Graph` accepts
        The network; directions are ignored.
    size : int, default 3
        Number of vertices of the clique; 2 is the local clustering coefficient.
    by : {None, "vertex"}, default None
        None returns the mean over the vertices that are in a clique of this size and have another neighbour.
    threads : int, optional
        Number of threads; by default as many as the process may use.
    device : str, default "auto"
        "auto" or "cpu".
    progress : bool or callable, default False
        True shows a progress bar on standard error; a callable is called with ``(done, total)``.

    Returns
    -------
    float or float64 array, shape (n,)
        The mean, 0 if no vertex has a coefficient; or the coefficient of each vertex, 0 where it has none.

    Raises
    ------
    ArgumentError
        If `size` is not a whole number of at least 2.
    UnsupportedError
        If the graph is a `TiledGraph`, or `device` names a GPU.

    Notes
    -----
    At vertex u the coefficient is ``size * K(size + 1, u) / ((degree - size + 1) * K(size, u))``, where K(k, u) is the
    number of cliques of k vertices that u is in. The cost is that of ``count(graph, "cliques", by="vertex")``.

    References
    ----------
    H. Yin, A. R. Benson and J. Leskovec, *Higher-order clustering in networks*, Physical Review E 97, 052306, 2018,
    equation 5.

    Examples
    --------
    >>> import triadic
    >>> graph = triadic.Graph.from_edges([0, 0, 0, 1, 1, 2, 0], [1, 2, 3, 2, 3, 3, 4])
    >>> triadic.higher_order_clustering(graph, size=3, by="vertex").tolist()
    [0.5, 1.0, 1.0, 1.0, 0.0]
    """
    check_option("by", by, Literal["vertex"] | None)
    size, network = check_whole("size", size, 2, _MOST), clique_network(graph, "cliques")
    machine: dict[str, Any] = {"threads": threads, "device": device, "progress": progress}
    columns = clique_columns(network, "cliques", (size, size + 1), dtype=object, **machine)
    smaller, larger = (
        columns.get(f"cliques of {k}", np.zeros(network.num_vertices)).astype(np.float64) for k in (size, size + 1)
    )
    pairs = (network.degree - size + 1) * smaller
    found = np.divide(size * larger, pairs, out=np.zeros(len(pairs)), where=pairs > 0)
    return found if by == "vertex" else float(found.sum() / max(1, np.count_nonzero(pairs > 0)))


def clique_network(graph: GraphLike, of: str) -> Graph:
    """Return the graph in which cliques or simplices are counted, of a batch the union of its graphs."""
    directed = of == "simplices"
    network = as_graph(graph, not_tiled=CLIQUES.not_tiled, batch=True, directions="counted" if directed else "unused")
    if directed and not network.directed:
        raise ArgumentError("of='simplices': the graph has no directions; count its 'cliques'")
    return network


def check_sizes(size: Sizes) -> tuple[int, int]:
    """Return the smallest and the largest number of vertices."""
    bounds: Any = (1, _MOST) if size is None else size if isinstance(size, (tuple, list)) else (size, size)
    low, high = bounds if len(bounds) == 2 else (bounds, bounds)  # which are then refused
    low = check_whole("size", low, 1, _MOST)
    return low, check_whole("size", high, low, _MOST)


def _tables(
    graph: GraphLike,
    of: str,
    size: Sizes,
    *,
    edges: bool = False,
    max_seconds: float | None = None,
    **machine: Any,  # noqa: ANN401 - threads, device and progress
) -> tuple[BySize, BySize]:
    """Return the counts by size at ranks and at entries, as `clique_tables` does."""
    with _watched(of, max_seconds, machine) as keywords:  # all searches together
        oriented, sizes = clique_network(graph, of).oriented(threads=keywords.get("threads")), check_sizes(size)
        return clique_tables(oriented, sizes, simplices=of == "simplices", edges=edges, **keywords)


@contextmanager
def _watched(of: str, max_seconds: float | None, machine: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Return a context of keywords, with which counts end with an error once `max_seconds` have passed."""
    if max_seconds is None:
        yield machine
        return
    end = time.monotonic() + check_positive("max_seconds", max_seconds, "a number of seconds above 0")
    with reporting(machine.get("progress", False), f"counting {of}") as report:

        def watch(done: int, total: int) -> None:
            if report is not None:
                report(done, total)
            if time.monotonic() > end:
                raise OutOfTimeError(
                    f"max_seconds={max_seconds}: {done / total:.0%} of the work was done; count fewer sizes of {of} "
                    "with size=(low, high)"
                )

        yield {**machine, "progress": watch}
