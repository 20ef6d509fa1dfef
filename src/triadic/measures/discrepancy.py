"""Maximum mean discrepancy of two batches of graphs, by which papers judge models that generate graphs.

Gaussian kernels of distances between descriptions of graphs are summed exactly over all pairs.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from triadic.convert.recognise import GraphLike, as_graph
from triadic.core.checked import check_option, check_positive, check_whole
from triadic.core.exact import exact_sum
from triadic.counts.count import check_kind
from triadic.counts.triangles import TRIANGLES
from triadic.errors import ArgumentError
from triadic.graph.batch import GraphBatch
from triadic.graph.graph import Graph
from triadic.graph.graph_lists import is_geometric, list_graphs
from triadic.measures.clustering import clustering
from triadic.measures.graphlets.orbits import orbits_of_vertices

if TYPE_CHECKING:
    from collections.abc import Iterable

    from triadic.core.array_types import Float64Array, Int64Array
    from triadic.core.progress import ProgressKeyword

    Table = Float64Array

Of = Literal["degree", "clustering", "orbits"]

# The widths of the kernels in the programs of You et al., Liao et al. and Vignac et al.
_SIGMA = {"degree": 1.0, "clustering": 0.1, "orbits": 30.0}
_BINS = 100

Kernel = Literal["gaussian_tv", "gaussian_emd", "gaussian"]

# The distance of SciPy's cdist, and its factor. Between cumulative distributions the sum of absolute differences is the
# earth mover's distance: Vallender (1974), Theory of Probability and Its Applications 18, 784.
_DISTANCE: dict[Kernel, tuple[Literal["cityblock", "euclidean"], float]] = {
    "gaussian_tv": ("cityblock", 0.5),
    "gaussian_emd": ("cityblock", 1.0),
    "gaussian": ("euclidean", 1.0),
}

_PAIRS = 1 << 18  # pairs whose distances are in memory at a time: 2 MiB, which fit in a cache
_BITS = 60  # kernels are at most 1; as multiples of 2**-60 they are summed in whole numbers, in any order


def mmd(
    a: GraphBatch | Iterable[GraphLike],
    b: GraphBatch | Iterable[GraphLike],
    *,
    of: Of,
    kernel: Kernel = "gaussian_tv",
    sigma: float | None = None,
    bins: int | None = None,
    threads: int | None = None,
    device: str = "auto",
    progress: ProgressKeyword = False,
) -> float:
    """Compute the squared maximum mean discrepancy (MMD) of two batches of graphs, as papers on generated graphs do.

    Each graph is described by the distribution of its degrees, by the distribution of its local clustering
    coefficients, or by its mean counts of orbits. A kernel compares two descriptions; the discrepancy is the mean of
    the kernel over all pairs within `a`, plus the mean over all pairs within `b`, minus twice the mean over
    all pairs of a graph of `a` and a graph of `b`.

    Parameters
    ----------
    a, b : GraphBatch, or any input that `GraphBatch.from_graphs` accepts
        The graphs, for example those of the test set and those that a model generated. The batches may differ in
        length, and the graphs in size. The directions of directed graphs are ignored, and so are loops. Graphs without
        vertices are left out.
    of : "degree", "clustering" or "orbits"
        Description of a graph:

        - "degree": share of its vertices that have degree 0, 1, 2, ...
        - "clustering": share of its vertices whose clustering coefficient is in each of `bins` bins between 0 and 1.
        - "orbits": mean over its vertices of the counts of ORCA's orbits 0 to 14, which `graphlets` returns.
    kernel : {"gaussian_tv", "gaussian_emd", "gaussian"}, default "gaussian_tv"
        Kernel exp(-d² / (2 sigma²)), where d is the distance of two descriptions:

        - "gaussian_tv": half the sum of absolute differences, which is the total variation of two distributions.
        - "gaussian_emd": earth mover's distance of two distributions, in units of degrees or of clustering
          coefficients. Orbits have no order, so this kernel does not compare them.
        - "gaussian": Euclidean distance.
    sigma : float, optional
        Width of the kernel, in units of the distance. The default is that of the published programs: 1 for degrees, 0.1
        for clustering, and 30 for orbits.
    bins : int, default 100
        Number of bins of equal width, for "clustering" only. A coefficient on an edge belongs to the upper bin, and 1
        to the last one.
    threads : int, optional
        Number of threads that count triangles or graphlets; by default as many as the process may use. The result is
        the same for any number.
    device : str, default "auto"
        Where to count: "cpu", "cuda", "cuda:1", "cuda:0,2", "cuda:all", or the same with "opencl". "auto" uses a CUDA
        card if there is one and the graphs are large enough.
    progress : bool or callable, default False
        True shows a progress bar for the counts of each batch on standard error; a callable is called with
        ``(done, total)``.

    Returns
    -------
    float
        The squared discrepancy, as papers print it: 0 for equal batches in any order, and at most 2. It can be slightly
        below 0, since the two kernels "gaussian_tv" and "gaussian_emd" are not positive definite in general.

    Raises
    ------
    ArgumentError
        If a batch is empty or none of its graphs has a vertex; if `of` or `kernel` is another string, or `kernel` is
        "gaussian_emd" for orbits; if `sigma` is not positive; if `bins` is less than 1, or is passed without
        "clustering"; or if another argument does not have an accepted value.
    CountOverflowError
        If the count of an orbit could exceed 64 bits.
    DeviceError
        If the device does not exist or fails.
    MissingExtraError
        If `device` names a GPU, and the package that reaches it is not installed.
    OutOfMemoryError
        If counting needs more memory than is available.
    UnsupportedError
        If a graph is a `TiledGraph`.

    See Also
    --------
    compare : Compare two networks by their graphlets.

    Notes
    -----
    With the default `sigma` and `bins`, the figures are those of these papers:

    - GraphRNN, and DiGress for the data set Community-20: "gaussian_emd" for degrees and clustering, "gaussian" for
      orbits.
    - GRAN, and DiGress for planar graphs and stochastic block models: "gaussian_tv" for all three.

    The programs of the papers start ORCA for each graph; here all graphs of a batch are counted together. Two roundings
    of the programs are not repeated. The package pyemd rounds shares of vertices to six decimals, which changes figures
    with "gaussian_emd" by 0.000001 for degrees of up to 30, and by 0.00003 for degrees of up to 120. DiGress divides by
    the number of vertices plus 0.000001, which changes the seventh decimal. The sum over all pairs is rounded once, at
    the end, so the order of the graphs does not change the result.

    The mean over pairs includes each graph with itself: the biased estimate of Gretton et al. (2012), equation 5. A
    discrepancy is comparable only with discrepancies of the same kernel and width, and of batches of the same length;
    O'Bray et al. (2022) show that another width can reverse the order of models.

    For a and b graphs and k columns, the kernel costs O((a + b)² k) and a few megabytes. k is the number of different
    degrees or of bins that occur, or 15 orbits.

    References
    ----------
    You, Ying, Ren, Hamilton and Leskovec (2018), "GraphRNN: Generating realistic graphs with deep auto-regressive
    models", ICML.
    Liao et al. (2019), "Efficient graph generation with graph recurrent attention networks", NeurIPS.
    Vignac et al. (2023), "DiGress: Discrete denoising diffusion for graph generation", ICLR.
    O'Bray, Horn, Rieck and Borgwardt (2022), "Evaluation metrics for graph generative models: Problems, pitfalls, and
    practical solutions", ICLR.
    Gretton, Borgwardt, Rasch, Schölkopf and Smola (2012), "A kernel two-sample test", Journal of Machine Learning
    Research 13, 723.

    Examples
    --------
    >>> import triadic
    >>> rings = [triadic.generate.watts_strogatz(30, 4, 0.1, seed=seed) for seed in range(20)]
    >>> others = [triadic.generate.watts_strogatz(30, 4, 0.1, seed=seed) for seed in range(20, 40)]
    >>> random = [triadic.generate.erdos_renyi(30, 60, seed=seed) for seed in range(20)]
    >>> round(triadic.mmd(rings, others, of="clustering"), 3)
    0.077
    >>> round(triadic.mmd(rings, random, of="clustering"), 3)
    0.265
    >>> triadic.mmd(rings, rings[::-1], of="orbits", kernel="gaussian")
    0.0
    """
    check_kind(TRIANGLES, device)  # also where nothing is counted
    check_option("of", of, Of)
    check_option("kernel", kernel, Kernel)
    if of == "orbits" and kernel == "gaussian_emd":
        raise ArgumentError("kernel='gaussian_emd': orbits have no order; expected 'gaussian_tv' or 'gaussian'")
    width = _SIGMA[of] if sigma is None else check_positive("sigma", sigma, "a number above 0")
    number_of_bins = _number_of_bins(of, bins)
    batches = first_batch, second_batch = _batch("a", a), _batch("b", b)
    machine: Any = {"threads": threads, "device": device, "progress": progress}
    if of == "orbits":
        first, second = (_mean_orbits(batch, orbits_of_vertices(batch.graph, 4, **machine)) for batch in batches)
        return squared_discrepancy(first, second, kernel, width)
    if of == "degree":
        codes, unit = [first_batch.graph.degree, second_batch.graph.degree], 1.0
    else:
        inner_edges = np.linspace(0, 1, number_of_bins + 1)[1:-1]
        codes = [np.searchsorted(inner_edges, clustering(batch.graph, **machine), side="right") for batch in batches]
        unit = 1 / number_of_bins
    values = np.unique(np.concatenate(codes))
    first, second = (_shares(batch, code, values) for batch, code in zip(batches, codes, strict=True))
    if kernel == "gaussian_emd":
        positions = values.astype(np.float64) * unit
        first, second = cumulative(first, positions), cumulative(second, positions)
    return squared_discrepancy(first, second, kernel, width)


def _number_of_bins(of: Of, bins: int | None) -> int:
    """Check the number of bins; return it, or the default."""
    if bins is None:
        return _BINS
    if of != "clustering":
        raise ArgumentError(f"bins={bins!r}: of={of!r} has no bins; expected of='clustering', or no bins")
    return check_whole("bins", bins, 1)


def _batch(name: str, graphs: GraphBatch | Iterable[GraphLike]) -> GraphBatch:
    """Return a batch unchanged, and a list of graphs as a batch; raise if no graph has a vertex."""
    batch = graphs if isinstance(graphs, GraphBatch) else _joined(name, graphs)
    if not batch.num_vertices:
        raise ArgumentError(f"{name}: none of the {batch.num_graphs} graphs has a vertex; expected at least one")
    return batch


def _joined(name: str, graphs: Iterable[GraphLike]) -> GraphBatch:
    """Join graphs to a batch without directions, labels and weights, in which the graphs of a list may differ."""
    if is_geometric(graphs):
        return GraphBatch.from_graphs(graphs, directed=False)
    listed = list_graphs(name, graphs).graphs
    if listed and all(map(is_geometric, listed)):
        return GraphBatch.from_graphs(listed, directed=False)
    made: list[Graph] = []
    for i, graph in enumerate(listed):
        try:
            made.append(as_graph(graph))
        except ArgumentError as error:
            raise ArgumentError(f"{name}[{i}]: {str(error).removeprefix('graph: ')}") from error
    if not made:
        raise ArgumentError(f"{name}: the batch is empty; expected at least one graph with a vertex")
    plain = [Graph.from_edges(*graph.edges(), num_vertices=graph.num_vertices) for graph in made]
    return GraphBatch.from_graphs(plain)


def _shares(batch: GraphBatch, code: Int64Array, values: Int64Array) -> Table:
    """Return the share of the vertices of each graph that have each value: shape (graphs with vertices, values)."""
    shape = batch.num_graphs, len(values)
    cell = batch.graph_of_vertex * len(values) + np.searchsorted(values, code)
    counts = np.bincount(cell, minlength=shape[0] * shape[1]).reshape(shape)
    return _means(batch, counts)


def _mean_orbits(batch: GraphBatch, counts: Int64Array) -> Table:
    """Return the mean counts of orbits over the vertices of each graph: shape (graphs with vertices, 15)."""
    sums = [np.bincount(batch.graph_of_vertex, weights=column, minlength=batch.num_graphs) for column in counts.T]
    return _means(batch, np.stack(sums, axis=1))


def _means(batch: GraphBatch, sums: Int64Array | Table) -> Table:
    """Divide the sums of each graph by its number of vertices; leave out graphs without vertices."""
    has_vertices = batch.sizes > 0
    return sums[has_vertices] / batch.sizes[has_vertices, None]


def squared_discrepancy(a: Table, b: Table, kernel: Kernel, sigma: float) -> float:
    """Return the biased estimate of the squared maximum mean discrepancy of two tables, one row for each graph.

    For "gaussian_emd" the tables hold the distributions as `cumulative` returns them.
    """
    within_a, within_b, between = (_kernel_sum(x, y, kernel, sigma) for x, y in ((a, a), (b, b), (a, b)))
    n, m = len(a), len(b)
    return float(Fraction(within_a * m * m + within_b * n * n - 2 * between * n * m, (n * m) ** 2 << _BITS))


def cumulative(shares: Table, positions: Table) -> Table:
    """Return the cumulative distributions times the gaps between positions; rows differ by the earth mover's distance.

    Parameters
    ----------
    shares : float64 array, shape (rows, columns)
        Distributions; each row sums to 1.
    positions : float64 array, shape (columns,)
        Place of each column on the line, in rising order.

    Returns
    -------
    float64 array, shape (rows, columns - 1)
        The sum of absolute differences of two rows is the earth mover's distance of their distributions.
    """
    distributions = np.cumsum(shares, axis=1)[:, :-1]
    return distributions * np.diff(positions)


def _kernel_sum(a: Table, b: Table, kernel: Kernel, sigma: float) -> int:
    """Return the sum of the kernel over all pairs of a row of `a` and a row of `b`, in units of 2**-60."""
    from scipy.spatial.distance import cdist  # noqa: PLC0415 - slow to import, and no other measure needs it

    metric, factor = _DISTANCE[kernel]
    rows = max(1, _PAIRS // len(b))
    total = 0
    for start in range(0, len(a), rows):
        distance = cdist(a[start : start + rows], b, metric) * factor
        with np.errstate(over="ignore"):  # infinitely many widths apart, for which the kernel is 0
            similarity = np.exp(-0.5 * np.square(distance / sigma))
        total += exact_sum(np.rint(np.ldexp(similarity, _BITS)).astype(np.int64))
    return total
