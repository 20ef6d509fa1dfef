"""Numbers set in type: those of `triadic.core.formatting` with a minus sign, powers of ten and a dash for no number."""

from __future__ import annotations

from math import floor, log10
from typing import NamedTuple

from triadic.core import formatting

NO_BREAK = "\u00a0"  # a space at which no line ends
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


class Fact(NamedTuple):
    """A name, its value, and an explanation."""

    name: str
    value: str
    note: str = ""


def format_number(value: float) -> str:
    """Format a mean or a standard deviation: without decimals if it is large, with a power of ten if huge or tiny.

    Examples
    --------
    >>> [format_number(value) for value in (1234.5, 0.1234, 2.5e15, 1.2e-7, 0.0, float("nan"))]
    ['1,234', '0.1234', '2.5 × 10¹⁵', '1.2 × 10⁻⁷', '0', '–']
    """
    return typeset(formatting.format_mean(value))


def format_score(value: float) -> str:
    """Format a z-score with its sign.

    Examples
    --------
    >>> format_score(-3.14159), format_score(12345.6), format_score(0.001), format_score(float("nan"))
    ('−3.14', '+12,345.60', '0.00', '–')
    """
    text = typeset(formatting.format_z(value))
    return f"+{text}" if round(value, 2) > 0 else text


def unbroken(number: str) -> str:
    """Set a probability in type, on one line.

    Examples
    --------
    >>> [unbroken(formatting.format_p(p, 2 / 101)).replace(NO_BREAK, " ") for p in (2 / 101, 4 / 101)]
    ['≤ 0.02', '0.0396']
    """
    return typeset(number).replace(" ", NO_BREAK)


def typeset(number: str) -> str:
    """Set a number in type.

    Examples
    --------
    >>> typeset("-2.5e+15"), typeset("1e-07"), typeset("undefined")
    ('−2.5 × 10¹⁵', '1 × 10⁻⁷', '–')
    """
    if number in (formatting.UNDEFINED, "inf", "-inf"):
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


def format_spread(mean: float, std: float) -> str:
    """Format a mean with its standard deviation, both to the second digit of the deviation.

    Examples
    --------
    >>> pairs = [(0.12703, 0.00957), (12345.6, 345.6), (7.0, 0.0), (2.5e15, 1e14)]
    >>> [format_spread(*pair).replace(NO_BREAK, " ") for pair in pairs]
    ['0.1270 ± 0.0096', '12,346 ± 346', '7', '(2.50 ± 0.10) × 10¹⁵']
    """
    if not std > 0:
        return format_number(mean)
    power = floor(log10(max(abs(mean), std)))
    if not -5 <= power < 15:
        unit = 10.0**power
        return f"({format_spread(mean / unit, std / unit)}){NO_BREAK}×{NO_BREAK}10{str(power).translate(_RAISED)}"
    digits = max(0, 1 - floor(log10(std)))
    return f"{mean:,.{digits}f}{NO_BREAK}±{NO_BREAK}{std:,.{digits}f}"


def format_ratio(ratio: float) -> str:
    """Format how often something occurs, compared with how often it is expected, to stand before the expectation.

    Examples
    --------
    >>> [format_ratio(ratio) for ratio in (3.94, 9.97, 0.4512, 1.031, 1.0)]
    ['3.9 times as often as', '10 times as often as', '0.45 times as often as', '3.1% more often than', 'as often as']
    """
    if ratio == 1:
        return "as often as"
    if 0.9 < ratio < 1.1:
        share = f"{abs(ratio - 1):.1%}" if abs(ratio - 1) >= 1e-3 else "slightly"
        return f"{share} {'more' if ratio > 1 else 'less'} often than"
    if ratio < 0.01:
        return "less than 0.01 times as often as"
    return (
        f"{ratio:,.0f} times as often as" if ratio >= 9.95 else f"{ratio:.{1 if ratio > 1 else 2}f} times as often as"
    )


def format_multiple(ratio: float) -> str:
    """Format a ratio in a column of ratios.

    Examples
    --------
    >>> [format_multiple(ratio) for ratio in (1.0, 3.549, 0.0712, 167.3, 1234.5, 0.0)]
    ['1.00', '3.55', '0.071', '167', '1,234', '0.00']
    """
    if ratio >= 100:
        return f"{ratio:,.0f}"
    return f"{ratio:.2f}" if ratio >= 0.1 or not ratio else typeset(f"{ratio:.2g}")


def format_share(part: float, whole: float) -> str:
    """Format a share in percent; only a whole is 100%, and only nothing is 0%.

    Examples
    --------
    >>> [format_share(part, 3000) for part in (3000, 2999, 1500, 1, 0)]
    ['100%', '99.97%', '50.0%', '0.03%', '0%']
    """
    share = part / whole if whole else 0.0
    if share in (0, 1):
        return f"{share:.0%}"
    if 1e-3 <= share < 0.999:
        return f"{share:.1%}"
    return "more than 99.99%" if share > 0.9999 else "less than 0.01%" if share < 1e-4 else f"{share:.2%}"
