"""Texts whose font fits the cells of a grid, or grows and shrinks with the axes.

Only functions that draw import this module, because it imports matplotlib.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from matplotlib.text import Text

from triadic.plot.fitting import length_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.backend_bases import RendererBase
    from matplotlib.transforms import Bbox

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


class ScaledText(Text):
    """A text in the middle of a point, whose font size is a length on the vertical axis.

    Parameters
    ----------
    x, y : float
        The point.
    text : str
    size : float
        Font size in units of the vertical axis.
    **keywords
        Properties of `matplotlib.text.Text`, such as ``color``.
    """

    def __init__(self, x: float, y: float, text: str, size: float, **keywords: Any) -> None:  # noqa: ANN401 - matplotlib's
        super().__init__(x, y, text, ha="center", va="center_baseline", **keywords)
        self.scaled_size = size

    def draw(self, renderer: RendererBase, *arguments: Any, **keywords: Any) -> None:  # noqa: ANN401 - matplotlib's
        """Draw the text in the size that fits the axes."""
        self._fit()
        super().draw(renderer, *arguments, **keywords)

    def get_window_extent(self, *arguments: Any, **keywords: Any) -> Bbox:  # noqa: ANN401 - matplotlib's
        """Return the box around the text in pixels."""
        self._fit()
        return super().get_window_extent(*arguments, **keywords)

    def _fit(self) -> None:
        ax = self.axes
        if ax is not None:
            (_, low), (_, high) = ax.transData.transform([(0, 0), (0, self.scaled_size)])
            self.set_fontsize(abs(high - low) * 72 / ax.figure.dpi)
