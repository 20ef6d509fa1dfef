"""Labels as keys: the vertices that have given labels, and the names of objects that are no strings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from difflib import get_close_matches
from itertools import islice
from typing import TYPE_CHECKING, TypeAlias, overload

import numpy as np

from triadic.core.checked import checked
from triadic.errors import ArgumentError

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable

    from numpy.typing import NDArray

    from triadic.core.array_types import AnyArray, BoolArray, Int64Array, ObjectArray

    Labels = Int64Array | ObjectArray
    Items = Sequence[object] | AnyArray

_MOST_SHOWN = 3  # labels that an error message lists
_MOST_COMPARED = 20_000  # labels among which an error message looks for similar ones, so that it takes no second


@checked
class LabelledGraph:
    """Base class of graphs whose vertices may have labels, `Graph` and `TiledGraph`."""

    __slots__ = ("_label_index",)

    _label_index: LabelIndex | None

    if TYPE_CHECKING:  # defined by these classes

        @property
        def num_vertices(self) -> int: ...  # noqa: D102
        @property
        def labels(self) -> Labels | None: ...  # noqa: D102

    @overload
    def index(self, labels: str | int) -> int: ...  # type: ignore[overload-overlap]  # a str is a collection as well

    @overload
    def index(self, labels: Collection[Hashable] | NDArray[np.generic]) -> Int64Array: ...

    def index(self, labels: Hashable | Collection[Hashable] | NDArray[np.generic]) -> int | Int64Array:
        """Return the vertex that has a label, or the vertices that have several labels.

        Parameters
        ----------
        labels : str or int, or array_like or set of str or int
            One label or several. The labels of a graph without labels are the numbers 0 .. n - 1. A label that is
            neither str nor int, such as a node of networkx that is a tuple, is found by its name, ``str(label)``.

        Returns
        -------
        int, or int64 array of shape (len(labels),)
            Number of the vertex, or the number of the vertex of each label in their order (those of a set in rising
            order).

        Raises
        ------
        ArgumentError
            If no vertex has a label, or more than one vertex has it.
        ReadError
            If the labels of a graph in tiles are missing or damaged.

        Notes
        -----
        The first call makes an index of the labels, O(n) for strings and O(n log(n)) for whole numbers, which stays in
        memory, of a `Graph` until `release`. Of a graph in tiles it reads all labels, which stay in memory too. A label
        is then found in O(1) or O(log(n)).

        Examples
        --------
        >>> from triadic import Graph
        >>> graph = Graph.from_edges([0, 1, 2], [1, 2, 0], labels=["Valjean", "Javert", "Fantine"])
        >>> graph.index("Javert")
        1
        >>> graph.index(["Fantine", "Javert"])
        array([2, 1])
        """
        if self._label_index is None:
            self._label_index = index_labels(self.labels, self.num_vertices)
        index = self._label_index
        if isinstance(labels, np.ndarray) and labels.ndim == 0:
            labels = labels.item()
        # A tuple or a frozenset that is a label itself, as a node of networkx may be, is one label.
        is_key = isinstance(labels, (tuple, frozenset)) and isinstance(index, NameIndex) and labels in index
        if is_key or isinstance(labels, str) or not isinstance(labels, Iterable):
            return int(index.vertices([labels])[0])
        items = np.asarray(labels) if hasattr(labels, "__array__") else list(labels)
        if isinstance(items, np.ndarray) and items.ndim != 1:
            raise ArgumentError(f"labels: expected one label or a 1-D array of labels, got one of shape {items.shape}")
        found = index.vertices(items)
        return np.sort(found) if isinstance(labels, AbstractSet) else found


class NameIndex:
    """The vertices of a graph by labels that are strings, as a dictionary.

    Parameters
    ----------
    labels : object array of str
        Labels of the vertices 0, 1, ...
    """

    def __init__(self, labels: ObjectArray) -> None:
        names: list[str] = labels.tolist()
        self._vertex_of = dict(zip(names, range(len(names)), strict=True))
        repeats = len(self._vertex_of) < len(names)
        self._repeated = {name for name, times in Counter(names).items() if times > 1} if repeats else set()

    def __contains__(self, label: object) -> bool:
        return self._name(label) in self._vertex_of

    def vertices(self, labels: Items) -> Int64Array:
        """Return the vertex of each label; an object that is no string goes by the name that `names_of` gives it."""
        names = [self._name(label) for label in labels]
        missing = [name for name in names if name not in self._vertex_of]
        if missing:
            raise ArgumentError(f"no vertex has the label {shown(missing)}; {self._remedy(missing[0])}")
        repeated = [name for name in names if name in self._repeated]
        if repeated:
            raise ArgumentError(f"more than one vertex has the label {shown(repeated)}")
        return np.array([self._vertex_of[name] for name in names], np.int64)

    def _name(self, label: object) -> str:
        if isinstance(label, str):
            return label
        name = _name_with_type(label)
        return name if name in self._vertex_of else _name(label)

    def _remedy(self, name: str) -> str:
        """Return similar labels, or the first ones, for the error about a label that no vertex has."""
        folded: dict[str, str] = {}
        for known in islice(self._vertex_of, _MOST_COMPARED):
            folded.setdefault(known.casefold(), known)
        similar = [folded[match] for match in get_close_matches(name.casefold(), folded)]
        number = f"{len(self._vertex_of):,} labels"
        if similar:
            return f"similar ones among the {number}: {shown(similar)}"
        return f"the {number} begin with {', '.join(map(repr, islice(self._vertex_of, _MOST_SHOWN)))}"


class NumberIndex:
    """The vertices of a graph by labels that are whole numbers, which are sorted for a binary search.

    Parameters
    ----------
    labels : int64 array, optional
        Labels of the vertices 0, 1, ... By default the vertices 0 .. n - 1 are their own labels.
    vertices : int
        Number of vertices, n.
    """

    def __init__(self, labels: Int64Array | None, vertices: int) -> None:
        self._vertices = vertices
        self._order = None if labels is None else np.argsort(labels, kind="stable")
        self._sorted = None if labels is None else labels[self._order]

    def vertices(self, labels: Items) -> Int64Array:
        """Return the vertex of each label."""
        numbers = self._as_int64(labels)
        if self._sorted is None or self._order is None:
            self._check(numbers, (numbers >= 0) & (numbers < self._vertices))
            return numbers
        first, end = (np.searchsorted(self._sorted, numbers, side=side) for side in ("left", "right"))
        self._check(numbers, end > first)
        repeated = end > first + 1
        if repeated.any():
            raise ArgumentError(f"more than one vertex has the label {shown(numbers[repeated].tolist())}")
        return self._order[first]

    def _as_int64(self, labels: Items) -> Int64Array:
        if isinstance(labels, np.ndarray) and labels.dtype.kind in "iu" and np.can_cast(labels.dtype, np.int64):
            return labels.astype(np.int64, copy=False)
        for label in labels.tolist() if isinstance(labels, np.ndarray) else labels:
            if isinstance(label, (bool, np.timedelta64)) or not isinstance(label, (int, np.integer)):
                kind = "the vertices of a graph without labels" if self._sorted is None else "the labels of the graph"
                raise ArgumentError(f"expected whole numbers, as {kind} are, got {label!r}")
            if not -(2**63) <= int(label) < 2**63:
                raise ArgumentError(f"no vertex has the label {label}; {self._remedy()}")
        return np.array(labels, np.int64)

    def _check(self, numbers: Int64Array, found: BoolArray) -> None:
        if not found.all():
            raise ArgumentError(f"no vertex has the label {shown(numbers[~found].tolist())}; {self._remedy()}")

    def _remedy(self) -> str:
        if self._sorted is None:
            return f"the graph has no labels, and its vertices are the numbers below {self._vertices:,}"
        if not len(self._sorted):
            return "the graph has no vertices"
        return f"the {len(self._sorted):,} labels are numbers from {self._sorted[0]} to {self._sorted[-1]}"


LabelIndex: TypeAlias = NameIndex | NumberIndex


def index_labels(labels: Labels | None, vertices: int) -> LabelIndex:
    """Return the index of the labels of a graph: O(n) for strings, O(n log(n)) for whole numbers."""
    if labels is not None and labels.dtype == object:
        return NameIndex(labels.astype(object, copy=False))
    return NumberIndex(None if labels is None else labels.astype(np.int64, copy=False), vertices)


def names_of(objects: Sequence[object]) -> list[str]:
    """Return a name for each object, such as a node of networkx.

    A string is its own name. The name of another object is ``str(object)``, and has the type of the object as well if
    two objects have this text.

    Examples
    --------
    >>> names_of(["a", 2, (0, 1), "1", 1])
    ['a', '2', '(0, 1)', '1', 'int(1)']
    """
    names = [_name(item) for item in objects]
    times = Counter(names)
    return [
        _name_with_type(item) if times[name] > 1 and not isinstance(item, str) else name
        for item, name in zip(objects, names, strict=True)
    ]


def usable_labels(names: Sequence[object]) -> AnyArray | None:
    """Return names as labels: int64 if all are int64 numbers, otherwise strings; None for the numbers 0 .. n - 1.

    A name that is no string becomes one by the rule of `names_of`, so that no name is lost.

    Examples
    --------
    >>> usable_labels([5, 3]), usable_labels([0, 1]), usable_labels([10**20])
    (array([5, 3]), None, array(['100000000000000000000'], dtype=object))
    """
    if len(names) and all(map(_is_int64, names)):
        numbers = np.array(names, np.int64)
        return None if np.array_equal(numbers, np.arange(len(numbers))) else numbers
    labels = np.empty(len(names), object)
    labels[:] = names if all(isinstance(name, str) for name in names) else names_of(names)
    return labels if len(names) else None


def _is_int64(name: object) -> bool:
    return isinstance(name, (int, np.integer)) and not isinstance(name, bool) and -(2**63) <= int(name) < 2**63


def vertex_names(labels: AnyArray | None, vertices: int) -> AnyArray:
    """Return the labels if every vertex has a label of its own, and the numbers 0 .. n - 1 otherwise."""
    if labels is not None and len(labels) == vertices and len(set(labels.tolist())) == vertices:
        return labels
    return np.arange(vertices)


def _name(item: object) -> str:
    return str(item.item() if isinstance(item, np.generic) else item)


def _name_with_type(item: object) -> str:
    plain = item.item() if isinstance(item, np.generic) else item
    return f"{type(plain).__name__}({plain})"


def shown(labels: Sequence[object]) -> str:
    """Return the first few labels as text, and the number of the others."""
    different = list(dict.fromkeys(labels))
    more = f" and {len(different) - _MOST_SHOWN:,} more" if len(different) > _MOST_SHOWN else ""
    return ", ".join(map(repr, different[:_MOST_SHOWN])) + more
