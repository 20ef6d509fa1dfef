"""What a table of edges states about its network: names of the graph of each edge, directions, and comments.

* A column whose name usually tells the graph of each edge; a table with one may hold many networks.
* A column whose name usually tells the time of each event.
* A column that states for each edge whether it is directed: ``Type`` of the tables that Gephi exports, or ``directed``,
  which holds true or false, yes or no, or 1 or 0.
* The comments before the first row of a text. SNAP: ``# Directed graph: name``, ``# Nodes: 82168 Edges: 948464``,
  ``# FromNodeId  ToNodeId  Sign`` (https://snap.stanford.edu/data). KONECT: ``% asym posweighted``,
  ``% 1899 20296 20296``: relationships, then the sizes of the two sets of vertices, the same one twice unless the
  network is ``bip`` (http://konect.cc, Handbook, section 9).
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from triadic.core.records import value_class
from triadic.devices.select import warn
from triadic.errors import ReadWarning
from triadic.io.columns import (
    ColumnsError,
    column_of,
    columns_taken,
    end_pairs,
    listed,
    named_columns,
    numbered_columns,
    plain_name,
    shown,
)

if TYPE_CHECKING:
    from triadic.io.columns import EdgeColumns
    from triadic.io.file_source import Source
    from triadic.io.format import ReadOptions

GRAPH_NAMES = (
    *("graph", "graphid", "graphname", "graphindex", "graphindicator", "graphnumber", "graphno", "gid"),
    *("network", "networkid", "networkname", "batch", "batchid", "snapshot", "snapshotid"),
)
"""Plain names of the columns that usually name a graph."""

_TIME_NAMES = frozenset(
    (
        *("time", "times", "timestamp", "timestamps", "datetime", "date", "ts", "t", "when", "epoch", "unixtime"),
        *("unixts", "unixtimestamp", "createdat", "created", "senttime", "sentat", "eventtime", "starttime", "seconds"),
    )
)


def chosen_columns(
    names: tuple[str, ...], count: int, options: ReadOptions, where: str = ""
) -> tuple[EdgeColumns, tuple[tuple[str, int], ...], str]:
    """Choose the columns of a table that is read as one network, or of a batch as one for each graph.

    The column of the times of events takes the place of that of the weights.

    A warning tells of a column that usually names a graph, if the table is read as one network.

    Parameters
    ----------
    names : tuple of str
        Names of the columns; empty if they have none.
    count : int
        Number of columns.
    options : ReadOptions
    where : str, default ""
        Where the names are, in words.

    Returns
    -------
    columns : EdgeColumns
    others : tuple of (str, int)
        Marked names and indices of the further columns: ``+`` marks the name of a column to keep, and ``?`` that of one
        which tells the rows to read; ``graph`` is the one that names the graph of each row of a batch.
    taken : str
        The choice in words.

    Raises
    ------
    ColumnsError
        A column does not exist, or the names do not tell which columns to read.

    Examples
    --------
    >>> from triadic.io.format import ReadOptions
    >>> chosen_columns(("from", "to", "since", "kind"), 4, ReadOptions(keep=("kind",)))
    (EdgeColumns(source=0, target=1, weight=None), (('+kind', 3),), 'columns from → to')
    >>> chosen_columns(("graph_id", "from", "to"), 3, ReadOptions(graph=True))
    (EdgeColumns(source=1, target=2, weight=None), (('graph', 0),), 'columns from → to, graphs graph_id')
    """
    if not count:
        raise ColumnsError("it has no columns")
    of_graphs: dict[str, int] = {}
    if options.graph is None:
        columns, graphs = choose_columns(names, count, *options.columns, options.timed)
        if graphs is not None:
            warn_of_graphs(graphs)
        if options.timed and columns.weight is None:
            columns = replace(columns, weight=_column_of_times(names, count, columns))
    else:
        columns, place = _columns_of_batch(names, count, options)
        of_graphs["graph"] = place
        where = f"graphs {shown(names[place]) if names else place}{where and f', {where}'}"
    others = _kept_columns(names, columns, options) | of_graphs
    return columns, tuple(others.items()), columns_taken(names, columns, where)


def _kept_columns(names: tuple[str, ...], columns: EdgeColumns, options: ReadOptions) -> dict[str, int]:
    kept: dict[str, int] = {}
    for wanted in options.keep or ():
        if not names:
            raise ColumnsError(f"columns={[wanted]!r}: its columns have no names")
        place = column_of(names, wanted, "columns")
        if place in (columns.source, columns.target):
            raise ColumnsError(f"columns={[wanted]!r}: this column holds an end of the edges, expected another one")
        kept[f"+{names[place]}"] = place
    for wanted in options.where or ():
        kept[f"?{wanted}"] = column_of(names, wanted, "where")
    return kept


def _columns_of_batch(names: tuple[str, ...], count: int, options: ReadOptions) -> tuple[EdgeColumns, int]:
    """Return the columns of a table of the edges of many graphs, and the one that names the graphs.

    Of columns without names, the first two beside that of the graphs hold the ends.
    """
    graph = None if isinstance(options.graph, bool) else options.graph
    source, target, weights = options.columns
    if not names:
        if graph is None or not str(graph).isdecimal():
            raise ColumnsError(
                f"its columns have no names; pass graph= (--graph), the index of the column of the graphs, from 0 to "
                f"{count - 1}"
            )
        names = tuple(map(str, range(count)))
        free = (name for name in names if name not in (str(graph), str(source), str(target)))
        source = next(free, None) if source is None else source
        target = next(free, None) if target is None else target
        weights = next(free, True) if weights is True else weights
    place = _graph_column(names, graph)
    for role, wanted in (("source", source), ("target", target), ("weights", weights)):
        if wanted in (names[place], place) and not isinstance(wanted, bool):
            raise ColumnsError(f"{role}={wanted!r} is the column of the graphs, expected another one")
        if wanted == "":
            column_of(names, "", role)
    others = (*names[:place], "", *names[place + 1 :])  # a column without a name is no end of an edge
    try:
        columns = named_columns(others, source, target, weights)
    except ColumnsError as error:
        raise ColumnsError(str(error).replace(listed(others), listed(names))) from None
    if place in (columns.source, columns.target):
        raise ColumnsError(f"the columns are {listed(names)}: expected a graph and the two ends of an edge")
    return columns, place


def _graph_column(names: tuple[str, ...], wanted: str | int | None) -> int:
    if wanted is None:
        plain = list(map(plain_name, names))
        usual = [plain.index(name) for name in GRAPH_NAMES if name in plain]
        if len(usual) == 1:
            return usual[0]
        found = "none has a usual name of a graph, such as graph_id"
        if usual:
            found = f"{' and '.join(shown(names[i]) for i in usual[:2])} may both name the graphs"
        raise ColumnsError(f"the columns are {listed(names)}; {found}; pass graph= (--graph), the column of the graphs")
    return column_of(names, wanted, "graph")


def _column_of_times(names: tuple[str, ...], count: int, ends: EdgeColumns) -> int:
    """Return which of `count` columns holds the times: one with a usual name, or the only one that is no end."""
    others = [i for i in range(count) if i not in (ends.source, ends.target)]
    found = [i for i in others if names and plain_name(names[i]) in _TIME_NAMES]
    if len(found) == 1:
        return found[0]
    if len(others) == 1 and not found:
        return others[0]
    if not others:
        raise ColumnsError("has no column beside the two ends, expected a column of times")
    columns = f"; the columns are {listed(names)}" if names else f"; there are {len(others) + 2} without names"
    raise ColumnsError(f"several columns may hold the times{columns}; pass time= (--time)")


@lru_cache(maxsize=256, typed=True)
def choose_columns(
    names: tuple[str, ...],
    count: int,
    source: str | int | None,
    target: str | int | None,
    weights: bool | str | int | None,
    timed: bool,
) -> tuple[EdgeColumns, str | None]:
    """Choose the columns of a table, and find the first other column whose name usually tells the graph of each edge.

    There is no such column if the caller names both ends: then somebody has looked at the columns. Nor is there one if
    the rows are events with times, which may be in a column such as "snapshot". Without names, the table has `count`
    columns.

    Raises
    ------
    ColumnsError
        A column does not exist, or the names do not tell which columns to read.

    Examples
    --------
    >>> choose_columns(("graph_id", "source", "target"), 3, None, None, None, False)
    (EdgeColumns(source=1, target=2, weight=None), 'graph_id')
    """
    if not names:
        return numbered_columns(count, source, target, weights), None
    columns = named_columns(names, source, target, weights)
    if timed or (source is not None and target is not None):
        return columns, None
    # A quote in a name tells that a header between commas was cut at a blank, which readers of text also try.
    read = columns.source, columns.target, columns.weight
    others = (name for i, name in enumerate(names) if i not in read and '"' not in name)
    return columns, next((name for name in others if plain_name(name) in GRAPH_NAMES), None)


def warn_of_graphs(column: str) -> None:
    """Warn that all rows are read as one network although a column may name the graph of each row."""
    warn(
        ReadWarning(
            f"all rows are read as one network, though the column {shown(column)} may name the graph of each row; "
            "read_batch (--batch) reads many graphs, and source= and target= (--source and --target) state "
            "that it is one"
        )
    )


_DIRECTIONS = {"directed": True, "undirected": False}
_TRUE, _FALSE = ("true", "t", "yes", "1", "1.0"), ("false", "f", "no", "0", "0.0")
_TRUTHS = dict.fromkeys(_TRUE, True) | dict.fromkeys(_FALSE, False)
_WORDS = {"type": _DIRECTIONS, "directed": _DIRECTIONS | _TRUTHS}
_ACCEPTED = {"Type": "Directed or Undirected", "directed": "true or false"}


def stated_kind(
    source: Source, names: tuple[str, ...], rows: list[list[str]], weight: int | None
) -> tuple[int | None, bool | None]:
    """Return the index of the column and the direction that it states in the first rows; None without such a column.

    Parameters
    ----------
    source : Source
        Names the file in an error.
    names : tuple of str
        Names of the columns.
    rows : list of list of str
        Cells of the first rows.
    weight : int or None
        Index of the column of weights, which states no direction.

    Raises
    ------
    ReadError
        The rows state both directions.
    """
    for wanted, words in _WORDS.items():
        kinds = [i for i, name in enumerate(names) if name.lower() == wanted and i != weight]
        if len(kinds) != 1:
            continue
        found = {row[kinds[0]].lower() for row in rows if kinds[0] < len(row)}
        if not found or not found <= words.keys():
            continue
        directions = {words[word] for word in found}
        if len(directions) > 1:
            raise source.error(_problem(found))
        return kinds[0], directions.pop()
    return None, None


def refuse_mixed_kinds(source: Source, table: Any, *, directed: bool | None) -> None:  # noqa: ANN401 - as pyarrow is
    """Raise a ReadError if a row of a table states another direction than the first rows, which state `directed`."""
    kinds = {str(kind).strip(' "').lower() for chunk in table["kind"].chunks for kind in chunk.dictionary.to_pylist()}
    if any(_WORDS["directed"].get(kind) is not directed for kind in kinds):
        raise source.error(_problem(kinds))


def _problem(kinds: set[str]) -> str:
    """Return what is wrong with some words of the column, of which not all state the same direction."""
    name = "Type" if kinds.isdisjoint(_TRUTHS) else "directed"
    return (
        f"the column {name!r} does not state one direction for all edges; expected {_ACCEPTED[name]} in every row, or "
        "directed=True or directed=False (--directed or --undirected), which then holds for all edges"
    )


VERTEX_LIST = "triadic vertices:"
"""The first words of a comment that lists vertices; see :mod:`triadic.io.edge_blocks`."""
_DIRECTION = re.compile(r"(un)?directed\b", re.IGNORECASE)
_DIRECTION_INSIDE = re.compile(r"\b(un)?directed (?:graph|network)\b", re.IGNORECASE)
_NODES = re.compile(r"\bnodes:\s*(\d+)\b", re.IGNORECASE)
_KONECT = re.compile(r"(sym|asym|bip)\b")
_KONECT_SIZES = re.compile(r"\d+\s+(\d+)\s+(\d+)\s*\Z")


@value_class
class Comments:
    """The description of a network in the comments before the first row.

    Attributes
    ----------
    directed : bool or None
    bipartite : bool
        Whether sources and targets are two different sets of vertices.
    sizes : tuple of int
        Numbers of vertices: none, one, or one for each of the two sets.
    names : tuple of str
        Words of the last comment, which name the columns if there are as many words as columns.
    lists : tuple of str
        JSON arrays, which list the vertices.
    """

    directed: bool | None = None
    bipartite: bool = False
    sizes: tuple[int, ...] = ()
    names: tuple[str, ...] = ()
    lists: tuple[str, ...] = ()


def read_comments(lines: list[str]) -> Comments:
    """Read the comments before the first row.

    Parameters
    ----------
    lines : list of str
        Each begins with ``#`` or ``%``.

    Returns
    -------
    Comments

    Examples
    --------
    >>> read_comments(["# Undirected graph: roads", "# Nodes: 12 Edges: 30", "# FromNodeId ToNodeId"])
    Comments(directed=False, bipartite=False, sizes=(12,), names=('FromNodeId', 'ToNodeId'), lists=())
    >>> read_comments(["% bip unweighted", "% 30 12 7"]).sizes
    (12, 7)
    """
    parts = list(map(listed_part, lines))
    if any(parts):  # labels are no description of the network
        described = read_comments([line for line, part in zip(lines, parts, strict=True) if part is None])
        lists = tuple(part.removeprefix(VERTEX_LIST) for part in parts if part is not None)
        return replace(described, bipartite=False, lists=lists)
    if not lines:
        return Comments()
    first = _KONECT.match(lines[0].lstrip("% \t")) if lines[0][0] == "%" else None
    if first:
        sizes = _KONECT_SIZES.match(lines[1].lstrip("% \t")) if len(lines) > 1 else None
        numbers = tuple(int(size[:20]) for size in sizes.groups()) if sizes else ()
        bipartite = first[1] == "bip"
        one = (max(numbers),) if numbers else ()
        return Comments(directed=first[1] == "asym", bipartite=bipartite, sizes=numbers if bipartite else one)
    words = [line.lstrip("#% \t") for line in lines]
    names = tuple(part for part in re.split(r"[\s,;]+", words[-1]) if part)
    # Names of columns, of which one may be "directed", state no direction.
    stated = words[:-1] if len(names) > 2 and ":" not in words[-1] and end_pairs(names) else words
    directed = next((match[1] is None for word in stated if (match := _DIRECTION.match(word))), None)
    if directed is None:
        directed = next((match[1] is None for word in words if (match := _DIRECTION_INSIDE.search(word))), None)
    nodes = next((match[1] for word in words if (match := _NODES.search(word))), None)
    return Comments(
        directed=directed,
        sizes=() if nodes is None else (int(nodes[:20]),),
        names=names,
    )


def listed_part(line: str) -> str | None:
    """Return the part of a comment from the words ``triadic vertices:`` on; None if the comment lists no vertices."""
    text = line.lstrip("#% \t")
    return text if text.startswith(f"{VERTEX_LIST} [") else None
