"""Plots of networks on matplotlib axes: one function per plot, of a graph or of a result computed from it before.

Every function takes ``ax=`` (by default the axes of a new pyplot figure) and ``label=`` for the legend, and returns the
axes. A second call with the same axes draws the next network in the next colour; after eight colours, markers are open
and lines are dashed. Colours that a style sheet or the user sets as ``rcParams["axes.prop_cycle"]`` replace these
colours. No function changes ``rcParams``. Nothing is
rasterised: a figure saved as SVG or PDF consists of vectors alone. The stub ``__init__.pyi`` lists the public names;
each is imported when it is first used.
"""

from __future__ import annotations

from triadic.core.checked import attach_checked

__getattr__, __dir__, __all__ = attach_checked(__name__, __file__)
