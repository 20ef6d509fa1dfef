"""`PatternCounts`: counts as features of graphs or vertices, a transformer of scikit-learn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np

from triadic.core.checked import check_extra, check_option
from triadic.graph.batch import GraphBatch
from triadic.measures.count import count

check_extra("sklearn", "sklearn", "triadic.features needs")

# After the check that it is installed.
from sklearn.base import BaseEstimator, TransformerMixin  # noqa: E402
from sklearn.utils.validation import check_is_fitted  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Sequence

    from triadic.convert.result_table import Table
    from triadic.core.array_types import AnyArray, ObjectArray
    from triadic.measures.patterns.pattern import Pattern

__all__ = ["PatternCounts"]

By = Literal["graph", "vertex"]


class PatternCounts(TransformerMixin, BaseEstimator):
    """Count subgraphs as features of graphs, or of vertices, in a pipeline of scikit-learn.

    Parameters
    ----------
    patterns : str, Pattern, or sequence of them, default "graphlets"
        What to count: patterns such as ``"A - B; B - C; C - A"``, and names such as "graphlets", "triads" or "cliques",
        as `triadic.count` takes them.
    by : {"graph", "vertex"}, default "graph"
        "graph" makes a row for each graph of a list or a batch, "vertex" one for each vertex of a graph, or of all
        graphs of a list or a batch.
    size : int or (int, int), optional
        Number of vertices of the largest "graphlets" or "orbits", or of "cliques" and "simplices", as of
        `triadic.count`.
    threads : int, optional
        Number of threads; by default as many as the process may use.
    device : str, default "auto"
        Where to count, as of `triadic.count`.

    Attributes
    ----------
    columns_ : tuple of str
        Names of the columns, which `get_feature_names_out` returns.

    Raises
    ------
    ArgumentError
        By `fit` and `transform`, if an option does not have an accepted value, or a graph cannot be counted so.
    MissingExtraError
        On import, if scikit-learn is not installed: ``pip install 'triadic[sklearn]'``.

    See Also
    --------
    triadic.count : Count by name, also by edge and by type.
    triadic.vertex_table : Columns of several measures of vertices.

    Notes
    -----
    All graphs are counted at once, on their disjoint union, where that is possible. Counts do not depend on the
    training data; `fit` only fixes the columns: "cliques" have one for each size that occurs there, and larger cliques
    of other graphs are left out. Counts spread over orders of magnitude: let ``FunctionTransformer(np.log1p)`` follow.

    Graphs may be those of any library that triadic reads, all of them directed, or all undirected. For conditions on
    attributes, pass ``triadic.Graph(graph, columns=["color"])``.

    Examples
    --------
    >>> import networkx as nx
    >>> from triadic.features import PatternCounts
    >>> graphs = [nx.cycle_graph(4), nx.complete_graph(4), nx.path_graph(4)]
    >>> counts = PatternCounts(["A - B - C", "cliques"])
    >>> counts.fit_transform(graphs)
    array([[ 4,  4,  4,  0,  0],
           [12,  4,  6,  4,  1],
           [ 2,  4,  3,  0,  0]])
    >>> counts.get_feature_names_out()[:2].tolist()
    ['A - B - C', 'cliques of 1']
    """

    def __init__(
        self,
        patterns: str | Pattern | Sequence[str | Pattern] = "graphlets",
        *,
        by: By = "graph",
        size: int | tuple[int, int] | None = None,
        threads: int | None = None,
        device: str = "auto",
    ) -> None:
        self.patterns, self.by, self.size, self.threads, self.device = patterns, by, size, threads, device

    def fit(self, X: Any, y: object = None) -> Self:  # noqa: ANN401, ARG002 - graphs; as in scikit-learn
        """Count once to learn the names of the columns; `y` is ignored."""
        self.fit_transform(X)
        return self

    def fit_transform(self, X: Any, y: object = None) -> AnyArray:  # noqa: ANN401, ARG002 - as above
        """Return the counts, as `transform`, and learn the names of the columns; `y` is ignored."""
        found = self._counts(X)
        self.columns_ = found.names
        return found.to_numpy()

    def transform(self, X: Any) -> AnyArray:  # noqa: ANN401 - as above
        """Return the counts, a row for each graph or vertex: int64, or float64 if there is a coefficient.

        If a count reaches 2**63, as of large cliques, they are Python ints; `size` chooses smaller ones.
        """
        check_is_fitted(self)
        found = self._counts(X)
        place = [found.names.index(name) if name in found.names else -1 for name in self.columns_]
        return np.pad(found.to_numpy(), ((0, 0), (0, 1)))[:, place]  # what is not there has a count of 0

    def get_feature_names_out(self, input_features: object = None) -> ObjectArray:  # noqa: ARG002 - as above
        """Return the names of the columns; `input_features` is ignored."""
        check_is_fitted(self)
        return np.array(self.columns_, object)

    def _counts(self, X: Any) -> Table:  # noqa: ANN401 - as above
        check_option("by", self.by, By)
        one = isinstance(X, GraphBatch) or (self.by == "vertex" and not isinstance(X, (list, tuple)))
        network = X if one else GraphBatch.from_graphs(X)
        return count(network, self.patterns, by=self.by, size=self.size, threads=self.threads, device=self.device)
