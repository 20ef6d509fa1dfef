"""Counts on GPUs: one C source a kernel, for CUDA and ROCm through CuPy and for OpenCL through PyOpenCL."""
