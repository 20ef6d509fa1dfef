"""Patterns that a user writes in one line: their language, and their counts."""
