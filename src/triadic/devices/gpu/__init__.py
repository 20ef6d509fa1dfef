"""Counts on GPUs, with kernels in C for CUDA and ROCm through CuPy and for OpenCL through PyOpenCL."""
