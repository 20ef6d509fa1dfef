# The transforms, one line each: read by type checkers, and by __init__.py when this package is imported.

from .transforms import AddClustering as AddClustering
from .transforms import AddGraphlets as AddGraphlets
from .transforms import AddTriads as AddTriads
