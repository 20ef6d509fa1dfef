"""The recipe for conda asks for the packages that pyproject.toml asks for."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
NAMES_ON_CONDA_FORGE = {"xxhash": "python-xxhash"}


def split(requirement):
    name, version = re.fullmatch(r"([\w.-]+)\s*(.*)", requirement).groups()
    return name, version


def test_it_asks_for_the_packages_of_the_project():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    wanted = {NAMES_ON_CONDA_FORGE.get(name, name): version for name, version in map(split, project)}
    recipe = (ROOT / "conda" / "recipe.yaml").read_text()
    run = re.search(r"\n  run:\n((?:    - .*\n)+)", recipe).group(1)
    asked = dict(split(line.removeprefix("    - ")) for line in run.splitlines())
    asked.pop("python")
    assert asked == wanted
