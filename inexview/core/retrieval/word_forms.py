"""Which words the models see, and which of them are one term: stop words and stemming."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from weakref import WeakKeyDictionary

from inexview.core.errors import InexviewError
from inexview.core.resources import resource
from inexview.core.small_files import read_small_text
from inexview.core.word_index.segment import Segment
from inexview.core.word_index.words import as_compared, text_words

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
