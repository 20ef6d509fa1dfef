"""Check that the package of an optional extra is installed."""

from __future__ import annotations

from importlib.util import find_spec

from triadic.errors import MissingExtraError


def check_extra(package: str, extra: str, what: str) -> None:
    """Raise an error if a package is not installed.

    Parameters
    ----------
    package : str
        Name of the module to look for.
    extra : str
        The extra of triadic that installs the package.
    what : str
        Subject and verb of the error message, such as "figures need".

    Raises
    ------
    MissingExtraError
        If the package is not installed; the message holds the command that installs it.
    """
    if find_spec(package) is None:
        raise MissingExtraError(f"{what} {package}, which is not installed: pip install 'triadic[{extra}]'")
