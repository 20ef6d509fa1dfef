"""The report of a network: one HTML page with its figures, plots and how they were computed."""
