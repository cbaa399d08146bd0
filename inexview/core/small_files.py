"""Small files of text that people write: lists of words or topics, experiments, maps of keys."""

from __future__ import annotations

from pathlib import Path

from inexview.core.errors import DataError
from inexview.core.packed_files import packing_of, read_beginning

_MOST = 1 << 20  # bytes


def read_small_text(path: Path, what: str) -> str:
    """Return a text in UTF-8 of 1 MB at most, from a file or a pipe.

    ``what`` is what it is read as, such as "a list of topics".  Raises DataError where it cannot be.
    """
    try:
        with path.open("rb") as file:  # a pipe may be read too, and only once
            data = file.read(_MOST + 1)
        if packing_of(data):
            data = read_beginning(path, _MOST + 1)
        if len(data) <= _MOST:
            return data.decode("utf-8-sig")
        problem = "it is larger than 1 MB"
    except OSError as error:
        problem = error.strerror or str(error)
    except UnicodeDecodeError:
        problem = "it is not UTF-8"
    raise DataError(f"cannot be read as {what} ({problem})", path=path)
