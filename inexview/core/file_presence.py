"""Whether something lies under a path, and a folder that is this user's alone.

Path's own questions raise for a name that is too long, for a folder that may not be read, and on a drive that
has been taken away (before Python 3.14).  What asks wants to hear that nothing is there.
"""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs


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


LONGEST_FOLDER = 72  # bytes: the path of a socket in it has 107 at most


def private_folder() -> Path | None:
    """Return a folder that no other user may enter, for sockets and locks; None where there is none.

    It is the desktop's own, or one in the user's cache.
    """
    given = os.environ.get("XDG_RUNTIME_DIR", "")
    own = Path(platformdirs.user_cache_dir("inexview", appauthor=False))
    for folder in (*([Path(given)] if given else []), own):
        try:
            if folder == own:
                folder.mkdir(0o700, parents=True, exist_ok=True)
                folder.chmod(0o700)
            about = folder.stat()
        except OSError:
            continue
        private = about.st_uid == os.getuid() and not about.st_mode & 0o077
        if private and len(os.fsencode(folder)) <= LONGEST_FOLDER:
            return folder
    return None
