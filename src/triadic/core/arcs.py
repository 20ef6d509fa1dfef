"""Raw arcs, with their loops, repeats and order, and the record of what a graph drops of them."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, Literal

from triadic.core.formatting import html_table, plural
from triadic.core.records import record, value_class

if TYPE_CHECKING:
    from collections.abc import Mapping

    from triadic.core.array_types import AnyArray, Float64Array, Int64Array, IntegerArray, ObjectArray


@value_class
class Origin:
    """What the arcs of a graph were taken from, and how their direction was decided: `Graph.origin`.

    Parameters
    ----------
    columns : str, optional
        Columns of a file or a table that were taken as source, target and weight, and whether a header was found, such
        as ``"columns from_user → to_user, header in line 1"``. By default None: the input has no columns to choose.
    direction : {"given", "stated", "assumed"}, default "given"
        Whether the caller gave the direction, the input states it, or it was assumed because neither did. An input of
        which nothing states the direction is taken as directed.
    library : str, optional
        Library whose graph was converted, such as ``"networkx"``. By default None: the input is not a graph of another
        library.
    weights : str, optional
        What was done with the weights of repeated arcs, and of undirected edges that are given from both ends, such as
        ``"weights of 12 edges given from both ends agree and count once"``. By default None: each weight was given
        once.
    weight : str, optional
        Name of the column or the attribute that the weights were taken from; `Graph.columns` and `Graph.filter` know
        the weights by this name, as well as by "weight". By default None: they have no other name.

    Examples
    --------
    >>> import triadic
    >>> triadic.Graph.from_edges([0, 1], [1, 2]).origin
    Origin(columns=None, direction='given', library=None, weights=None)
    """

    columns: str | None = None
    direction: Literal["given", "stated", "assumed"] = "given"
    library: str | None = None
    weights: str | None = None
    weight: str | None = field(default=None, repr=False, compare=False)


@record(repr=False)
class Arcs:
    """Arcs on the vertices 0 .. ``vertices`` - 1, with their loops, repeats and order.

    `triadic.io.read_arcs` and the models of `triadic.generate` return arcs; `Graph.from_arcs` makes a graph of them.

    Parameters
    ----------
    source, target : int32 or int64 array, shape (arcs,)
        End vertices, both of one dtype: int32 if ``vertices`` is at most 2**31 - 1.
    vertices : int
        Number of vertices.
    directed : bool
        Whether an arc has a direction. If not, (u, v) and (v, u) are the same edge.
    weights : float64 array, shape (arcs,), optional
        Weights of the arcs. By default None, no weights.
    labels : int64 array or object array of str, shape (at most vertices,), optional
        Names of the vertices 0, 1, ...; the vertices past its end have none. By default None, no labels.
    both_ends : bool, default False
        Whether an undirected source stores an edge at both its ends, as METIS files, ``*Edges`` of Pajek and symmetric
        matrices do. The two weights of such an edge must agree, and count once; otherwise ``combine=`` of
        `Graph.from_arcs` says how they combine. `Graph.dropped` does not count the second mention of such an edge.
    origin : Origin, optional
        What the arcs were taken from. By default arrays whose direction the caller gave.
    columns : mapping from str to array of shape (arcs,), optional
        Further values of the arcs by name, of any dtype. By default none.
    vertex_columns : mapping from str to array of shape (vertices,), optional
        Values of the vertices by name, of any dtype. By default none.

    Examples
    --------
    >>> import numpy as np
    >>> from triadic import Graph
    >>> from triadic.core.arcs import Arcs
    >>> source, target = np.array([[0, 1, 1], [1, 0, 1]], dtype=np.int32)
    >>> arcs = Arcs(source, target, vertices=2, directed=True)
    >>> arcs
    Arcs(directed, 2 vertices, 3 arcs)
    >>> Graph.from_arcs(arcs, directed=False).dropped
    Dropped(loops=1, duplicates=0, reciprocal_merged=1)
    """

    source: IntegerArray
    target: IntegerArray
    vertices: int
    directed: bool
    weights: Float64Array | None = None
    labels: Int64Array | ObjectArray | None = None
    both_ends: bool = False
    origin: Origin = Origin()
    columns: Mapping[str, AnyArray] = field(default_factory=dict)
    vertex_columns: Mapping[str, AnyArray] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.source)

    def __repr__(self) -> str:
        kind = "directed" if self.directed else "undirected"
        extras = " and ".join(self._extras())
        with_extras = f", with {extras}" if extras else ""
        return f"Arcs({kind}, {plural(self.vertices, 'vertex', 'vertices')}, {plural(len(self), 'arc')}{with_extras})"

    def _repr_html_(self) -> str:
        rows = [("vertices", self.vertices), ("arcs", len(self)), *((name, "yes") for name in self._extras())]
        return html_table(f"{'Directed' if self.directed else 'Undirected'} arcs", (), rows)

    def _extras(self) -> list[str]:
        return [name for name in ("weights", "labels") if getattr(self, name) is not None] + list(self.columns)


@value_class
class Dropped:
    """Number of arcs that were dropped, or merged with their reverse, when a graph was made: `Graph.dropped`.

    The second mention of an undirected edge is neither dropped nor merged if the source by definition names every edge
    at both its ends, as METIS files, symmetric matrices and graphs of other libraries do.

    Parameters
    ----------
    loops : int, default 0
        Arcs from a vertex to itself. They are lost.
    duplicates : int, default 0
        Exact repeats of an arc. They are lost; their weights are combined.
    reciprocal_merged : int, default 0
        Arcs (v, u) that were merged with the arc (u, v) to an edge of an undirected graph. Nothing is lost but the
        directions.

    Examples
    --------
    >>> from triadic import Graph
    >>> Graph.from_edges([0, 0, 0, 1], [0, 1, 1, 0]).dropped
    Dropped(loops=1, duplicates=1, reciprocal_merged=1)
    """

    loops: int = 0
    duplicates: int = 0
    reciprocal_merged: int = 0
