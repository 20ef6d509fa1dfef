"""Arcs to rows: oriented, sorted, listed by middle vertex, cut into tiles."""
