"""docs/reference/vocabulary.md, compared with the signatures of public functions, the registry and the commands."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import pytest

import triadic
from triadic.cli.application import application
from triadic.measures.registry import NAMES, countable

PAGE = (Path(__file__).parents[1] / "docs" / "reference" / "vocabulary.md").read_text()
COUNTED, KEYWORDS = (
    [line.split("|")[1:-1] for line in part.splitlines() if line.startswith("| `")]
    for part in (PAGE[PAGE.index("## What") : PAGE.index("## Keywords")], PAGE[PAGE.index("## Keywords") :])
)
MEANINGS = {name: row[1].strip() for row in KEYWORDS for name in re.findall(r"`(\w+)`", row[0])}
FUNCTIONS = {name: getattr(triadic, name) for name in triadic.__all__ if inspect.isfunction(getattr(triadic, name))}
CLASSES = [name for name in triadic.__all__ if inspect.isclass(getattr(triadic, name))]


def test_the_page_lists_what_can_be_counted():
    names = [re.findall(r"`(\w+)`", row[0])[0] for row in COUNTED]
    assert names == [*NAMES, "motifs"]


@pytest.mark.parametrize("place", [1, 2, 3])
def test_the_page_says_where_it_is_counted(place):
    having = ("measure", "columns", "edges")[place - 1]
    said = {re.findall(r"`(\w+)`", row[0])[0]: bool(row[place].strip()) for row in COUNTED[:-1]}
    assert said == {name: getattr(countable(name), having) is not None for name in NAMES}


def test_every_keyword_of_a_public_function_has_one_meaning_on_the_page():
    used = {name for function in FUNCTIONS.values() for name in inspect.signature(function).parameters}
    assert used == MEANINGS.keys()


def test_names_of_older_interfaces_are_gone():
    gone = {"within", "measures", "measure", "graphlets", "orbits", "network", "networks", "batch_a", "batch_b"}
    for name, function in FUNCTIONS.items():
        assert not gone & set(inspect.signature(function).parameters), name


def test_few_names_are_public():
    assert len(FUNCTIONS) <= 48
    assert len(CLASSES) <= 17


def test_results_are_mappings_and_no_tuples():
    for name in CLASSES:
        assert not issubclass(getattr(triadic, name), tuple), name


def test_options_of_commands_that_are_keywords_are_spelled_like_them():
    """Where a command has an option for a keyword, it has its name; other options belong to the terminal."""
    gone = {"--within", "--draws", "--max-draws", "--graphlets", "--null-weights"}
    for command in application.registered_commands:
        parameters = inspect.signature(command.callback).parameters.values()
        names = {declared for each in parameters for declared in getattr(each.default, "param_decls", None) or ()}
        assert not gone & names, command.name
