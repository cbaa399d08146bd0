"""`python -m inexview` and the `inexview` script."""

from __future__ import annotations

import sys

from inexview.cli import main

__all__ = ["main"]

if __name__ == "__main__":
    sys.exit(main())
