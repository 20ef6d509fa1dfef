"""Figures drawn with matplotlib as SVG and PNG: lines over sizes, points and bars."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal

from triadic.io.temporary_files import whole_file
from triadic.plot.canvas import COLOURS, MARKERS, SVG_SETTINGS, check_matplotlib

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

_DASHES = ("-", "--", "-.", ":")
_HATCHES = ("", "//", "..", "\\\\", "xx", "--", "++", "oo")
_SAVE_OPTIONS: dict[str, Any] = {"svg": {"metadata": {"Date": None}}, "png": {"dpi": 140}}
_PANEL_WIDTH, _PANEL_HEIGHT = 5.2, 3.9
_COLUMNS = 3
_LONG_LABEL = 8
_BAR, _WIDEST, _LEGEND_ROW = 0.13, 13.0, 0.24  # inches
_LETTER, _HANDLE = 0.068, 0.5  # width in inches of a legend's letter and handle
_APART = 1.2  # smallest ratio of neighbouring values that are both labelled
_FEW, _NARROW, _WIDE = 8, 5.0, 2000.0


@dataclass(frozen=True)
class Series:
    """One labelled series of values.

    Attributes
    ----------
    label : str
    x : sequence of float or of str
        Positions on the axis; names for bars.
    y : sequence of float
    spread : sequence of float, optional
        Half the length of the error bar at each position.
    """

    label: str
    x: Sequence[float] | Sequence[str]
    y: Sequence[float]
    spread: Sequence[float] | None = None


@dataclass(frozen=True)
class Panel:
    """One pair of axes."""

    title: str
    series: Sequence[Series]


@dataclass(frozen=True)
class Figure:
    """A figure.

    Attributes
    ----------
    name : str
        Name of its files.
    caption : str
        Description, with the figure of the paper that it corresponds to.
    x_label, y_label : str
        With units.
    panels : sequence of Panel
    kind : {"lines", "points", "bars", "stacked"}
        "lines" connects the values of a series; "stacked" draws bars on top of each other. A bar without a value is
        omitted.
    log_x, log_y : bool
    """

    name: str
    caption: str
    x_label: str
    y_label: str
    panels: Sequence[Panel] = field(default_factory=tuple)
    kind: Literal["lines", "points", "bars", "stacked"] = "lines"
    log_x: bool = False
    log_y: bool = False

    @property
    def is_empty(self) -> bool:
        """Whether the figure has no values."""
        return not any(len(series.y) for panel in self.panels for series in panel.series)


def draw(figure: Figure, folder: Path, formats: Sequence[str] = ("svg", "png")) -> None:
    """Draw a figure as ``folder/<name>.svg`` and ``.png``, without panels that have no values.

    Raises
    ------
    MissingExtraError
        matplotlib is not installed.
    WriteError
        A file cannot be written.
    """
    check_matplotlib()
    import matplotlib as mpl  # noqa: PLC0415 - an extra, and slow to import
    from matplotlib.backends.backend_agg import FigureCanvasAgg  # noqa: PLC0415
    from matplotlib.figure import Figure as Canvas  # noqa: PLC0415

    folder.mkdir(parents=True, exist_ok=True)
    panels = [panel for panel in figure.panels if any(len(series.y) for series in panel.series)]
    columns = min(_COLUMNS, len(panels))
    rows = -(-len(panels) // columns)
    with mpl.rc_context({**SVG_SETTINGS, "font.size": 9.5, "axes.axisbelow": True}):
        width, labels = _width(figure) * columns, _labels(figure)
        legend_rows = -(-len(labels) // _columns_of(labels, width))
        size = (width, _PANEL_HEIGHT * rows + _LEGEND_ROW * (legend_rows + 1))
        canvas = Canvas(figsize=size, layout="constrained")
        FigureCanvasAgg(canvas)
        styles = {label: i for i, label in enumerate(labels)}
        axes = canvas.subplots(rows, columns, squeeze=False).ravel()
        for ax, panel in zip(axes, panels, strict=False):
            _draw_panel(ax, figure, panel, styles)
        for ax in axes[len(panels) :]:
            ax.set_visible(False)
        handles = {label: handle for ax in axes for handle, label in zip(*ax.get_legend_handles_labels(), strict=True)}
        if len(handles) > 1 or figure.kind == "lines":
            ordered = [label for label in styles if label in handles]
            canvas.legend(
                [handles[label] for label in ordered],
                ordered,
                loc="outside lower center",
                ncols=_columns_of(ordered, width),
                frameon=False,
            )
        for suffix in formats:
            with whole_file(folder / f"{figure.name}.{suffix}") as temporary:
                canvas.savefig(temporary, format=suffix, **_SAVE_OPTIONS[suffix])


def _width(figure: Figure) -> float:
    """Return the width of a panel in inches; many bars need a wider panel."""
    if figure.kind != "bars":
        return _PANEL_WIDTH
    most = max(sum(len(series.y) for series in panel.series) for panel in figure.panels)
    return min(_WIDEST, max(_PANEL_WIDTH, _BAR * most + 1.0))


def _columns_of(labels: Sequence[str], width: float) -> int:
    """Return the number of legend columns that fit a width in inches."""
    column = _LETTER * max(map(len, labels)) + _HANDLE
    return max(1, min(len(labels), int(width / column)))


def _labels(figure: Figure) -> list[str]:
    return list(dict.fromkeys(series.label for panel in figure.panels for series in panel.series))


def _draw_panel(ax: Any, figure: Figure, panel: Panel, styles: dict[str, int]) -> None:  # noqa: ANN401 - matplotlib's
    ax.set_title(panel.title, fontsize=10)
    ax.set_xlabel(figure.x_label)
    ax.set_ylabel(figure.y_label)
    across = figure.kind in ("bars", "stacked")
    ax.grid(visible=True, which="major", axis="y" if across else "both", color="#000000", alpha=0.15, linewidth=0.6)
    ax.spines[["top", "right"]].set_visible(False)
    if across:
        _draw_bars(ax, figure, panel, styles)
    else:
        for series in panel.series:
            _draw_series(ax, figure, series, styles[series.label])
    if figure.log_x:
        ax.set_xscale("log")
        _label_log_axis(ax.xaxis, sorted({float(x) for series in panel.series for x in series.x}))
    if figure.log_y:
        ax.set_yscale("log")
        _label_log_axis(ax.yaxis, [])
    elif figure.kind != "points":
        ax.set_ylim(bottom=0)


def _label_log_axis(axis: Any, values: Sequence[float]) -> None:  # noqa: ANN401 - matplotlib's
    """Label an axis with plain numbers: each of a few whole values, else 1, 2 and 5 of every decade, or more."""
    from matplotlib.ticker import FixedLocator, FuncFormatter, LogLocator, NullFormatter  # noqa: PLC0415 - an extra

    apart = all(high >= _APART * low for low, high in pairwise(values))
    if 0 < len(values) <= _FEW and apart and all(value.is_integer() for value in values):
        axis.set_major_locator(FixedLocator(values))
    else:
        low, high = axis.get_view_interval()
        subs: tuple[float, ...] = (1.0, 2.0, 5.0) if high < _WIDE * low else (1.0,)
        axis.set_major_locator(LogLocator(subs=subs if high > _NARROW * low else range(1, 10)))
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}" if value >= 1 else f"{value:.6g}"))
    axis.set_minor_formatter(NullFormatter())


def _draw_series(ax: Any, figure: Figure, series: Series, style: int) -> None:  # noqa: ANN401 - matplotlib's
    dashes = _DASHES[style // len(COLOURS) % len(_DASHES)] if figure.kind == "lines" else "none"
    ax.errorbar(
        list(series.x),
        list(series.y),
        yerr=None if series.spread is None else list(series.spread),
        label=series.label,
        color=COLOURS[style % len(COLOURS)],
        marker=MARKERS[style % len(MARKERS)],
        linestyle=dashes,
        markersize=5,
        linewidth=1.4,
        capsize=2.5,
        elinewidth=0.9,
    )


def _draw_bars(ax: Any, figure: Figure, panel: Panel, styles: dict[str, int]) -> None:  # noqa: ANN401 - matplotlib's
    places = list(dict.fromkeys(str(x) for series in panel.series for x in series.x))
    at = {place: i for i, place in enumerate(places)}
    width = 0.8 if figure.kind == "stacked" else 0.8 / max(1, len(panel.series))
    base = dict.fromkeys(places, 0.0)
    for number, series in enumerate(panel.series):
        style = styles[series.label]
        shift = 0.0 if figure.kind == "stacked" else (number - (len(panel.series) - 1) / 2) * width
        names = [str(x) for x in series.x]
        ax.bar(
            [at[name] + shift for name in names],
            list(series.y),
            width,
            bottom=[base[name] for name in names] if figure.kind == "stacked" else None,
            yerr=None if series.spread is None else list(series.spread),
            label=series.label,
            color=COLOURS[style % len(COLOURS)],
            hatch=_HATCHES[(style + style // len(_HATCHES)) % len(_HATCHES)],
            edgecolor="white",
            linewidth=0.5,
        )
        for name, value in zip(names, series.y, strict=True):
            base[name] += value
    turned = any(len(place) > _LONG_LABEL for place in places)
    ax.set_xticks(range(len(places)), places, rotation=30 if turned else 0, ha="right" if turned else "center")
