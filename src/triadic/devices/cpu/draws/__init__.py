"""Random wedges, paths, stars and edges."""
