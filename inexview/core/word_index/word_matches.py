"""Where words that are sought lie in a segment: one word, a phrase, or words near each other.

A word may occur a million times: only as much is looked at as the rarest word asks for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from inexview.core.text.offset_arrays import Ints
from inexview.core.word_index.segment import Int32, Segment


@dataclass(frozen=True, slots=True)
class SoughtWord:
    """A word, or with ``beginning`` all words that begin so."""

    text: str
    beginning: bool = False


@dataclass(frozen=True)
class Matches:
    """Where something is found in a segment: from the words ``first`` (m,), ascending, to ``behind`` (m,).

    ``behind`` is None where each is one word; ``in_documents`` is known of a single word.
    """

    segment: Segment
    first: Ints | Int32
    behind: Ints | None = None
    in_documents: int | None = None

    @property
    def holders(self) -> int:
        """In how many documents it is."""
        return len(self.documents) if self.in_documents is None else self.in_documents

    @cached_property
    def documents(self) -> Ints:
        """The documents that have it, ascending."""
        segment, first = self.segment, self.first
        if len(first) < segment.facts.documents:
            of = segment.documents_of(first.astype(np.int32, copy=False))
            return of[np.flatnonzero(np.diff(of, prepend=-1))]
        return np.flatnonzero(np.diff(first.searchsorted(segment.documents)))

    def often(self, documents: Ints) -> Ints:
        """Count how often it is in some documents, shape as given."""
        bounds = self.segment.documents
        counted: Ints = self.first.searchsorted(bounds[documents + 1]) - self.first.searchsorted(
            bounds[documents]
        )
        return counted

    def within(self, document: int) -> tuple[Ints, Ints]:
        """Return the first words of what is in a document, and the words behind, shape (k,)."""
        low, high = self.first.searchsorted(self.segment.documents[document : document + 2])
        first = self.first[low:high].astype(np.int64)
        return first, first + 1 if self.behind is None else self.behind[low:high]


def matches(segment: Segment, words: Sequence[SoughtWord], near: int | None) -> Matches:
    """Return where words are side by side, or ``near``: with at most so many words between."""
    if len(words) == 1 and not words[0].beginning:
        term = segment.term(words[0].text)
        if term is None:
            return Matches(segment, np.empty(0, np.int32), None, 0)
        return Matches(segment, segment.postings(term), None, int(segment.document_counts[term]))
    places = [_places(segment, word) for word in words]
    if len(words) == 1:
        return Matches(segment, places[0])
    first, behind = _phrases(places) if near is None else _near(places, near)
    whole = behind <= segment.documents[segment.documents_of(first.astype(np.int32)) + 1]
    return Matches(segment, first[whole], behind[whole])


def _places(segment: Segment, word: SoughtWord) -> Int32:
    """Return where a word occurs in a segment, ascending."""
    if word.beginning:
        return np.sort(segment.postings_of(segment.beginning_with(word.text)))
    term = segment.term(word.text)
    return np.empty(0, np.int32) if term is None else segment.postings(term)


def _phrases(places: Sequence[Int32]) -> tuple[Ints, Ints]:
    rarest = min(range(len(places)), key=lambda at: len(places[at]))
    first = places[rarest].astype(np.int64) - rarest
    for at in range(len(places)):
        first = first if at == rarest else first[_among(first + at, places[at])]
    return first, first + len(places)


def _among(wanted: Ints, places: Int32) -> NDArray[np.bool_]:
    """Tell which of some numbers are among others, which ascend."""
    if not len(places):
        return np.zeros(len(wanted), np.bool_)
    at = np.minimum(places.searchsorted(wanted.astype(np.int32)), len(places) - 1)
    same: NDArray[np.bool_] = places[at] == wanted
    return same


def _near(places: Sequence[Int32], most: int) -> tuple[Ints, Ints]:
    """Return the shortest stretches that end with each occurrence of a word and hold all the others."""
    rarest = min(places, key=len)
    around = [_around(found, rarest, most + 1) for found in places]
    if not all(map(len, around)):
        return np.empty(0, np.int64), np.empty(0, np.int64)
    last = np.unique(np.concatenate(around))
    before = np.stack([found.searchsorted(last, side="right") - 1 for found in around])
    complete = (before >= 0).all(axis=0)
    last, before = last[complete], before[:, complete]
    first = np.min([found[at] for found, at in zip(around, before, strict=True)], axis=0)
    close = last - first - 1 <= most
    return first[close], last[close] + 1


def _around(places: Int32, rarest: Int32, distance: int) -> Ints:
    """Return the places that are so near to one of the rarest: the others are in no stretch that is close."""
    low = places.searchsorted(rarest - np.int32(distance))
    high = places.searchsorted(rarest + np.int32(distance), side="right")
    low = np.maximum(low, np.append(0, high[:-1]))  # what is near to two of them counts once
    sizes = np.maximum(high - low, 0)
    at = np.repeat(low - sizes.cumsum() + sizes, sizes) + np.arange(sizes.sum())
    close: Ints = places[at].astype(np.int64)
    return close
