"""What all other packages are built on: arcs, the oriented graph, blocks, threads, memory, progress."""
