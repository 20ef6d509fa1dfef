"""Write ``functions.json``, the table of algorithms for networkx: ``python -m triadic.networkx_backend``."""

from __future__ import annotations

import json

from triadic.networkx_backend.dispatch import listed_functions
from triadic.networkx_backend.info import FUNCTIONS

FUNCTIONS.write_text(json.dumps(listed_functions(), indent=4) + "\n", encoding="utf-8")
