"""How the papers' loops are compiled: as all kernels are."""

from triadic.compiled import kernel

__all__ = ["kernel"]
