"""How kernels for the CPU are compiled: as all are."""

from triadic.compiled import kernel

__all__ = ["kernel"]
