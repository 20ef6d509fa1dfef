"""Convert graphs, matrices and tables of other libraries to graphs, and graphs to their objects; all are optional."""
