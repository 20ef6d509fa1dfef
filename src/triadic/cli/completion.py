"""Words that a shell completes after an option: names of formats, devices, counts and random networks.

A shell completes names of files by itself. typer calls these functions with what has been typed so far. The names stand
here once more, without the modules that define them, because those take half a second to import.
"""

DEVICES = ("auto", "cpu", "cuda", "cuda:0", "cuda:all", "opencl", "opencl:0")
PLANNED = ("clustering", "weighted-clustering", "census", "census-by-vertex", "graphlets")
STATISTICS = ("triads", "clustering", "graphlets", "graphlets5", "intensity")
NULLS = ("degrees", "mutual", "gnm", "configuration")
TEMPORAL_NULLS = ("shuffled_times", "random_times", "shuffled_links", "time_reversal")


def formats(incomplete: str) -> list[str]:
    """Return the names of formats that `triadic.read` reads."""
    from triadic.io.formats import FORMATS

    return _matching(tuple(FORMATS), incomplete)


def devices(incomplete: str) -> list[str]:
    """Return names of devices, which this machine may lack."""
    return _matching(DEVICES, incomplete)


def planned_counts(incomplete: str) -> list[str]:
    """Return the counts of ``triadic plan``."""
    return _matching(PLANNED, incomplete)


def statistics(incomplete: str) -> list[str]:
    """Return the counts of ``triadic significance``, of which several may stand side by side with commas between."""
    before, comma, last = incomplete.rpartition(",")
    return [f"{before}{comma}{name}" for name in _matching(STATISTICS, last)]


def nulls(incomplete: str) -> list[str]:
    """Return the random networks of ``triadic significance``."""
    return _matching(NULLS, incomplete)


def temporal_nulls(incomplete: str) -> list[str]:
    """Return the shuffled events of ``triadic temporal``."""
    return _matching(TEMPORAL_NULLS, incomplete)


def _matching(names: tuple[str, ...], incomplete: str) -> list[str]:
    return [name for name in names if name.startswith(incomplete)]
