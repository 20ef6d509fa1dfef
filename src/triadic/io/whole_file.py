"""A written file appears whole or not at all: written under a temporary name beside it, then renamed."""

from __future__ import annotations

import os
import secrets
import shutil
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from triadic.errors import TriadicError, WriteError
from triadic.io.file_source import suffix_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import pyarrow as pa


@contextmanager
def whole_file(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Give a temporary path to write a file at; it takes the place of ``path`` when the block ends well.

    Parameters
    ----------
    path : path-like

    Yields
    ------
    pathlib.Path
        Where to write, in the same folder.

    Raises
    ------
    WriteError
        The file cannot be written. What stood at ``path`` before is untouched and nothing is left beside it.

    Examples
    --------
    >>> folder = getfixture("tmp_path")
    >>> with whole_file(folder / "a.txt") as temporary:
    ...     _ = temporary.write_text("1 2")
    >>> [file.name for file in folder.iterdir()]
    ['a.txt']
    """
    target = Path(path)
    if target.is_dir():
        raise WriteError(f"{target}: is a folder; expected the name of a file to write")
    with _named_errors(target):
        temporary = _beside(target)
        try:
            yield temporary
            temporary.replace(target)
        finally:
            with suppress(OSError):
                temporary.unlink(missing_ok=True)


@contextmanager
def whole_stream(path: str | os.PathLike[str]) -> Iterator[pa.NativeFile]:
    """Give a stream to write a file to, packed if its name ends in ``.gz`` or ``.zst``; as :func:`whole_file`.

    Parameters
    ----------
    path : path-like

    Yields
    ------
    pyarrow.NativeFile

    Raises
    ------
    WriteError
        As :func:`whole_file`.
    """
    import pyarrow as pa  # noqa: PLC0415 - slow to import, and a graph of triadic's own format does without

    with (
        whole_file(path) as temporary,
        pa.output_stream(temporary, compression=suffix_of(os.fspath(path))[1]) as stream,
    ):
        yield stream


@contextmanager
def whole_folder(path: str | os.PathLike[str], *, replaceable: Callable[[Path], bool]) -> Iterator[Path]:
    """Give a temporary folder to fill; it takes the place of ``path`` when the block ends well.

    A folder cannot be renamed over one that holds files, so the old one steps aside first and comes back
    if the new one cannot take its place.

    Parameters
    ----------
    path : path-like
    replaceable : callable
        Says whether what stands at ``path`` may be replaced.

    Yields
    ------
    pathlib.Path
        An empty folder beside ``path``.

    Raises
    ------
    WriteError
        The folder cannot be written, or something else stands there. What stood there before is untouched.
    """
    target = Path(path)
    with _named_errors(target):
        if target.exists() and not replaceable(target):
            raise WriteError(f"{target}: something else stands there; expected a new name or a graph of triadic's own")
        temporary = _beside(target)
        temporary.mkdir()
        try:
            yield temporary
            _swap(temporary, target)
        finally:
            shutil.rmtree(temporary, ignore_errors=True)


def _swap(new: Path, target: Path) -> None:
    if not target.exists():
        new.replace(target)
        return
    old = _beside(target)
    target.replace(old)
    try:
        new.replace(target)
    except OSError:
        old.replace(target)
        raise
    shutil.rmtree(old, ignore_errors=True)


def _beside(target: Path) -> Path:
    return target.with_name(f".{target.name[:100]}.{os.getpid()}-{secrets.token_hex(4)}.tmp")


@contextmanager
def _named_errors(target: Path) -> Iterator[None]:
    try:
        yield
    except TriadicError:
        raise
    except (OSError, UnicodeEncodeError) as error:
        words = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise WriteError(f"{target}: cannot be written: {' '.join(words.split())}") from error
