"""The CPU: kernels compiled by numba, run on threads."""
