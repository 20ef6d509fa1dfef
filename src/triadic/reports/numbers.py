"""Numbers as a reader takes them in."""

from __future__ import annotations

from math import floor, isfinite, log10

_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def about(value: float) -> str:
    """Write a mean or a standard deviation: whole where it is large, a power of ten where it is huge or tiny.

    Examples
    --------
    >>> about(1234.5), about(0.1234), about(2.5e15), about(1.2e-7), about(0.0), about(float("nan"))
    ('1,234', '0.123', '2.50 × 10¹⁵', '1.20 × 10⁻⁷', '0', '–')
    """
    if not isfinite(value):
        return "–"
    if value and not 1e-3 <= abs(value) < 1e15:
        power = floor(log10(abs(value)))
        return f"{value / 10.0**power:.2f} × 10{str(power).translate(_RAISED)}"
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"


def score(value: float) -> str:
    """Write a z-score.

    Examples
    --------
    >>> score(-3.14159), score(12345.6), score(float("nan"))
    ('−3.1', '12,346', '–')
    """
    if not isfinite(value):
        return "–"
    return (f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.1f}").replace("-", "−")


def coefficient(value: float) -> str:
    """Write a share or a coefficient.

    Examples
    --------
    >>> coefficient(0.123456), coefficient(0.0), coefficient(0.0000123), coefficient(float("nan"))
    ('0.1235', '0', '1.23 × 10⁻⁵', '–')
    """
    return f"{value:.4f}" if 1e-3 <= value <= 1 else about(value)


def duration(seconds: float) -> str:
    """Write a time.

    Examples
    --------
    >>> duration(0.0123), duration(1.5), duration(75.0)
    ('0.012 s', '1.50 s', '75 s')
    """
    return f"{seconds:.3f} s" if seconds < 1 else f"{seconds:.2f} s" if seconds < 10 else f"{seconds:,.0f} s"
