"""Transforms that add exact counts to the features of nodes: graphlets, triads, orbits, cliques, patterns.

The nodes of a ``Batch`` are counted all at once, as those of a `triadic.GraphBatch`.
"""

from __future__ import annotations

from functools import cache
from inspect import signature
from typing import TYPE_CHECKING, Any, Literal, TypedDict, Unpack, cast

import numpy as np

from triadic.core.blocks import resolve_threads
from triadic.core.checked import check_extra, check_option
from triadic.counts.graphlet_formulas import graphlets_on_card
from triadic.devices.runtimes.registry import is_installed
from triadic.devices.select import warn
from triadic.errors import ArgumentError, DeviceError, OutOfMemoryError, UnsupportedError, shown
from triadic.graph.batch import GraphBatch
from triadic.graph.graph import Graph
from triadic.measures.cliques import check_sizes
from triadic.measures.clustering import clustering, clustering_on_card
from triadic.measures.count import count
from triadic.measures.directed_clustering import directed_clustering
from triadic.measures.graphlets.orbits import check_size
from triadic.measures.graphlets.transform import graphlet_transform
from triadic.measures.patterns.matches import columns_of, is_pattern, pattern_of
from triadic.measures.patterns.pattern import Pattern
from triadic.measures.triads import triads_of_vertices

for _package in ("torch", "torch_geometric"):
    check_extra(_package, "pyg", "triadic.pyg needs")

# After the check that these packages are installed.
import torch  # noqa: E402
from torch.utils.data import get_worker_info  # noqa: E402
from torch_geometric.data import Batch, Data, Dataset  # noqa: E402
from torch_geometric.data.datapipes import functional_transform  # noqa: E402
from torch_geometric.transforms import BaseTransform  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from torch import Tensor

    from triadic.core.array_types import AnyArray, Float64Array, Int64Array
    from triadic.devices.gpu.rows import OrientedOnDevice

    class Options(TypedDict, total=False):
        """The keywords that all transforms take."""

        log1p: bool
        attr_name: str | None
        dtype: torch.dtype
        threads: int | None
        device: str


By = Literal["vertex", "edge"]


class _AddFeatures(BaseTransform):
    """A transform that computes columns of each node, or of each edge, and adds them to a ``Data``.

    Parameters
    ----------
    log1p : bool, default False
        Whether the logarithms log(1 + x) are added.
    attr_name : str or None
        Attribute that receives the columns; None appends them to ``x``, or of edges to ``edge_attr``.
    dtype : torch.dtype
        Type of the columns.
    threads : int or None
        Number of threads.
    device : str
        Where to count.
    """

    _on_card: bool = True  # whether edges that lie on a card are counted there
    by: By = "vertex"

    def __init__(
        self,
        *,
        log1p: bool = False,
        attr_name: str | None = None,
        dtype: torch.dtype = torch.float32,
        threads: int | None = None,
        device: str = "auto",
    ) -> None:
        if not isinstance(dtype, torch.dtype) or not dtype.is_floating_point:
            raise ArgumentError(f"dtype={dtype!r}: expected a floating-point type of torch")
        if attr_name is not None and not isinstance(attr_name, str):
            raise ArgumentError(f"attr_name={attr_name!r}: expected a name, or None to append to x or edge_attr")
        resolve_threads(threads)
        self.log1p, self.attr_name, self.dtype = log1p, attr_name, dtype
        self.threads, self.device = threads, device

    def forward(self, data: Data) -> Data:
        """Return the data with the columns added; called with a shallow copy of the data of the user."""
        _check(data)
        features = self._counted_on_card(data)
        if features is None:
            counts = torch.from_numpy(np.array(self._columns_of(data)))
            features = self._scaled(counts).to(data.edge_index.device)
        name = self.attr_name or ("edge_attr" if self.by == "edge" else "x")
        before = None if self.attr_name else getattr(data, name)
        if before is not None:
            before = before.view(-1, 1) if before.dim() == 1 else before
            features = torch.cat([before, features.to(before.device)], dim=-1)
        data[name] = features
        if isinstance(data, Batch):
            _split_with_batch(data, name, data.batch[data.edge_index[0]] if self.by == "edge" else data.batch)
        return data

    def _columns_of(self, data: Data) -> AnyArray:
        """Return the columns of each node, or of each edge, counted from the host: shape (rows, columns)."""
        raise NotImplementedError

    def _columns_on_card(self, graph: Graph, oriented: OrientedOnDevice) -> Any:  # noqa: ANN401 - a CuPy array
        """Return the columns of each node as an array on the card that holds the graph, which has no directions."""
        raise NotImplementedError

    def _counted_on_card(self, data: Data) -> Any:  # noqa: ANN401 - a Tensor, or None
        """Return the columns of edges that lie on a card, counted there; None if they are counted from the host.

        No edge joins two graphs of a batch, so their disjoint union has the same graphlets and triangles.
        """
        index = data.edge_index
        if not (index.is_cuda and self._on_card and is_installed("cuda")):
            return None
        number = index.device.index
        if self.device not in ("auto", f"cuda:{number}") and (self.device, number) != ("cuda", 0):
            return None
        if hasattr(index, "as_tensor"):  # an EdgeIndex
            index = index.as_tensor()
        # CuPy and PyTorch may use different streams: CuPy waits for the edges here, and PyTorch for the columns in
        # `from_dlpack`. CuPy must not use the memory of the columns again before PyTorch has read them.
        stream = torch.cuda.current_stream(index.device)
        stream.synchronize()
        try:
            graph = Graph.from_edges(index[0], index[1], num_vertices=data.num_nodes)
            oriented = cast("OrientedOnDevice", graph.oriented())
            with oriented.runtime.active():
                columns = self._columns_on_card(graph, oriented)
                features = self._scaled(torch.from_dlpack(columns))
                stream.synchronize()
                return features
        except (DeviceError, OutOfMemoryError, UnsupportedError) as error:
            if self.device != "auto":
                raise
            warn(f"counting from the host: {error}", RuntimeWarning)
            return None

    def _scaled(self, columns: Tensor) -> Tensor:
        """Return a copy of the columns in the type of the features, or of their logarithms."""
        if self.log1p:
            columns = columns.to(torch.float64).log1p_()
        return columns.to(self.dtype, copy=True, memory_format=torch.contiguous_format)

    @property
    def _keywords(self) -> dict[str, Any]:
        """Keywords of measures. In a worker of a DataLoader one thread counts, as PyTorch computes with one there."""
        in_worker = self.threads is None and get_worker_info() is not None
        return {"threads": 1 if in_worker else self.threads, "device": self.device}

    def __repr__(self) -> str:
        """Return the class with all options that change the features; a ``Dataset`` compares this text."""
        names = {**signature(type(self)).parameters, **signature(_AddFeatures).parameters}
        options = [name for name in names if name not in ("options", "threads", "device")]
        return f"{type(self).__name__}({', '.join(f'{name}={getattr(self, name)!r}' for name in options)})"


@functional_transform("add_graphlets")
class AddGraphlets(_AddFeatures):
    """Add the graphlets of up to four vertices at each node (functional name: ``add_graphlets``).

    Parameters
    ----------
    size : {4, 3}, default 4
        Number of vertices of the largest graphlets: all 16 columns in the order of ``triadic.GRAPHLET_NAMES``, of which
        the first is the vertex itself; or the first five, which take less time.
    kind : {"net", "raw"}, default "net"
        "net" counts induced subgraphs, "raw" all subgraphs.
    log1p : bool, default False
        Whether to add log(1 + count) instead of the count, since counts span many orders of magnitude.
    attr_name : str, optional
        Attribute of the data that receives the columns. By default they are appended to ``x``.
    dtype : torch.dtype, default torch.float32
        Floating-point type of the columns. Counts above 2**24 are rounded in a float32.
    threads : int, optional
        Number of threads. By default every CPU that the process may use, and one in a worker of a ``DataLoader``.
    device : str, default "auto"
        Where to count: "cpu", "cuda", "cuda:1" or "opencl". "auto" counts on the card if the edges lie there, or if
        there is one and the graph is large enough.

    Raises
    ------
    ArgumentError
        If an option does not have an accepted value; when called, if the data is no ``Data`` or ``Batch``, or has no
        ``edge_index``.
    CountOverflowError
        If a count could exceed 64 bits.

    See Also
    --------
    triadic.graphlet_transform : Count the graphlets of a graph.
    AddTriads : Add counts that use the directions of edges.

    Notes
    -----
    The directions of edges are ignored, and loops and repeated edges are dropped. Columns that are appended to an ``x``
    of whole numbers make it one of floats, as `torch.cat` does.

    References
    ----------
    Floros, Pitsianis and Sun (2020), "Fast graphlet transform of sparse graphs", IEEE HPEC.
    Bouritsas, Frasca, Zafeiriou and Bronstein (2023), "Improving graph neural network expressivity via subgraph
    isomorphism counting", IEEE Transactions on Pattern Analysis and Machine Intelligence 45, 657.

    Examples
    --------
    >>> import torch
    >>> from torch_geometric.data import Data
    >>> from triadic.pyg import AddGraphlets
    >>> data = Data(edge_index=torch.tensor([[0, 1, 2, 2], [1, 2, 0, 3]]), num_nodes=4)
    >>> AddGraphlets(size=3)(data).x
    tensor([[1., 2., 1., 0., 1.],
            [1., 2., 1., 0., 1.],
            [1., 3., 0., 2., 1.],
            [1., 1., 2., 0., 0.]])
    """

    def __init__(
        self,
        size: Literal[4, 3] = 4,
        *,
        kind: Literal["net", "raw"] = "net",
        **options: Unpack[Options],
    ) -> None:
        if size not in (4, 3):
            raise ArgumentError(f"size={size!r}: expected 4 or 3")
        if kind not in ("net", "raw"):
            raise ArgumentError(f"kind={kind!r}: expected 'net' or 'raw'")
        self.size, self.kind = size, kind
        super().__init__(**options)

    def _columns_of(self, data: Data) -> Int64Array:
        transform = graphlet_transform(_graph_of(data), size=self.size, **self._keywords)
        return transform.net if self.kind == "net" else transform.raw

    def _columns_on_card(self, graph: Graph, oriented: OrientedOnDevice) -> Any:  # noqa: ANN401 - a CuPy array
        return graphlets_on_card(graph, oriented, columns=16 if self.size == 4 else 5, net=self.kind == "net")


@functional_transform("add_triads")
class AddTriads(_AddFeatures):
    """Add the triads of each of the 16 types that each node is in (functional name: ``add_triads``).

    Parameters
    ----------
    log1p : bool, default False
        Whether to add log(1 + count) instead of the count, since counts span many orders of magnitude.
    attr_name : str, optional
        Attribute of the data that receives the columns. By default they are appended to ``x``.
    dtype : torch.dtype, default torch.float32
        Floating-point type of the columns. Counts above 2**24 are rounded in a float32.
    threads : int, optional
        Number of threads. By default every CPU that the process may use, and one in a worker of a ``DataLoader``.
    device : str, default "auto"
        Where to count: "cpu", "cuda", "cuda:1" or "opencl". "auto" counts on a CUDA card if there is one and the graph
        is large enough.

    Raises
    ------
    ArgumentError
        If an option does not have an accepted value; when called, if the data is no ``Data`` or ``Batch``, or has no
        ``edge_index``.

    See Also
    --------
    triadic.triad_census : Count the triads of a graph.
    AddGraphlets : Add counts of undirected subgraphs, which have up to four vertices.

    Notes
    -----
    The columns are in the order of ``triadic.TRIAD_NAMES``. Each column of ``edge_index`` is an arc. In an undirected
    graph, which has both arcs of each edge, only the types 003, 102, 201 and 300 occur. A triple counts only if its
    vertices are in one graph of a batch, so a row adds up to C(n - 1, 2) for the n nodes of its graph. Loops and
    repeated arcs are dropped. Columns that are appended to an ``x`` of whole numbers make it one of floats, as
    `torch.cat` does.

    References
    ----------
    Holland and Leinhardt (1976), "Local structure in social networks", Sociological Methodology 7, 1.

    Examples
    --------
    >>> import torch, triadic
    >>> from torch_geometric.data import Data
    >>> from triadic.pyg import AddTriads
    >>> data = Data(edge_index=torch.tensor([[0, 1, 0, 3], [1, 2, 2, 0]]), num_nodes=4)
    >>> AddTriads()(data).x[:, triadic.TRIAD_NAMES.index("030T")]
    tensor([1., 1., 1., 0.])
    """

    _on_card = False

    def _columns_of(self, data: Data) -> Int64Array:
        return triads_of_vertices(GraphBatch.from_graphs(data, directed=True), **self._keywords)


@functional_transform("add_clustering")
class AddClustering(_AddFeatures):
    """Add the local clustering coefficient of each node (functional name: ``add_clustering``).

    Parameters
    ----------
    directed : bool, default False
        False adds one column, the coefficient of the graph without directions. True adds five columns: the directed
        coefficient in total, and those of the patterns cycle, middle, into and out, as
        ``triadic.directed_clustering(graph, parts=True)`` returns them.
    log1p : bool, default False
        Whether to add log(1 + coefficient) instead of the coefficient.
    attr_name : str, optional
        Attribute of the data that receives the columns. By default they are appended to ``x``.
    dtype : torch.dtype, default torch.float32
        Floating-point type of the columns.
    threads : int, optional
        Number of threads. By default every CPU that the process may use, and one in a worker of a ``DataLoader``.
    device : str, default "auto"
        Where to count: "cpu", "cuda", "cuda:1" or "opencl". "auto" counts on the card if the edges lie there and
        `directed` is False, or if there is one and the graph is large enough.

    Raises
    ------
    ArgumentError
        If an option does not have an accepted value; when called, if the data is no ``Data`` or ``Batch``, or has no
        ``edge_index``.

    See Also
    --------
    triadic.clustering, triadic.directed_clustering : Compute the coefficients of a graph.
    AddGraphlets : Add the counts of small subgraphs.

    Notes
    -----
    Loops and repeated edges are dropped. Columns that are appended to an ``x`` of whole numbers make it one of floats,
    as `torch.cat` does.

    References
    ----------
    Watts and Strogatz (1998), "Collective dynamics of 'small-world' networks", Nature 393, 440.

    Examples
    --------
    >>> import torch
    >>> from torch_geometric.data import Data
    >>> from triadic.pyg import AddClustering
    >>> data = Data(edge_index=torch.tensor([[0, 1, 2, 2], [1, 2, 0, 3]]), num_nodes=4)
    >>> AddClustering(attr_name="clustering")(data).clustering.flatten()
    tensor([1.0000, 1.0000, 0.3333, 0.0000])
    """

    def __init__(
        self,
        directed: bool = False,
        **options: Unpack[Options],
    ) -> None:
        self.directed, self._on_card = directed, not directed
        super().__init__(**options)

    def _columns_of(self, data: Data) -> Float64Array:
        graph = _graph_of(data, self.directed)
        if self.directed:
            return directed_clustering(graph, parts=True, **self._keywords).to_numpy()
        return clustering(graph, **self._keywords)[:, None]

    def _columns_on_card(self, graph: Graph, oriented: OrientedOnDevice) -> Any:  # noqa: ANN401, ARG002 - a CuPy array
        return clustering_on_card(oriented)[:, None]


class _AddCounted(_AddFeatures):
    """A transform that adds what `triadic.count` counts at each node or edge."""

    _on_card = False
    _of: Sequence[str | Pattern]
    _width = 0  # least number of columns of each
    size: Any = None

    def __init__(self, by: By, **options: Unpack[Options]) -> None:
        check_option("by", by, By)
        self.by = by
        super().__init__(**options)

    def _columns_of(self, data: Data) -> AnyArray:
        """Return the columns, counted on the union of the graphs of a batch: no subgraph lies in two of them."""
        named = [name for of in self._of for name in columns_of(of) if name in data]
        graph_of = cache(lambda directed: _graph_of(data, directed, named))
        found = []
        for of in self._of:
            directed = isinstance(of, Pattern) and of.shape.arrows
            table = count(graph_of(directed), of, by=self.by, size=self.size, **self._keywords).to_numpy()
            # Cliques have no columns of sizes that do not occur.
            padded = np.pad(table, ((0, 1), (0, max(0, self._width - table.shape[1]))))
            found.append(padded[_rows_of(data, directed)] if self.by == "edge" else padded[:-1])
        return np.hstack(found)


def _graph_of(data: Data, directed: bool = False, named: Iterable[str] = ()) -> Graph:
    """Return the union of the graphs of a batch, with some attributes as columns."""
    attributes = {name: data[name] for name in named}
    plain = Data(edge_index=data.edge_index.detach().cpu(), num_nodes=data.num_nodes, **attributes)
    return Graph(plain, directed=directed, columns=list(attributes))


def _rows_of(data: Data, directed: bool) -> AnyArray:
    """Return the place of each column of the edge index in ``graph.edges()``; of a loop the place after the last."""
    index = data.edge_index.detach().cpu().numpy()
    source, target = index if directed else np.sort(index, axis=0)
    keys = np.where(source == target, data.num_nodes**2, source * data.num_nodes + target)
    return np.unique(keys, return_inverse=True)[1]


@functional_transform("add_pattern_counts")
class AddPatternCounts(_AddCounted):
    """Add the subgraphs that match patterns, at each node or edge (functional name: ``add_pattern_counts``).

    Parameters
    ----------
    patterns : str, Pattern, or sequence of them
        What to count, such as ``"A - B; B - C; C - A"``, as `triadic.Pattern` describes.
    by : {"vertex", "edge"}, default "vertex"
        "vertex" adds a column for each of `triadic.Pattern.roles` of each pattern; "edge" one for each of
        `triadic.Pattern.arc_roles`, to ``edge_attr``.
    log1p : bool, default False
        Whether to add log(1 + count) instead of the count, since counts span many orders of magnitude.
    attr_name : str, optional
        Attribute of the data that receives the columns. By default they are appended to ``x`` or ``edge_attr``.
    dtype : torch.dtype, default torch.float32
        Floating-point type of the columns. Counts above 2**24 are rounded in a float32.
    threads : int, optional
        Number of threads. By default every CPU that the process may use, and one in a worker of a ``DataLoader``.
    device : {"auto", "cpu"}, default "auto"
        Where to count.

    Raises
    ------
    ArgumentError
        If an option does not have an accepted value; when called, if the data is no ``Data`` or ``Batch``, has no
        ``edge_index``, or lacks an attribute that a condition names.
    CountOverflowError
        If a count exceeds 64 bits.

    See Also
    --------
    triadic.count : Count patterns in a graph.

    Notes
    -----
    Patterns with arrows are counted along the directions of edges, others without. A condition such as ``A.atom = 6``
    reads ``data.atom``, a tensor with one value for each node, and ``A - B [bond = 2]`` one for each column of
    ``edge_index``. All columns of ``edge_index`` that are the same edge have the same counts, of a pattern without
    arrows in both directions; those of loops are 0.

    References
    ----------
    Bouritsas, Frasca, Zafeiriou and Bronstein (2023), "Improving graph neural network expressivity via subgraph
    isomorphism counting", IEEE Transactions on Pattern Analysis and Machine Intelligence 45, 657.

    Examples
    --------
    >>> import torch
    >>> from torch_geometric.data import Data
    >>> from triadic.pyg import AddPatternCounts
    >>> data = Data(edge_index=torch.tensor([[0, 1, 2, 2], [1, 2, 0, 3]]), num_nodes=4)
    >>> AddPatternCounts(["A - B; B - C; C - A", "A -> B -> C"])(data).x
    tensor([[1., 1., 1., 1.],
            [1., 2., 1., 1.],
            [1., 1., 2., 1.],
            [0., 0., 0., 1.]])
    >>> AddPatternCounts("A - B; B - C; C - A", by="edge")(data).edge_attr.flatten()
    tensor([1., 1., 1., 0.])
    """

    def __init__(
        self,
        patterns: str | Pattern | Sequence[str | Pattern],
        by: By = "vertex",
        **options: Unpack[Options],
    ) -> None:
        listed = patterns if isinstance(patterns, (list, tuple)) else [patterns]
        if not listed or not all(is_pattern(each) and "label" not in columns_of(pattern_of(each)) for each in listed):
            raise ArgumentError(f"patterns={shown(patterns)}: expected patterns, as 'A - B; B - C', without A.label")
        self._of = self.patterns = list(map(pattern_of, listed))
        super().__init__(by, **options)


@functional_transform("add_orbits")
class AddOrbits(_AddCounted):
    """Add the orbits of graphlets of up to four or five vertices (functional name: ``add_orbits``).

    Parameters
    ----------
    size : {4, 5, 3}, default 4
        Number of vertices of the largest graphlets: 15, 73 or 4 columns for each node, and 12, 68 or 2 for each edge.
    by : {"vertex", "edge"}, default "vertex"
        "vertex" adds the orbits of each node, "edge" those of each edge, to ``edge_attr``.
    log1p : bool, default False
        Whether to add log(1 + count) instead of the count, since counts span many orders of magnitude.
    attr_name : str, optional
        Attribute of the data that receives the columns. By default they are appended to ``x`` or ``edge_attr``.
    dtype : torch.dtype, default torch.float32
        Floating-point type of the columns. Counts above 2**24 are rounded in a float32.
    threads : int, optional
        Number of threads. By default every CPU that the process may use, and one in a worker of a ``DataLoader``.
    device : str, default "auto"
        Where to count: "cpu", "cuda", "cuda:1" or "opencl". "auto" counts on a CUDA card if there is one and the graph
        is large enough. GPUs do not count orbits of edges.

    Raises
    ------
    ArgumentError
        If an option does not have an accepted value; when called, if the data is no ``Data`` or ``Batch``, or has no
        ``edge_index``.
    CountOverflowError
        If a count could exceed 64 bits.

    See Also
    --------
    triadic.graphlets : Count the orbits of a graph, with their numbers.
    AddGraphlets : Add 16 columns, in another order, which are counted on the card where the edges lie.

    Notes
    -----
    The directions of edges are ignored, and loops and repeated edges are dropped; columns of ``edge_index`` that are
    the same edge have the same orbits, and loops have none.

    References
    ----------
    Pržulj (2007), Bioinformatics 23, e177.

    Examples
    --------
    >>> import torch
    >>> from torch_geometric.data import Data
    >>> from triadic.pyg import AddOrbits
    >>> data = Data(edge_index=torch.tensor([[0, 1, 2, 2], [1, 2, 0, 3]]), num_nodes=4)
    >>> AddOrbits()(data).x.shape, AddOrbits(3)(data).x[3]
    (torch.Size([4, 15]), tensor([1., 2., 0., 0.]))
    """

    def __init__(
        self,
        size: Literal[4, 5, 3] = 4,
        by: By = "vertex",
        **options: Unpack[Options],
    ) -> None:
        check_size(size)
        self._of, self.size = ["orbits"], size
        super().__init__(by, **options)


@functional_transform("add_cliques")
class AddCliques(_AddCounted):
    """Add the cliques of each size that each node or edge is in (functional name: ``add_cliques``).

    Parameters
    ----------
    size : int or (int, int), default (3, 5)
        Number of vertices of the cliques, or the smallest and the largest: a column for each.
    by : {"vertex", "edge"}, default "vertex"
        "vertex" adds the cliques at each node, "edge" those at each edge, to ``edge_attr``.
    log1p : bool, default False
        Whether to add log(1 + count) instead of the count, since counts span many orders of magnitude.
    attr_name : str, optional
        Attribute of the data that receives the columns. By default they are appended to ``x`` or ``edge_attr``.
    dtype : torch.dtype, default torch.float32
        Floating-point type of the columns. Counts above 2**24 are rounded in a float32.
    threads : int, optional
        Number of threads. By default every CPU that the process may use, and one in a worker of a ``DataLoader``.
    device : str, default "auto"
        Where to count. GPUs count one size from 3 to 6, at nodes.

    Raises
    ------
    ArgumentError
        If an option does not have an accepted value; when called, if the data is no ``Data`` or ``Batch``, or has no
        ``edge_index``.
    CountOverflowError
        If a count exceeds 64 bits.

    See Also
    --------
    triadic.count : Count the cliques of a graph.

    Notes
    -----
    The directions of edges are ignored, and loops and repeated edges are dropped; columns of ``edge_index`` that are
    the same edge have the same counts, and loops are in no clique.

    References
    ----------
    Bodnar et al. (2021), "Weisfeiler and Lehman go topological: message passing simplicial networks", ICML.

    Examples
    --------
    >>> import torch
    >>> from torch_geometric.data import Data
    >>> from triadic.pyg import AddCliques
    >>> data = Data(edge_index=torch.tensor([[0, 1, 2, 2], [1, 2, 0, 3]]), num_nodes=4)
    >>> AddCliques((2, 3))(data).x
    tensor([[2., 1.],
            [2., 1.],
            [3., 1.],
            [1., 0.]])
    """

    def __init__(
        self,
        size: int | tuple[int, int] = (3, 5),
        by: By = "vertex",
        **options: Unpack[Options],
    ) -> None:
        low, high = check_sizes(size)
        self._of, self.size, self._width = ["cliques"], size, high - low + 1
        super().__init__(by, **options)


def _split_with_batch(batch: Batch, name: str, graph_of_row: Tensor) -> None:
    """Let ``batch[i]`` and ``batch.to_data_list()`` split an attribute that the batch did not have when it was made."""
    slices, increments = getattr(batch, "_slice_dict", None), getattr(batch, "_inc_dict", None)
    if slices is None or increments is None or name in slices:
        return
    counts = torch.bincount(graph_of_row, minlength=batch.num_graphs).cpu()
    # The dictionaries are shared with the batch of the user, so they are replaced.
    batch._slice_dict = slices | {name: torch.cat([counts.new_zeros(1), counts.cumsum(0)])}  # noqa: SLF001 - there is no public way
    batch._inc_dict = increments | {name: torch.zeros(batch.num_graphs, dtype=torch.long)}  # noqa: SLF001 - as above


def _check(data: Any) -> None:  # noqa: ANN401 - whatever a user passes
    kind = type(data).__name__
    if not isinstance(data, Data):
        remedy = "; data.to_homogeneous() makes a Data" if hasattr(data, "to_homogeneous") else ""
        if isinstance(data, (list, tuple, Dataset)):
            remedy = "; Batch.from_data_list(list(data)) makes a Batch"
        raise ArgumentError(f"data: expected a Data or Batch of PyTorch Geometric, got {kind}{remedy}")
    if data.edge_index is None:
        raise ArgumentError(f"data: {kind} has no edge_index; expected one, as before T.ToSparseTensor")
