"""The names of types in error messages."""

from __future__ import annotations


def type_name(value: object) -> str:
    """Return the name of the type of an argument, for messages; the types of Python itself without their module.

    Examples
    --------
    >>> from decimal import Decimal
    >>> type_name(3), type_name(None), type_name(Decimal(1))
    ('int', 'None', 'decimal.Decimal')
    """
    kind = type(value)
    if value is None:
        return "None"
    return kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"
