"""A tile: the oriented edges from one range of ranks to another, as rows; and where tiles come from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from triadic.tiles.layout import Layout


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Tile:
    """The oriented edges from one range to another, or to itself.

    Attributes
    ----------
    indptr : int64 array, shape (rows + 1,)
        Where the row of each rank of the first range begins.
    indices : int32 array, shape (edges,)
        Ranks of the second range, counted from its first, rising within a row.
    state : uint8 array, shape (edges,), optional
        Of a directed graph, as in `triadic.core.oriented.Oriented`.
    """

    indptr: NDArray[np.int64]
    indices: NDArray[np.int32]
    state: NDArray[np.uint8] | None

    @property
    def nbytes(self) -> int:
        """Bytes that its arrays take."""
        return self.indptr.nbytes + self.indices.nbytes + (0 if self.state is None else self.state.nbytes)


class TileSource(Protocol):
    """Where tiles come from: a folder, a URL, or a graph in memory. Safe to ask from several threads."""

    @property
    def layout(self) -> Layout:
        """The graph's figures and ranges."""

    def tile(self, i: int, j: int) -> Tile:
        """Give the tile of rows in range `i` and columns in range `j`, j <= i.

        Raises
        ------
        ReadError
            It is damaged or gone.
        """

    def degree(self, i: int) -> NDArray[np.int64]:
        """Give the degrees in the skeleton of the ranks in range `i`."""
