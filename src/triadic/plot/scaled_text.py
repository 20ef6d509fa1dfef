"""Texts that grow and shrink with their axes.

Only functions that draw import this module, because it imports matplotlib.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from matplotlib.text import Text

if TYPE_CHECKING:
    from matplotlib.backend_bases import RendererBase
    from matplotlib.transforms import Bbox


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
