"""The packages that an extra brings: told in one line where one is missing."""

from __future__ import annotations

from importlib.util import find_spec

from triadic.errors import MissingExtraError


def check_extra(package: str, extra: str, what: str) -> None:
    """Raise if a package is not installed.

    Parameters
    ----------
    package : str
    extra : str
        What brings it.
    what : str
        What needs it, with its verb: "figures need".

    Raises
    ------
    MissingExtraError
        With the line that installs it.
    """
    if find_spec(package) is None:
        raise MissingExtraError(f"{what} {package}, which is not installed: pip install 'triadic[{extra}]'")
