"""JSON objects in files that verify themselves: headers, checkpoints and the progress of counts."""

from __future__ import annotations

import json
from typing import Any

from triadic.core.checksum import checksum

_KEY = "checksum"


def seal(content: dict[str, Any]) -> bytes:
    """Return an object as JSON, with the checksum of its content.

    Examples
    --------
    >>> unseal(seal({"vertices": 3}))
    {'vertices': 3}
    """
    return f"{json.dumps({**content, _KEY: _checksum(content)}, indent=1)}\n".encode()


def unseal(text: bytes) -> dict[str, Any]:
    """Return the object that `seal` wrote.

    Raises
    ------
    ValueError
        If the text is not a JSON object, or does not have its checksum.

    Examples
    --------
    >>> unseal(seal({"vertices": 3}).replace(b"3", b"4"))
    Traceback (most recent call last):
    ValueError: it does not have its checksum
    """
    try:
        content = json.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    if not isinstance(content, dict):
        raise ValueError("it is not a JSON object")  # noqa: TRY004 - all damage is a ValueError, as json.loads raises
    stated = content.pop(_KEY, None)
    if stated != _checksum(content):
        raise ValueError("it does not have its checksum")
    return content


def is_sealed(text: bytes) -> bool:
    """Whether a text states a checksum, right or wrong."""
    return f'"{_KEY}":'.encode() in text


def _checksum(content: dict[str, Any]) -> int:
    return checksum([json.dumps(content).encode()])
