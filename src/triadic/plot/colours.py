"""Colours and markers of several things in one figure."""

from __future__ import annotations

# Okabe and Ito's, told apart with any kind of colour blindness, with an ochre for their yellow, which white swallows.
# Markers tell things apart without colour.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#8C6D00")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")

GRID = "#d9d9d9"
INK = "#333333"
