"""A column that states for each edge whether it is directed: the column ``Type`` of the tables that Gephi exports."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from triadic.io.file_source import Source
    from triadic.io.text_layout import Layout

_DIRECTIONS = {"directed": True, "undirected": False}
_PROBLEM = (
    "the column 'Type' does not state one direction for all edges; expected Directed or Undirected in every row, or "
    "directed=True or directed=False (--directed or --undirected), which then holds for all edges"
)


def stated_kind(source: Source, names: tuple[str, ...], rows: list[list[str]]) -> tuple[int | None, bool | None]:
    """Return the index of the column and the direction that it states in the first rows; None without such a column.

    Parameters
    ----------
    source : Source
        Names the file in an error.
    names : tuple of str
        Names of the columns.
    rows : list of list of str
        Cells of the first rows.

    Raises
    ------
    ReadError
        The rows state both directions.
    """
    kinds = [i for i, name in enumerate(names) if name.lower() == "type"]
    if len(kinds) != 1:
        return None, None
    found = {row[kinds[0]].lower() for row in rows if kinds[0] < len(row)}
    if not found or not found <= _DIRECTIONS.keys():
        return None, None
    if len(found) > 1:
        raise source.error(_PROBLEM)
    return kinds[0], _DIRECTIONS[found.pop()]


def refuse_mixed_kinds(source: Source, table: Any, layout: Layout) -> None:  # noqa: ANN401 - pyarrow has no types
    """Raise a ReadError if a row of a table states another direction than the first rows."""
    kinds = {str(kind).strip().lower() for chunk in table["kind"].chunks for kind in chunk.dictionary.to_pylist()}
    if any(_DIRECTIONS.get(kind) is not layout.directed for kind in kinds):
        raise source.error(_PROBLEM)
