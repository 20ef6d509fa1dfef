# The transforms, one line each: read by type checkers, and by __init__.py when this package is imported.

from .transforms import AddCliques as AddCliques
from .transforms import AddClustering as AddClustering
from .transforms import AddGraphlets as AddGraphlets
from .transforms import AddOrbits as AddOrbits
from .transforms import AddPatternCounts as AddPatternCounts
from .transforms import AddTriads as AddTriads
