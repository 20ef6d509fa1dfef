"""What tests of Dask clusters share."""

from __future__ import annotations

import pytest


@pytest.fixture(scope="module")
def here():
    """Yield a client of two workers in this process."""
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=False, dashboard_address="127.0.0.1:0", memory_limit=0
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client
