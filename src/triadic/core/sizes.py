"""Parse and format sizes in bytes."""

from __future__ import annotations

import re

from triadic.errors import ArgumentError

_UNITS = {
    "": 1,
    "B": 1,
    **{f"{letter}{unit}": 1000 ** (i + 1) for i, letter in enumerate("KMGT") for unit in ("", "B")},
    **{f"{letter}{unit}": 1024 ** (i + 1) for i, letter in enumerate("KMGT") for unit in ("I", "IB")},
}
_SIZE = re.compile(r"\s*(\d+(?:\.\d+)?)\s*([A-Za-z]*)\s*")


def parse_bytes(size: str | int, name: str = "memory") -> int:
    """Return the number of bytes of a size such as ``2GB``.

    Parameters
    ----------
    size : str or int
        A number of bytes, or a number and a unit: kB, MB, GB, TB (powers of 1000) or KiB, MiB, GiB, TiB (powers of
        1024), in upper or lower case, with or without the B.
    name : str, default "memory"
        Name of the argument, for the error message.

    Returns
    -------
    int
        Bytes, at least 1.

    Raises
    ------
    ArgumentError
        If the size cannot be parsed, or is less than 1 or at least 2**63.

    Examples
    --------
    >>> parse_bytes("2GB"), parse_bytes("1.5 MiB"), parse_bytes(4096)
    (2000000000, 1572864, 4096)
    """
    if isinstance(size, str):
        found = _SIZE.fullmatch(size)
        unit = None if found is None else _UNITS.get(found[2].upper())
        count = 0 if found is None or unit is None else int(float(found[1]) * unit)
    else:
        count = size if isinstance(size, int) and not isinstance(size, bool) else 0
    if not 0 < count < 2**63:
        raise ArgumentError(f"{name}={size!r}: expected a size such as 2GB, 500MB or 1GiB")
    return count


def show_bytes(count: int) -> str:
    """Format a number of bytes with about three digits; `parse_bytes` parses the text.

    Examples
    --------
    >>> show_bytes(999), show_bytes(2_000_000_000), show_bytes(123_456_789)
    ('999 B', '2.00 GB', '123 MB')
    """
    if count < 1000:
        return f"{count} B"
    size, unit = float(count), "B"
    for unit in ("kB", "MB", "GB", "TB"):  # noqa: B007 - used after the loop
        size /= 1000
        if size < 999.5:
            break
    digits = max(0, 3 - len(str(int(size))))
    return f"{size:,.{digits}f} {unit}"
