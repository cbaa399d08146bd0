"""Rows of a project that make no sense: said with the file in which they are."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from inexview.core.errors import ProjectError


class DamagedRowError(ProjectError):
    """A row of a journal makes no sense; the row knows its number, and not its file."""


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Name the file in what is said of a damaged row."""
    try:
        yield
    except DamagedRowError as error:
        raise ProjectError(f"{path}: {error}") from error
