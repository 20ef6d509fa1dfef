"""Estimates of a report: rows with their intervals, which are drawn as bars."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from triadic.core.numbers import format_float
from triadic.measures.estimates.result import reach_of_axis
from triadic.reports.numbers import format_coefficient, format_number, typeset

if TYPE_CHECKING:
    from triadic.measures.estimates.result import Estimate

_WIDTH, _HEIGHT, _BAR = 140, 18, 8  # of a drawing, and of its bar


class EstimatedRow(NamedTuple):
    """An estimate with the ends of its interval as text, and the interval as a drawing."""

    name: str
    value: str
    error: str
    low: str
    high: str
    bar: str


def estimated_rows(found: Estimate) -> list[EstimatedRow]:
    """Return a row for each quantity.

    Examples
    --------
    >>> import triadic
    >>> found = triadic.estimate(triadic.generate.rmat(8, seed=1), of="graphlets4", samples=10_000, seed=1)
    >>> row = estimated_rows(found)[0]
    >>> row.name, row.error, row.low == row.value == row.high
    ('2-path', '0.85%', False)
    """
    rows, reach = [], reach_of_axis([found])
    ends = (np.atleast_1d(each).tolist() for each in (found.value, found.low, found.high))
    for name, value, low, high in zip(found.names, *ends, strict=True):
        half = (high - low) / 2
        error = "exact" if half == 0 else typeset(format_float(100 * half / value, 2)) + "%" if value > 0 else "–"
        text, *limits = (format_coefficient(each) if each < 1 else format_number(each) for each in (value, low, high))
        bar = interval_svg(value, low, high, reach)
        rows.append(EstimatedRow(str(name), text, error, low=limits[0], high=limits[1], bar=bar))
    return rows


def interval_svg(value: float, low: float, high: float, reach: float = 0.5) -> str:
    """Draw an interval as a bar around its value, on an axis of a length relative to the value.

    An end outside the axis is drawn as an arrow head. An estimate of 0 has no bar, because the axis has no length.

    Examples
    --------
    >>> interval_svg(100, 90, 120).count("<rect"), interval_svg(100, 90, 120).count("<polygon")
    (1, 0)
    >>> interval_svg(100, 90, 250).count("<polygon"), interval_svg(0, 0, 3)
    (1, '')
    """
    if value <= 0:
        return ""
    middle, top = _HEIGHT / 2, (_HEIGHT - _BAR) / 2
    errors = low / value - 1, high / value - 1
    left, right = (_WIDTH * (0.5 + error / (2.2 * reach)) for error in errors)
    first, last = max(0.0, left), min(float(_WIDTH), right)
    heads = ""
    if left < 0:
        first = float(_BAR)
        heads += f'<polygon points="0,{middle:g} {_BAR},{top - 2:g} {_BAR},{top + _BAR + 2:g}"/>'
    if right > _WIDTH:
        last = float(_WIDTH - _BAR)
        heads += f'<polygon points="{_WIDTH},{middle:g} {last:g},{top - 2:g} {last:g},{top + _BAR + 2:g}"/>'
    label = " to ".join(f"{100 * error:+.2g}%".replace("-", "−") for error in errors)
    return (
        f'<svg class="interval" viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" height="{_HEIGHT}" role="img" '
        f'aria-label="{label}"><path class="axis" d="M0 {middle:g}H{_WIDTH}"/>'
        f'<rect x="{first:.2f}" y="{top:g}" width="{max(1.0, last - first):.2f}" height="{_BAR}"/>{heads}'
        f'<path class="value" d="M{_WIDTH / 2:g} 1V{_HEIGHT - 1}"/></svg>'
    )
