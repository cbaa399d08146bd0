"""What somebody types to search for: words, "phrases", beginnings*, NEAR(several words, 5), -none of these.

All that is asked for must be in a document, and nothing that a minus precedes.  What looks like one word and
is several (``heart-rate``) is a phrase.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from inexview.core.errors import InexviewError
from inexview.core.word_index.words import text_words

NEAR = 10  # words that may be between, unless a number is given
MOST_WORDS = 64

_PART = re.compile(r'(-?)(?:"([^"]*)"?|NEAR\(([^),]*)(?:,\s*(\d{1,6})\s*)?\)|([^\s"]+))')


@dataclass(frozen=True, slots=True)
class SoughtWord:
    """A word, or with ``beginning`` all words that begin so."""

    text: str
    beginning: bool = False


@dataclass(frozen=True, slots=True)
class SoughtPart:
    """Words that are side by side in this order, or, with ``near``, so close together in any order."""

    words: tuple[SoughtWord, ...]
    near: int | None = None
    """How many words may lie between the first and the last of them; None: they are a phrase."""
    excluded: bool = False


def parse_search(typed: str) -> tuple[SoughtPart, ...]:
    """Return what is sought; raises InexviewError where it is nothing, or too much."""
    found = []
    for minus, phrase, near, distance, word in _PART.findall(typed):
        words = _words(phrase or near or word)
        if words:
            within = None if not near else int(distance) if distance else NEAR
            found.append(SoughtPart(words, within, bool(minus)))
    if sum(len(part.words) for part in found) > MOST_WORDS:
        raise InexviewError(f"At most {MOST_WORDS} words can be searched for at once.")
    if all(part.excluded for part in found):
        raise InexviewError("Name at least one word that is to be found.")
    return tuple(found)


def _words(text: str) -> tuple[SoughtWord, ...]:
    words, _, ends = text_words(text)
    return tuple(
        SoughtWord(word, text[end : end + 1] == "*") for word, end in zip(words, ends.tolist(), strict=True)
    )
