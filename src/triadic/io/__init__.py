"""Reading and writing networks. Formats are declared in their modules, and listed in :mod:`triadic.io.formats`."""

from __future__ import annotations

from triadic.errors import ReadWarning
from triadic.io.batches import read_batch
from triadic.io.format import FORMATS, Format, register
from triadic.io.formats import write
from triadic.io.reading import read, read_arcs

__all__ = ["FORMATS", "Format", "ReadWarning", "read", "read_arcs", "read_batch", "register", "write"]
