"""What is retrieved, passages of so many words, elements of some tags or whole articles, and by which words.

Passages of 100 words each begin 50 words after the one before, and the last one ends with the article (Wade
and Allan 2005, section 3).  Words are those of the text: what a passage is does not depend on stop words.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from weakref import WeakKeyDictionary

import numpy as np

from inexview.core.errors import InexviewError
from inexview.core.files import read_small_text
from inexview.core.resources import resource
from inexview.core.text.spans import Ints, Mask
from inexview.core.word_index.segment import Int32, Integers, Segment
from inexview.core.word_index.words import as_compared, text_words

# Which words the models see, and which of them are one term: stop words and stemming.

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

        Raises DataError where the file cannot be read, InexviewError for another stemmer.
        """
        if stemmer not in STEMMERS:
            raise InexviewError(f"stemmer = {stemmer!r}: it must be {', '.join(STEMMERS)}")
        if stemmer == "krovetz":
            _krovetz_stemmer()  # says what is missing before anything is searched
        return cls(stop_list, stemmer, _listed(stop_list))

    def term(self, word: str) -> str | None:
        """Return the term of a word as it is compared, None for a stop word."""
        return None if word in self.stop_words else _STEMMERS[self.stemmer](word)

    def terms(self, text: str) -> list[str]:
        """Return the terms of a text, in its order."""
        found = (self.term(word) for word in text_words(text).words)
        return [term for term in found if term is not None]

    def numbers(self, segment: Segment, term: str) -> list[int]:
        """Return the words of a segment's vocabulary that are this term."""
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
    return str(_porter_stemmer()(word))


@lru_cache(maxsize=1)
def _porter_stemmer() -> Callable[[str], str]:
    import snowballstemmer

    stem: Callable[[str], str] = snowballstemmer.stemmer("porter").stemWord
    return stem


@lru_cache(maxsize=200_000)
def _krovetz(word: str) -> str:
    """Stem an English word (Krovetz, Viewing morphology as an inference process, SIGIR 1993)."""
    known = word.isascii() and word.isalpha()  # its list is of such words
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
    """Take off the ending of an English plural (Harman, How effective is suffixing?, JASIS 42(1), 1991)."""
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
