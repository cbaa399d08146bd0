"""`python -m inexview` and the `inexview` script."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False  # Ctrl+C during imports before `main` would print Python's traceback
if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["main"]
_INTERRUPTED, _BAD_INPUT = 130, 2
_LEAST, _LITTLE = (
    128 << 20,
    2 << 30,
)  # bytes of memory: the program does not start with less; numpy's unused threads are not started


def main(arguments: Sequence[str] | None = None) -> int:
    """Run `inexview ARGUMENTS…` (those of the process by default) and return its exit status."""
    limit = None
    try:
        limit = _memory_limit()
        if limit is not None and limit < _LEAST:
            return _tell_limit(limit)
        if limit is not None and limit < _LITTLE:
            os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # each takes some 30 MB, or ends the program
        from inexview.cli import main as run

        return run(arguments)
    except KeyboardInterrupt:
        return _INTERRUPTED
    except (MemoryError, ImportError):
        if limit is None or limit > _LITTLE:
            raise
    return _tell_limit(limit)


def _memory_limit() -> int | None:
    """Return how much memory this process may use; None if there is no limit."""
    try:
        from resource import RLIM_INFINITY, RLIMIT_AS, getrlimit
    except ImportError:  # Windows
        return None
    limit = getrlimit(RLIMIT_AS)[0]
    return None if limit == RLIM_INFINITY else limit


def _tell_limit(limit: int) -> int:
    problem = f"the limit of {limit >> 20:,} MB of memory is too low"
    print(f"inexview: {problem}: raise it (ulimit -v) to 500 MB or more", file=sys.stderr)
    return _BAD_INPUT


if __name__ == "__main__":
    sys.exit(main())
