"""Graphlets of four vertices at each vertex."""
