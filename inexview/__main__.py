"""`python -m inexview` and the `inexview` script."""

from __future__ import annotations

import sys

TYPE_CHECKING = False  # what is imported before `main` is called is what Ctrl+C ends with Python's traceback
if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["main"]
_INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run `inexview ARGUMENTS…` (those of the process by default) and return its exit status."""
    try:
        from inexview.cli import main as run

        return run(arguments)
    except KeyboardInterrupt:
        return _INTERRUPTED


if __name__ == "__main__":
    sys.exit(main())
