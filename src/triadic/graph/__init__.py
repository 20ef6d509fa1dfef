"""The graph, and what it is made from."""
