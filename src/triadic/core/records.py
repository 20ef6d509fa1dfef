"""Decorators of classes that hold fields and never change, and of attributes that are computed at their first use.

`record` is for classes of which each object equals itself alone, `value_class` for those whose objects are equal if
their fields are, and `cached_property` for attributes.
"""

from __future__ import annotations

import functools
from contextlib import nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable
    from dataclasses import dataclass as record
    from dataclasses import dataclass as value_class
else:
    # Records are equal if they are the same one: their arrays do not compare.
    record = functools.partial(dataclass, frozen=True, slots=True, eq=False)
    value_class = functools.partial(dataclass, frozen=True, slots=True)

__all__ = ["cached_property", "record", "value_class"]

Value = TypeVar("Value")


class cached_property(functools.cached_property[Value]):  # noqa: N801 - named as the class that it replaces
    """An attribute that is computed at its first use and then kept.

    Before Python 3.12, `functools.cached_property` holds one lock for all objects of a class while it computes. Threads
    that count in different graphs then wait for one another, and a process that is forked while another thread holds
    the lock waits forever. Here, threads that use an attribute at the same time may compute it more than once.

    Parameters
    ----------
    compute : callable
        The method that computes the value.

    Examples
    --------
    >>> class Square:
    ...     @cached_property
    ...     def area(self):
    ...         print("computed")
    ...         return 4
    >>> square = Square()
    >>> square.area, square.area
    computed
    (4, 4)
    """

    def __init__(self, compute: Callable[[Any], Value]) -> None:
        super().__init__(compute)
        self.lock = nullcontext()  # unused from Python 3.12 on
