"""Null models: random graphs that share properties with a given graph, for its counts to be compared with."""
