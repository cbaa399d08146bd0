"""The units of retrieval and the parts of a collection: units, the words of models, and shards.

Units are passages of a number of words, elements with some tags, or whole articles.  Passages of 100 words
each begin 50 words after the previous one, and the last one ends with the article (Wade and Allan 2005,
section 3).  Words are those of the text: passages do not depend on stop words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from hashlib import sha256
from heapq import heappop, heappush
from itertools import islice, pairwise
from pathlib import Path
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from inexview.core.collection.collection import Collection
from inexview.core.collection.collection_index import CachePlace
from inexview.core.collection.record_keys import USUAL_KEYS, RecordKeys
from inexview.core.errors import DataError, InexviewError, reported
from inexview.core.files import read_small_text, resource
from inexview.core.text.search import stemmer
from inexview.core.text.spans import Floats, Ints, Mask
from inexview.core.word_index.segment import (
    BrokenSegmentError,
    Int32,
    Integers,
    Segment,
    SegmentWriter,
    as_compared,
    text_words,
)
from inexview.core.word_index.word_index import VERSION, add_article

# The words that models use: without stop words, and stemmed.

STOP_LISTS = ("snowball", "lucene", "none")
STEMMERS = ("none", "porter", "krovetz", "plural")


@dataclass(frozen=True)
class WordForms:
    """A stop list and a stemmer, by name; the same names and words give the same terms."""

    stop_list: str = "snowball"
    """Its name, or the file that it was read from."""
    stemmer: str = "none"
    stop_words: frozenset[str] = field(default=frozenset(), repr=False)

    @classmethod
    def named(cls, stop_list: str = "snowball", stemmer: str = "none") -> WordForms:
        """Return the forms of a stop list, one of STOP_LISTS or a file of words, and one of STEMMERS.

        Raises DataError if the file cannot be read, InexviewError for another stemmer.
        """
        if stemmer not in STEMMERS:
            raise InexviewError(f"stemmer = {stemmer!r}: it must be {', '.join(STEMMERS)}")
        if stemmer == "krovetz":
            _krovetz_stemmer()  # reports a missing library before anything is searched
        return cls(stop_list, stemmer, _listed(stop_list))

    def term(self, word: str) -> str | None:
        """Return the term of a word in its compared form, None for a stop word."""
        return None if word in self.stop_words else _STEMMERS[self.stemmer](word)

    def terms(self, text: str) -> list[str]:
        found = (self.term(word) for word in text_words(text).words)
        return [term for term in found if term is not None]

    def numbers(self, segment: Segment, term: str) -> list[int]:
        """Return the words of a segment's vocabulary that have this term."""
        if self.stemmer == "none":
            number = None if term in self.stop_words else segment.term(term)
            return [] if number is None else [number]
        if self.stemmer == "krovetz":  # "european" is "europe"
            return _numbers_by_stem(segment, self).get(term, [])
        # A stem differs from its words in its last two letters at most ("happy" and "happi", "able").
        alike = segment.beginning_with(term[: max(1, len(term) - 2)])
        return [number for number in alike if self.term(segment.word(number)) == term]


def _listed(name: str) -> frozenset[str]:
    if name == "none":
        return frozenset()
    path = resource(f"stop-words/{name}.txt") if name in STOP_LISTS else Path(name)
    words = read_small_text(path, f"a list of stop words; {', '.join(STOP_LISTS)} are known by name")
    return frozenset(map(as_compared, words.split()))


@lru_cache(maxsize=200_000)
def _porter(word: str) -> str:
    """Stem an English word (Porter, An algorithm for suffix stripping, Program 14(3), 1980)."""
    return str(stemmer("porter")(word))


@lru_cache(maxsize=200_000)
def _krovetz(word: str) -> str:
    """Stem an English word (Krovetz, Viewing morphology as an inference process, SIGIR 1993)."""
    known = word.isascii() and word.isalpha()  # its list has only such words
    return str(_krovetz_stemmer()(word)) if known else word


@lru_cache(maxsize=1)
def _krovetz_stemmer() -> Callable[[str], str]:
    try:
        from krovetzstemmer import Stemmer
    except ImportError:
        raise InexviewError(
            "stemmer = 'krovetz' needs a library that is not installed: pip install krovetzstemmer"
        ) from None
    stem: Callable[[str], str] = Stemmer().stem
    return stem


_known_stems: WeakKeyDictionary[Segment, dict[frozenset[str], dict[str, list[int]]]] = WeakKeyDictionary()


def _numbers_by_stem(segment: Segment, forms: WordForms) -> dict[str, list[int]]:
    """Return the words of a segment's vocabulary by their stem; they are stemmed once."""
    known = _known_stems.setdefault(segment, {})
    if forms.stop_words not in known:
        found: dict[str, list[int]] = {}
        for number in range(segment.vocabulary):
            stem = forms.term(segment.word(number))
            if stem is not None:
                found.setdefault(stem, []).append(number)
        known[forms.stop_words] = found
    return known[forms.stop_words]


def _plural(word: str) -> str:
    """Remove the ending of an English plural (Harman, How effective is suffixing?, JASIS 42(1), 1991)."""
    if word.endswith("ies") and word != "ies" and not word.endswith(("eies", "aies")):
        return f"{word[:-3]}y"
    if word.endswith("es") and not word.endswith(("aes", "ees", "oes")):
        return word[:-1]
    if word.endswith("s") and not word.endswith(("us", "ss")) and len(word) > 1:
        return word[:-1]
    return word


_STEMMERS: dict[str, Callable[[str], str]] = {
    "none": str,
    "porter": _porter,
    "krovetz": _krovetz,
    "plural": _plural,
}


ARTICLE = "article"
_PASSAGE = re.compile(r"passage(?::(\d{1,5})(?:/(\d{1,5}))?)?")
_ELEMENT = re.compile(r"element:([\w.:-]+(?:,[\w.:-]+)*)")


@dataclass(frozen=True, slots=True)
class UnitKind:
    """Passages of ``size`` words every ``step`` words, elements with some ``tags``, or articles (neither)."""

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
    ``[first, stop)``.  Units may be nested.  ``spans`` (u, 2) are the characters of units with borders of
    their own, elements and articles.
    """

    def __init__(self, document: Ints, first: Int32, stop: Int32, spans: Ints | None = None) -> None:
        self.document = document
        self.first = first
        self.stop = stop
        self._spans = spans

    def __len__(self) -> int:
        return len(self.first)

    def characters(self, segment: Segment, chosen: Ints) -> Ints:
        """Return the characters (k, 2) of units in their documents; for passages from first to last word."""
        if self._spans is not None:
            return self._spans[chosen]
        last = self.stop[chosen] - 1
        ends = segment.starts[last].astype(np.int64) + segment.sizes[last]
        return np.stack((segment.starts[self.first[chosen]].astype(np.int64), ends), axis=1)

    def holding(self, words: Int32, documents: Integers) -> Ints | Int32:
        """Return the units that contain words, one entry per unit and word; ``documents`` are the words'."""
        unit = self.first.searchsorted(words, side="right") - 1
        found = []
        while len(unit):
            unit, words = unit[unit >= 0], words[unit >= 0]
            found.append(unit[self.stop[unit] > words])
            unit = self._outer[unit]
        return np.concatenate([np.empty(0, np.int64), *found])

    @cached_property
    def _outer(self) -> Ints:
        """The smallest unit around each, −1 for none; of units with the same start the outermost is first."""
        outer = np.full(len(self), -1, np.int64)
        if not len(self) or not (np.maximum.accumulate(self.stop)[:-1] > self.first[1:]).any():
            return outer
        opened: list[int] = []
        stops = self.stop.tolist()
        for at, start in enumerate(self.first.tolist()):
            while opened and stops[opened[-1]] <= start:
                opened.pop()
            if opened:
                outer[at] = opened[-1]
            opened.append(at)
        return outer


class DisjointUnits(Units):
    """Units of which no two share a word: the unit of a word is looked up."""

    @cached_property
    def _unit_of(self) -> Int32:
        """The unit of each word up to the last unit, −1 for none."""
        count = len(self)
        edges = np.zeros(2 * count + 1, np.int64)
        edges[1::2], edges[2::2] = self.first, self.stop
        units = np.full(2 * count, -1, np.int32)
        units[1::2] = np.arange(count)
        return np.repeat(units, np.diff(edges))

    def holding(self, words: Int32, documents: Integers) -> Ints | Int32:
        unit = self._unit_of[words[: words.searchsorted(len(self._unit_of))]]
        return unit[unit >= 0]


class PassageUnits(Units):
    """Passages of one size at equal distances: the passages of a word are computed."""

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
        place = words - self._starts[documents]
        last = np.minimum(place // self._step, self._last[documents])
        earliest = np.maximum((place - self._size) // self._step + 1, 0)
        unit = self._before[documents] + last
        room = last - earliest  # how many passages before the last one contain the word, too
        most = min(-(-self._size // self._step), int(room.max(initial=0)) + 1)
        return np.concatenate([unit, *((unit - np.int32(back))[room >= back] for back in range(1, most))])


def units_of(segment: Segment, kind: UnitKind) -> Units:
    """Return the units of a segment; for elements only those that have words."""
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
    """Return which elements of a segment have one of these tags, shape (e,)."""
    numbers = [number for number in map(segment.tag, tags) if number is not None]
    return np.isin(segment.element_tags, numbers)


# A shard: neighbouring documents of a collection with the units to retrieve, and its counts.
#
# A collection is one shard or many. Statistics of the whole collection are counted in each shard, in whole
# numbers, and added up; scores are then computed unit by unit from these sums, so that they do not depend on
# how the collection was split.

_TOGETHER = 8  # words of a byte
_SET_BITS = np.array([number.bit_count() for number in range(256)], np.uint8)


class KeptWords:
    """Counts kept words with a bit for each word and a sum for every eight: 0.4 bytes a word."""

    def __init__(self, kept: Mask, longest: int) -> None:
        """``kept`` (n,) gives the words to count; ``longest`` is the longest stretch asked for, in words.

        Sums are right modulo 65,536 if no stretch is longer, in half the memory.
        """
        self._bits = np.append(np.packbits(kept, bitorder="little"), np.uint8(0))
        self._before = np.zeros(len(self._bits), np.uint16 if longest < 1 << 16 else np.uint32)
        np.cumsum(_SET_BITS[self._bits[:-1]], out=self._before[1:], dtype=self._before.dtype)

    def between(self, first: Int32 | Ints, stop: Int32 | Ints) -> Ints:
        """Return how many of the words ``[first, stop)`` are kept, shape as given."""
        return (self._until(stop) - self._until(first)).astype(np.int64)

    def _until(self, word: Int32 | Ints) -> Ints:
        byte, bit = word // _TOGETHER, word % _TOGETHER
        earlier = self._bits[byte] & ((1 << bit) - 1).astype(np.uint8)
        found: Ints = self._before[byte] + _SET_BITS[earlier]
        return found


class TermCounts(NamedTuple):
    """The number of occurrences of a term, and of documents and units with it, if asked for."""

    occurrences: int
    documents: int
    units: int


@dataclass(frozen=True, slots=True)
class CollectionCounts:
    """The counts of a shard, or of all shards added up; words without stop words."""

    documents: int
    """The number of readable documents."""
    words: int
    units: int
    unit_words: int
    """The sum of the lengths of all units."""
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
        """Return P(term | C), the share of the term among the words of the collection."""
        return self.terms[term].occurrences / self.words


NO_COUNTS = CollectionCounts(0, 0, 0, 0, {})


class TermPlaces(NamedTuple):
    """The words of a segment with a term, ascending, and the documents that they are in; shape (n,)."""

    words: Int32
    documents: Integers


class Hits(NamedTuple):
    """The documents or units with a term, ascending and each once, and their counts; shape (m,)."""

    where: Ints | Int32
    counts: Ints | Int32


MOST_HITS = 2_000_000  # kept for a shard, 16 MB
_KEPT_TERMS = 1 << 16


class Shard:
    """A segment as the models use it: without stop words, cut into units."""

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
        """The words that are not stop words."""
        kept = np.ones(self.segment.facts.words, bool)
        for word in self.forms.stop_words:
            number = self.segment.term(word)
            if number is not None:
                kept[self.segment.postings(range(number, number + 1))] = False
        return KeptWords(kept, int(np.diff(self.segment.documents).max(initial=0)))

    def lengths(self, units: Units) -> Ints:
        """Return the numbers of words in units, without stop words, shape (u,)."""
        return self._kept.between(units.first, units.stop)

    def counts(self, terms: Iterable[str], *, spread: bool) -> CollectionCounts:
        """Count documents, units, words and terms; with ``spread`` documents and units per term."""
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

        Cached, because those of the best documents are needed again.
        """
        return lru_cache(_KEPT_TERMS)(lambda number: self.forms.term(self.segment.word(number)))

    def places(self, term: str) -> TermPlaces:
        if self._placed is None or self._placed[0] != term:
            self._placed = term, self._places(self.forms.numbers(self.segment, term))
        return self._placed[1]

    def _places(self, numbers: list[int]) -> TermPlaces:
        terms = [range(number, number + 1) for number in numbers]
        words, documents = map(self.segment.postings, terms), map(self.segment.posting_documents, terms)
        if len(numbers) == 1:
            return TermPlaces(next(words), next(documents))
        none = np.empty(0, np.int32)
        return TermPlaces(
            np.sort(np.concatenate([none, *words])), np.sort(np.concatenate([none, *documents]))
        )

    def in_documents(self, term: str) -> Hits:
        return self._hits.of((term, "documents"), lambda: _runs_of(self.places(term).documents))

    def in_units(self, term: str, units: Units | None = None) -> Hits:
        """Return the units (its own unless given) that contain a term."""

        def count(units: Units) -> Hits:
            return _counted(units.holding(*self.places(term)), len(units))

        return self._hits.of((term, "units"), lambda: count(self.units)) if units is None else count(units)


class _KeptHits:
    """The counts of the most frequent words, which recur in the feedback of many queries."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._hits: dict[tuple[str, str], Hits] = {}
        self._sizes: list[tuple[int, tuple[str, str]]] = []  # a heap, the rarest word first
        self._size = 0

    def of(self, key: tuple[str, str], count: Callable[[], Hits]) -> Hits:
        """Return the stored counts of a key; count them if there are none."""
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
    """Count how often each of some non-decreasing numbers occurs."""
    new = np.ones(len(rising) + 1, bool)
    np.not_equal(rising[1:], rising[:-1], out=new[1:-1])
    first = np.flatnonzero(new).astype(np.int32)
    return Hits(rising[first[:-1]].astype(np.int32), np.diff(first))


@dataclass(frozen=True, slots=True)
class ShardScores:
    """A model's scores of units (u,), and which of them it retrieves."""

    units: Units
    scores: Floats
    retrieved: Mask


# Rankings of units: the best of one shard, or of all shards, in an order that does not depend on the shards.


@dataclass(frozen=True, eq=False)
class UnitRanking:
    """Units in the order of their ranking: columns of shape (k,).

    ``number`` is the number of each unit's document in the collection, ``id`` its name; ``start`` and ``end``
    are characters of the document.
    """

    scores: Floats
    number: Ints
    id: list[str]
    start: Ints
    end: Ints

    def __len__(self) -> int:
        return len(self.id)

    def take(self, rows: Ints) -> UnitRanking:
        ids = [self.id[row] for row in rows.tolist()]
        return UnitRanking(self.scores[rows], self.number[rows], ids, self.start[rows], self.end[rows])


def best_units(shard: Shard, found: ShardScores, depth: int, targets: tuple[str, ...] = ()) -> UnitRanking:
    """Return the best ``depth`` units of a shard; with ``targets`` those within elements with these tags.

    Units with equal scores are in the order of the collection; within a document the unit that starts first
    comes first, then the longer one.
    """
    retrieved = found.retrieved & within(shard, found.units, targets) if targets else found.retrieved
    chosen = np.flatnonzero(retrieved)
    if len(chosen) > depth:
        scores = found.scores[chosen]
        least = np.partition(scores, len(scores) - depth)[len(scores) - depth]
        chosen = chosen[scores >= least]
    spans = found.units.characters(shard.segment, chosen)
    documents = found.units.document[chosen]
    order = np.lexsort((-spans[:, 1], spans[:, 0], documents, -found.scores[chosen]))[:depth]
    ids = shard.segment.ids
    return UnitRanking(
        found.scores[chosen][order],
        documents[order] + shard.first_document,
        [ids[document] for document in documents[order].tolist()],
        spans[order, 0],
        spans[order, 1],
    )


def merged(rankings: Sequence[UnitRanking], depth: int) -> UnitRanking:
    """Return the best ``depth`` units of the rankings of all shards, in the order of ``best_units``."""
    scores = np.concatenate([np.empty(0), *(one.scores for one in rankings)])
    none = np.empty(0, np.int64)
    number, start, end = (
        np.concatenate([none, *(getattr(one, name) for one in rankings)])
        for name in ("number", "start", "end")
    )
    ids = [id for one in rankings for id in one.id]
    order = np.lexsort((-end, start, number, -scores))[:depth]
    return UnitRanking(
        scores[order], number[order], [ids[at] for at in order.tolist()], start[order], end[order]
    )


def within(shard: Shard, units: Units, tags: tuple[str, ...]) -> Mask:
    """Return which units are an element with one of these tags or within one; shape (u,)."""
    segment = shard.segment
    spans = segment.element_spans[tagged(segment, tags)]
    order = np.lexsort((-spans[:, 1], spans[:, 0]))
    first, reach = spans[order, 0], np.maximum.accumulate(spans[order, 1])
    before = first.searchsorted(units.first, side="right") - 1
    inside: Mask = before >= 0
    inside[inside] = reach[before[inside]] >= units.stop[inside]
    return inside


# Shards on a worker: the articles of a range, indexed and stored there.


@dataclass(frozen=True, slots=True)
class ShardRange:
    """The documents ``[start, stop)`` of a collection in its order."""

    collection: str
    start: int
    stop: int
    digest: str
    """A digest of their ids: a worker's copy of the collection must have the same."""
    keys: RecordKeys = USUAL_KEYS


def shard_ranges(collection: Collection, shards: int) -> list[ShardRange]:
    """Cut a collection into ranges with equal numbers of documents."""
    total, ids = len(collection), collection.ids_as_stored()
    edges = [total * at // shards for at in range(shards + 1)]
    path = str(collection.path.absolute())
    return [
        ShardRange(path, start, stop, _digest(list(islice(ids, stop - start))), collection.keys)
        for start, stop in pairwise(edges)
        if stop > start
    ]


@lru_cache(maxsize=8)
def open_shard(range: ShardRange, forms: WordForms, kind: UnitKind) -> Shard:
    """Open a shard in this process, indexing its articles if necessary.

    Raises DataError if the collection is missing here, or is a different one.
    """
    return Shard(_segment(range), forms, kind, range.start)


def _segment(range: ShardRange) -> Segment:
    with closing(Collection.open(range.collection, range.keys)) as collection:
        place = CachePlace(collection.path, small=False)
        fingerprint = sha256(f"{VERSION} {collection.fingerprint()}".encode()).hexdigest()[:16]
        folder = place.shards / f"{fingerprint}-{range.start}-{range.stop}"
        with suppress(BrokenSegmentError):
            return Segment(folder)
        ids = list(islice(collection.ids_as_stored(), range.start, range.stop))
        if _digest(ids) != range.digest:
            raise DataError(
                "holds other articles here than on the machine that started the search", path=range.collection
            )
        writer = SegmentWriter()
        for id in ids:
            add_article(writer, collection, id)
        return _written(writer, folder)


def _written(writer: SegmentWriter, folder: Path) -> Segment:
    """Write a segment; another worker of the machine may have done so meanwhile, or left a damaged one."""
    with suppress(OSError):
        writer.write(folder)
        return Segment(folder)
    with suppress(BrokenSegmentError):
        return Segment(folder)
    from shutil import rmtree

    rmtree(folder, ignore_errors=True)
    with reported(folder, "the index of words cannot be written ({}); is the disk full?", OSError):
        writer.write(folder)
    return Segment(folder)


def _digest(ids: list[str]) -> str:
    return sha256("\0".join(ids).encode("utf-8", "surrogatepass")).hexdigest()
