"""What a census gives: named counts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from triadic.core.notebook import html_table
from triadic.errors import MissingExtraError

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Census(Mapping[str, int]):
    """Counts by name, in a fixed order; a mapping that cannot be changed.

    Attributes
    ----------
    names : tuple of str
    counts : tuple of int
        Python ints: some pass 2**63.
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
        name_width = max(map(len, self.names), default=0)
        width = max((len(f"{count:,}") for count in self.counts), default=0)
        lines = (f"  {name:<{name_width}} {count:>{width},}" for name, count in self.items())
        return "\n".join([type(self).__name__, *lines])

    def _repr_html_(self) -> str:
        return html_table(type(self).__name__, (), self.items())

    def to_dict(self) -> dict[str, int]:
        """Give the counts as a dictionary."""
        return dict(self)

    def to_pandas(self) -> pd.DataFrame:
        """Give the counts as a pandas DataFrame, a row a name; "count" holds objects where one passes 2**63."""
        try:
            import pandas as pd  # noqa: PLC0415 - needed for this alone
        except ImportError as error:
            raise MissingExtraError("to_pandas needs pandas, which is not installed: pip install pandas") from error
        dtype = "int64" if max(self.counts, default=0) < 2**63 else object
        return pd.DataFrame({"count": pd.Series(self.counts, index=self.names, dtype=dtype)})

    def to_polars(self) -> pl.DataFrame:
        """Give the counts as a polars DataFrame, a row a name; "count" is a 128-bit integer where one passes 2**63."""
        try:
            import polars as pl  # noqa: PLC0415 - needed for this alone
        except ImportError as error:
            raise MissingExtraError("to_polars needs polars, which is not installed: pip install polars") from error
        dtype = pl.Int64 if max(self.counts, default=0) < 2**63 else pl.Int128
        return pl.DataFrame({"name": list(self.names), "count": pl.Series(self.counts, dtype=dtype)})
