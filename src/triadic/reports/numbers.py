"""Numbers formatted for readers."""

from __future__ import annotations

from math import floor, isfinite, log10

NO_BREAK = "\u00a0"  # a space at which no line ends
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
    """Format a z-score with its sign.

    Examples
    --------
    >>> format_score(-3.14159), format_score(12345.6), format_score(0.01), format_score(float("nan"))
    ('−3.1', '+12,346', '0.0', '–')
    """
    if not isfinite(value):
        return "–"
    text = f"{value:+,.0f}" if abs(value) >= 1000 else f"{value:+.1f}"
    return text[1:] if text in ("+0.0", "-0.0") else text.replace("-", "−")


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


def format_p(p: float, resolution: float) -> str:
    """Format a p-value; at the smallest value that the samples allow, only its bound is known.

    Examples
    --------
    >>> [format_p(p, 0.0198).replace(NO_BREAK, " ") for p in (0.0198, 0.3466)]
    ['≤ 0.02', '0.35']
    """
    return f"≤{NO_BREAK}{p:.2g}" if p <= resolution else f"{p:.2g}"


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
    >>> [format_ratio(ratio) for ratio in (3.94, 0.4512, 1.031, 0.999, 1.0)]
    ['3.9 times as often as', '0.45 times as often as', '3.1% more often than', '0.1% less often than', 'as often as']
    """
    if ratio == 1:
        return "as often as"
    if 0.9 < ratio < 1.1:
        share = f"{abs(ratio - 1):.1%}" if abs(ratio - 1) >= 1e-3 else "slightly"
        return f"{share} {'more' if ratio > 1 else 'less'} often than"
    return f"{ratio:,.0f} times as often as" if ratio >= 10 else f"{ratio:.2g} times as often as"


def format_multiple(ratio: float) -> str:
    """Format a ratio in a column of ratios.

    Examples
    --------
    >>> [format_multiple(ratio) for ratio in (1.0, 3.549, 0.0712, 167.3, 1234.5, 0.0)]
    ['1.00', '3.55', '0.071', '167', '1,234', '0.00']
    """
    return f"{ratio:,.0f}" if ratio >= 100 else f"{ratio:.2f}" if ratio >= 0.1 or not ratio else f"{ratio:.2g}"


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
