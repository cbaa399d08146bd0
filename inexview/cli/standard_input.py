"""``-`` where a file is wanted: what standard input gives, kept in a file while the command runs."""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from inexview.core.errors import InexviewError

DASH = Path("-")


@contextmanager
def spooled(paths: Sequence[Path]) -> Iterator[list[Path]]:
    """Give the paths with a file for the one that is ``-``.

    Raises InexviewError where two are.
    """
    if DASH not in paths:
        yield list(paths)
        return
    if paths.count(DASH) > 1:
        raise InexviewError("standard input (-) can be read only once")
    with tempfile.TemporaryDirectory(prefix="inexview-") as folder:
        spool = Path(folder, "standard input")
        with spool.open("wb") as file:
            shutil.copyfileobj(sys.stdin.buffer, file)
        yield [spool if path == DASH else path for path in paths]
