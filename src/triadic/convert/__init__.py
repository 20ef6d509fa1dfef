"""Graphs from other libraries' objects, and other libraries' objects from graphs; none of them is a dependency."""
