"""Texts in the cells of a grid, in a font that fits the cells.

Only functions that draw import this module, because it imports matplotlib.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from matplotlib.text import Text

from triadic.plot.fitting import length_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.backend_bases import RendererBase

_LETTER = 0.62  # width of a letter, in font sizes
_SHARE = 0.88  # of a cell that its text may fill


class CellText(Text):
    """A text in the middle of a cell, whose font fits the size of the cell when it is drawn.

    Parameters
    ----------
    x, y : float
        Middle of the cell.
    text : str
    longest : int
        Number of letters of the longest text of the grid, so that all have one size.
    cells : int
        Number of cells along each axis.
    font : float
        Largest font size, in points.
    """

    def __init__(self, x: float, y: float, text: str, *, longest: int, cells: int, font: float, colour: str) -> None:
        super().__init__(x, y, text, ha="center", va="center_baseline", color=colour, fontsize=font)
        self._longest, self._cells, self._font = longest, cells, font

    def draw(self, renderer: RendererBase) -> None:
        """Draw the text in the largest font that fits."""
        if self.axes is not None:
            axes = cast("Axes", self.axes)
            across, along = (_SHARE * length_of(axis) / self._cells for axis in (axes.xaxis, axes.yaxis))
            self.set_fontsize(max(1.0, min(self._font, across / (_LETTER * self._longest), along)))
        super().draw(renderer)
