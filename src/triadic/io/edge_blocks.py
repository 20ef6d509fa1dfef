"""The edges of a graph in blocks of bounded size, and the labels of vertices as a file can hold them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.errors import WriteError
from triadic.io.text_layout import INTEGER

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from triadic.graph.graph import Graph

_BLOCK_ARCS = 1 << 21
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


@dataclass(frozen=True, slots=True)
class EdgeBlock:
    """Some edges of a graph.

    Attributes
    ----------
    source, target : int array, shape (edges,)
    weights : float64 array, shape (edges,), or None
    """

    source: NDArray[np.integer]
    target: NDArray[np.integer]
    weights: NDArray[np.float64] | None


def edge_blocks(graph: Graph) -> Iterator[EdgeBlock]:
    """Yield every edge once; the source of an undirected edge is its smaller vertex.

    Parameters
    ----------
    graph : Graph

    Yields
    ------
    EdgeBlock
        A block of about two million arcs, or of all arcs of one vertex that has more.
    """
    indptr, indices = graph.indptr, graph.indices
    start = 0
    while start < graph.num_vertices:
        stop = int(np.searchsorted(indptr, indptr[start] + _BLOCK_ARCS, side="right")) - 1
        stop = min(max(stop, start + 1), graph.num_vertices)
        arcs = slice(int(indptr[start]), int(indptr[stop]))
        source = np.repeat(np.arange(start, stop, dtype=indices.dtype), np.diff(indptr[start : stop + 1]))
        target = np.asarray(indices[arcs])
        weights = None if graph.weights is None else np.asarray(graph.weights[arcs])
        if not graph.directed:
            once = source < target
            source, target = source[once], target[once]
            weights = None if weights is None else weights[once]
        if len(source):
            yield EdgeBlock(source, target, weights)
        start = stop


def named_edges(block: EdgeBlock, labels: NDArray[Any] | None) -> dict[str, NDArray[Any]]:
    """Return the columns ``source``, ``target`` and, with weights, ``weight`` of a block.

    Parameters
    ----------
    block : EdgeBlock
    labels : int64 array or object array of str, or None
        Labels from :func:`writable_labels`; None to write the numbers of the vertices.

    Returns
    -------
    dict of str to array
    """
    columns: dict[str, NDArray[Any]] = {}
    for name, end in (("source", block.source), ("target", block.target)):
        columns[name] = end.astype(np.int64) if labels is None else labels[end]
    if block.weights is not None:
        columns["weight"] = block.weights
    return columns


def writable_labels(graph: Graph, path: str, *, printable: bool) -> NDArray[Any] | None:
    """Return the labels of a graph if they can identify the vertices in a list of edges.

    Parameters
    ----------
    graph : Graph
    path : str
        Path for the error message.
    printable : bool
        Whether text must hold each label as a cell.

    Returns
    -------
    int64 array or object array of str, or None
        None if the graph has no labels.

    Raises
    ------
    WriteError
        A vertex with an edge has no label, two vertices share a label, a label is negative, or text cannot hold it.
    """
    labels = graph.labels
    if labels is None:
        return None
    labelled = len(labels)
    if int(graph.indptr[-1]) and (
        int(graph.indptr[-1]) != int(graph.indptr[min(labelled, graph.num_vertices)])
        or int(graph.indices.max()) >= labelled
    ):
        raise WriteError(f"{path}: a vertex past the {labelled} labels has edges; {_ADVICE}")
    names = np.asarray(labels)
    if names.dtype == np.object_:
        problem = _names_problem(names.tolist(), printable=printable)
    else:
        problem = _numbers_problem(names)
    if problem is not None:
        raise WriteError(f"{path}: {problem}; {_ADVICE}")
    return names


# What begins a formula: https://owasp.org/www-community/attacks/CSV_Injection. A label that begins with an apostrophe
# gets one more, so that different labels stay different.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠", "'")


def without_formulas(labels: NDArray[Any] | None) -> NDArray[Any] | None:
    """Return labels with an apostrophe before each one that a spreadsheet would run as a formula.

    Examples
    --------
    >>> import numpy as np
    >>> without_formulas(np.array(["=1+1", "Ann", "'=1+1"], dtype=object)).tolist()
    ["'=1+1", 'Ann', "''=1+1"]
    """
    if labels is None or labels.dtype != np.object_:
        return labels
    safe = np.empty(len(labels), dtype=np.object_)
    safe[:] = [f"'{label}" if label.startswith(_FORMULA) else label for label in labels.tolist()]
    return safe


_ADVICE = "the format 'triadic' holds any labels"


def _numbers_problem(labels: NDArray[Any]) -> str | None:
    if len(labels) and int(labels.min()) < 0:
        return f"the label {int(labels.min())} is negative, expected 0 or more"
    ordered = np.sort(labels)
    repeated = ordered[1:][ordered[1:] == ordered[:-1]]
    if len(repeated):
        return f"the label {int(repeated[0])} stands for several vertices, expected different ones"
    return None


def _names_problem(labels: list[str], *, printable: bool) -> str | None:
    seen: set[str] = set()
    for label in labels:
        if label in seen:
            return f"the label {label!r} stands for several vertices, expected different ones"
        seen.add(label)
    if not printable:
        return None
    unprintable = next((label for label in labels if not label or _CONTROL.search(label)), None)
    if unprintable is not None:
        return f"text cannot hold the label {unprintable!r}"
    if labels and all(INTEGER.match(label) for label in labels):
        # A reader turns names that are all integers into numbers.
        numbers = [int(label[:20]) for label in labels]
        if min(numbers) < 0 or max(numbers) >= 2**63 or len(set(numbers)) < len(numbers):
            return "the labels are all integers, but not different ones from 0 to 2**63 - 1"
    return None
