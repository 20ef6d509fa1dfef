"""What the first pass over a file decoded, kept for the next passes as far as there is room."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

Part = TypeVar("Part")


class Kept(Generic[Part]):
    """All parts that a pass gives, or none.

    Parameters
    ----------
    room : int
        Bytes that they may take together.
    size : callable
        Gives the bytes of a part.

    Attributes
    ----------
    parts : list or None
        What is kept.
    nbytes : int
        Bytes that it takes.

    Examples
    --------
    >>> kept = Kept(10, len)
    >>> list(kept.noting([b"four", b"six"])), kept.nbytes, kept.parts
    ([b'four', b'six'], 7, [b'four', b'six'])
    >>> list(kept.noting([b"four", b"and eight"])), kept.nbytes, kept.parts
    ([b'four', b'and eight'], 0, None)
    """

    def __init__(self, room: int, size: Callable[[Part], int]) -> None:
        self._room, self._size = room, size
        self.parts: list[Part] | None = None
        self.nbytes = 0

    def noting(self, parts: Iterable[Part]) -> Iterator[Part]:
        """Yield the parts of a pass, and keep them once it ends; none of them if they become too many."""
        self.parts, self.nbytes = None, 0
        noted: list[Part] | None = [] if self._room > 0 else None
        for part in parts:
            if noted is not None:
                noted.append(part)
                self.nbytes += self._size(part)
                if self.nbytes > self._room:
                    noted, self.nbytes = None, 0
            yield part
        self.parts = noted
