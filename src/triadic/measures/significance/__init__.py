"""Counts of a graph, compared with those of random graphs."""
