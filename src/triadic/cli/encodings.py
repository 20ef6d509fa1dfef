"""Which characters the output can show."""

from __future__ import annotations


def can_show(text: str, encoding: str) -> bool:
    """Say whether output in an encoding has every character of a text; none where Python does not know it.

    Examples
    --------
    >>> can_show("●──→●", "utf-8"), can_show("●──→●", "ascii")
    (True, False)
    """
    try:
        text.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True
