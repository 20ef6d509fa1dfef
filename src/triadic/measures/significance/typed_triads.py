"""Triads by the groups of their vertices: which types of neurons take which roles."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from math import nan
from threading import Semaphore
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.convert.recognise import GraphLike, as_graph
from triadic.core import blocks
from triadic.core.checked import check_seed, check_whole
from triadic.core.draws import derive_keys
from triadic.core.memory import check_memory
from triadic.core.pattern import Shape
from triadic.core.progress import reporting
from triadic.core.triad_types import ASYMMETRIC, CANONICAL, MUTUAL, ROLES
from triadic.counts.count import check_device, device_for
from triadic.counts.patterns import pattern_by_type
from triadic.counts.triads import CLOSED_TRIADS
from triadic.errors import ArgumentError
from triadic.measures.significance.result import Comparison, ScoredTable, false_discovery_rates
from triadic.measures.triads import dyads_of
from triadic.null_models.constraints import take_groups
from triadic.null_models.model import Null, check_null, check_room, default_null
from triadic.null_models.randomization import devices_of, draw_samples

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

    from triadic.core.array_types import AnyArray, Float64Array, Int32Array, Int64Array, ObjectArray
    from triadic.core.progress import ProgressKeyword
    from triadic.graph.graph import Graph
    from triadic.null_models.constraints import Groups, Positions

    Floats = Float64Array
    Cells = tuple[Int64Array, Int64Array]

_MOST_SAMPLES = 1 << 20
MOST_GROUPS = 1 << 19  # the cells of thirteen types fit 64 bits
_LEAST_SAMPLES = 2


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class TypedTriads(ScoredTable):
    """Numbers of triads by type and by the groups of their vertices.

    ``result[type, first, second, third]`` is the `Comparison` of one row, with the attributes ``count``, ``mean``,
    ``std``, ``z``, ``p`` and ``q``; the groups are in the order of `roles`. `to_pandas` and `to_polars` return a data
    frame with one row per combination of type and groups, and the columns "type", the index in pandas, "first",
    "second", "third" and "count", and with samples "mean", "std", "z", "p" and "q".

    Attributes
    ----------
    types : object array of str, shape (rows,)
        Type of the triads of each row, by type and then by falling count.
    groups : array, shape (rows, 3)
        Groups of the vertices in the order of `roles`. Groups of vertices with equal roles are in rising order, and
        those of a cycle begin where the triple is smallest.
    counts : int64 array, shape (rows,)
        Number of triads.
    samples : int64 array, shape (samples, rows)
        Number of triads in each random graph; no rows without samples.
    roles : dict of str to tuple of str
        Roles of the three vertices for each type, such as ("source", "middle", "target").
    null : str or None
        The null model in words; None without samples.
    steps : int or None
        Number of steps of the walk to each sample.
    seed : int or None
        Seed with which the same samples can be drawn again; None without samples.

    See Also
    --------
    typed_triads : Count the triads of a graph.
    """

    types: ObjectArray
    groups: AnyArray
    counts: Int64Array
    samples: Int64Array
    roles: dict[str, tuple[str, ...]]
    null: str | None
    steps: int | None
    seed: int | None

    def __len__(self) -> int:
        return len(self.counts)

    def __getitem__(self, cell: Any) -> Any:  # noqa: ANN401 - a comparison, or a column
        if isinstance(cell, str):
            return ScoredTable.__getitem__(self, cell)
        if not isinstance(cell, tuple) or len(cell) != 4:
            raise KeyError(f"{cell!r}: expected a column, or a type and three groups")
        name, *groups = cell
        row = np.flatnonzero((self.types == name) & (self.groups == np.array(groups, dtype=object)).all(axis=1))
        if len(row) == 0:
            raise KeyError(f"{cell!r}: no triad of this type and these groups, in the graph or in a random graph")
        return Comparison(int(self.counts[row[0]]), *(float(column[row[0]]) for column in self._scores().values()))

    def _column(self, heading: str) -> Floats:
        return self._scores()[heading]

    @property
    def resolution(self) -> float:
        """Smallest possible p-value, 2 / (samples + 1); nan without samples."""
        return 2 / (len(self.samples) + 1) if len(self.samples) else nan

    def _scores(self) -> dict[str, Floats]:
        drawn, undefined = self.samples, np.full(len(self.counts), nan)
        if not len(drawn):
            return dict.fromkeys(("mean", "std", "z", "p", "q"), undefined)
        mean = drawn.mean(axis=0)
        std = np.where(drawn.min(axis=0) == drawn.max(axis=0), 0.0, drawn.std(axis=0, ddof=1))
        z = np.divide(self.counts - mean, std, out=undefined, where=std > 0)
        extreme = np.minimum((drawn >= self.counts).sum(axis=0), (drawn <= self.counts).sum(axis=0))
        p = np.minimum(1.0, 2 * (1 + extreme) / (len(drawn) + 1))
        return {"mean": mean, "std": std, "z": z, "p": p, "q": np.array(false_discovery_rates(p.tolist()))}

    _rows = "rows"

    def _columns(self) -> dict[str, AnyArray]:
        columns = {"type": self.types, **dict(zip(("first", "second", "third"), self.groups.T, strict=True))}
        columns["count"] = self.counts
        if len(self.samples):
            columns |= self._scores()
        return columns

    def _title(self) -> str:
        compared = f", {len(self.samples):,} samples of {self.null!r}" if len(self.samples) else ""
        return f"TypedTriads of {', '.join(self.roles)}{compared}"


def typed_triads(
    graph: GraphLike,
    of: str | Sequence[str],
    types: Groups,
    *,
    samples: int | None = None,
    null: str | None = None,
    keep_types: bool = True,
    positions: Positions | None = None,
    bins: int | ArrayLike | None = None,
    steps: int | None = None,
    seed: int | None = None,
    threads: int | None = None,
    device: str = "auto",
    progress: ProgressKeyword = False,
) -> TypedTriads:
    """Count triads by the types of their vertices, and compare with random graphs.

    The result says, for example, how many feed-forward loops lead from a sensory neuron by an interneuron to a motor
    neuron.

    Parameters
    ----------
    graph : Graph, or any input that `Graph` accepts
        The edges of an undirected graph are mutual dyads.
    of : str or sequence of str
        Connected types of triads, such as "030T".
    types : str, mapping, Series or table by label, or array_like, shape (n,)
        Type of each vertex, as in `randomize`: whole numbers or strings, or the name of a column of the vertices.
    samples : int, optional
        Number of random graphs with which the counts are compared, at least 2; by default they are not compared.
    null : {"degrees", "mutual", "gnm", "configuration"}, optional
        Properties that the random graphs share with the graph, as in `significance`; by default "mutual" for a directed
        graph and "degrees" for an undirected one.
    keep_types : bool, default True
        Whether the random graphs have as many arcs from each type to each type as the graph. Only "degrees" and
        "mutual" can keep types.
    positions : sequence of str, mapping or table by label, or array_like, shape (n, 2) or (n, 3), optional
        Coordinates of the vertices: each arc of the random graphs keeps its bin of length.
    bins : int or array_like, optional
        Number of bins of length, or the inner edges between them, as in `randomize`.
    steps : int, optional
        Number of steps of the walk to a random graph, as in `randomize`.
    seed : int, optional
        Seed of the random graphs, from 0 to 2**64 - 1; by default a fresh one.
    threads : int, optional
        Number of threads, each of which draws and counts whole random graphs; by default as many as the process may
        use.
    device : str, default "auto"
        Where to draw the random graphs of "degrees" and "mutual": "cpu", "cuda", "cuda:1", "cuda:0,2", "cuda:all", or
        the same with "opencl". "auto" uses a CUDA card if there is one and the graph is large enough. Threads of the
        CPU count the triads. The numbers do not depend on the device.
    progress : bool or callable, default False
        True shows a progress bar on standard error; a callable is called with ``(done, total)``.

    Returns
    -------
    TypedTriads
        A row for each type of triad and each combination of types of vertices that occurs in the graph or in a random
        graph, with its count, and if `samples` is given with the mean, the standard deviation, z, p and q.

    Raises
    ------
    ArgumentError
        A type of triad is unknown or not connected; `types` lacks a vertex, or has missing values; or
        another argument does not have an accepted value.
    DeviceError, MissingExtraError
        The device does not exist or fails, or the package that reaches it is not installed.
    OutOfMemoryError
        The counts of all samples do not fit in memory.
    UnsupportedError
        The graph is a `TiledGraph`.

    Warns
    -----
    UserWarning
        The groups and bins hold much of the graph fast; or Ctrl-C ended the sampling early, after at least two samples.
    RuntimeWarning
        A card that "auto" has chosen fails, and the CPU draws the random graphs.

    See Also
    --------
    significance : Compare the counts of all types of triads.
    list_triads : List the triads of a type.

    Notes
    -----
    Triads are matched part by part and never held together in memory; the cost is that of `list_matches`, once for the
    graph and once for each random graph.

    References
    ----------
    R. Milo and others, *Network motifs: simple building blocks of complex networks*, Science 298, 824-827, 2002.
    Y. Benjamini and Y. Hochberg, *Controlling the false discovery rate*, Journal of the Royal Statistical Society B 57,
    289-300, 1995 (q).

    Examples
    --------
    >>> import triadic
    >>> graph = triadic.Graph.from_edges([0, 1, 0, 0, 3], [1, 2, 2, 3, 2], directed=True)
    >>> found = triadic.typed_triads(graph, "030T", ["eye", "brain", "muscle", "brain"])
    >>> found.roles["030T"], found["030T", "eye", "brain", "muscle"].count
    (('source', 'middle', 'target'), 2)
    """
    graph = as_graph(graph, directions="counted")
    names = _check_types(of)
    group, labels = take_groups(types, graph, "types")
    if len(labels) >= MOST_GROUPS:
        raise ArgumentError(f"types: expected fewer than {MOST_GROUPS:,} types, got {len(labels):,}")
    threads, seed = blocks.resolve_threads(threads), check_seed(seed)
    check_device(CLOSED_TRIADS, device)
    null = default_null(graph) if null is None else null
    check_null(null)
    if samples is None:
        with reporting(progress, "counting triads by group") as report:
            cells = _count(graph, names, group, len(labels))
            if report is not None:
                report(1, 1)
        return _result(names, labels, cells, [], null=None, steps=None, seed=None)
    samples = check_whole("samples", samples, _LEAST_SAMPLES, _MOST_SAMPLES)
    model = Null(null, steps, types if keep_types else None, positions, bins).of(graph)
    devices = devices_of(model, {device_for(CLOSED_TRIADS, device, graph.oriented(threads=threads))})
    check_room(graph, model, min(threads, samples))
    cells = _count(graph, names, group, len(labels))
    keys = derive_keys(seed, samples).tolist()
    room = Semaphore(2 * threads)  # graphs that are drawn on devices and not yet counted
    with (
        reporting(progress, f"drawing triads {' '.join(names)} of random graphs") as report,
        ThreadPoolExecutor(threads, "triadic") as pool,
    ):

        def count(sample: Graph, *_: object) -> Cells | Future[Cells]:
            if sample.oriented(threads=1).device is None:
                return _count(sample, names, group, len(labels))
            room.acquire()
            counted = pool.submit(_count, sample._on_host(), names, group, len(labels))  # noqa: SLF001 - a method for this use
            counted.add_done_callback(lambda _: room.release())
            return counted

        drawn = draw_samples(
            model, keys, count, threads=threads, device=device, devices=devices, partial=True, progress=report
        )
    title = null if model.kept is None else f"{null}, {model.kept.describe()}"
    done = [each.result() if isinstance(each, Future) else each for each in drawn]
    return _result(names, labels, cells, done, null=title, steps=model.steps, seed=seed)


def _check_types(of: str | Sequence[str]) -> tuple[str, ...]:
    names = tuple(of) if isinstance(of, (tuple, list)) else (of,)
    if not names or len(set(names)) < len(names) or not set(names) <= set(ROLES):
        raise ArgumentError(f"of={of!r}: expected one of {', '.join(ROLES)}, or several of them once each")
    return names


def _count(graph: Graph, names: tuple[str, ...], group: Int32Array, groups: int) -> Cells:
    """Return the numbers and the counts of the cells of all types; each type has groups**3 numbers of its own."""
    mutual, asymmetric = dyads_of(graph)
    numbers, counts = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.int64)]
    for i, name in enumerate(names):
        if mutual >= MUTUAL[name] and asymmetric >= ASYMMETRIC[name]:
            shape = Shape(3, tuple(1 << state for state in CANONICAL[name]), arrows=graph.directed)
            of_type, times = pattern_by_type(graph, shape, group.astype(np.int64), threads=1)
            numbers.append(of_type @ np.array([groups**2, groups, 1]) + i * groups**3)
            counts.append(times)
    return np.concatenate(numbers), np.concatenate(counts)


def _result(
    names: tuple[str, ...],
    labels: NDArray[np.generic],
    cells: Cells,
    drawn: list[Cells],
    *,
    null: str | None,
    steps: int | None,
    seed: int | None,
) -> TypedTriads:
    """Return the table of the cells of the graph and of all samples."""
    every = np.unique(np.concatenate([numbers for numbers, _ in (cells, *drawn)]))
    check_memory(8 * len(every) * (len(drawn) + 8), f"holding {len(every):,} cells of {len(drawn) + 1:,} graphs")
    counts = np.zeros((1 + len(drawn), len(every)), dtype=np.int64)
    for row, (numbers, times) in zip(counts, (cells, *drawn), strict=True):
        row[np.searchsorted(every, numbers)] = times
    size = max(1, len(labels))
    kind, rest = np.divmod(every, size**3)
    order = np.lexsort((every, -counts[0], kind))
    places = np.stack([rest // size**2, rest // size % size, rest % size], axis=1)[order]
    return TypedTriads(
        types=np.array(names, dtype=object)[kind[order]],
        groups=labels[places],
        counts=counts[0, order],
        samples=counts[1:, order],
        roles={name: ROLES[name] for name in names},
        null=null,
        steps=steps,
        seed=seed,
    )
