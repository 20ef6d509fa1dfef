"""Counting on a Dask cluster: triples of tiles, and slices of costly triples, are tasks."""
