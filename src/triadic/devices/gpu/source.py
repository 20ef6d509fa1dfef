"""The kernels' sources: a prelude of macros before one C file a kernel, the same text for every runtime."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files

_HERE = "triadic.devices.gpu"


@dataclass(frozen=True, slots=True)
class Source:
    """A kernel file and what is defined for it.

    Attributes
    ----------
    file : str
        Name of the file, without suffix.
    defines : tuple of (str, int)
        Names and values.
    headers : tuple of str
        Names of the headers that stand before it, after the prelude, without suffix.
    package : str
        Where the file lies; the prelude and the headers lie beside this module.
    """

    file: str
    defines: tuple[tuple[str, int], ...] = ()
    headers: tuple[str, ...] = ()
    package: str = _HERE

    def text(self, teams: int) -> str:
        """Give the whole source for blocks of so many teams."""
        defines = "".join(f"#define {name} {value}\n" for name, value in (("TEAMS", teams), *self.defines))
        headers = "".join(_read(_HERE, f"{name}.h") for name in ("prelude", *self.headers))
        return defines + headers + _read(self.package, f"{self.file}.c")


@cache
def _read(package: str, name: str) -> str:
    return files(package).joinpath(name).read_text(encoding="utf-8")
