"""Triangles and what follows from them: supports, coefficients, sums of weights, trussness."""
