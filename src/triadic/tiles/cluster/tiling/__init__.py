"""Making tiles on a Dask cluster: each stage is a set of tasks that leave files in the work folder."""
