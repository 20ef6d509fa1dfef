"""Check the file of a command that writes a table of the vertices with ``-o``, before anything is counted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triadic.errors import ArgumentError

if TYPE_CHECKING:
    from pathlib import Path


def check_output(output: Path | None, *, spreadsheet_safe: bool) -> None:
    """Raise an error if a table cannot be written, or if ``--spreadsheet-safe`` has no table to change.

    Parameters
    ----------
    output : pathlib.Path or None
        File of ``-o``.
    spreadsheet_safe : bool
        Whether ``--spreadsheet-safe`` was given.

    Raises
    ------
    ArgumentError
        The file has another suffix; or ``--spreadsheet-safe`` was given, and the file is no CSV or there is no file.
    WriteError
        The folder does not exist, or cannot be written to.
    """
    if output is not None:
        from triadic.io.tables import check_table

        check_table(output, spreadsheet_safe=spreadsheet_safe)
    elif spreadsheet_safe:
        raise refusal_without_output()


def names_folder(output: str, *, spreadsheet_safe: bool) -> bool:
    """Return whether ``-o`` names a folder of Parquet files: a name that ends in ``/``, or a URL.

    Raises
    ------
    ArgumentError
        ``--spreadsheet-safe`` was given, and the output is a folder.
    """
    from triadic.tiles.stored_tiles import is_url

    if not output.endswith("/") and not is_url(output):
        return False
    if spreadsheet_safe:
        raise ArgumentError(f"--spreadsheet-safe: the table is {output}; expected a name that ends in .csv")
    return True


def refusal_without_output() -> ArgumentError:
    """Return the error of ``--spreadsheet-safe`` without ``-o``: what a command prints is no CSV."""
    return ArgumentError("--spreadsheet-safe: expected -o FILE as well, with a name that ends in .csv")
