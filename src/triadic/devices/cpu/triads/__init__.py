"""Triads: dyads, closed triads, the census of each vertex, lists by original ids."""
