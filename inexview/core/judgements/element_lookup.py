"""Finds what runs name in the articles of a collection, and names what they hold: whole columns at once.

Each article is read once, whatever the order of the results, and forgotten when its own are done.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from inexview.core.article.elements import Paths, PathTarget
from inexview.core.collection.collection import Collection
from inexview.core.errors import DataError
from inexview.core.judgements.runs import UNKNOWN
from inexview.core.progress import Progress, unwatched
from inexview.core.text.spans import Offsets

_TOGETHER = 16  # articles: some 20 ms of work, which is soon enough to be told to stop
_NOWHERE = PathTarget(UNKNOWN, UNKNOWN)

Share = Callable[[Callable[[range], Any], Sequence[range]], Iterable[Any]]
"""Calls something for each of many things and gives the answers in their order, as ``map`` does."""


@dataclass(frozen=True, slots=True, eq=False)
class ElementPlaces:
    """Where n passages lie: columns of shape (n,).

    ``start`` and ``size`` are int64 code points, −1 and 0 where nothing was ``found``; ``skipping`` tells
    which were found only as if the semantic wrappers of 2009 were not there.  ``unreadable`` says of each
    document that could not be read why, in a sentence.
    """

    start: Offsets
    size: Offsets
    found: NDArray[np.bool_]
    skipping: NDArray[np.bool_]
    unreadable: Mapping[str, str]


@dataclass(frozen=True, slots=True, eq=False)
class Points:
    """The names of n passages: columns of length n.

    ``element`` is the path of the element that a passage exactly is, of several the outermost, else None;
    ``first`` and ``last`` are the points where it starts and ends.  All three are None where nothing was
    ``found``: where the document could not be read (``unreadable`` says why, in a sentence), or where the
    passage is not one of its characters.
    """

    element: list[str | None]
    first: list[str | None]
    last: list[str | None]
    found: NDArray[np.bool_]
    unreadable: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class _Unreadable:
    why: str


class Locator:
    """From documents and points to places and back, for the readers and writers of formats."""

    def __init__(
        self,
        collection: Collection | str | Path,
        *,
        progress: Progress = unwatched,
        share: Share = map,
    ) -> None:
        """Take a collection, or open one, which ``close`` closes; raises DataError where there is none.

        ``progress`` hears of the articles read and may stop the work.  ``share`` spreads it, over copies of
        this process if it likes.
        """
        self._collection = collection if isinstance(collection, Collection) else Collection.open(collection)
        self._given = self._collection is collection
        self._opened = {os.getpid(): self._collection}
        self._progress = progress
        self._share = share

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the collection that was opened here; one that was given stays as it is."""
        own = self._opened.get(os.getpid())
        if own is not None and not (self._given and own is self._collection):
            own.close()

    def places(
        self, documents: Sequence[str], firsts: Sequence[str], lasts: Sequence[str], *, strip: bool = False
    ) -> ElementPlaces:
        """Return what lies from each of n elements or points to another, each in its document.

        ``strip``: points do not count text nodes of nothing but white space.  Raises DataError where the
        collection as a whole cannot be read, Cancelled.
        """

        def find(paths: Paths, rows: list[int]) -> list[tuple[int, int, bool]]:
            found = (paths.passage(firsts[row], lasts[row]) or _NOWHERE for row in rows)
            return [(place.start, place.end - place.start, place.skipping) for place in found]

        columns = np.zeros((len(documents), 3), np.int64)
        columns[:, 0] = UNKNOWN
        unreadable: dict[str, str] = {}
        for document, rows, answer in self._ask_each(documents, find, strip=strip):
            if isinstance(answer, _Unreadable):
                unreadable[document] = answer.why
            else:
                columns[rows] = answer
        start, size, skipping = (column.copy() for column in columns.T)
        return ElementPlaces(start, size, start != UNKNOWN, skipping.astype(bool), unreadable)

    def points(
        self, documents: Sequence[str], starts: Offsets, ends: Offsets, *, strip: bool = False
    ) -> Points:
        """Return the names of n passages ``[start, end)``, each in its document.

        ``strip``: points do not count text nodes of nothing but white space.  Raises DataError where the
        collection as a whole cannot be read, Cancelled.
        """

        def name(paths: Paths, rows: list[int]) -> list[list[str | None]]:
            start, end = starts[rows], ends[rows]
            there = ((start >= 0) & (start <= end) & (end <= paths.length)).tolist()
            elements = list(map(paths.element_at, start.tolist(), end.tolist()))
            names = (elements, paths.points_at(start), paths.points_at(end, end=True))
            return [[n if ok else None for n, ok in zip(column, there, strict=True)] for column in names]

        nothing: list[str | None] = [None] * len(documents)
        columns = (nothing, nothing.copy(), nothing.copy())
        unreadable: dict[str, str] = {}
        for document, rows, answer in self._ask_each(documents, name, strip=strip):
            if isinstance(answer, _Unreadable):
                unreadable[document] = answer.why
                continue
            for column, names in zip(columns, answer, strict=True):
                for row, found in zip(rows, names, strict=True):
                    column[row] = found
        found = np.array([point is not None for point in columns[1]], bool)
        return Points(*columns, found, unreadable)

    def ranges(
        self, documents: Sequence[str], starts: Offsets, ends: Offsets
    ) -> list[tuple[str, str] | None]:
        """Return the first and last element of the ranges of neighbours that n passages are, None for others.

        Raises DataError where the collection as a whole cannot be read, Cancelled.
        """

        def name(paths: Paths, rows: list[int]) -> list[tuple[str, str] | None]:
            spans = zip(starts[rows].tolist(), ends[rows].tolist(), strict=True)
            return [paths.range_at(start, end) for start, end in spans]

        ranges: list[tuple[str, str] | None] = [None] * len(documents)
        for _, rows, answer in self._ask_each(documents, name):
            if not isinstance(answer, _Unreadable):
                for row, found in zip(rows, answer, strict=True):
                    ranges[row] = found
        return ranges

    def _ask_each(
        self, documents: Sequence[str], ask: Callable[[Paths, list[int]], Any], *, strip: bool = False
    ) -> Iterator[tuple[str, list[int], Any]]:
        """Yield each document, its rows, and what ``ask`` answers for them (or why it cannot be read)."""
        rows_of: dict[str, list[int]] = {}
        for row, document in enumerate(documents):
            rows_of.setdefault(document, []).append(row)
        if not all(map(self._collection.at_hand, rows_of)):
            self._collection.prepare(self._progress)
        asked = [(document, rows_of[document]) for document in self._collection.as_they_lie(list(rows_of))]

        def answers(places: range) -> list[Any]:
            return [self._answer(*asked[at], ask, strip) for at in places]

        chunks = [range(len(asked))[at : at + _TOGETHER] for at in range(0, len(asked), _TOGETHER)]
        self._progress("articles read", 0, len(asked))
        for places, found in zip(chunks, self._share(answers, chunks), strict=True):
            for at, answer in zip(places, found, strict=True):
                yield *asked[at], answer
            self._progress("articles read", places.stop, len(asked))

    def _answer(
        self, document: str, rows: list[int], ask: Callable[[Paths, list[int]], Any], strip: bool
    ) -> Any:
        try:
            return ask(Paths(self._own_collection().scan(document), strip=strip), rows)
        except DataError as error:
            return _Unreadable(str(error))

    def _own_collection(self) -> Collection:
        """Return the collection, opened again in a copy of this process: two cannot share open files.

        What the copy inherited is left alone, for closing it here would close it for both.
        """
        own = self._opened.get(os.getpid())
        if own is None:
            own = self._opened[os.getpid()] = Collection.open(self._collection.path)
        return own
