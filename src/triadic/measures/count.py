"""`count`: anything that triadic counts, by its name."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from triadic.convert.recognise import GraphLike, as_graph
from triadic.convert.result_table import Table, table_of_graphs, table_of_vertices
from triadic.core.checked import check_option
from triadic.errors import ArgumentError
from triadic.graph.batch import GraphBatch
from triadic.graph.labels import vertex_names
from triadic.graph.selection import chosen_vertices
from triadic.graph.temporal import TemporalGraph
from triadic.measures.census import Census
from triadic.measures.cliques import NAMES as CLIQUES
from triadic.measures.clustering import average_clustering, transitivity
from triadic.measures.over_time import over_time
from triadic.measures.patterns.matches import by_types
from triadic.measures.registry import Shared, check_named, countables_of, of_cliques
from triadic.measures.temporal import MOTIF_NAMES, temporal_motifs
from triadic.measures.triads import triad_census
from triadic.measures.vertex_table import vertex_table
from triadic.measures.weighted_triads import motif_intensity

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from triadic.core.array_types import AnyArray
    from triadic.core.progress import ProgressKeyword
    from triadic.graph.events import Duration
    from triadic.graph.selection import Vertices
    from triadic.measures.patterns.pattern import Pattern
    from triadic.measures.registry import Columns, Countable
    from triadic.null_models.constraints import Groups, Missing


By = Literal["vertex", "edge", "type", "graph", "time"] | None

# Measures whose totals `significance` computes together, by another sum.
_APART: dict[str, Callable[..., Any]] = {"transitivity": transitivity, "average_clustering": average_clustering}


def count(
    graph: GraphLike | TemporalGraph,
    of: str | Pattern | Sequence[str | Pattern],
    *,
    by: By = None,
    vertices: Vertices | None = None,
    types: Groups | None = None,
    missing: Missing = "error",
    size: int | tuple[int, int] | None = None,
    dtype: type | None = None,
    max_seconds: float | None = None,
    labelled: bool = False,
    delta: Duration | None = None,
    window: Duration | None = None,
    step: Duration | None = None,
    threads: int | None = None,
    device: str = "auto",
    progress: ProgressKeyword = False,
) -> Any:  # noqa: ANN401 - it depends on the arguments
    """Count subgraphs of a network, or compute coefficients from counts, by name.

    The well-known functions are short forms: ``count(graph, "triangles", by="vertex")["triangles"]`` is what
    `triangles` returns, ``count(graph, "triads")`` what `triad_census` returns.

    Parameters
    ----------
    graph : Graph, GraphBatch, TiledGraph, or any input that `Graph` accepts, or TemporalGraph
        What is counted. For undirected counts the directions of a directed graph are ignored.
    of : str, Pattern, or sequence of them
        What to count: a pattern, such as ``"A -> B; B -> C; A -> C"``, which `Pattern` describes, or a name. Of a
        pattern the number of subgraphs is counted, not of embeddings. The columns "total", "vertex" and "edge" of this
        table say what `by` can be:

        ========================  =====  ======  ====
        name                      total  vertex  edge
        ========================  =====  ======  ====
        "triangles"               yes    yes     yes
        "clustering"              two    yes
        "transitivity"            yes
        "average_clustering"      yes
        "closure"                 yes    yes
        "square_clustering"              yes
        "directed_clustering"     yes    five
        "ldbc_clustering"                yes
        "cycle_transitivity"      yes
        "weighted_clustering"            yes
        "structural_balance"      yes
        "trussness"                              yes
        "dyads"                   3
        "triads"                  16     16
        "roles"                          15
        "graphlets", "orbits"     many   many    many
        "raw_graphlets"                  16
        "intensity"               26
        "motifs"                  36     36
        "cliques"                 sizes  sizes   sizes
        "simplices"               sizes  three
        "degree", "in_degree"            yes
        "out_degree"                     yes
        "mutual_degree"                  yes
        a pattern                 yes    roles   roles
        ========================  =====  ======  ====

        "motifs" are those of a `TemporalGraph`, also by time, as are "clustering" and "triads" of its windows.
    by : {None, "vertex", "edge", "type", "graph", "time"}, default None
        None counts in the whole network; "vertex" and "edge" at each vertex and edge; "type" a pattern for each
        combination of types of its vertices; "graph" in each graph of a `GraphBatch`, for which None does the same;
        "time" in each window of a `TemporalGraph`. A pattern by vertex or edge has a column for each of its roles.
    vertices : array_like or set of labels, or mask, optional
        Vertices to return the rows of, for ``by="vertex"``; by default all.
    types : str, mapping, Series or table by label, or array_like, shape (n,), optional
        Type of each vertex, for ``by="type"``. A string names one of `Graph.vertex_columns`.
    missing : {"error", "type", "drop"}, default "error"
        Of `types`, whether vertices without a type are refused, have the type "(missing)", or are left out.
    size : int or (int, int), optional
        Number of vertices of the largest "graphlets" or "orbits": 3, 4 or 5, by default 4. Of "cliques" and "simplices"
        the number of vertices, or the smallest and the largest; by default all sizes.
    dtype : type, optional
        ``object`` lets counts of cliques at vertices and edges pass 2**63, as Python ints.
    max_seconds : float, optional
        Time after which the count of "cliques" or "simplices" ends with an `OutOfTimeError`.
    labelled : bool, default False
        Whether "triads" have the 64 labelled types.
    delta : number, timedelta, timedelta64 or str, optional
        Longest time from the first event of a motif to the last, for "motifs".
    window, step : number, timedelta, timedelta64 or str, optional
        Length of the windows and time from one to the next, for ``by="time"``.
    threads : int, optional
        Number of threads; by default as many as the process may use. The result is the same for any number.
    device : str, default "auto"
        Where to count: "cpu", "cuda", "cuda:1", "cuda:0,2", "cuda:all", or the same with "opencl". "auto" uses a CUDA
        card if there is one and the graph is large enough.
    progress : bool or callable, default False
        True shows a progress bar on standard error; a callable is called with ``(done, total)``.

    Returns
    -------
    int or float
        If one number is counted in the whole network.
    Census, TriadCensus, TemporalMotifs or Table
        If several are: a mapping from names to numbers; of "intensity" a `Table`.
    Table
        For ``by="vertex"``, ``"edge"``, ``"graph"`` and ``"time"``: a mapping from names to columns.

    Raises
    ------
    ArgumentError
        If `of` or `by` is another string, what is counted cannot be counted so, an option does not belong to it, or
        another argument does not have an accepted value.
    CountOverflowError
        If a count could exceed 64 bits where it must not.
    DeviceError
        If the device does not exist or fails.
    MissingExtraError
        If `device` names a GPU, and the package that reaches it is not installed.
    OutOfMemoryError
        If counting needs more memory than is available.
    UnsupportedError
        If the device or a `TiledGraph` does not have the count.

    See Also
    --------
    vertex_table : The columns of several measures of vertices.
    significance : Compare counts with those of random networks.
    estimate : Estimate counts from random draws.

    Notes
    -----
    The cost is that of the functions of the same names, of which several share the triangles and the graphlets.

    Examples
    --------
    >>> import triadic
    >>> graph = triadic.Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3], labels=["a", "b", "c", "d"])
    >>> triadic.count(graph, "triangles"), triadic.count(graph, ["triangles", "transitivity"]).to_dict()
    (1, {'triangles': 1, 'transitivity': 0.6})
    >>> triadic.count(graph, "graphlets", size=3).to_dict()
    {'edge': 4, '2-path': 2, 'triangle': 1}
    >>> triadic.count(graph, "A - B; B - C; C - A; C - D")
    1
    >>> triadic.count(graph, "A - B; B - C; C - A; C - D", by="vertex", vertices=["b", "c"]).to_dict()
    {'label': ['b', 'c'], 'A': [1, 0], 'C': [0, 1], 'D': [0, 0]}
    >>> print(triadic.count(graph, ["triangles", "trussness"], by="edge"))
    Table of 4 edges
    source  target  triangles  trussness
    a            b          1          3
    a            c          1          3
    b            c          1          3
    c            d          0          2
    """
    check_option("by", by, By)
    check_named(of)
    machine: dict[str, Any] = {"threads": threads, "device": device, "progress": progress}
    given = {
        "dtype": dtype,
        "max_seconds": max_seconds,
        "labelled": labelled or None,
        "delta": delta,
        "window": window,
        "step": step,
    }
    _check_options(
        graph,
        of,
        by,
        given | {"vertices": vertices, "types": types, "missing": None if str(missing) == "error" else missing},
    )
    if isinstance(graph, TemporalGraph):
        return _of_events(graph, of, by, delta, window, step, machine)
    named: Any = of
    sizes: Any = size
    if of in CLIQUES and (of, by) != ("simplices", "edge"):
        named, sizes = of_cliques(str(of), size, dtype, max_seconds), None
    if by in ("vertex", "type"):
        found = (
            by_types(of, graph, types, missing=missing, **machine)
            if by == "type"
            else vertex_table(graph, named, size=sizes, **machine)
        )
        if vertices is None:
            return found
        chosen = chosen_vertices(vertices, as_graph(graph))
        rows = {name: found[name][chosen] for name in found}
        return table_of_vertices(rows, {"label": found["label"][chosen]})
    if by == "edge":
        return _of_edges(graph, countables_of(named, sizes, having="edges"), machine)
    asked = countables_of(named, sizes)
    network: Any = graph
    if not isinstance(graph, GraphBatch):
        if by == "graph":
            raise ArgumentError(f"by='graph': expected a GraphBatch, got a {type(graph).__name__}")
        network = as_graph(graph, tiled=True, directions="unused")
    return _in_total(network, asked, machine, labelled=labelled)


def _in_total(network: Any, asked: tuple[Countable, ...], machine: dict[str, Any], *, labelled: bool) -> Any:  # noqa: ANN401 - a graph or a batch; the result of a measure
    """Return the count of a network, a census of several, or a table of a batch."""
    batch = isinstance(network, GraphBatch)
    measures: dict[str, Any] = {}
    for each in asked:
        measures |= _APART if each.name == "clustering" else {each.names[0]: _APART.get(each.name, each.measure)}
    if labelled:
        measures = {"triads": partial(triad_census, labelled=True)}
    elif not batch and [each.name for each in asked] == ["intensity"]:
        measures = {"intensity": motif_intensity}
    totals: dict[str, Any] = {}
    for name, measure in measures.items():
        found = measure(network, **machine)
        totals |= found if isinstance(found, Mapping) else {name: found}
    if batch:
        return table_of_graphs(totals, network.names)
    return found if len(measures) == 1 else Census(tuple(totals), tuple(totals.values()))


def _check_options(graph: object, of: object, by: By, given: dict[str, object]) -> None:
    """Raise if an option is given that what is counted does not take, or one is missing."""
    timed = isinstance(graph, TemporalGraph)
    takes = {"labelled": of == "triads" and by is None, "delta": of == "motifs"}
    takes |= dict.fromkeys(("dtype", "max_seconds"), of in CLIQUES)
    takes |= dict.fromkeys(("window", "step"), by == "time")
    takes |= {"vertices": by == "vertex"} | dict.fromkeys(("types", "missing"), by == "type")
    for name, value in given.items():
        if value is not None and not takes[name]:
            raise ArgumentError(f"{name}={value!r}: it does not belong to of={of!r} with by={by!r}; expected None")
    if (of == "motifs" or by == "time") and not timed:
        raise ArgumentError(f"of={of!r}, by={by!r}: expected a TemporalGraph, got a {type(graph).__name__}")
    if by == "time" and None in (given["window"], given["step"]):
        raise ArgumentError("by='time': expected window= and step=, the length of a window and the time to the next")
    if of == "motifs" and given["delta"] is None:
        raise ArgumentError(
            "of='motifs': expected delta=, the longest time from the first event of a motif to the last"
        )


def _of_events(
    graph: TemporalGraph,
    of: Any,  # noqa: ANN401 - checked by the functions
    by: By,
    delta: Any,  # noqa: ANN401 - as above
    window: Any,  # noqa: ANN401 - as above
    step: Any,  # noqa: ANN401 - as above
    machine: dict[str, Any],
) -> Any:  # noqa: ANN401 - the result of a measure
    if of == "motifs" and by in (None, "vertex", "time"):
        measure: Any = temporal_motifs
        found = measure(graph, delta, by, window=window, step=step, **machine)
        if by != "vertex":
            return found
        rows = {"label": vertex_names(graph.labels, graph.num_vertices)}
        return table_of_vertices(dict(zip(MOTIF_NAMES, found.T, strict=True)), rows)
    if by != "time":
        raise ArgumentError(
            f"of={of!r}, by={by!r}: a TemporalGraph has 'motifs', in total, by='vertex' and by='time', and others "
            "by='time'; graph.window() is a Graph"
        )
    if machine["device"] not in ("auto", "cpu"):
        raise ArgumentError(f"device={machine['device']!r}: windows are counted on 'cpu'")
    return over_time(graph, of, window=window, step=step, threads=machine["threads"], progress=machine["progress"])


def _of_edges(graph: GraphLike, asked: tuple[Countable, ...], machine: dict[str, Any]) -> Table:
    """Return the counts at each edge, in the order of ``graph.edges()``."""
    reason = "counts at edges lie in tiles all over the graph"
    network: Any = as_graph(graph, not_tiled=reason, batch=True, directions="unused")
    columns: Columns = {}
    for each in asked:
        assert each.edges is not None  # noqa: S101 - `countables_of` has checked it
        columns |= each.edges(Shared(network, machine, size=each.size))
    ends: list[AnyArray] = list(network.edges())
    if network.labels is not None:
        ends = [np.asarray(network.labels)[end] for end in ends]
    return Table(columns, {"source": ends[0], "target": ends[1]}, nouns=("edge", "edges"))
