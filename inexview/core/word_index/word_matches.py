"""Where words that are sought lie in a segment: one word, a phrase, or words near each other.

A word may occur a million times: only as much is looked at as the rarest word asks for.  ``take`` and
``compress`` do what an index in brackets does, in a quarter of the time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from inexview.core.text.offset_arrays import Ints
from inexview.core.word_index.segment import Int32, Integers, Segment

_LEAST_BLOCK = 3  # of 8 words
FEWER = 16  # times: so few documents are looked up among occurrences, of more all are counted


@dataclass(frozen=True, slots=True)
class SoughtWord:
    """A word, or with ``beginning`` all words that begin so."""

    text: str
    beginning: bool = False


@dataclass(frozen=True)
class Matches:
    """Where something is found in a segment: from the words ``first`` (m,) to ``behind`` (m,).

    ``of`` (m,) are their documents; ``behind`` is None where each is one word; ``in_documents`` is known of a
    single word.  They ascend, unless they are of ``several`` words, one after the other.
    """

    segment: Segment
    first: Ints | Int32
    of: Integers
    behind: Ints | None = None
    in_documents: int | None = None
    several: bool = False

    @property
    def holders(self) -> int:
        """In how many documents it is."""
        return int(np.count_nonzero(self.counts)) if self.in_documents is None else self.in_documents

    @cached_property
    def counts(self) -> Ints:
        """How often it is in each document of the segment, shape (d,)."""
        return np.bincount(self.of, minlength=self.segment.facts.documents)

    @cached_property
    def documents(self) -> Ints:
        """The documents that have it, ascending."""
        return np.flatnonzero(self.counts)

    @property
    def frequent(self) -> bool:
        """Whether it is in so many places that all documents are counted at once."""
        return len(self.of) * FEWER > self.segment.facts.documents

    def often(self, documents: Ints) -> Ints:
        """Count how often it is in some documents, shape as given."""
        counted: Ints
        if self.several or len(documents) * FEWER > len(self.of):
            counted = self.counts.take(documents)
        else:
            wanted = documents.astype(self.of.dtype)
            counted = self.of.searchsorted(wanted, side="right") - self.of.searchsorted(wanted)
        return counted

    def within(self, document: int) -> tuple[Ints, Ints]:
        """Return the first words of what is in a document, and the words behind, shape (k,)."""
        there = np.flatnonzero(self.of == document)
        first = self.first[there].astype(np.int64)
        return first, first + 1 if self.behind is None else self.behind[there]


def matches(segment: Segment, words: Sequence[SoughtWord], near: int | None) -> Matches:
    """Return where words are side by side, or ``near``: with at most so many words between."""
    sought = [_terms(segment, word) for word in words]
    if len(words) == 1:
        (terms,) = sought
        known = None if words[0].beginning else int(segment.document_counts[terms.start : terms.stop].sum())
        first, of = segment.postings_of(terms), segment.posting_documents_of(terms)
        return Matches(segment, first, of, None, known, several=len(terms) > 1)
    return _phrase(segment, sought) if near is None else _near(segment, sought, near)


def _terms(segment: Segment, word: SoughtWord) -> range:
    """Return the numbers of a word, or of all that begin so; none where the segment has none."""
    if word.beginning:
        return segment.beginning_with(word.text)
    term = segment.term(word.text)
    return range(0) if term is None else range(term, term + 1)


def _phrase(segment: Segment, sought: Sequence[range]) -> Matches:
    """Return where words follow one another: looked for around the rarest of them."""
    rarest = min(range(len(sought)), key=lambda at: len(segment.postings_of(sought[at])))
    first = segment.postings_of(sought[rarest]).astype(np.int64) - rarest
    of = segment.posting_documents_of(sought[rarest])
    for at, terms in enumerate(sought):
        if at != rarest:
            there = segment.terms.take(first + at, mode="clip")
            found = (there >= terms.start) & (there < terms.stop)
            first, of = first.compress(found), of.compress(found)
    starts, ends = segment.documents.take(of), segment.documents[1:].take(of)
    whole = (starts <= first) & (first + len(sought) <= ends)
    first, of = first.compress(whole), of.compress(whole)
    return Matches(segment, first, of, first + len(sought), several=len(sought[rarest]) > 1)


def _near(segment: Segment, sought: Sequence[range], most: int) -> Matches:
    """Return the shortest stretches that end with each occurrence of a word and hold all the others.

    All occurrences are sorted together, so that one pass knows where each word was last.  Of words that are
    much more frequent than the rarest only what is around that is sorted; and the pass goes over those only
    that have enough others close by.
    """
    rarest = np.sort(min(map(segment.postings_of, sought), key=len), kind="stable")
    close = [
        _around(segment.postings_of(terms), rarest, most + 1, several=len(terms) > 1) for terms in sought
    ]
    bits = (len(close) - 1).bit_length()  # those below a place say which word is there
    shift = most + 2  # so that no word is near to 0, where a word was last that has not come yet
    fits = segment.facts.words + shift << bits < 1 << 31
    kind = np.dtype("i4" if fits else "i8")
    keys = np.concatenate([(found.astype(kind) + shift) << bits | at for at, found in enumerate(close)])
    keys.sort(kind="stable")  # which merges what ascends already
    keys = keys.compress(_crowded(keys >> bits, len(close), most + 1))
    last, word = keys >> bits, keys & (1 << bits) - 1
    first = last
    for at in range(len(close)):
        first = np.minimum(first, np.maximum.accumulate(last * (word == at)))
    near = last - first <= most + 1
    near[:-1] &= last[1:] != last[:-1]  # where several words are in one place, the last of them knows all
    first, last = first.compress(near) - shift, last.compress(near) - shift
    of = segment.documents_of(last)
    whole = segment.documents.take(of) <= first
    first, of, last = first.compress(whole), of.compress(whole), last.compress(whole)
    return Matches(segment, first.astype(np.int64), of, last.astype(np.int64) + 1)


def _crowded(places: Ints | Int32, together: int, distance: int) -> NDArray[np.bool_]:
    """Tell which of the places, ascending, may be in a stretch that holds so many, two or more of them."""
    others = together - 1
    ends = np.zeros(len(places), bool)
    ends[others:] = places[others:] - places[:-others] <= distance
    inside = ends.copy()
    for before in range(1, together):
        inside[:-before] |= ends[before:]
    return inside


def _around(places: Int32, rarest: Int32, distance: int, *, several: bool) -> Int32:
    """Return, ascending, the places that are near to one of the rarest: only these are in a close stretch.

    Others are left in where looking for these alone would take longer.
    """
    if several:  # of several words, one after the other
        return np.sort(places.compress(_beside(places, rarest, distance)))
    if len(places) < FEWER * len(rarest):
        return places
    low = places.searchsorted(rarest - np.int32(distance))
    high = places.searchsorted(rarest + np.int32(distance), side="right")
    low = np.maximum(low, np.append(0, high[:-1]))  # what is near to two of them counts once
    sizes = np.maximum(high - low, 0)
    at = np.repeat(low - sizes.cumsum() + sizes, sizes) + np.arange(sizes.sum())
    near: Int32 = places.take(at)
    return near


def _beside(places: Int32, rarest: Int32, distance: int) -> NDArray[np.bool_]:
    """Tell which places are in a block of words that has one of the rarest, or in a block beside it."""
    size = max(distance.bit_length(), _LEAST_BLOCK)
    blocks = np.zeros((int(max(places.max(initial=0), rarest.max(initial=0))) >> size) + 3, bool)
    blocks[(rarest >> size).astype(np.intp) + 1] = True  # any other index is looked at twice
    blocks[1:-1] |= blocks[:-2] | blocks[2:]
    found: NDArray[np.bool_] = blocks.take((places >> size).astype(np.intp) + 1)
    return found
