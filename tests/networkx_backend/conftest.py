import networkx as nx
import pytest


@pytest.fixture(autouse=True)
def _graphs_from_the_cache_are_no_news():
    nx.config.warnings_to_ignore.add("cache")
    yield
    nx.config.warnings_to_ignore.discard("cache")
