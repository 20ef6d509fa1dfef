"""Numbers set in type: those of `triadic.core.numbers` with a minus sign, powers of ten and a dash for no number."""

from __future__ import annotations

from triadic.core import numbers

_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def format_number(value: float) -> str:
    """Format a mean or a standard deviation: without decimals if it is large, with a power of ten if huge or tiny.

    Examples
    --------
    >>> [format_number(value) for value in (1234.5, 0.1234, 2.5e15, 1.2e-7, 0.0, float("nan"))]
    ['1,234', '0.1234', '2.5 × 10¹⁵', '1.2 × 10⁻⁷', '0', '–']
    """
    return typeset(numbers.format_mean(value))


def format_score(value: float) -> str:
    """Format a z-score.

    Examples
    --------
    >>> format_score(-3.14159), format_score(12345.6), format_score(float("nan"))
    ('−3.14', '12,345.60', '–')
    """
    return typeset(numbers.format_z(value))


def format_p(p: float, resolution: float) -> str:
    """Format an empirical p-value; the smallest that the samples can resolve is an upper bound.

    Examples
    --------
    >>> format_p(2 / 101, 2 / 101), format_p(4 / 101, 2 / 101)
    ('≤ 0.02', '0.0396')
    """
    return typeset(numbers.format_p(p, resolution))


def typeset(number: str) -> str:
    """Set a number in type.

    Examples
    --------
    >>> typeset("-2.5e+15"), typeset("1e-07"), typeset("undefined")
    ('−2.5 × 10¹⁵', '1 × 10⁻⁷', '–')
    """
    if number in (numbers.UNDEFINED, "inf", "-inf"):
        return "–"
    digits, power, exponent = number.partition("e")
    raised = f" × 10{str(int(exponent)).translate(_RAISED)}" if power else ""
    return f"{digits.replace('-', '−')}{raised}"


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
