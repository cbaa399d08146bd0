"""A shard: neighbouring documents of a collection with the units to retrieve, and what it counts in them.

A collection is one shard or many.  What a model needs of the whole collection is counted in each shard, in
whole numbers, and added up; scores are then computed unit by unit from these sums, so that they do not depend
on how the collection was cut.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from heapq import heappop, heappush
from typing import NamedTuple

import numpy as np

from inexview.core.retrieval.units import UnitKind, Units, units_of
from inexview.core.retrieval.word_forms import WordForms
from inexview.core.text.spans import Floats, Ints, Mask
from inexview.core.word_index.segment import Int32, Integers, Segment

_TOGETHER = 8  # words of a byte
_SET_BITS = np.array([number.bit_count() for number in range(256)], np.uint8)


class KeptWords:
    """Counts words by a bit for each and a sum for every eight: 0.4 bytes a word."""

    def __init__(self, kept: Mask, longest: int) -> None:
        """``kept`` (n,) says which words count; ``longest`` is the most words of a stretch asked for.

        Sums are right modulo 65,536 where no stretch is longer, in half the memory.
        """
        self._bits = np.append(np.packbits(kept, bitorder="little"), np.uint8(0))
        self._before = np.zeros(len(self._bits), np.uint16 if longest < 1 << 16 else np.uint32)
        np.cumsum(_SET_BITS[self._bits[:-1]], out=self._before[1:], dtype=self._before.dtype)

    def between(self, first: Int32 | Ints, stop: Int32 | Ints) -> Ints:
        """Return how many of the words ``[first, stop)`` count, shape as given."""
        return (self._until(stop) - self._until(first)).astype(np.int64)

    def _until(self, word: Int32 | Ints) -> Ints:
        byte, bit = word // _TOGETHER, word % _TOGETHER
        earlier = self._bits[byte] & ((1 << bit) - 1).astype(np.uint8)
        found: Ints = self._before[byte] + _SET_BITS[earlier]
        return found


class TermCounts(NamedTuple):
    """How often a term occurs, and in how many documents and units, where that was asked for."""

    occurrences: int
    documents: int
    units: int


@dataclass(frozen=True, slots=True)
class CollectionCounts:
    """What is known of a shard, or of all of them added up; words without stop words."""

    documents: int
    """Those that can be read."""
    words: int
    units: int
    unit_words: int
    """The lengths of all units together."""
    terms: dict[str, TermCounts]

    def __add__(self, other: CollectionCounts) -> CollectionCounts:
        terms = dict(self.terms)
        for term, counts in other.terms.items():
            own = terms.get(term, TermCounts(0, 0, 0))
            terms[term] = TermCounts(*(one + more for one, more in zip(own, counts, strict=True)))
        return CollectionCounts(
            self.documents + other.documents,
            self.words + other.words,
            self.units + other.units,
            self.unit_words + other.unit_words,
            terms,
        )

    def probability(self, term: str) -> float:
        """Return P(term | C), the term's part of the words of the collection."""
        return self.terms[term].occurrences / self.words


NO_COUNTS = CollectionCounts(0, 0, 0, 0, {})


class TermPlaces(NamedTuple):
    """The words of a segment that are a term, ascending, and the documents that they are in; shape (n,)."""

    words: Int32
    documents: Integers


class Hits(NamedTuple):
    """Which documents or units hold a term, ascending and each once, and how often; shape (m,)."""

    where: Ints | Int32
    counts: Ints | Int32


MOST_HITS = 2_000_000  # kept of a shard, 16 MB
_KEPT_TERMS = 1 << 16


class Shard:
    """A segment as the models see it: without stop words, cut into units."""

    def __init__(
        self,
        segment: Segment,
        forms: WordForms,
        kind: UnitKind,
        first_document: int = 0,
        most_hits: int = MOST_HITS,
    ) -> None:
        """``first_document`` is the number of the segment's first document in the collection."""
        self.segment = segment
        self.forms = forms
        self.first_document = first_document
        self.units = units_of(segment, kind)
        self.document_lengths = self._kept.between(segment.documents[:-1], segment.documents[1:])
        self.unit_lengths = self.lengths(self.units)
        self._placed: tuple[str, TermPlaces] | None = None  # of the last term
        self._hits = _KeptHits(most_hits)

    @cached_property
    def _kept(self) -> KeptWords:
        """Which words are no stop words."""
        kept = np.ones(self.segment.facts.words, bool)
        for word in self.forms.stop_words:
            number = self.segment.term(word)
            if number is not None:
                kept[self.segment.postings(number)] = False
        return KeptWords(kept, int(np.diff(self.segment.documents).max(initial=0)))

    def lengths(self, units: Units) -> Ints:
        """Return how many words without stop words units have, shape (u,)."""
        return self._kept.between(units.first, units.stop)

    def counts(self, terms: Iterable[str], *, spread: bool) -> CollectionCounts:
        """Count documents, units, words and these terms; ``spread``: also in how many documents and units."""
        facts = self.segment.facts
        return CollectionCounts(
            facts.documents - facts.unreadable,
            int(self.document_lengths.sum()),
            int(np.count_nonzero(self.unit_lengths)),
            int(self.unit_lengths.sum()),
            {term: self._term_counts(term, spread) for term in terms},
        )

    def _term_counts(self, term: str, spread: bool) -> TermCounts:
        if not spread:
            numbers = self.forms.numbers(self.segment, term)
            return TermCounts(sum(map(self.segment.frequency, numbers)), 0, 0)
        in_documents, in_units = self.in_documents(term), self.in_units(term)
        return TermCounts(int(in_documents.counts.sum()), len(in_documents.where), len(in_units.where))

    @cached_property
    def term_of(self) -> Callable[[int], str | None]:
        """Return the term of a word of the segment's vocabulary, None for a stop word.

        Kept for those of the documents that are found first, which come again.
        """
        return lru_cache(_KEPT_TERMS)(lambda number: self.forms.term(self.segment.word(number)))

    def places(self, term: str) -> TermPlaces:
        """Return where a term occurs."""
        if self._placed is None or self._placed[0] != term:
            self._placed = term, self._places(self.forms.numbers(self.segment, term))
        return self._placed[1]

    def _places(self, numbers: list[int]) -> TermPlaces:
        words = [self.segment.postings(number) for number in numbers]
        documents = [self.segment.posting_documents(number) for number in numbers]
        if len(numbers) == 1:
            return TermPlaces(words[0], documents[0])
        none = np.empty(0, np.int32)
        return TermPlaces(
            np.sort(np.concatenate([none, *words])), np.sort(np.concatenate([none, *documents]))
        )

    def in_documents(self, term: str) -> Hits:
        return self._hits.of((term, "documents"), lambda: _runs_of(self.places(term).documents))

    def in_units(self, term: str, units: Units | None = None) -> Hits:
        """Return the units (its own unless given) that hold a term."""
        if units is not None:
            return self._in(units, term)
        return self._hits.of((term, "units"), lambda: self._in(self.units, term))

    def _in(self, units: Units, term: str) -> Hits:
        places = self.places(term)
        return _counted(units.holding(places.words, places.documents), len(units))


class _KeptHits:
    """What was counted of the most frequent words, which come again in the feedback of many queries."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._hits: dict[tuple[str, str], Hits] = {}
        self._sizes: list[tuple[int, tuple[str, str]]] = []  # a heap, the rarest word first
        self._size = 0

    def of(self, key: tuple[str, str], count: Callable[[], Hits]) -> Hits:
        """Return what is known under a key; counts it where nothing is."""
        found = self._hits.get(key)
        if found is None:
            found = self._hits[key] = count()
            self._size += len(found.where)
            heappush(self._sizes, (len(found.where), key))
            while self._size > self._most:
                size, rarest = heappop(self._sizes)
                self._size -= size
                del self._hits[rarest]
        return found


def _counted(places: Integers, among: int) -> Hits:
    """Count how often each number from 0 to ``among`` occurs."""
    if len(places) * 8 < among:
        return _runs_of(np.sort(places))
    counts = np.bincount(places, minlength=among).astype(np.int32)
    where = np.flatnonzero(counts)
    return Hits(where.astype(np.int32), counts[where])


def _runs_of(rising: Integers) -> Hits:
    """Count how often each of some numbers occurs that do not fall."""
    new = np.ones(len(rising) + 1, bool)
    np.not_equal(rising[1:], rising[:-1], out=new[1:-1])
    first = np.flatnonzero(new).astype(np.int32)
    return Hits(rising[first[:-1]].astype(np.int32), np.diff(first))


@dataclass(frozen=True, slots=True)
class ShardScores:
    """A model's scores of units (u,), and which of them it retrieves at all."""

    units: Units
    scores: Floats
    retrieved: Mask
