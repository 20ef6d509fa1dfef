"""``python -m triadic``: the command line."""

from __future__ import annotations

import sys

from triadic.cli import main

sys.exit(main())
