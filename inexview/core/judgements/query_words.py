"""The words of a topic that are worth looking for: its phrases, and the words of its title."""

from __future__ import annotations

import re
from collections.abc import Iterable

from inexview.core.judgements.topics import Topic

MOST = 12

# No space follows the commas and stops of Chinese and Japanese.
_PIECE = re.compile(r'([-+]?)(?:"([^"]+)"|([^\s、，；。]+))')
_EDGES = "+.,;:!?()[]'\"“”‘’«»：！？（）「」『』【】؟،؛।"
# Words that say nothing of what a text is about; those of titles, which are no sentences.
_EMPTY_WORDS = """
a about after against all also an and any are around as at be been before between both but by can did do
does during each etc for from had has have how if in into is it its like many more most no nor not of off on
only or other over own same should so some such than that the their them then there these they this those
through to under until up use used using very via vs was were what when where which while who whom why will
with within without would you your
"""
_EMPTY = frozenset(_EMPTY_WORDS.split())


def query_words(topic: Topic) -> tuple[str, ...]:
    """Return phrases first, then single words; what a minus precedes is left out.

    A word is left to its phrase where that is a term of the title ("olive oil"), but not where it is made of
    words that are apart in most texts ("alchemy in Asia", or those of a phrase that the title does not have).
    """
    return _words_and_left(topic)[0]


def words_left_to_phrases(topic: Topic) -> tuple[str, ...]:
    """Return the words of the title that ``query_words`` leaves to their phrase, for texts without it."""
    return _words_and_left(topic)[1]


def _words_and_left(topic: Topic) -> tuple[tuple[str, ...], tuple[str, ...]]:
    asked, titled = _pieces(topic.phrasetitle), _pieces(topic.title)
    phrases = _by_letters(" ".join(piece) for piece in asked + titled if len(piece) > 1)
    single = [piece for piece in asked if len(piece) == 1] + titled
    words = {
        key: word
        for key, word in _by_letters(word for piece in single for word in piece).items()
        if key not in _EMPTY
    }
    title = f" {' '.join(word for piece in titled for word in piece)} ".lower()
    terms = [phrase.split() for phrase in phrases if f" {phrase} " in title]
    left = {word for term in terms if _EMPTY.isdisjoint(term) for word in term}
    shown = [*phrases.values(), *(word for key, word in words.items() if key not in left)]
    kept = [word for key, word in words.items() if key in left]
    return tuple(shown[:MOST]), tuple(kept[:MOST])


def _pieces(text: str) -> list[list[str]]:
    """Return the words of each phrase, and each word by itself."""
    found = [(phrase or word).split() for sign, phrase, word in _PIECE.findall(text) if sign != "-"]
    tidy = [[word for one in piece if (word := one.strip(_EDGES))] for piece in found]
    return [piece for piece in tidy if piece]


def _by_letters(names: Iterable[str]) -> dict[str, str]:
    """Return names as they are first written, by their small letters."""
    kept: dict[str, str] = {}
    for name in names:
        kept.setdefault(name.lower(), name)
    return kept
