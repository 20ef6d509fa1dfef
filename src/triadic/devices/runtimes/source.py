"""The sources of kernels: a prelude of macros, headers, and a C file; the same text for every runtime."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files

_HERE = "triadic.devices.gpu"


@dataclass(frozen=True, slots=True)
class Source:
    """A file of kernels with its macros and headers.

    Attributes
    ----------
    file : str
        Name of the file, without suffix.
    defines : tuple of (str, int)
        Names and values of macros.
    headers : tuple of str
        Names of the headers between the prelude and the file, without suffix.
    package : str
        The package that has the file. The prelude and the headers lie beside this module.
    local_bytes : int
        Bytes of the array that the kernels declare with LOCAL_LARGE, which CUDA has to know at each launch.
    """

    file: str
    defines: tuple[tuple[str, int], ...] = ()
    headers: tuple[str, ...] = ()
    package: str = _HERE
    local_bytes: int = 0

    def text(self, teams: int) -> str:
        """Return the whole source for blocks of `teams` teams, or of TEAMS if the source defines it."""
        values = {"TEAMS": teams, **dict(self.defines)}
        defines = "".join(f"#define {name} {value}\n" for name, value in values.items())
        headers = "".join(_read(_HERE, f"{name}.h") for name in ("prelude", *self.headers))
        return defines + headers + _read(self.package, f"{self.file}.c")


@cache
def _read(package: str, name: str) -> str:
    return files(package).joinpath(name).read_text(encoding="utf-8")
