"""Run the command line: ``python -m triadic``."""

from __future__ import annotations

import sys

from triadic.cli import main

sys.exit(main())
