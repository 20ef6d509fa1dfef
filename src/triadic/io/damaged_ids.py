"""Ids that a program changed before it wrote them: whole numbers as 1.0 or 7.2E+17, and missing values as names.

Table programs write the whole numbers of a column with a missing value as 1.0. If the ids of the other column are
written as 1, the two are different names. Spreadsheets round ids of more than 15 digits and write them as 7.2E+17.
Names are left as they are unless all of them are numbers or missing values.
"""

from __future__ import annotations

import re
import warnings
from typing import TYPE_CHECKING

from triadic.devices.select import stack_level_of_caller
from triadic.errors import ReadWarning
from triadic.io.text_layout import INTEGER, short

if TYPE_CHECKING:
    from collections.abc import Sequence

SKIP = 'bad_rows="skip" (--bad-rows skip) leaves out rows that cannot be read'
"""The end of errors for such rows."""
_NUMBER = re.compile(r"-?[0-9]+(?:[.,][0-9]*)?(?:[eE][+-]?[0-9]+)?\Z")
_WHOLE = re.compile(r"-?[0-9]+[.,]0*\Z")
_FOOTERS = frozenset(("total", "sum", "count", "end", "eof"))
_MISSING = frozenset(("NA", "N/A", "#N/A", "<NA>", "NaN", "nan", "NULL", "null", "None"))


class IdCheck:
    """A check of the names in the two columns of ids, added chunk by chunk.

    Examples
    --------
    >>> check = IdCheck()
    >>> check.add(["1", "2", "3.0"])
    >>> check.problem()[:35]
    "found the id '3.0' among whole numb"
    """

    def __init__(self) -> None:
        self._all_numbers = True
        self._whole = self._rounded = self._missing = self._footer = ""

    def add(self, names: Sequence[str]) -> None:
        """Add some different names."""
        self._missing = self._missing or min(_MISSING.intersection(names), default="")
        if not self._all_numbers:
            return
        for name in names:
            if INTEGER.match(name) or name in _MISSING:
                continue
            if name.rstrip(":").lower() in _FOOTERS:
                self._footer = self._footer or name
                continue
            if not _NUMBER.match(name):
                self._all_numbers = False
                return
            if "e" in name or "E" in name:
                self._rounded = self._rounded or name
            elif _WHOLE.match(name):
                self._whole = self._whole or name

    def problem(self) -> str | None:
        """Return what is wrong with the ids; None if nothing is."""
        if not self._all_numbers:
            return None
        if self._rounded:
            return (
                f"found the id {short(self._rounded)}, which has lost digits; expected whole numbers, which a "
                "spreadsheet writes if their column is formatted as text"
            )
        if self._whole:
            return (
                f"found the id {short(self._whole)} among whole numbers, expected ids without a point, as pandas "
                "writes them after .astype('Int64')"
            )
        if self._footer:
            found = f"found {short(self._footer)} among whole numbers"
            return f"{found}; if it is a footer, remove it or begin it with '#'; {SKIP}"
        if self._missing:
            found = f"found {short(self._missing)} among whole numbers"
            return f"{found}, expected an id; remove rows without two ends; {SKIP}"
        return None

    def warn(self, path: str) -> None:
        """Warn of a name that usually stands for a missing value."""
        if self._missing and not self._all_numbers:
            warnings.warn(
                ReadWarning(
                    f"{path}: the name {self._missing!r} is read as a vertex; if it is a missing value, remove its rows"
                ),
                stacklevel=stack_level_of_caller(),
            )
