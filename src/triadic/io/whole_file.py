"""Files that appear complete or not at all: written under a temporary name in the same folder, then renamed."""

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
    """Yield a temporary path to write to; the file replaces ``path`` when the block ends without an error.

    Parameters
    ----------
    path : path-like

    Yields
    ------
    pathlib.Path
        Path in the same folder.

    Raises
    ------
    WriteError
        The file cannot be written. A file that was at ``path`` is untouched, and no temporary file is left.

    Examples
    --------
    >>> with whole_file("edges.txt") as temporary:
    ...     _ = temporary.write_text("1 2")
    >>> Path("edges.txt").read_text()
    '1 2'
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
    """Yield a stream to write a file to, packed if its name ends in ``.gz`` or ``.zst``, as :func:`whole_file` does.

    Parameters
    ----------
    path : path-like

    Yields
    ------
    pyarrow.NativeFile

    Raises
    ------
    WriteError
        The file cannot be written. A file that was at ``path`` is untouched, and no temporary file is left.
    """
    import pyarrow as pa  # noqa: PLC0415 - slow to import, and not needed for triadic's own format

    with (
        whole_file(path) as temporary,
        pa.output_stream(temporary, compression=suffix_of(os.fspath(path))[1]) as stream,
    ):
        yield stream


@contextmanager
def whole_folder(path: str | os.PathLike[str], *, replaceable: Callable[[Path], bool]) -> Iterator[Path]:
    """Yield a temporary folder to fill; it replaces ``path`` when the block ends without an error.

    A folder cannot be renamed over another one that holds files. The old folder is therefore renamed first, and renamed
    back if the new one cannot take its place.

    Parameters
    ----------
    path : path-like
    replaceable : callable
        Called with ``path``; returns whether the file or folder there may be replaced.

    Yields
    ------
    pathlib.Path
        Empty folder in the same folder as ``path``.

    Raises
    ------
    WriteError
        The folder cannot be written, or ``path`` may not be replaced. A file or folder that was there is untouched.
    """
    target = Path(path)
    with _named_errors(target):
        if target.exists() and not replaceable(target):
            raise WriteError(f"{target}: exists and is not a graph in triadic's own format; expected a new name")
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
