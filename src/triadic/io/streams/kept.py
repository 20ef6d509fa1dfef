"""What the first pass over a file decoded, kept for the next passes as far as there is room."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar

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
        self.forget()
        noted: list[Part] | None = [] if self._room > 0 else None
        taken = 0
        for part in parts:
            if noted is not None:
                noted.append(part)
                taken += self._size(part)
                if taken > self._room:
                    noted = None
            yield part
        if noted is not None:
            self.parts, self.nbytes = noted, taken

    def or_read(self, read: Callable[[], Iterable[Part]]) -> Iterable[Part]:
        """Give what is kept; where nothing is, what `read` gives."""
        return read() if self.parts is None else self.parts

    def forget(self) -> None:
        """Keep nothing any longer."""
        self.parts, self.nbytes = None, 0


class Keeping:
    """A stream that keeps what its first pass gave in ``_kept``."""

    _kept: Kept[Any]

    @property
    def held_bytes(self) -> int:
        """Bytes that are kept for the next pass."""
        return self._kept.nbytes

    def forget(self) -> None:
        """Keep them no longer."""
        self._kept.forget()


class KeepingNothing:
    """A stream that begins anew with each pass."""

    held_bytes = 0

    def forget(self) -> None:
        """Nothing is kept."""
