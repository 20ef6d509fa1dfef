"""The base of all other packages: arcs, the oriented graph, blocks of work, threads, memory, progress."""
