"""The version: that of the installed package, which its build takes from the repository's last tag."""

from importlib.metadata import PackageNotFoundError, version

try:
    __version__ = version("triadic")
except PackageNotFoundError:  # a copy of the files that was never installed
    __version__ = "0+unknown"
