"""Estimates from random draws, with intervals that hold the exact value."""
