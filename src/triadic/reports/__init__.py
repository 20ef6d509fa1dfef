"""Reports: one HTML page about a network, with its numbers, its plots and the way they were computed."""
