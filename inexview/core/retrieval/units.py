"""What is retrieved: passages of so many words, elements of some tags, or whole articles.

Passages of 100 words each begin 50 words after the one before, and the last one ends with the article (Wade
and Allan 2005, section 3).  Words are those of the text: what a passage is does not depend on stop words.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from inexview.core.errors import InexviewError
from inexview.core.text.spans import Ints, Mask
from inexview.core.word_index.segment import Int32, Integers, Segment

ARTICLE = "article"
_PASSAGE = re.compile(r"passage(?::(\d{1,5})(?:/(\d{1,5}))?)?")
_ELEMENT = re.compile(r"element:([\w.:-]+(?:,[\w.:-]+)*)")


@dataclass(frozen=True, slots=True)
class UnitKind:
    """Passages of ``size`` words every ``step`` words, elements of some ``tags``, or articles (neither)."""

    size: int = 0
    step: int = 0
    tags: tuple[str, ...] = ()

    @classmethod
    def parse(cls, text: str) -> UnitKind:
        """Read "passage:100/50", "element:p,sec" or "article"; raises InexviewError for others."""
        passage, element = _PASSAGE.fullmatch(text), _ELEMENT.fullmatch(text)
        if text == ARTICLE:
            return cls()
        if element:
            return cls(tags=tuple(element[1].split(",")))
        if passage:
            size = int(passage[1] or 100)
            step = int(passage[2] or max(1, size // 2))
            if 0 < step <= size:
                return cls(size, step)
        raise InexviewError(
            f"unit = {text!r}: it must be passage:SIZE/STEP in words (STEP at most SIZE), element:TAG,TAG… "
            "or article"
        )

    def __str__(self) -> str:
        if self.tags:
            return f"element:{','.join(self.tags)}"
        return f"passage:{self.size}/{self.step}" if self.size else ARTICLE


class Units:
    """The units of a segment, sorted by their first words: columns of shape (u,).

    ``document`` is the number of each unit's document in the segment, ``first`` and ``stop`` are its words
    ``[first, stop)``.  Units may hold one another.  ``spans`` (u, 2) are the characters of those that have
    borders of their own, elements and articles.
    """

    def __init__(self, document: Ints, first: Int32, stop: Int32, spans: Ints | None = None) -> None:
        self.document = document
        self.first = first
        self.stop = stop
        self._spans = spans
        self._outer: Ints | None = None

    def __len__(self) -> int:
        return len(self.first)

    def characters(self, segment: Segment, chosen: Ints) -> Ints:
        """Return the characters (k, 2) of units in their documents; of passages from first to last word."""
        if self._spans is not None:
            return self._spans[chosen]
        last = self.stop[chosen] - 1
        ends = segment.starts[last].astype(np.int64) + segment.sizes[last]
        return np.stack((segment.starts[self.first[chosen]].astype(np.int64), ends), axis=1)

    def holding(self, words: Int32, documents: Integers) -> Ints | Int32:
        """Return which unit holds each word, once for every unit that does; ``documents`` are the words'."""
        if self._outer is None:
            self._outer = _enclosing(self.first, self.stop)
        unit = self.first.searchsorted(words, side="right") - 1
        found = []
        while len(unit):
            unit, words = unit[unit >= 0], words[unit >= 0]
            found.append(unit[self.stop[unit] > words])
            unit = self._outer[unit]
        return np.concatenate([np.empty(0, np.int64), *found])


class DisjointUnits(Units):
    """Units of which no two share a word: which holds a word is looked up."""

    @cached_property
    def _unit_of(self) -> Int32:
        """Of each word up to the last unit the unit that holds it, −1 for none."""
        count = len(self)
        edges = np.zeros(2 * count + 1, np.int64)
        edges[1::2], edges[2::2] = self.first, self.stop
        units = np.full(2 * count, -1, np.int32)
        units[1::2] = np.arange(count)
        return np.repeat(units, np.diff(edges))

    def holding(self, words: Int32, documents: Integers) -> Ints | Int32:
        """Return which unit holds each word that one holds."""
        unit = self._unit_of[words[: words.searchsorted(len(self._unit_of))]]
        return unit[unit >= 0]


class PassageUnits(Units):
    """Passages of one size at even distances: which hold a word is a matter of arithmetic."""

    def __init__(self, segment: Segment, size: int, step: int) -> None:
        starts, lengths = segment.documents[:-1], np.diff(segment.documents).astype(np.int64)
        counts = np.where(lengths > size, -(-(lengths - size) // step) + 1, (lengths > 0).astype(np.int64))
        before = np.append(0, counts.cumsum())
        self._starts, self._size, self._step = starts, size, step
        self._last = (counts - 1).astype(np.int32)  # of each document, as the next
        self._before = before[:-1].astype(np.int32)
        document = np.repeat(np.arange(len(counts)), counts)
        first = starts[document] + (np.arange(len(document)) - before[document]) * step
        stop = np.minimum(first + size, segment.documents[document + 1])
        super().__init__(document, first.astype(np.int32), stop.astype(np.int32))

    def holding(self, words: Int32, documents: Integers) -> Ints | Int32:
        """Return which passages hold each word."""
        place = words - self._starts[documents]
        last = np.minimum(place // self._step, self._last[documents])
        earliest = np.maximum((place - self._size) // self._step + 1, 0)
        unit = self._before[documents] + last
        room = last - earliest  # how many passages before the last one hold the word, too
        most = min(-(-self._size // self._step), int(room.max(initial=0)) + 1)
        return np.concatenate([unit, *((unit - np.int32(back))[room >= back] for back in range(1, most))])


def units_of(segment: Segment, kind: UnitKind) -> Units:
    """Return the units of a segment; of elements those that have words."""
    if kind.size:
        return PassageUnits(segment, kind.size, kind.step)
    if not kind.tags:
        numbers = np.flatnonzero(np.diff(segment.documents))
        ends = segment.characters[numbers].astype(np.int64)
        whole = np.stack((np.zeros_like(ends), ends), axis=1)
        return Units(numbers, segment.documents[numbers], segment.documents[numbers + 1], whole)
    chosen = np.flatnonzero(tagged(segment, kind.tags))
    spans = segment.element_spans[chosen]
    document = segment.documents_of(spans[:, 0])
    order = np.lexsort((-spans[:, 1], spans[:, 0]))
    return Units(document[order], spans[order, 0], spans[order, 1], spans[order, 2:].astype(np.int64))


def tagged(segment: Segment, tags: tuple[str, ...]) -> Mask:
    """Return, of shape (e,), which elements of a segment have one of these tags."""
    numbers = [number for number in map(segment.tag, tags) if number is not None]
    return np.isin(segment.element_tags, numbers)


def _enclosing(first: Int32, stop: Int32) -> Ints:
    """Return the smallest unit around each, −1 for none; units that begin together go outermost first."""
    outer = np.full(len(first), -1, np.int64)
    if not len(first) or not (np.maximum.accumulate(stop)[:-1] > first[1:]).any():
        return outer
    opened: list[int] = []
    stops = stop.tolist()
    for at, start in enumerate(first.tolist()):
        while opened and stops[opened[-1]] <= start:
            opened.pop()
        if opened:
            outer[at] = opened[-1]
        opened.append(at)
    return outer
