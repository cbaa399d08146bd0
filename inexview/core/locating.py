"""Finds the elements and points that runs name in the articles of a collection."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from inexview.core.collection import Collection
from inexview.core.paths import Paths, Place

_KEPT = 256  # articles whose elements are kept: runs come back to the same ones topic by topic


class Locator:
    """From a document and two points to a place, as the readers of runs need it."""

    def __init__(self, path: str | Path) -> None:
        """Open a collection.  Raises DataError where there is none."""
        self._collection = Collection.open(path)
        self._paths = lru_cache(_KEPT)(self._read_paths)

    def __call__(self, document: str, first: str, last: str) -> Place | None:
        """Return what lies from one element or point to another.

        None where the collection has no such document, or the document no such places in this order.
        """
        paths = self._paths(document)
        return None if paths is None else paths.passage(first, last)

    def _read_paths(self, document: str) -> Paths | None:
        return Paths(self._collection.load(document)) if document in self._collection else None
