"""Orbits of graphlets of up to five vertices, at each vertex and at each edge."""
