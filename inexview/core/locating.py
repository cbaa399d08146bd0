"""Finds the elements that runs name in the articles of a collection."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from inexview.core.collection import Collection

_KEPT = 256  # articles whose elements are kept: runs come back to the same ones topic by topic


class Locator:
    """From a document and two points to a span, as readers of submissions need it."""

    def __init__(self, path: str | Path) -> None:
        """Open a collection.  Raises DataError where there is none."""
        self._collection = Collection.open(path)
        self._elements = lru_cache(_KEPT)(self._read_elements)

    def __call__(self, document: str, first: str, last: str) -> tuple[int, int] | None:
        """Return the span from the first character of one element to the last of another.

        None where the collection has no such document, or the document no such elements.
        """
        elements = self._elements(document)
        if first not in elements or last not in elements:
            return None
        start, end = elements[first][0], elements[last][1]
        return (start, end) if start <= end else None

    def _read_elements(self, document: str) -> dict[str, tuple[int, int]]:
        if document not in self._collection:
            return {}
        elements = self._collection.load(document).elements
        return {element.path: (element.start, element.end) for element in elements}
