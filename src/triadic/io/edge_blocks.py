"""The edges of a graph in blocks of bounded size, and the labels of vertices as a file can hold them.

The rows of a file of edges name the ends of edges, so that they lose the labels of vertices without edges. A reader
numbers the other vertices by rising ids or, if the ids are names, in the order in which they appear. Rows of names are
therefore written in an order in which the vertices appear by their numbers, if there is one. For any other graph the
file lists the labels of all vertices: text and Matrix Market in comments, such as ``# triadic vertices: ["b", "a"]``,
each with a JSON array, and Parquet in its metadata.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.core.oriented import rows_of_entries
from triadic.core.records import value_class
from triadic.io.blocks import IdCheck
from triadic.io.graph_names import VERTEX_LIST
from triadic.io.text_layout import INTEGER, NUMBER_ID

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from triadic.core.array_types import AnyArray, BoolArray, Int64Array, IntegerArray
    from triadic.core.formatting import CsvStyle
    from triadic.graph.graph import Graph
    from triadic.graph.labels import Labels

_BLOCK_ARCS = 1 << 21
_LINE_LENGTH = 900  # of a comment; Matrix Market allows 1,024 characters
_SURROGATE = re.compile(r"[\ud800-\udfff]")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


@value_class
class EdgeBlock:
    """Some edges of a graph.

    Attributes
    ----------
    source, target : int array, shape (edges,)
    columns : dict of arrays, shape (edges,)
        Values of the edges by the name of the column, weights among them.
    """

    source: IntegerArray
    target: IntegerArray
    columns: dict[str, AnyArray]

    def taken(self, places: AnyArray) -> EdgeBlock:
        """Return the edges at some places."""
        columns = {name: values[places] for name, values in self.columns.items()}
        return EdgeBlock(self.source[places], self.target[places], columns)


def edge_blocks(graph: Graph, *, by_later: bool = False) -> Iterator[EdgeBlock]:
    """Yield every edge once; the source of an undirected edge is its smaller vertex.

    Parameters
    ----------
    graph : Graph
    by_later : bool, default False
        Whether the edges of an undirected graph are in the order of their larger vertices. By default they are in the
        order of their smaller vertices.

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
        source = rows_of_entries(indptr[start : stop + 1], indices.dtype) + start
        target = np.asarray(indices[arcs])
        columns = {name: np.asarray(values[arcs]) for name, values in graph.columns.items()}
        if by_later and not graph.directed:
            source, target = target, source
        block = EdgeBlock(source, target, columns)
        if not graph.directed:
            block = block.taken(source < target)
        if len(block.source):
            yield block
        start = stop


def named_edges(block: EdgeBlock, labels: AnyArray | None) -> dict[str, AnyArray]:
    """Return the columns ``source``, ``target`` and those of the edges of a block.

    Parameters
    ----------
    block : EdgeBlock
    labels : int64 array or object array of str, or None
        Labels from :func:`stated_labels`; None to write the numbers of the vertices.

    Returns
    -------
    dict of str to array
    """
    ends = (block.source, block.target)
    source, target = (end.astype(np.int64) if labels is None else labels[end] for end in ends)
    return {"source": source, "target": target, **block.columns}


def stated_labels(graph: Graph) -> AnyArray | None:
    """Return the labels of a graph; None if they say no more than the numbers 0, 1, ... of the vertices."""
    if graph.labels is None or not len(graph.labels):
        return None
    labels = np.asarray(graph.labels)
    return None if labels.dtype != np.object_ and np.array_equal(labels, np.arange(len(labels))) else labels


def label_problem(graph: Graph) -> str | None:
    """Return why the labels of a graph cannot name the ends of its edges, or None if they can."""
    labels = stated_labels(graph)
    if labels is None:
        return None
    if degrees(graph)[len(labels) :].any():
        return f"a vertex past the {len(labels)} labels has edges"
    is_number = labels.dtype != np.object_
    if is_number and len(labels) and int(labels.min()) < 0:
        return f"the label {int(labels.min())} is negative, expected 0 or more"
    ordered = np.sort(labels)
    repeated = ordered[1:][ordered[1:] == ordered[:-1]].tolist()
    if repeated:
        return f"the label {repeated[0]!r} stands for several vertices, expected different ones"
    return encoding_problem(graph)


def encoding_problem(graph: Graph) -> str | None:
    """Return which label of a graph has no bytes in UTF-8, or None if all have."""
    labels = stated_labels(graph)
    if labels is None or labels.dtype != np.object_:
        return None
    wrong = next((label for label in labels.tolist() if _SURROGATE.search(label)), None)
    return None if wrong is None else f"the label {wrong!a} cannot be encoded in UTF-8"


def cell_problem(graph: Graph) -> str | None:
    """Return why the labels of a graph cannot be cells of a text, or None if they can."""
    problem, labels = label_problem(graph), stated_labels(graph)
    if problem is not None or labels is None or labels.dtype != np.object_:
        return problem
    names = labels.tolist()
    unprintable = next((label for label in names if not label or _CONTROL.search(label)), None)
    if unprintable is not None:
        return f"text cannot hold the label {unprintable!r}"
    # A reader sees the names of the vertices with edges only, and refuses numbers that a program has damaged.
    cells = [name for name, degree in zip(names, degrees(graph).tolist(), strict=False) if degree]
    if cells and all(map(INTEGER.match, cells)):
        numbers = [int(cell[:20]) for cell in cells]
        if min(numbers) < 0 or "-0" in cells or max(numbers) >= 2**63 or len(set(numbers)) < len(numbers):
            return "the labels are all integers, but not different ones from 0 to 2**63 - 1"
    check = IdCheck()
    check.add(cells)
    damaged = check.problem()
    return None if damaged is None else f"text cannot hold labels that look like damaged numbers: {damaged}"


def degrees(graph: Graph) -> Int64Array:
    """Return the number of edges at each vertex, of a directed graph the number of arcs from and to it."""
    degree: Int64Array = np.diff(graph.indptr)
    if graph.directed:
        step = max(_BLOCK_ARCS, graph.num_vertices)
        for start in range(0, len(graph.indices), step):
            degree += np.bincount(graph.indices[start : start + step], minlength=graph.num_vertices)
    return degree


# What begins a formula: https://owasp.org/www-community/attacks/CSV_Injection. A label that begins with an apostrophe
# gets one more, so that different labels stay different.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠", "'")


def without_formulas(labels: Any, style: CsvStyle) -> Any:  # noqa: ANN401 - an array, or None, as the labels are
    """Return labels with an apostrophe before each one that a spreadsheet would run as a formula, if the style asks.

    Examples
    --------
    >>> import numpy as np
    >>> from triadic.core.formatting import CsvStyle
    >>> without_formulas(np.array(["=1+1", "Ann", "'=1+1"], dtype=object), CsvStyle(spreadsheet_safe=True)).tolist()
    ["'=1+1", 'Ann', "''=1+1"]
    """
    if not style.spreadsheet_safe or labels is None or labels.dtype != np.object_:
        return labels
    safe = [f"'{label}" if label.startswith(_FORMULA) else label for label in labels.tolist()]
    return np.array(safe, np.object_)


def needs_list(graph: Graph, labels: Labels | None, *, text: bool) -> bool:
    """Return whether the rows of a file of edges, and the number of vertices, do not tell the labels of a graph.

    Parameters
    ----------
    graph : Graph
    labels : array or None
        Labels from :func:`stated_labels`.
    text : bool
        Whether the file is a text, in which names that are all integers are read as numbers.
    """
    if labels is None:
        return False
    if (degrees(graph)[: len(labels)] == 0).any():
        return True
    if labels.dtype == np.object_:
        return (text and all(map(NUMBER_ID.match, labels.tolist()))) or not _appear_in_order(graph)
    rise = bool((labels[1:] > labels[:-1]).all())
    return not rise or int(labels[-1]) < graph.num_vertices


def _appear_in_order(graph: Graph) -> bool:
    """Return whether the rows have an order in which the vertices with edges appear by their numbers.

    A vertex can appear next if an edge joins it to a smaller vertex, or if an arc leads from it to the vertex after it:
    then both appear in one row.
    """
    n = graph.num_vertices
    starts = graph.indptr[:-1]
    occupied = np.flatnonzero(graph.indptr[1:] > starts)
    least = np.full(n, -1, np.int64)
    least[occupied] = graph.indices[starts[occupied]]
    vertices = np.arange(n)
    appears: BoolArray = (least >= 0) & (least <= vertices + 1)
    if graph.directed:
        for block in edge_blocks(graph):
            appears[block.target[block.source < block.target]] = True
    return bool(appears[degrees(graph) > 0].all())


def blocks_by_appearance(graph: Graph) -> Iterator[EdgeBlock]:
    """Yield every edge once, in an order in which the vertices appear by their numbers, if there is one."""
    blocks: Iterable[EdgeBlock] = edge_blocks(graph, by_later=True)
    if graph.directed:  # the arcs between a vertex and the ones before it are in many rows
        source = rows_of_entries(graph.indptr, graph.indices.dtype)
        blocks = [EdgeBlock(source, graph.indices, dict(graph.columns))] if len(source) else []
    for block in blocks:
        # An arc to the next vertex comes first: it shows both vertices at once.
        later, later_row = block.target != block.source + 1, np.maximum(block.source, block.target)
        order = np.lexsort((later, later_row))
        yield block.taken(order)


def list_lines(labels: Labels) -> Iterator[str]:
    """Yield the lines of comments, without the mark of a comment, that hold the list of some labels."""
    parts: list[str] = []
    length = 0
    for label in labels.tolist():
        part = json.dumps(label)
        if parts and length + len(part) > _LINE_LENGTH:
            yield f"{VERTEX_LIST} [{', '.join(parts)}]"
            parts, length = [], 0
        parts.append(part)
        length += len(part) + 2
    if parts:
        yield f"{VERTEX_LIST} [{', '.join(parts)}]"
