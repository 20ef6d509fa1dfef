"""The kernels' sources: a prelude of macros before one C file a kernel, the same text for every runtime."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files


@dataclass(frozen=True, slots=True)
class Source:
    """A kernel file and what is defined for it.

    Attributes
    ----------
    file : str
        Name of the file beside this module, without suffix.
    defines : tuple of (str, int)
        Names and values.
    headers : tuple of str
        Names of the headers that stand before it, after the prelude, without suffix.
    """

    file: str
    defines: tuple[tuple[str, int], ...] = ()
    headers: tuple[str, ...] = ()

    def text(self, teams: int) -> str:
        """Give the whole source for blocks of so many teams."""
        defines = "".join(f"#define {name} {value}\n" for name, value in (("TEAMS", teams), *self.defines))
        headers = "".join(_read(f"{name}.h") for name in ("prelude", *self.headers))
        return defines + headers + _read(f"{self.file}.c")


@cache
def _read(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")
