"""Numbers formatted for readers."""

from __future__ import annotations

from math import floor, isfinite, log10

_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def format_number(value: float) -> str:
    """Format a mean or a standard deviation: rounded if it is large, with a power of ten if it is huge or tiny.

    Examples
    --------
    >>> [format_number(value) for value in (1234.5, 0.1234, 2.5e15, 1.2e-7, 0.0, float("nan"))]
    ['1,234', '0.123', '2.50 × 10¹⁵', '1.20 × 10⁻⁷', '0', '–']
    """
    if not isfinite(value):
        return "–"
    if value and not 1e-3 <= abs(value) < 1e15:
        power = floor(log10(abs(value)))
        return f"{value / 10.0**power:.2f} × 10{str(power).translate(_RAISED)}"
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"


def format_score(value: float) -> str:
    """Format a z-score.

    Examples
    --------
    >>> format_score(-3.14159), format_score(12345.6), format_score(float("nan"))
    ('−3.1', '12,346', '–')
    """
    if not isfinite(value):
        return "–"
    return (f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.1f}").replace("-", "−")


def format_coefficient(value: float) -> str:
    """Format a share or a coefficient.

    Examples
    --------
    >>> [format_coefficient(value) for value in (0.123456, 0.0, 0.0000123, float("nan"))]
    ['0.1235', '0', '1.23 × 10⁻⁵', '–']
    """
    return f"{value:.4f}" if 1e-3 <= value <= 1 else format_number(value)


def format_duration(seconds: float) -> str:
    """Format a time in seconds.

    Examples
    --------
    >>> format_duration(0.0123), format_duration(1.5), format_duration(75.0)
    ('0.012 s', '1.50 s', '75 s')
    """
    return f"{seconds:.3f} s" if seconds < 1 else f"{seconds:.2f} s" if seconds < 10 else f"{seconds:,.0f} s"
