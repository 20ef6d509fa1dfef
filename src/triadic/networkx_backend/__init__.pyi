# What networkx does not have: read by type checkers, and by __init__.py when this package is imported.

from .subgraphs import count_matches as count_matches
