"""Formulas over the exact counts. A measure knows no device."""
