"""The tables of the page on formats say what the declarations say."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

from triadic.io import FORMATS

PAGE = Path(__file__).parents[2] / "docs" / "formats.md"


def tables():
    """The rows of each table of the page, by the name of the format in the first column."""
    found = []
    for line in PAGE.read_text().splitlines():
        cells = [cell.strip() for cell in line.split("|")[1:-1]]
        if cells[:1] == ["name"]:
            found.append({})
        elif cells and cells[0].startswith("`"):
            found[-1][cells[0].strip("`")] = cells[1:]
    return found


def test_each_table_lists_every_format_in_order():
    written = [name for name, known in FORMATS.items() if known.write is not None]
    assert [list(table) for table in tables()] == [list(FORMATS), list(FORMATS), written]


def test_suffixes_are_those_of_the_declarations():
    for name, (suffixes, *_) in tables()[0].items():
        assert tuple(suffixes.removesuffix(", any other").strip("`").split()) == FORMATS[name].suffixes


def test_what_each_format_can_do_is_declared():
    for name, cells in tables()[1].items():
        known = FORMATS[name]
        expected = [
            "yes" if part else "no"
            for part in (known.stream or known.blocks, known.sample or known.blocks, known.write)
        ]
        expected.append("" if known.write is None else "yes" if known.packed else "no")
        assert cells == expected, name


def test_what_each_format_keeps_is_declared():
    for name, cells in tables()[2].items():
        keeps = FORMATS[name].keeps
        assert cells == [getattr(keeps, field.name) or "no" for field in fields(keeps)], name
