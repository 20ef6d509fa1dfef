"""Check the file of a command that writes a table of the vertices with ``-o``, before anything is counted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triadic.errors import ArgumentError

if TYPE_CHECKING:
    from pathlib import Path

    from triadic.core.formatting import CsvStyle


def check_output(output: Path | None, *, csv: CsvStyle) -> None:
    """Raise an error if a table cannot be written, or if an option of CSV has no table to change.

    Parameters
    ----------
    output : pathlib.Path or None
        File of ``-o``.
    csv : CsvStyle

    Raises
    ------
    ArgumentError
        The file has another suffix; or An option of CSV was given, and the file is no CSV or there is no file.
    WriteError
        The folder does not exist, or cannot be written to.
    """
    if output is not None:
        from triadic.io.tables import check_table

        check_table(output, csv=csv)
    elif csv.given:
        raise refusal_without_output(csv)


def names_folder(output: str, *, csv: CsvStyle) -> bool:
    """Return whether ``-o`` names a folder of Parquet files: a name that ends in ``/``, or a URL.

    Raises
    ------
    ArgumentError
        An option of CSV was given, and the output is a folder.
    """
    from triadic.tiles.stored_tiles import is_url

    if not output.endswith("/") and not is_url(output):
        return False
    if csv.given:
        raise ArgumentError(f"{csv.option}: the table is {output}; expected a name that ends in .csv")
    return True


def refusal_without_output(csv: CsvStyle) -> ArgumentError:
    """Return the error of an option of CSV without ``-o``: what a command prints is no CSV."""
    return ArgumentError(f"{csv.option}: expected -o FILE as well, with a name that ends in .csv")
