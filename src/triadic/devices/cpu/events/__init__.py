"""Timed events: motifs, and windows that move over time."""
