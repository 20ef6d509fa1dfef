"""The networkx backend ``triadic``: networkx's own functions, counted by triadic.

Networkx finds the backend by two entry points, `info.get_info` and the module `dispatch`; ``docs/networkx.md`` says how
to use it. An algorithm registers itself by the decorator `reasons.algorithm`, with its ``can_run`` and ``should_run``
in the same file; ``should_run`` compares estimates from the table in ``reasons.py``. After adding one,
``python -m triadic.networkx_backend.dispatch`` rewrites ``functions.json``, the table of algorithms that networkx reads
when it is imported. `count_matches` is no function of networkx: it is imported on first use, and importing this package
imports nothing else.
"""

import lazy_loader as lazy

__getattr__, __dir__, __all__ = lazy.attach_stub(__name__, __file__)
