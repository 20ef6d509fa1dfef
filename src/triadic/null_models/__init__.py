"""Null models: random graphs that share something with a given one, to hold its counts against."""
