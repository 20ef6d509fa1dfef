"""The result of a census: counts by name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from triadic.convert.result_table import counts_column, frame
from triadic.core.notebook import html_table, text_counts

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    from numpy.typing import NDArray

_SHOWN_ROWS = 16  # at most, in the representation: the 64 labelled types are shown in four columns


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Census(Mapping[str, int]):
    """Counts by name: an immutable mapping in a fixed order.

    Attributes
    ----------
    names : tuple of str
        Names of the counts.
    counts : tuple of int
        Counts in the order of `names`, as Python ints: some exceed 2**63.

    See Also
    --------
    triad_census, dyad_census : Return a census.

    Examples
    --------
    >>> import triadic
    >>> census = triadic.dyad_census(triadic.Graph.from_edges([0, 1, 1], [1, 0, 2], directed=True))
    >>> census["mutual"], list(census)
    (1, ['mutual', 'asymmetric', 'null'])
    """

    names: tuple[str, ...]
    counts: tuple[int, ...]

    def __getitem__(self, name: str) -> int:
        try:
            return self.counts[self.names.index(name)]
        except ValueError:
            short = len(self.names) <= 16
            expected = ", ".join(map(repr, self.names)) if short else f"{self.names[0]!r} to {self.names[-1]!r}"
            raise KeyError(f"{name!r}: expected one of the names {expected}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)

    def __eq__(self, other: object) -> bool:
        return dict(self) == dict(other) if isinstance(other, Mapping) else NotImplemented

    def __hash__(self) -> int:
        return hash(frozenset(self.items()))

    def __repr__(self) -> str:
        return "\n".join([type(self).__name__, *_in_columns(text_counts(self))])

    def _repr_html_(self) -> str:
        return html_table(type(self).__name__, ("name", "count"), self.items())

    def to_dict(self) -> dict[str, int]:
        """Return the counts as a dictionary."""
        return dict(self)

    def to_pandas(self) -> pd.DataFrame:
        """Return the counts as a pandas DataFrame.

        Returns
        -------
        pandas.DataFrame
            One row per name, which is the index "name", and the column "count": int64, or Python ints if a count
            exceeds 2**63.

        Raises
        ------
        MissingExtraError
            If pandas is not installed.
        """
        return frame(self._columns(), "pandas", index="name")

    def to_polars(self) -> pl.DataFrame:
        """Return the counts as a polars DataFrame.

        Returns
        -------
        polars.DataFrame
            One row per name, and the columns "name" and "count": Int64, or Int128 if a count exceeds 2**63.

        Raises
        ------
        MissingExtraError
            If polars is not installed.
        """
        return frame(self._columns(), "polars")

    def _columns(self) -> dict[str, NDArray[Any]]:
        return {"name": np.array(self.names, dtype=object), "count": counts_column(self.counts)}


def _in_columns(lines: list[str]) -> list[str]:
    """Return the lines in as few columns as do not exceed the number of types of triads in length."""
    columns = -(-len(lines) // _SHOWN_ROWS)
    rows = -(-len(lines) // max(1, columns))
    return ["  ".join(lines[row::rows]) for row in range(rows)]
