"""The rows of a network that is stored in one file, in many, or in a table of another library, as blocks of ids.

Each file is opened as `Blocks`, and `BlockFiles.gather` passes the rows of all files, in order, to one function: all
ids of a network are numbers, or all are names. The parts of all files are parsed or decoded in the same threads.
"""

from __future__ import annotations

import re
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from itertools import chain, repeat
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from triadic.core.arcs import Origin
from triadic.core.blocks import resolve_threads
from triadic.devices.select import warn
from triadic.errors import ReadError, ReadWarning, in_one_line
from triadic.io.file_source import CHUNK_BYTES, Source, short
from triadic.io.identifiers import UnusableIdError, arrays_of, check_extent
from triadic.io.text_layout import INTEGER, IrregularError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from concurrent.futures import Future

    from triadic.core.array_types import AnyArray
    from triadic.core.blocks import Progress
    from triadic.graph.labels import Labels
    from triadic.io.format import Format, ReadOptions

    Sampled = tuple[Sequence["Blocks"], Callable[[Any], Any]]

_NUMBER = re.compile(r"-?[0-9]+(?:[.,][0-9]*)?(?:[eE][+-]?[0-9]+)?\Z")
_WHOLE = re.compile(r"-?[0-9]+[.,]0*\Z")
SKIP = 'bad_rows="skip" (--bad-rows skip) leaves out rows that cannot be read'
"""The end of errors for such rows."""
_FOOTERS = frozenset(("total", "sum", "count", "end", "eof"))
_MISSING = frozenset(("NA", "N/A", "#N/A", "<NA>", "NaN", "nan", "NULL", "null", "None"))
# What is wrong with an id among whole numbers, the worst first.
_DAMAGES = {
    "rounded": "found the id {}, which has lost digits; expected whole numbers, which a spreadsheet writes if their "
    "column is formatted as text",
    "whole": "found the id {} among whole numbers, expected ids without a point, as pandas writes them after "
    ".astype('Int64')",
    "footer": f"found {{}} among whole numbers; if it is a footer, remove it or begin it with '#'; {SKIP}",
    "missing": f"found {{}} among whole numbers, expected an id; remove rows without two ends; {SKIP}",
}


class IdCheck:
    """A check of the names in the two columns of ids, added chunk by chunk.

    Examples
    --------
    >>> check = IdCheck()
    >>> check.add(["1", "2", "3.0"])
    >>> check.problem()[:35]
    "found the id '3.0' among whole numb"
    """

    def __init__(self) -> None:
        self._all_numbers = True
        self._found: dict[str, str] = {}

    def add(self, names: Sequence[str]) -> None:
        """Add some different names."""
        if missing := min(_MISSING.intersection(names), default=""):
            self._found.setdefault("missing", missing)
        if not self._all_numbers:
            return
        for name in names:
            if INTEGER.match(name) or name in _MISSING:
                continue
            if name.rstrip(":").lower() in _FOOTERS:
                self._found.setdefault("footer", name)
            elif not _NUMBER.match(name):
                self._all_numbers = False
                return
            elif "e" in name or "E" in name:
                self._found.setdefault("rounded", name)
            elif _WHOLE.match(name):
                self._found.setdefault("whole", name)

    def problem(self) -> str | None:
        """Return what is wrong with the ids; None if nothing is."""
        kinds = filter(self._found.get, _DAMAGES) if self._all_numbers else ()
        return next((_DAMAGES[kind].format(short(self._found[kind])) for kind in kinds), None)

    def warn(self, path: str) -> None:
        """Warn of a name that usually stands for a missing value."""
        if (name := self._found.get("missing")) and not self._all_numbers:
            text = f"{path}: the name {name!r} is read as a vertex; if it is a missing value, remove its rows"
            warn(ReadWarning(text))


Rows = Any
"""A ``pyarrow.Table`` with the columns ``source`` and ``target``, and ``weight`` if weights are read."""

MOST_THREADS = 4
"""More threads that parse text only wait for each other."""

Item = TypeVar("Item")
Result = TypeVar("Result")


class Blocks:
    """The rows of one file, or of a table of another library, in blocks that are read when they are needed.

    Parameters
    ----------
    source : Source

    Attributes
    ----------
    columns : tuple
        What is read as source, target and weight; it must be the same in all files of a network.
    taken : str
        Which columns are read, in words.
    weight : str or None
        Name of the column of the weights, if they have one.
    directed : bool or None
        The direction that the file states.
    bipartite : bool
        Whether sources and targets are two different sets of vertices.
    sizes : tuple of int
        Numbers of vertices that the file states: none, one, or one for each of the two sets.
    vertex_columns : mapping of str to array
        Columns of the vertices, if the file has them.
    listed : array or None
        Labels of the vertices, if the file lists them (:mod:`triadic.io.edge_blocks`).
    vertices : int or None
        Number of vertices, if ids are the numbers of vertices, so that no id is larger.
    numeric : bool
        Whether all ids may be numbers. Otherwise they are names.
    is_parsed : bool
        Whether the rows are parsed from text, which takes long, so that a stream may keep them for its second pass.
        Names are then read as numbers if all of them are integers.
    both_ends : bool
        Whether each edge of an undirected network has an arc at both its ends.
    kept : int
        Bytes per arc that a stream of the rows may keep, as of `triadic.io.sampling.FileSample`.
    row_bytes : int
        Bytes of text of a row, about.
    most_threads : int
        Number of threads that are useful. While the rows are read it is the number that may be used.
    arcs : int
        Number of rows, or an upper bound.
    work : int
        Total of the progress that `parts` reports.
    """

    columns: tuple[object, ...] = ()
    taken = ""
    weight: str | None = None
    directed: bool | None = None
    bipartite = False
    sizes: tuple[int, ...] = ()
    listed: Labels | None = None
    vertex_columns: Mapping[str, AnyArray] = MappingProxyType({})
    vertices: int | None = None
    numeric = True
    is_parsed = False
    both_ends = False
    row_bytes = 32
    kept = 0
    most_threads = 8
    arcs = 0
    work = 0

    def __init__(self, source: Source) -> None:
        self.source = source
        self._stamp = source.stamp()

    def parts(self, *, numeric: bool, chunk_bytes: int | None, reported: ProgressCount) -> Iterator[Callable[[], Rows]]:
        """Yield functions that each return some rows, in order; they may be called in threads.

        Parameters
        ----------
        numeric : bool
            Whether ids are parsed as numbers, and otherwise as names.
        chunk_bytes : int or None
            Bytes of text that a part has about. None if the rows are held as a whole, so that a part may be as large as
            the file.
        reported : ProgressCount

        Raises
        ------
        IrregularError
            Raised by a function: its rows cannot be parsed in this way; `refuse` chooses the next one.
        """
        raise NotImplementedError

    def following(self, source: Source, options: ReadOptions, blocks: Callable[..., Blocks]) -> Blocks:
        """Open another file of the network of which this is the first file; by default like any file of the format."""
        return blocks(source, options)

    def refuse(self, problem: str, *, numeric: bool) -> bool:  # noqa: ARG002 - for formats with several ways
        """Choose the next way to parse the rows; return False if there is none, and names have to be parsed.

        Raises
        ------
        ReadError
            There is no further way to parse names either.
        """
        raise self.source.error(problem)

    def fault(self, *, numeric: bool, vertices: int | None) -> ReadError | None:
        """Return the error for the first id that cannot be a vertex, or None."""
        if not numeric:
            return None
        for part in self.parts(numeric=True, chunk_bytes=CHUNK_BYTES, reported=ProgressCount(None, 0)):
            rows = part()
            for ids in arrays_of(rows["source"], rows["target"]):
                try:
                    check_extent(int(ids.min(initial=0)), int(ids.max(initial=-1)), vertices)
                except UnusableIdError as error:
                    return self.source.error(str(error))
        return None

    def check(self, *, after: bool) -> None:  # noqa: ARG002 - for rows that only reading compares
        """Raise a ReadError if the rows have changed since they were read before; called before and after a pass."""
        if self.source.stamp() != self._stamp:
            raise self.changed()

    def changed(self) -> Exception:
        """Return the ReadError for rows that have changed."""
        return self.source.error("has changed since its vertices were counted; expected the same file")

    def sampled(self, files: Sequence[Any]) -> Sampled | None:  # noqa: ARG002 - of formats of which a part can be read
        """Make files of this kind read a part of their rows only; return None if they have to be read whole.

        Returns
        -------
        files : sequence of Blocks
            Those that are read.
        completed : callable
            Returns the sample of these rows with the numbers of all of them.
        """
        return None


class BlockSource(Source):
    """A network that is not one file, but many, or a table of another library."""

    def __init__(self, name: str, *, folder: bool) -> None:
        self.path = self.name = name
        self.folder = folder

    def blocks(self, options: ReadOptions, *, twice: bool) -> list[Blocks]:
        """Open the network in blocks; see `open_blocks`."""
        raise NotImplementedError


class BlockFiles:
    """The files of one network, in blocks.

    Parameters
    ----------
    source : Source
        The whole network, for messages.
    files : sequence of Blocks
        At least one.
    options : ReadOptions
        How they are read, with the rows to read, `where`, and the threads.

    Attributes
    ----------
    first : Blocks
        The first file.
    chunk_bytes : int or None
        Bytes of text that are parsed at a time; None if all rows are held.
    """

    chunk_bytes: int | None = None

    def __init__(self, source: Source, files: Sequence[Blocks], options: ReadOptions) -> None:
        self.source, self.files, self.options = source, files, options
        self.first, self.threads = self.files[0], resolve_threads(options.threads)

    @property
    def bipartite(self) -> bool:
        """Whether sources and targets are two different sets of vertices."""
        return any(file.bipartite for file in self.files)

    @property
    def sizes(self) -> tuple[int, ...]:
        """The largest number of vertices that a file states, in each set of vertices; empty if none does."""
        return tuple(max(sizes) for sizes in zip(*(file.sizes for file in self.files if file.sizes), strict=True))

    @cached_property
    def listed(self) -> Labels | None:
        """The labels that the files list, in the order of the files; None if none does."""
        lists: list[Labels] = [file.listed for file in self.files if file.listed is not None]
        if len(lists) < 2:
            return lists[0] if lists else None
        if len({labels.dtype for labels in lists}) > 1:
            lists = [np.array(list(map(str, labels.tolist())), np.object_) for labels in lists]
        every = list(dict.fromkeys(label for labels in lists for label in labels.tolist()))
        joined: AnyArray = np.array(every, lists[0].dtype)
        return joined

    @property
    def taken(self) -> str | None:
        """Which columns are read, in words; None if no file has columns."""
        return next((file.taken for file in self.files if file.taken), None)

    def direction(self) -> tuple[bool, Origin]:
        """Return whether edges have a direction, which the first file that states it decides, and their origin."""
        stated = next((file.directed for file in self.files if file.directed is not None), None)
        directed, decided = self.options.direction(stated)
        return directed, Origin(self.taken, decided, weight=self.first.weight)

    def gather(self, begin: Callable[[bool], Callable[[Rows], None]], progress: Progress | None = None) -> bool:
        """Read the rows of all files in order; return whether the ids are numbers.

        The files are read once more if some rows of a file cannot be parsed in the way that its first lines suggest.

        Parameters
        ----------
        begin : callable
            ``begin(numeric)`` starts a pass, and returns the function that is called with each table of rows.
        progress : callable, optional

        Raises
        ------
        ReadError
            The rows of a file cannot be parsed.
        """
        numeric = all(file.numeric for file in self.files)
        while True:
            for file in self.files:
                file.check(after=False)
            add, place, is_complete = begin(numeric), 0, True
            reported = self.progress_count(progress)
            while place < len(self.files):
                try:
                    for rows in self.tables(reported, numeric=numeric, start=place):
                        if is_complete:
                            add(rows)
                    break
                except IrregularError as fault:
                    # The rows that were added are of no use. The other files are read to find how they are parsed.
                    is_complete, place = False, fault.place
                    if not self.files[place].refuse(str(fault), numeric=numeric):
                        numeric = False
                        break
            if is_complete:
                for file in self.files:
                    file.check(after=True)
                return numeric

    def tables(
        self,
        reported: ProgressCount,
        *,
        numeric: bool,
        change: Callable[[Rows], Any] | None = None,
        start: int = 0,
    ) -> Iterator[Any]:
        """Yield the rows of all files from number `start` on, in order, each table changed by `change`.

        Raises
        ------
        ReadError
            A file has changed since it was read before.
        IrregularError
            Rows cannot be parsed in this way.
        """

        def rows(item: tuple[int, Callable[[], Rows]]) -> Any:  # noqa: ANN401 - whatever `change` returns
            place, part = item
            file = self.files[place]
            try:
                table = part()
                if self.options.where:
                    from triadic.io.arrow_columns import chosen_rows  # noqa: PLC0415 - Arrow takes long to import

                    table = chosen_rows(table, self.options, file.source.error, is_text=file.is_parsed)
                return table if change is None else change(table)
            except IrregularError as error:
                error.place = place
                raise
            except (KeyError, IndexError):
                if change is None:
                    raise
                raise file.changed() from None

        threads = min(self.threads, self.first.most_threads)
        for file in self.files:
            file.most_threads = threads
        parts = (
            zip(
                repeat(place),
                self.files[place].parts(numeric=numeric, chunk_bytes=self.chunk_bytes, reported=reported),
            )
            for place in range(start, len(self.files))
        )
        yield from map_ahead(rows, chain.from_iterable(parts), threads=threads)

    def progress_count(self, progress: Progress | None) -> ProgressCount:
        """Return the progress of a pass over all files."""
        return ProgressCount(progress, sum(file.work for file in self.files))

    def refuse_damaged(self, check: IdCheck) -> None:
        """Raise a ReadError if some ids look like damaged numbers, with the line of the first one; or warn."""
        problem = check.problem()
        if problem is not None:
            fault = self.first_fault(problem)
            raise ReadError(fault.path, problem, line=fault.line)
        check.warn(self.source.name)

    def first_fault(self, problem: object, *, numeric: bool = True, vertices: int | None = None) -> ReadError:
        """Return the error for the first id that cannot be a vertex; without one, the error for a problem."""
        faults = (file.fault(numeric=numeric, vertices=vertices) for file in self.files)
        return next((fault for fault in faults if fault is not None), self.source.error(in_one_line(problem)))


def open_blocks(source: Source, known: Format, options: ReadOptions, *, twice: bool = True) -> Iterable[Blocks]:
    """Open the files of a network in blocks, each when it is asked for.

    Parameters
    ----------
    source : Source
    known : Format
    options : ReadOptions
    twice : bool, default True
        Whether the rows are read more than once, so that a table that can be read only once is copied.
    """
    if isinstance(source, BlockSource):
        return source.blocks(options, twice=twice)
    if known.blocks is None:
        raise source.error(f"the format {known.name} declares neither `read` nor `blocks`, expected one of them")
    return map(known.blocks, [source], [options])


def map_ahead(work: Callable[[Item], Result], items: Iterable[Item], *, threads: int) -> Iterator[Result]:
    """Yield ``work(item)`` for each item in order, computed in threads while the caller uses earlier results.

    Parameters
    ----------
    work : callable
        Runs in one of the threads.
    items : iterable
        Iterated in the caller's thread, at most ``threads + 1`` items ahead of the results.
    threads : int

    Examples
    --------
    >>> list(map_ahead(abs, [-1, 2, -3], threads=2))
    [1, 2, 3]
    """
    waiting: deque[Future[Result]] = deque()
    with ThreadPoolExecutor(threads, thread_name_prefix="triadic-stream") as pool:
        try:
            for item in items:
                waiting.append(pool.submit(work, item))
                if len(waiting) > threads:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()


class ProgressCount:
    """Calls a progress function with the amount done and a total, which may be an estimate."""

    def __init__(self, progress: Progress | None, total: int) -> None:
        self._progress = progress
        self._total = total
        self._done = 0

    def add(self, done: int) -> None:
        """Add to the amount done and report it."""
        self._done += done
        if self._progress is not None:
            self._progress(self._done, max(self._total, self._done))


def names_of(rows: Rows) -> list[list[str]]:
    """Return the different names in each part of a table of names."""
    return [chunk.dictionary.to_pylist() for end in ("source", "target") for chunk in rows[end].chunks]
