"""A column that states for each edge whether it is directed: the column ``Type`` of the tables that Gephi exports.

A column named ``directed`` holds true or false, yes or no, or 1 or 0.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from triadic.io.file_source import Source

_DIRECTIONS = {"directed": True, "undirected": False}
_TRUE, _FALSE = ("true", "t", "yes", "1", "1.0"), ("false", "f", "no", "0", "0.0")
_TRUTHS = dict.fromkeys(_TRUE, True) | dict.fromkeys(_FALSE, False)
_WORDS = {"type": _DIRECTIONS, "directed": _DIRECTIONS | _TRUTHS}
_ACCEPTED = {"Type": "Directed or Undirected", "directed": "true or false"}


def stated_kind(
    source: Source, names: tuple[str, ...], rows: list[list[str]], weight: int | None
) -> tuple[int | None, bool | None]:
    """Return the index of the column and the direction that it states in the first rows; None without such a column.

    Parameters
    ----------
    source : Source
        Names the file in an error.
    names : tuple of str
        Names of the columns.
    rows : list of list of str
        Cells of the first rows.
    weight : int or None
        Index of the column of weights, which states no direction.

    Raises
    ------
    ReadError
        The rows state both directions.
    """
    for wanted, words in _WORDS.items():
        kinds = [i for i, name in enumerate(names) if name.lower() == wanted and i != weight]
        if len(kinds) != 1:
            continue
        found = {row[kinds[0]].lower() for row in rows if kinds[0] < len(row)}
        if not found or not found <= words.keys():
            continue
        directions = {words[word] for word in found}
        if len(directions) > 1:
            raise source.error(_problem(found))
        return kinds[0], directions.pop()
    return None, None


def refuse_mixed_kinds(source: Source, table: Any, *, directed: bool | None) -> None:  # noqa: ANN401 - as pyarrow is
    """Raise a ReadError if a row of a table states another direction than the first rows, which state `directed`."""
    kinds = {str(kind).strip(' "').lower() for chunk in table["kind"].chunks for kind in chunk.dictionary.to_pylist()}
    if any(_WORDS["directed"].get(kind) is not directed for kind in kinds):
        raise source.error(_problem(kinds))


def _problem(kinds: set[str]) -> str:
    """Return what is wrong with some words of the column, of which not all state the same direction."""
    name = "Type" if kinds.isdisjoint(_TRUTHS) else "directed"
    return (
        f"the column {name!r} does not state one direction for all edges; expected {_ACCEPTED[name]} in every row, or "
        "directed=True or directed=False (--directed or --undirected), which then holds for all edges"
    )
