"""Graphlets of four vertices, and orbits of graphlets of up to five vertices, at each vertex and at each edge."""
