"""Random graphs that share their degrees, or their numbers of vertices and edges, with a given one."""

from __future__ import annotations

from typing import TYPE_CHECKING, overload

from triadic.convert.recognise import GraphLike, as_graph
from triadic.core import blocks
from triadic.core.memory import check_memory
from triadic.core.progress import reporting
from triadic.generate.arguments import check_seed, check_whole
from triadic.generate.draws import derive_keys
from triadic.null_models.model import check_room, null_model

if TYPE_CHECKING:
    from triadic.core.progress import ProgressKeyword
    from triadic.graph.graph import Graph

MOST_SAMPLES = 1 << 31
_BYTES_AN_EDGE, _BYTES_A_VERTEX = 6, 20  # of an oriented graph


@overload
def randomize(
    graph: GraphLike,
    *,
    null: str = "degrees",
    samples: None = None,
    steps: int | None = None,
    seed: int | None = None,
    threads: int | None = None,
    progress: ProgressKeyword = False,
) -> Graph: ...


@overload
def randomize(
    graph: GraphLike,
    *,
    null: str = "degrees",
    samples: int,
    steps: int | None = None,
    seed: int | None = None,
    threads: int | None = None,
    progress: ProgressKeyword = False,
) -> list[Graph]: ...


def randomize(
    graph: GraphLike,
    *,
    null: str = "degrees",
    samples: int | None = None,
    steps: int | None = None,
    seed: int | None = None,
    threads: int | None = None,
    progress: ProgressKeyword = False,
) -> Graph | list[Graph]:
    """Draw random simple graphs from a null model of a graph.

    Parameters
    ----------
    graph : Graph, or what `Graph` takes
        Its labels are kept, its weights are not.
    null : {"degrees", "mutual", "gnm", "configuration"}, default "degrees"
        What a sample shares with the graph. "degrees": the degree of each vertex, of a directed graph in- and
        out-degree. "mutual": of a directed graph also how many of its neighbours each vertex is joined with both ways.
        Both are drawn by switching. "gnm": the numbers of vertices and edges. "configuration": the degrees as far as
        loops and repeats, which are erased, allow: never more, and on average a little less.
    samples : int, optional
        How many graphs to draw; one by default.
    steps : int, optional
        Proposals of a walk, taken or refused, that leads from the graph to a sample; by default 10 an edge, and at
        least 10,000.
    seed : int, optional
        From 0 to 2**64 - 1. The same seed gives the same graphs on any number of threads, however many are drawn; None
        draws a fresh one.
    threads : int, optional
        Number of threads, each of which draws samples of its own; as many as the process may use by default.
    progress : bool or callable, default False
        True for a bar on standard error; a callable gets ``(done, total)``, in samples.

    Returns
    -------
    Graph, or list of Graph where `samples` is given
        A graph that admits no switch (a star, a complete graph) is the only one with its degrees, and is given back.

    Raises
    ------
    ArgumentError
        Another null; "mutual" of an undirected graph; steps of a null that is drawn at once; fewer than 1 of anything.

    See Also
    --------
    significance : holds the counts of a graph against those of such samples.
    triadic.null_models.mixing.mixing : shows whether so many steps suffice.

    Notes
    -----
    Switching takes 0.1 to 0.2 microseconds a step, and 32 bytes an edge and thread. All graphs that the moves reach
    are equally likely in the limit of many steps; docs/significance.md says where they do not reach all.

    References
    ----------
    Milo, Kashtan, Itzkovitz, Newman and Alon (2003), arXiv cond-mat/0312028; Rao, Jana and Bandyopadhyay (1996),
    Sankhya A 58, 225; Fosdick, Larremore, Nishimura and Ugander (2018), SIAM Review 60, 315.

    Examples
    --------
    >>> import triadic
    >>> graph = triadic.generate.watts_strogatz(100, 6, 0.0, seed=1)
    >>> drawn = triadic.randomize(graph, seed=1)
    >>> bool((drawn.degree == graph.degree).all()), round(triadic.transitivity(graph), 2)
    (True, 0.6)
    >>> triadic.transitivity(drawn) < 0.2
    True
    """
    graph = as_graph(graph)
    count = 1 if samples is None else check_whole("samples", samples, 1, MOST_SAMPLES)
    model = null_model(graph, null, steps=steps)
    workers = blocks.resolve_threads(threads)
    needed = count * (_BYTES_AN_EDGE * graph.num_edges + _BYTES_A_VERTEX * graph.num_vertices)
    check_memory(needed, f"samples={count}: so many graphs", "draw them part by part, with seeds of their own")
    check_room(graph, min(workers, count))
    keys = derive_keys(check_seed(seed), count).tolist()
    drawn: list[Graph | None] = [None] * count

    def draw(_: int, i: int) -> None:
        drawn[i], _moved = model.draw(keys[i])

    with reporting(progress, "drawing random graphs") as report:
        blocks.run(draw, count, threads=workers, progress=report)
    found = [one for one in drawn if one is not None]
    return found[0] if samples is None else found
