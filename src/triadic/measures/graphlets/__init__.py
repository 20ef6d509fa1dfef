"""Graphlets and orbits: counts at vertices and edges, and the comparison of networks by them."""
