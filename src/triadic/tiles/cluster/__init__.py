"""Counting on a cluster: triples of tiles, and slices of them, as tasks for Dask."""
