"""Running a command that counts: reading, counting, printing and writing, of one network, many graphs or tiles.

A command is a subclass of `Counting`, which declares its count, its figures and what is printed about them. All else is
the same for every command and stands here.
"""

import sys
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from triadic.cli.commands import argument, flag
from triadic.cli.network_files import (
    Url,
    is_batch,
    parse_location,
    print_batch,
    read_many,
    read_network,
    reading_of,
    record_of_batch,
    sizes_of,
    titled,
    write_batch,
)
from triadic.cli.options import (
    NETWORK,
    OR_MANY_GRAPHS,
    OR_TILES,
    Computation,
    Csv,
    Estimating,
    Json,
    ManyGraphs,
    Reading,
    Tiling,
)
from triadic.cli.printing import Figures, Result, network_rows, print_json, print_remark, print_rows, rounded, run_rows
from triadic.errors import ArgumentError

if TYPE_CHECKING:
    from triadic.cli.printing import Row
    from triadic.counts.count import Count
    from triadic.measures.registry import Countable


class Counting(Csv, Json, Reading, ManyGraphs, Computation, Tiling, Estimating):
    """A command that counts in a network.

    Attributes
    ----------
    estimated : tuple of str
        Quantities of `triadic.estimate` that the command prints with ``--estimate``.
    inexact : tuple of str
        Further options that do not go with ``--estimate``.
    plan : str, optional
        Name of the count in plans; None for a count that tiles do not have.
    in_memory : mapping of str to object
        Options, each with the value that asks for a count which tiles do not have.
    suffixes : tuple of str, optional
        Suffixes of the table, by default those of a table of vertices.
    writes_folders : bool
        Whether the table can be several files in a folder.
    weighted_tiles : bool
        Whether tiles with weights are counted; if not, a network with weights is counted in memory.
    counts_arcs : bool
        Whether the JSON object has the number of arcs.
    printed_suffix : str
        How the names of the columns end that are printed of many graphs.
    """

    estimated: ClassVar[tuple[str, ...]] = ()
    inexact: ClassVar[tuple[str, ...]] = ()
    plan: ClassVar[str | None] = None
    in_memory: ClassVar[Mapping[str, object]] = {}
    suffixes: ClassVar[tuple[str, ...] | None] = None
    writes_folders: ClassVar[bool] = False
    weighted_tiles: ClassVar[bool] = False
    counts_arcs: ClassVar[bool] = False
    printed_suffix: ClassVar[str] = ""

    file: str = argument("FILE", NETWORK + OR_TILES + OR_MANY_GRAPHS)
    output: str | None = None
    by_vertex: bool = flag("Of many graphs, write a row for each vertex to -o, and not a row for each graph.")

    # What a command declares.

    def check(self, *, many: bool) -> None:
        """Raise an ArgumentError if options do not go together; `many` tells whether there are many graphs."""

    def planned(self) -> str | None:
        """Return the name of the count in plans; None for a count that tiles do not have."""
        return None if self._only_in_memory() else self.plan

    def counts_directions(self, *, directed: bool) -> bool:  # noqa: ARG002 - of a subclass
        """Return whether the figures of a network depend on its directions."""
        return self.counts_arcs

    def count(self, *, many: bool) -> "Count[Any]":
        """Return the count that the figures are computed from, and load compiled code before the time is taken."""
        raise NotImplementedError

    def measure(self, graph: Any) -> Figures:  # noqa: ANN401 - a graph, in memory or in tiles
        """Return the figures of a network."""
        raise NotImplementedError

    def measure_into_folder(self, graph: Any, folder: str) -> Figures:  # noqa: ANN401 - as above
        """Write the table of the vertices to a folder, and return the figures of the network."""
        raise NotImplementedError

    def measure_many(self, batch: Any) -> Figures:  # noqa: ANN401 - a `GraphBatch`
        """Return the figures of many graphs."""
        raise NotImplementedError

    def rows(self, result: Result) -> "Sequence[Row]":  # noqa: ARG002 - of a subclass
        """Return the printed rows between the size of the network and the time."""
        return ()

    def size_rows(self, graph: Any) -> "list[Row]":  # noqa: ANN401 - as above
        """Return the printed rows of the size of a network."""
        left_out = graph.directed and not self.counts_directions(directed=True)
        return network_rows(graph, "directions left out" if left_out else "")

    def print_tables(self, result: Result) -> None:
        """Print what stands below the rows."""

    def write(self, path: Path, result: Result) -> None:
        """Write the table of the vertices."""
        from triadic.io.tables import write_vertices

        write_vertices(path, result.graph, result.figures.columns, csv=self.csv)

    # What is the same for all commands.

    def run(self) -> None:
        """Count, print and write."""
        place = parse_location(self.file)
        many = is_batch(place, self)
        self.check(many=many)
        if self.estimated and self.asked():
            from triadic.cli.estimates import estimate_network

            result = estimate_network(self, place, many=many)
        elif many:
            self._count_many(place)
            return
        else:
            result = self._counted_and_written(place)
        if self.json:
            print_json(result.as_record(arcs=self.counts_arcs))
        else:
            self.print(place.name, result)
        result.remove_temporary_tiles()

    def _counted_and_written(self, place: Path | Url) -> Result:
        folder = self.writes_folders and self.output_is_folder
        if self.output is None:
            self.refuse_without_table()
        elif not folder:
            self._check_table(Path(self.output))
        elif self.csv.given:
            raise ArgumentError(f"{self.csv.option}: the table is {self.output}; expected a name that ends in .csv")
        if only := self._only_in_memory():
            self._refuse_tiles(place, only)
        result = self.counted(into=self.output if folder else None)
        if self.counts_directions(directed=result.graph.directed) and not result.graph.directed:
            print_remark(f"{place.name} has no directions: every edge is counted as mutual")
        if self.output is not None and not folder:
            self.write(Path(self.output), result)
        return result

    def print(self, title: str, result: Result) -> None:
        """Print the size of a network, its figures, and how they were computed."""
        directions = self.counts_directions(directed=result.graph.directed)
        reading = reading_of(result.graph, directions=directions)
        figures = () if self.estimate else self.rows(result)
        print_rows([*self.size_rows(result.graph), *figures, *run_rows(result)], title=titled(title, reading))
        if self.estimate:
            from triadic.cli.estimates import print_estimates

            print_estimates(result.figures.detail)
        else:
            self.print_tables(result)

    def counted(self, *, into: str | None = None) -> Result:
        """Read the network and count in it, in memory or by tiles; with `into`, write its table to a folder."""
        count = self.count(many=False)
        measure = self.measure if into is None else lambda graph: self.measure_into_folder(graph, into)
        return self.measured(measure, count, self.planned())

    def _only_in_memory(self) -> str:
        """Return the option that asks for a count which tiles do not have, such as ``--labelled``, or no text."""
        return " ".join(self.words(*(name for name, value in self.in_memory.items() if getattr(self, name) == value)))

    def measured(self, measure: Callable[[Any], Figures], count: "Count[Any]", plan: str | None) -> Result:
        """Read the network and measure it, in memory or by tiles.

        Parameters
        ----------
        measure : callable
            Computes the figures from a graph.
        count : Count
            The count that the figures are computed from.
        plan : str or None
            Name of the count, as `triadic.planning` knows it. None counts in memory whatever the options.
        """
        threads, place = check_machine(self, count), parse_location(self.file)
        if plan is not None and self.weight_words() and (not self.weighted_tiles or self.has_weight_range):
            self._refuse_tiles(place, f"a network with {' '.join(self.weight_words())}")
            plan = None
        from triadic.cli.tiles import client_of, find_tiles, numbers_of_tiles, resumable

        with client_of(None if plan is None else self.dask) as client:
            tiles = None if plan is None else find_tiles(place, self, plan=plan, client=client)
            graph, seconds, temporary = tiles or (*read_prepared(Path(place), self), None)
            counted: Any = graph
            if tiles is None and client is not None:
                from triadic.tiles.tiled_graph import TiledGraph

                # Weighted counts of commands ignore directions.
                sent = counted if self.weights is None else counted.to_undirected(combine=self.combine)
                counted = TiledGraph.of(sent, client=client)
            with nullcontext() if tiles is None else resumable():
                figures, device, seconds["count"] = timed(counted, measure)
            numbers = None if tiles is None is client else numbers_of_tiles(counted, client)
        return Result(graph, figures, seconds, device, threads, numbers, temporary)

    def _count_many(self, place: Path | Url) -> None:
        """Read many graphs, count in them, and print or write a row for each graph; or write a row for each vertex."""
        from triadic.io import batches  # noqa: F401 - loaded before the time is taken

        if self.output is not None:
            self._check_table(Path(self.output), None if self.by_vertex else (".csv", ".parquet"))
        else:
            self.refuse_without_table()
            if self.by_vertex:
                raise ArgumentError("--by-vertex: expected -o FILE as well, for the rows of the vertices")
        self._refuse_tiles(place, "a batch of graphs")
        threads = check_machine(self, self.count(many=True))
        started = time.perf_counter()
        batch = read_many(Path(place), self)
        seconds = {"read": time.perf_counter() - started}
        directions = self.counts_directions(directed=batch.directed)
        if directions and not batch.directed:
            print_remark("the graphs have no directions: every edge is counted as mutual")
        figures, device, seconds["count"] = timed(batch, self.measure_many)
        rows = {**sizes_of(batch), **figures.totals}
        if self.output is not None:
            of_vertices = figures.columns if self.by_vertex else None
            write_batch(Path(self.output), batch, rows, of_vertices, self.csv)
        if self.json:
            machine = {"seconds": rounded(seconds), "device": device, "threads": threads}
            print_json({**record_of_batch(batch, rows), **figures.settings, **machine})
            return
        hidden = {name for name in figures.totals if not name.endswith(self.printed_suffix)}
        printed = {name: each for name, each in rows.items() if name not in hidden}
        settings = [(name, f"{value}", "") for name, value in figures.settings.items()]
        run = run_rows(Result(batch, figures, seconds, device, threads))
        print_batch(Path(place), batch, printed, [*settings, *run], counts_directions=directions)

    def _check_table(self, path: Path, suffixes: tuple[str, ...] | None = None) -> None:
        """Raise an error if a table cannot be written, before anything is counted."""
        from triadic.io.tables import SUFFIXES, check_table

        check_table(path, suffixes or self.suffixes or SUFFIXES, self.csv)

    def _refuse_tiles(self, place: Path | Url, count: str) -> None:
        """Raise an UnsupportedError if the options ask for a count by tiles that tiles do not have."""
        from triadic.cli.tiles import refuse_tiles

        if "tiles" in self.declared():
            refuse_tiles(place, count, self)

    @property
    def output_is_folder(self) -> bool:
        """Whether ``-o`` names a folder of Parquet files: a name that ends in ``/``, or a URL."""
        output = self.output or ""
        return output.endswith("/") or isinstance(parse_location(output), Url)


class CountingByName(Counting):
    """A command that counts what its option `of` names, by vertex or edge if `by` says so, with subgraphs of a `size`.

    Attributes
    ----------
    spelled_of : str
        How errors name the option `of`.
    """

    spelled_of: ClassVar[str] = "--of"
    by: str | None = None
    size: int | None = None

    def names(self) -> Any:  # noqa: ANN401 - whatever the registry takes
        """Return what is counted: names, or a pattern."""
        raise NotImplementedError

    def countables(self) -> "tuple[Countable, ...]":
        """Return what is counted; raise an ArgumentError if a name is unknown, or cannot be counted so."""
        from triadic.measures.registry import countables_of

        having = {"vertex": "columns", "edge": "edges"}.get(self.by or "", "measure")
        try:
            return countables_of(self.names(), self.size, having=having)
        except ArgumentError as error:
            words = str(error).replace("of=", f"{self.spelled_of} ", 1).replace("size=", "--size ", 1)
            raise ArgumentError(words) from error

    def counts_directions(self, *, directed: bool) -> bool:  # noqa: ARG002 - of a subclass
        """Return whether the figures depend on directions."""
        return any(each.directed for each in self.countables())

    def count(self, *, many: bool) -> "Count[Any]":  # noqa: ARG002 - the same count
        """Return the count that the figures are computed from."""
        # A device that has the count with the fewest devices has all of them.
        return min((each.count for each in self.countables()), key=lambda count: len(count.kinds))


def check_machine(options: Computation, count: "Count[Any]") -> int:
    """Return the number of threads; raise if there is no such number of threads, or if the device has no such count.

    This comes before a large file is read. The workers of a cluster have devices of their own.
    """
    from triadic.core.blocks import resolve_threads
    from triadic.counts.count import check_device, check_kind

    _load_numba()
    threads = resolve_threads(options.threads)
    check = check_device if getattr(options, "dask", None) is None else check_kind
    check(count, options.device)
    return threads


def _load_numba() -> None:
    """Load numba's array functions without those of BLAS: no kernel needs them, and SciPy takes long to import.

    Only the command line does so, as no other code of its process uses numba.
    """
    blas = "scipy.linalg.cython_blas"
    if blas in sys.modules or "numba.np.arraymath" in sys.modules:
        return
    sys.modules[blas] = None  # type: ignore[assignment]  # Python's way to make an import fail
    try:
        import numba.np.arraymath  # noqa: F401 - imported for its effect
    finally:
        del sys.modules[blas]


def read_prepared(path: Path, options: Any) -> tuple[Any, dict[str, float]]:  # noqa: ANN401 - `Reading` and `Computation`
    """Read a graph and order its vertices; return it with the seconds of both steps."""
    threads = options.threads
    keywords = {**options.read_keywords(), **options.weight_keywords()}
    graph, seconds = read_network(path, **keywords, threads=threads, progress=options.watching)
    started = time.perf_counter()
    graph.oriented(threads=threads)
    seconds["prepare"] += time.perf_counter() - started
    return graph, seconds


def timed(graph: Any, measure: Callable[[Any], Figures]) -> tuple[Figures, str, float]:  # noqa: ANN401 - a graph or a batch
    """Return the figures, the device that counted, and the seconds of the count."""
    from triadic.counts.count import noting

    started = time.perf_counter()
    with noting() as devices, warnings.catch_warnings():
        warnings.showwarning = lambda message, *_, **__: print_remark(str(message))
        warnings.filterwarnings("default", category=UserWarning)  # printed, whatever the filters of Python are
        figures = measure(graph)
    return figures, ", ".join(devices) or "cpu", time.perf_counter() - started
