"""Triangles of a network whose edges come and go, from a random sample of them in bounded memory."""

from __future__ import annotations

from math import exp, inf
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.convert.result_table import Table
from triadic.core import blocks
from triadic.core.arguments import take_ends, unmasked
from triadic.core.checked import check_positive, check_seed, checked
from triadic.core.draws import derive_keys
from triadic.core.exact import exact_sum
from triadic.core.memory import check_memory, parse_bytes, show_bytes
from triadic.core.oriented import frozen, int_empty, int_zeros, rows_of_entries
from triadic.core.progress import held_back
from triadic.counts.count import run
from triadic.counts.edges import EDGE_SUPPORT
from triadic.devices.cpu.draws import edge_sample as kernels
from triadic.errors import ArgumentError, ReadError
from triadic.graph.graph import Graph
from triadic.io.identifiers import number_of
from triadic.measures.estimates.stream_result import (
    StreamEstimate,
    StreamState,
    read_state,
    standard_error,
    write_state,
)

if TYPE_CHECKING:
    from os import PathLike

    from numpy.typing import ArrayLike

    from triadic.core.array_types import AnyArray, BoolArray, Int64Array, Uint64Array

    Ids = Uint64Array

# Bytes beside the sample: the pieces that are filtered at a time. Bytes for each edge of the sample: 16 in the table,
# of which _LOAD are used, and those of the graph that an estimate makes of it.
_BUFFERS, _EDGE_BYTES, _LOAD = 16 << 20, 88, 0.7
_LEAST_EDGES = 1000
_FEW = 10  # triangles of the sample, below which no interval is stated
_CHUNK, _PIECE = 1 << 18, 1 << 15  # arcs that are filtered at a time, by all workers and by one
_MOST_BITS = 40  # of a colour
_ALL = np.empty(0, np.bool_)  # all edges come
_ARCS, _LOOPS, _REPEATS, _MISSING, _EDGES, _BITS = range(6)


@checked
class EdgeStream:
    """Estimates the triangles of an undirected network whose edges come and go, in one pass and in bounded memory.

    The stream keeps the edges whose two ends have the same colour, a random one for each vertex, and counts the
    triangles among them exactly. When the memory is full, the number of colours doubles, for good.
    The estimate depends on the present edges, the seed and the number of colours: neither on the order of edges, nor on
    how often an edge came.

    Parameters
    ----------
    memory : str or int, default "100MB"
        Bytes that the stream may hold, such as ``"1GB"``; at least 16.9 MB, nearly all of which are buffers.
    seed : int, optional
        The same seed gives the same sample; a random one by default.
    threads : int, optional
        Number of threads; by default as many as the process may use. The sample is the same for any number.

    Raises
    ------
    ArgumentError
        If `memory` is too small, or an argument does not have an accepted value.

    See Also
    --------
    estimate_stream : Read a whole file, or an iterator of batches, into a stream.
    estimate : Estimate more quantities of a graph that fits in memory.

    Notes
    -----
    O(1) for each arc: two hashes, and a look-up for the arcs that are kept. An estimate takes about as long as counting
    the triangles of the sample, whose size is some ten thousand edges for each megabyte.

    References
    ----------
    R. Pagh and C. E. Tsourakakis, *Colorful triangle counting and a MapReduce implementation*, Information Processing
    Letters 112, 277-281, 2012.

    Examples
    --------
    >>> import triadic
    >>> graph = triadic.generate.watts_strogatz(1000, 10, 0.1, seed=1)
    >>> stream = triadic.EdgeStream(seed=1)
    >>> stream.add(*graph.edges())
    >>> stream.estimate().value == triadic.triangle_count(graph)
    True
    >>> stream.remove([0, 0], [1, 2])
    >>> stream.edges_kept
    4998
    """

    def __init__(self, *, memory: str | int = "100MB", seed: int | None = None, threads: int | None = None) -> None:
        self.memory, self.seed = parse_bytes(memory), check_seed(seed)
        self._threads = blocks.resolve_threads(threads)
        self._limit = (self.memory - _BUFFERS) // _EDGE_BYTES
        if self._limit < _LEAST_EDGES:
            least = show_bytes(_BUFFERS + _LEAST_EDGES * _EDGE_BYTES)
            raise ArgumentError(f"memory={memory!r}: a stream takes at least {least}")
        check_memory(self.memory, "the stream", "pass a smaller memory=")
        self._table: Ids = np.zeros((int(self._limit / _LOAD), 2), np.uint64)
        self._key = derive_keys(self.seed, 1)[0]
        self._numbers = int_zeros(6)

    @property
    def arcs(self) -> int:
        """Number of arcs that came or went so far, with repeats and loops."""
        return int(self._numbers[_ARCS])

    @property
    def edges_kept(self) -> int:
        """Number of edges in the sample."""
        return int(self._numbers[_EDGES])

    @property
    def probability(self) -> float:
        """Probability with which an edge is in the sample: one over the number of colours."""
        return float(2.0 ** -int(self._numbers[_BITS]))

    def add(self, source: ArrayLike, target: ArrayLike) -> None:
        """Add edges; the direction of an arc is ignored, and so are loops and edges that are there already.

        Parameters
        ----------
        source, target : array_like of int, shape (arcs,)
            End vertices, at least 0 and below 2**63.

        Raises
        ------
        ArgumentError
            If the arrays differ in length or do not hold whole numbers of at least 0. Nothing is added then.
        """
        self.update(source, target)

    def remove(self, source: ArrayLike, target: ArrayLike) -> None:
        """Remove edges; edges that are not there are ignored, and an arc removes the edge in either direction.

        Parameters
        ----------
        source, target : array_like of int, shape (arcs,)
            End vertices, at least 0 and below 2**63.

        Raises
        ------
        ArgumentError
            If the arrays differ in length or do not hold whole numbers of at least 0. Nothing is removed then.
        """
        ends = unmasked("source", source)
        self.update(source, target, np.zeros(len(ends) if ends.ndim else 0, np.bool_))

    def update(self, source: ArrayLike, target: ArrayLike, added: ArrayLike | None = None) -> None:
        """Add and remove edges, one after the other.

        Parameters
        ----------
        source, target : array_like of int, shape (arcs,)
            End vertices, at least 0 and below 2**63.
        added : array_like of bool, or of 1 and -1, shape (arcs,), optional
            Whether an edge comes (True or 1) or goes (False or -1); by default all come.

        Raises
        ------
        ArgumentError
            If the arrays differ in length or hold other values. Nothing is changed then.
        """
        a, b, _ = take_ends(source, target)
        comes = None if added is None else _comes(added, len(a))
        for start in range(0, len(a), _CHUNK):
            part = slice(start, start + _CHUNK)
            self._take(frozen(a[part]), frozen(b[part]), None if comes is None else comes[part])

    def estimate(self, confidence: float = 0.95) -> StreamEstimate:
        """Return the number of triangles among the present edges, with an interval that holds it.

        Parameters
        ----------
        confidence : float, default 0.95
            Probability with which the interval holds the exact number.

        Returns
        -------
        StreamEstimate
            Exact as long as all edges are kept.

        Raises
        ------
        ArgumentError
            If `confidence` is not between 0 and 1.
        """
        sample, _, support = self._sample()
        p, triangles, pairs = self.probability, exact_sum(support) // 3, exact_sum(support * (support - 1) // 2)
        confidence = check_positive("confidence", confidence, "a number between 0 and 1", 1)
        value, error = triangles / p**2, standard_error(triangles, pairs, p)
        low, high = value, value
        if p < 1:
            # An interval of the logarithm: the sample has more triangles of a hub or none, so errors are skewed.
            reach = NormalDist().inv_cdf((1 + confidence) / 2) * error / value if triangles >= _FEW else inf
            low, high = (value * exp(-reach), value * exp(reach)) if reach < inf else (0.0, inf)
        loops, repeats, missing = self._numbers[_LOOPS:_EDGES].tolist()
        return StreamEstimate(
            value=value, low=low, high=high, error=error, confidence=confidence, probability=p,
            edges_kept=sample.num_edges, triangles_kept=triangles, arcs=self.arcs, loops=loops, repeats=repeats,
            missing=missing, stream=self,
        )  # fmt: skip

    def local(self) -> Table:
        """Return the estimated number of triangles of each vertex of the sample, with its standard error.

        Returns
        -------
        Table
            A row for each vertex, "vertex", that has an edge in the sample, with the columns "triangles" and "error";
            all other vertices have the estimate 0.
        """
        sample, ids, support = self._sample()
        oriented, p = sample.oriented(), self.probability
        row = rows_of_entries(oriented.indptr)
        ends, twice = np.concatenate([row, oriented.indices]), np.concatenate([support, support])
        at_rank, pairs_at = (np.bincount(ends, values, len(ids)) for values in (twice, twice * (twice - 1.0)))
        triangles, pairs = at_rank[oriented.rank] / 2, pairs_at[oriented.rank]
        columns = {"triangles": triangles / p**2, "error": standard_error(triangles, pairs / 2, p)}
        return Table(columns, {"vertex": ids.astype(np.int64)}, nouns=("vertex", "vertices"))

    def save(self, path: str | PathLike[str]) -> None:
        """Write the stream to a file, from which `EdgeStream.load` goes on.

        Raises
        ------
        WriteError
            If the file cannot be written.
        """
        write_state(path, self._state())

    @classmethod
    def load(cls, path: str | PathLike[str], *, threads: int | None = None) -> EdgeStream:
        """Return the stream that `save` wrote.

        Raises
        ------
        ReadError
            If the file cannot be read, is damaged, or holds no stream.
        OutOfMemoryError
            If the memory of the stream is not available.
        """
        state = read_state(path)
        try:
            stream = cls(memory=state.memory, seed=state.seed, threads=threads)
            stream._restore(state)
        except ArgumentError as error:
            raise ReadError(str(path), str(error)) from None
        return stream

    @staticmethod
    def vertex_of(name: str) -> int:
        """Return the number that stands for a name in a stream that was read from a file with names.

        Examples
        --------
        >>> import triadic
        >>> triadic.EdgeStream.vertex_of("Valjean")
        8400724173968784343
        """
        return number_of(name)

    def _state(self) -> StreamState:
        """Return what `_restore` takes to forget the edges that come later."""
        return StreamState.of(self.memory, self.seed, self._numbers.copy(), np.stack(self._edges()))

    def _restore(self, state: StreamState) -> None:
        """Return to an earlier `state` of this stream, or of one with the same memory and seed.

        Raises
        ------
        ArgumentError
            If the state is of another stream, or was changed.
        """
        if not isinstance(state, StreamState) or not state.is_whole():
            raise ArgumentError(f"state: expected the state of an EdgeStream, got {type(state).__name__}")
        if (state.memory, state.seed) != (self.memory, self.seed):
            raise ArgumentError(
                f"state: is of a stream with memory={state.memory} and seed={state.seed}; expected one with "
                f"memory={self.memory} and seed={self.seed}"
            )
        numbers, (low, high) = state.numbers, state.edges
        bits, edges = int(numbers[_BITS]), int(numbers[_EDGES])
        possible = edges <= min(self._limit, numbers[_ARCS] - numbers[_LOOPS]) and bits <= _MOST_BITS
        if possible:  # and all edges have one colour and are given once, with the smaller id first
            kept = len(self._kept(low, high, _mask_of(bits), len(low))[0])
            distinct = len(np.unique(np.stack([low, high]), axis=1).T)
            possible = kept == distinct == len(low) and (low < high).all()
        if not possible:
            raise ArgumentError("state: expected the state of an EdgeStream, got edges that no stream keeps")
        self._numbers[:] = numbers
        self._refill(low, high)

    def __repr__(self) -> str:
        share = f"1 of {1 << int(self._numbers[_BITS]):,} edges" if self._numbers[_BITS] else "all edges"
        return f"EdgeStream({self.arcs:,} arcs, {self.edges_kept:,} edges kept, {share})"

    @property
    def _mask(self) -> np.uint64:
        return _mask_of(int(self._numbers[_BITS]))

    def _take(self, source: AnyArray, target: AnyArray, added: BoolArray | None) -> None:
        """Filter some arcs in threads, then add or remove the edges that are kept."""
        cuts = blocks.cut_pieces(len(source), _PIECE)
        low, high, place = _places(len(source))
        key, mask = self._key, self._mask

        def keep(_: int, block: int) -> tuple[Any, Any]:
            part = slice(cuts[block], cuts[block + 1])
            return kernels.keep_monochromatic(source[part], target[part], key, mask, low[part], high[part], place[part])

        found = blocks.results(keep, len(cuts) - 1, threads=self._threads)
        with held_back():  # Ctrl-C leaves the stream after a whole number of chunks
            for block, (kept, loops) in enumerate(found):
                part = slice(cuts[block], cuts[block] + kept)
                comes = _ALL if added is None else added[cuts[block] :][place[part]]
                self._insert(low[part], high[part], comes, mask)
                self._numbers[_LOOPS] += loops
            self._numbers[_ARCS] += len(source)

    def _insert(self, low: Ids, high: Ids, added: BoolArray, mask: np.uint64) -> None:
        """Add or remove edges that agree in the masked bits; double the colours whenever the table is full."""
        while True:
            if mask != self._mask:
                mask = self._mask
                low, high, place = self._kept(low, high, mask, len(low))
                added = added[place] if len(added) else added
            tally = int_zeros(2)
            taken, edges = kernels.update(low, high, added, self._table, self.edges_kept, self._limit, tally)
            self._numbers[_EDGES] = edges
            self._numbers[_REPEATS : _MISSING + 1] += tally << self._numbers[_BITS]
            if taken == len(low):
                return
            while self.edges_kept == self._limit:
                self._halve()
            low, high, added = low[taken:], high[taken:], added[taken:]

    def _halve(self) -> None:
        """Double the number of colours, which leaves about half of the edges."""
        if self._numbers[_BITS] == _MOST_BITS:
            raise ArgumentError(f"memory={self.memory}: the edges of one colour do not fit in it")
        self._numbers[_BITS] += 1
        low, high = self._edges()
        self._numbers[_EDGES] = self._refill(low, high)

    def _refill(self, low: Ids, high: Ids) -> int:
        """Fill the table with these edges alone, and return how many are different."""
        self._table[:] = 0
        return int(kernels.update(low, high, _ALL, self._table, 0, self._limit, int_zeros(2))[1])

    def _edges(self) -> tuple[Ids, Ids]:
        """Return the ends of the edges of the table that have the present colours."""
        low, high, _ = self._kept(self._table[:, 0], self._table[:, 1], self._mask, self.edges_kept)
        return low, high

    def _kept(self, low: Ids, high: Ids, mask: np.uint64, most: int) -> list[Any]:
        """Return the edges of one colour, of which there are at most `most`, and their places."""
        places = _places(most)
        kept, _ = kernels.keep_monochromatic(low, high, self._key, mask, *places)
        return [each[:kept] for each in places]

    def _sample(self) -> tuple[Graph, Ids, Int64Array]:
        """Return the sample as a graph, the ids of its vertices, and the triangles of each oriented entry."""
        edges = self._edges()
        ids: Ids = np.unique(np.concatenate(edges))
        source, target = (np.searchsorted(ids, ends).astype(np.int32) for ends in edges)
        del edges
        graph = Graph.from_edges(source, target, num_vertices=len(ids), threads=self._threads)
        support = run(EDGE_SUPPORT, graph.oriented(), threads=self._threads, device="cpu")
        return graph, ids, support.astype(np.int64)


def _mask_of(bits: int) -> np.uint64:
    """Return the mask of the first bits of a hash, which are the colour."""
    return np.uint64(((1 << bits) - 1) << (64 - bits))


def _places(arcs: int) -> tuple[Ids, Ids, Int64Array]:
    """Return arrays for the ends of as many edges, and for the positions of their arcs."""
    return np.empty(arcs, np.uint64), np.empty(arcs, np.uint64), int_empty(arcs)


def _comes(added: ArrayLike, arcs: int) -> BoolArray:
    """Return whether each edge comes, from a mask or from 1 and -1."""
    values = unmasked("added", added)
    if values.shape != (arcs,):
        raise ArgumentError(f"added: expected an array of shape ({arcs},), got {values.shape}")
    if values.dtype == np.bool_:
        return values
    wrong = values[~np.isin(values, (-1, 1))] if values.dtype.kind in "iu" else values
    if len(wrong):
        raise ArgumentError(
            f"added: expected True or 1 for an edge that comes, False or -1 for one that goes; got {wrong[0].item()!r}"
        )
    return values > 0
