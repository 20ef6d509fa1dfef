"""Exact counts of the small patterns that tie a network together: clustering, triads, graphlets.

The stub ``__init__.pyi`` lists every public name with the module that defines it. A name is imported on first use, so
that ``import triadic`` stays fast.
"""

from triadic.core.checked import attach_checked

__getattr__, __dir__, __all__ = attach_checked(__name__, __file__)
__all__.sort(key=lambda name: (not name.isupper(), name))  # constants first
