"""Kernels that match and count patterns of up to six vertices."""
