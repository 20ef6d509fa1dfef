"""The graph: its makers, its forms in memory, its weights and its conversions."""
