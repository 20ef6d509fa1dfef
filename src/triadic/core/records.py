"""Decorators of classes that hold fields and never change: `record`, and `value_class` for those that compare equal."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dataclasses import dataclass as record
    from dataclasses import dataclass as value_class
else:
    # Records are equal if they are the same one: their arrays do not compare.
    record = partial(dataclass, frozen=True, slots=True, eq=False)
    value_class = partial(dataclass, frozen=True, slots=True)

__all__ = ["record", "value_class"]
