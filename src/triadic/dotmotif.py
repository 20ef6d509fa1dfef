"""`TriadicExecutor`: motifs of DotMotif counted and found by triadic."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from triadic.core.checked import check_extra, checked, type_name
from triadic.core.memory import check_memory
from triadic.core.pattern import Condition, Shape, Term, automorphisms_of
from triadic.counts.patterns import count_pattern, list_pattern
from triadic.errors import ArgumentError
from triadic.graph.graph import Graph, GraphLike
from triadic.graph.labels import vertex_names
from triadic.measures.patterns.matches import network_of
from triadic.measures.patterns.pattern import Pattern
from triadic.measures.triangles import check_limit

check_extra("dotmotif", "dotmotif", "triadic.dotmotif needs")

# After the check that it is installed.
from dotmotif import Motif  # noqa: E402
from dotmotif.executors import Executor  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Iterator

    from triadic.core.progress import ProgressKeyword

__all__ = ["TriadicExecutor"]

_PLACE = "place of the node"  # a column
_BYTES = 320  # of a match as a dictionary
# Operators with a value that have another name in `triadic.core.pattern`.
_OPERATORS = {"!=": "not =", "in": "within", "!in": "not within", "!contains": "not contains"}


class _Question(NamedTuple):
    """What a motif asks of a network; of each of `pairs`, the first vertex has the smaller node."""

    network: Graph
    shape: Shape
    names: tuple[str, ...]
    pairs: list[tuple[int, int]]


@checked
class TriadicExecutor(Executor):
    """Count and find motifs of DotMotif, as its own executors do, by compiled code.

    Parameters
    ----------
    graph : Graph, or any input that `Graph` accepts
        Where to look: a networkx graph, whose attributes conditions name; a `Graph` with columns; or a table of edges,
        whose further columns are attributes of edges. It is converted once, and again when a motif names an attribute
        that no motif named before. After a change of the graph, make another executor.
    threads : int, optional
        Number of threads; by default as many as the process may use.
    progress : bool or callable, default False
        True shows a progress bar on standard error; a callable is called with ``(done, total)``.

    Raises
    ------
    ArgumentError
        If `graph` is of an unknown type.
    MissingExtraError
        On import, if DotMotif is not installed: ``pip install 'triadic[dotmotif]'``.
    UnsupportedError
        If the graph is a `TiledGraph`.

    See Also
    --------
    triadic.count : Count patterns, also at vertices and edges and by type.

    Notes
    -----
    The matches are those of ``GrandIsoExecutor`` of DotMotif 0.18. A match maps the nodes of a motif to different nodes
    of the graph, so that each edge of the motif is an edge, and each edge with ``!>`` is none; further edges do not
    matter. Each order of the nodes is a match of its own, so that there are `triadic.Pattern.automorphisms` times as
    many as `triadic.count` counts subgraphs. ``->``, ``-|`` and ``-+`` are the same; ``A === B`` shares the conditions
    of A and B; ``Motif(limit=...)`` and ``enforce_inequality`` change nothing.

    ``exclude_automorphisms=True`` keeps the matches in which the nodes of each pair of ``motif.list_automorphisms()``
    rise. DotMotif 0.18 lists all pairs that any symmetry of the edges exchanges, and does not look at conditions, nor
    tells ``->`` from ``!>``. So it keeps cycles of three nodes in one of two directions, and half the matches of two
    nodes of different types. `triadic.count` counts each subgraph once.

    A missing attribute meets ``!=`` with a value, and nothing else; those executors also find two edges equal that both
    lack an attribute. In an undirected graph, and with ``ignore_direction=True``, an edge of the motif is an edge in
    either direction, as ``NetworkXExecutor`` has it; ``GrandIsoExecutor`` fails there, or its matches depend on the
    order in which the motif names the nodes.

    Examples
    --------
    >>> from dotmotif import Motif
    >>> import networkx as nx
    >>> from triadic.dotmotif import TriadicExecutor
    >>> neurons = nx.DiGraph([("AVA", "AVB"), ("AVB", "DB1"), ("AVA", "DB1")])
    >>> executor = TriadicExecutor(neurons)
    >>> loop = Motif("A -> B; B -> C; A -> C")
    >>> executor.count(loop), executor.find(loop)
    (1, [{'A': 'AVA', 'B': 'AVB', 'C': 'DB1'}])
    """

    def __init__(self, graph: GraphLike, *, threads: int | None = None, progress: ProgressKeyword = False) -> None:
        self.graph: Any = graph
        self._machine: dict[str, Any] = {"threads": threads, "progress": progress}
        self._columns: set[str] = set()
        self._network = network = self._converted(self._columns)
        nodes: Any = graph
        if network is graph or network.origin.library != "networkx":
            nodes = vertex_names(network.labels, network.num_vertices).tolist()
        self._nodes = list(nodes)

    def count(self, motif: Motif, limit: int | None = None) -> int:
        """Return the number of matches of a motif.

        Parameters
        ----------
        motif : dotmotif.Motif
            The motif, of two to six nodes that its present edges join.
        limit : int, optional
            Largest number to count; by default, and with 0, all matches are counted.

        Returns
        -------
        int

        Raises
        ------
        ArgumentError
            If the motif has fewer or more nodes, an edge from a node to itself, or conditions on an absent edge; if a
            condition names an attribute that does not exist, or compares it with a value of another kind; or if the
            nodes of the graph cannot be compared, with ``exclude_automorphisms=True``.
        OutOfMemoryError
            If counting needs more memory than is available.

        Notes
        -----
        Without a `limit`, matches are counted and not listed.
        """
        if limit:
            return len(self.find(motif, limit))
        network, shape, _, pairs = question = self._question(motif)
        if not pairs:
            return count_pattern(network, shape, **self._machine)
        # How many of the orders of a subgraph are matches, which may depend on how its nodes compare.
        images = automorphisms_of(shape)
        shares = {
            sum(all(place[image[a]] < place[image[b]] for a, b in pairs) for image in images)
            for place in permutations(range(shape.size))
        }
        if len(shares) == 1:
            return count_pattern(network, shape, **self._machine) // len(images) * shares.pop()
        return count_pattern(*self._rising(question), **self._machine)

    def find(self, motif: Motif, limit: int | None = None) -> list[dict[str, Any]]:
        """Return the matches of a motif.

        Parameters
        ----------
        motif : dotmotif.Motif
            The motif, of two to six nodes that its present edges join.
        limit : int, optional
            Largest number of matches to return, always the same ones; by default, and with 0, all.

        Returns
        -------
        list of dict
            For each match, the nodes of the graph by those of the motif: nodes of networkx, labels, or the numbers of
            vertices without labels.

        Raises
        ------
        ArgumentError
            As by `count`.
        OutOfMemoryError
            If the list does not fit in memory.
        """
        most = check_limit(limit) or None
        question = self._question(motif)
        network, shape = self._rising(question)
        images = np.array(automorphisms_of(shape))
        found = list_pattern(network, shape, most and -(-most // len(images)), **self._machine)
        matches = len(found) * len(images)
        check_memory(_BYTES * matches, f"a list of {matches:,} matches", "pass limit=, or count them")
        orders = found[:, images].reshape(-1, shape.size)[:most].tolist()
        return [dict(zip(question.names, map(self._nodes.__getitem__, order), strict=True)) for order in orders]

    def _converted(self, columns: set[str]) -> Graph:
        """Return the graph with some of its attributes."""
        return self.graph if isinstance(self.graph, Graph) else Graph(self.graph, columns=sorted(columns))

    def _question(self, motif: Motif) -> _Question:
        if not isinstance(motif, Motif):
            raise ArgumentError(f"motif: got {type_name(motif)}; expected a dotmotif.Motif, such as Motif('A -> B')")
        rows = list(_conditions(motif))
        columns = {side[-1] for left, _, right in rows for side in (left, right) if type(side) is list}
        if not columns <= self._columns:
            columns |= self._columns
            self._network, self._columns = self._converted(columns), columns
        edges = list(motif.to_nx().edges(data="exists"))
        arrows = ("!>", "->") if self._network.directed and not motif.ignore_direction else ("!-", "-")
        try:
            pattern = Pattern("; ".join(f"{u} {arrows[exists]} {v}" for u, v, exists in edges))
        except ArgumentError as error:
            raise ArgumentError(f"motif: {error}; or use NetworkXExecutor of dotmotif") from None
        place = {name: i for i, name in enumerate(pattern.names)}
        known: dict[Any, Any] = {(name,): (i,) for name, i in place.items()}
        known |= {(u, v): (place[u], place[v]) for u, v, exists in edges if exists}

        def term(side: list[str]) -> Term:
            *ends, column = side
            if tuple(ends) not in known:
                listed = ", ".join(map(" -> ".join, known))
                raise ArgumentError(f"motif: a condition on {' -> '.join(ends)}; expected one on: {listed}")
            return Term(known[tuple(ends)], column)

        conditions = [
            Condition(term(left), operator, term(right) if type(right) is list else right)
            for left, operator, right in rows
        ]
        return _Question(
            network_of(self._network, pattern),
            replace(pattern.shape, conditions=tuple(dict.fromkeys(conditions))),
            pattern.names,
            [(place[a], place[b]) for a, b in motif.list_automorphisms() if motif.exclude_automorphisms],
        )

    def _rising(self, question: _Question) -> tuple[Graph, Shape]:
        """Return a network and a shape, with the conditions that the nodes of pairs rise."""
        network, shape, _, pairs = question
        if not pairs:
            return network, shape
        try:
            order = sorted(range(network.num_vertices), key=self._nodes.__getitem__)
        except TypeError as error:
            problem = f"nodes of the graph cannot be compared, {error}; name all by texts, or all by numbers"
            raise ArgumentError(f"exclude_automorphisms=True: {problem}") from None
        columns = {**network.vertex_columns, _PLACE: np.argsort(order)}
        rising = [Condition(Term((a,), _PLACE), "<", Term((b,), _PLACE)) for a, b in pairs]
        named = network._with(vertex_columns=columns)  # noqa: SLF001 - for makers of graphs
        return named, replace(shape, conditions=(*shape.conditions, *rising))


def _conditions(motif: Motif) -> Iterator[tuple[list[str], Any, Any]]:
    """Yield of each condition its nodes and its column in a list, its operator, and a value or another list."""
    listed = [
        motif.list_node_constraints(),
        motif.list_edge_constraints(),
        motif.list_dynamic_node_constraints(),
        motif.list_dynamic_edge_constraints(),
    ]
    for number, constraints in enumerate(listed):
        compared = number > 1
        for ends, columns in constraints.items():
            for column, tests in columns.items():
                left = [*([ends] if isinstance(ends, str) else ends), column]
                for name, values in tests.items():
                    operator = "=" if name == "==" else name if compared else _OPERATORS.get(name, name)
                    yield from ((left, operator, list(value) if compared else value) for value in values)
