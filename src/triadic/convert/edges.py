"""Helpers of the converters: check the options, and make a `Graph` of a library's edges, labels and weights."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from triadic.errors import ArgumentError
from triadic.graph.graph import Graph
from triadic.graph.labels import names_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from numpy.typing import ArrayLike

    from triadic.core.array_types import AnyArray, Int64Array
    from triadic.io.format import ReadOptions

    Attributes = tuple[dict[str, AnyArray], dict[str, AnyArray]]
    Source = tuple[Iterable[str], Callable[[str], Sequence[object] | AnyArray]]


def graph_of_edges(
    ends: tuple[ArrayLike, ArrayLike],
    vertices: int,
    options: ReadOptions,
    combine: str | Mapping[str, str] | None,
    *,
    directed: bool,
    weights: ArrayLike | None = None,
    labels: ArrayLike | None = None,
    attributes: Attributes = ({}, {}),
) -> Graph:
    """Make a graph of the edges of a library whose graphs have a direction and a number of vertices of their own.

    Parameters
    ----------
    ends : pair of array_like of int, shape (edges,)
        Source and target.
    vertices : int
        Number of vertices.
    options : ReadOptions
        The keywords of `Graph`.
    combine : str, optional
        How to combine the weights of a repeated edge. By default parallel edges of an undirected graph of the library
        are added, whichever end stands first.
    directed : bool
        Whether the library's graph is directed.
    weights, labels : array_like, optional
        Weights of the edges and names of the vertices.
    attributes : pair of dict of str to array, optional
        Columns of the edges and of the vertices. By default none.

    Raises
    ------
    ArgumentError
        If `options` asks for directions that the graph does not have, or sets a number of vertices or names of
        columns.
    """
    refuse_columns(options, attributes=True)
    refuse_vertices(options)
    if options.directed is True and not directed:
        raise ArgumentError("directed=True: the graph is undirected, its edges have no direction")
    if not directed and combine is None:
        combine = "sum"
    directed = directed if options.directed is None else options.directed
    columns, of_vertices = attributes
    graph = Graph.from_edges(
        *ends,
        num_vertices=vertices,
        directed=directed,
        weights=weights,
        columns=columns,
        labels=labels,
        combine=combine,
    )
    return graph._with(vertex_columns=of_vertices) if of_vertices else graph  # noqa: SLF001 - for makers of graphs


def refuse_columns(options: ReadOptions, *, attributes: bool = False) -> None:
    """Raise an ArgumentError if the options name columns of a table; `attributes` of edges may have been named."""
    if (options.source, options.target) != (None, None):
        raise ArgumentError(
            f"source={options.source!r}, target={options.target!r}: expected a table, which has columns"
        )
    if options.keep and not attributes:
        raise ArgumentError(f"columns={list(options.keep)!r}: expected a table, or a graph whose edges have attributes")


def attributes_of(options: ReadOptions, edges: Source, vertices: Source) -> Attributes:
    """Return the attributes of edges and of vertices that the options keep.

    Parameters
    ----------
    options : ReadOptions
    edges, vertices : pair of an iterable of str and a callable
        Names of all attributes, and a function that returns the values of one of them, one for each edge or vertex;
        None is a missing one. The names are only asked for if the options name attributes.

    Returns
    -------
    edges, vertices : dict of str to array

    Raises
    ------
    ArgumentError
        An attribute does not exist, or its values are of several types or of one that no column has.
    """
    found: Attributes = ({}, {})
    if not options.keep:
        return found
    import pyarrow as pa  # noqa: PLC0415 - slow to import, and only columns need it

    from triadic.io.arrow_columns import values_of  # noqa: PLC0415 - as above

    known = [list(dict.fromkeys(names)) for names, _ in (edges, vertices)]
    for name in options.keep:
        if name not in known[0] + known[1]:
            expected = f"the edges have {known[0] or 'no attributes'}, the vertices {known[1] or 'none'}"
            raise ArgumentError(f"columns={[name]!r}: {expected}")
        for columns, names, (_, values) in zip(found, known, (edges, vertices), strict=True):
            if name in names:
                try:
                    column = pa.chunked_array([pa.array(values(name), from_pandas=True)])
                except (pa.ArrowException, OverflowError) as error:
                    raise ArgumentError(f"columns={[name]!r}: {' '.join(str(error).split())[:200]}") from None
                columns[name] = values_of(column, name, ArgumentError)
    return found


def refuse_vertices(options: ReadOptions) -> None:
    """Raise an ArgumentError if a number of vertices is set for a graph that has its own."""
    if options.num_vertices is not None:
        raise ArgumentError(
            f"num_vertices={options.num_vertices}: expected none, the graph has its own number of vertices"
        )


def weight_name(options: ReadOptions, default: str = "weight") -> str | None:
    """Return the attribute that holds the weights: `default` for ``weights=True``, and None without weights."""
    if not options.wants_weights:
        return None
    if options.weights is not True and not isinstance(options.weights, str):
        raise ArgumentError(f"weights={options.weights!r}: expected the name of an attribute, or True for {default!r}")
    return default if options.weights is True else options.weights


def usable_labels(names: Sequence[object]) -> AnyArray | None:
    """Return names as labels: int64 if all are int64 numbers, otherwise strings; None for the numbers 0 .. n - 1.

    A name that is no string becomes one by the rule of `triadic.graph.labels.names_of`, so that no name is lost.
    """
    if len(names) and all(map(_is_int64, names)):
        numbers = np.array(names, dtype=np.int64)
        return None if np.array_equal(numbers, np.arange(len(numbers))) else numbers
    labels = np.empty(len(names), dtype=object)
    labels[:] = names if all(isinstance(name, str) for name in names) else names_of(names)
    return labels if len(names) else None


def _is_int64(name: object) -> bool:
    return isinstance(name, (int, np.integer)) and not isinstance(name, bool) and -(2**63) <= int(name) < 2**63


def positions(ids: Iterable[int], bound: int) -> Int64Array:
    """Return a table from each id below `bound` to its position in `ids`, which has holes after vertices were removed.

    Returns
    -------
    int64 array, shape (bound,)
        -1 for a number that is no id.
    """
    position = np.full(bound, -1, dtype=np.int64)
    numbers = np.fromiter(ids, dtype=np.int64)
    position[numbers] = np.arange(len(numbers))
    return position
