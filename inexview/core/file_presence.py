"""Whether something lies under a path.

Path's own questions raise for a name that is too long, for a folder that may not be read, and on a drive that
has been taken away (before Python 3.14).  What asks wants to hear that nothing is there.
"""

from __future__ import annotations

import os
from pathlib import Path


def is_there(path: Path) -> bool:
    """Tell whether a file or a folder can be reached under a path."""
    return os.path.exists(path)  # noqa: PTH110 - see above


def is_same_file(path: Path, other: Path) -> bool:
    """Tell whether two paths name one file, also by links of any kind, or would if it were there."""
    if os.path.realpath(path) == os.path.realpath(other):
        return True
    try:
        return os.path.samefile(path, other)  # noqa: PTH121 - see above
    except (OSError, ValueError):
        return False


def folder_is_there(path: Path) -> bool:
    """Tell whether a folder can be reached under a path."""
    return os.path.isdir(path)  # noqa: PTH112 - see above
