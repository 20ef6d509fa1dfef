"""Graphs larger than memory: oriented edges in tiles, counted a triple of tiles at a time."""
