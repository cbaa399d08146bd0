"""What the writers of text tables share: names that can be in a column, and scores."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from inexview.core.errors import DataError
from inexview.core.formats.problems import LONGEST_NAME

_NO_NAME = re.compile("[\x00-\x20]|\\A\ufeff|\\A\\Z")
_NO_COLUMN = re.compile("[\x00-\x20]|\\A[\ufeff#<]")
_ESCAPED = re.compile("[\x00-\x20%]|\\A[\ufeff#<]")
_BLANKS = re.compile("[\x00-\x20]+")


def check_names(field: str, names: Iterable[str], path: Path) -> None:
    """Refuse names that would be read back as something else: with blanks in them, empty, or too long; a
    topic that begins as a comment does.

    Raises DataError.
    """
    for name in names:
        if _NO_NAME.search(name):
            problem = "holds white space or nothing, as no column of text can: choose XML or JSON lines"
            raise DataError(problem, path=path, field=field, value=name)
        if field == "topic" and name.startswith("#"):
            problem = "begins with #, as comments do, and cannot begin a line: choose XML or JSON lines"
            raise DataError(problem, path=path, field=field, value=name)
        if len(name) * 4 > LONGEST_NAME and len(name.encode()) > LONGEST_NAME:
            raise DataError(f"is longer than {LONGEST_NAME} bytes", path=path, field=field, value=name)


def column_id(name: str) -> str:
    """Return an id as a column can hold it: with per cent signs for blanks, and for what begins a comment."""
    if not _NO_COLUMN.search(name):
        return name
    return _ESCAPED.sub(lambda found: "".join(f"%{byte:02X}" for byte in found[0].encode()), name)


def run_name(name: str) -> str:
    """Return what a run is called in a column of text: blanks become underscores."""
    return _BLANKS.sub("_", name.removeprefix("\ufeff").strip()) or "run"


def written_score(score: float, left: int) -> str:
    """Return a score as it is read back; where there is none (NaN), how many results are ``left``."""
    return str(left) if score != score else repr(score).removesuffix(".0")
