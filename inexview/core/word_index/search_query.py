"""What somebody types to find documents: words, "phrases", begin*, NEAR(several words, 5), -none of these.

What looks like one word and is several (``heart-rate``) is a phrase.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from inexview.core.errors import InexviewError
from inexview.core.word_index.word_matches import SoughtWord
from inexview.core.word_index.words import text_words

NEAR = 10  # words that may be between, unless a number is given
MOST_DIGITS = 6
MOST_WORDS = 64

_PART = re.compile(r'(-?)(?:"([^"]*)"?|(NEAR\()([^()]*)(\)?)|([^\s"]+))')


@dataclass(frozen=True, slots=True)
class SoughtPart:
    """Words that are side by side in this order, or, with ``near``, so close together in any order."""

    words: tuple[SoughtWord, ...]
    near: int | None = None
    """How many words may lie between the first and the last of them; None: they are a phrase."""
    excluded: bool = False


def parse_search(typed: str) -> tuple[SoughtPart, ...]:
    """Return what is sought; raises InexviewError where it is nothing, too much, or cannot be read."""
    found = []
    for part in _PART.finditer(typed):
        minus, phrase, near, inside, closed, word = part.groups()
        within = None
        if near:
            if not closed:
                raise _wrong(part, f"has no closing parenthesis. Write {_example(inside)}.")
            inside, within = _near(part, inside)
        words = _words(phrase or inside or word or "")
        if words:
            found.append(SoughtPart(words, within, bool(minus)))
    if sum(len(part.words) for part in found) > MOST_WORDS:
        raise InexviewError(f"At most {MOST_WORDS} words can be searched for at once.")
    if all(part.excluded for part in found):
        raise InexviewError("Name at least one word that is to be found.")
    return tuple(found)


def _near(part: re.Match[str], inside: str) -> tuple[str, int]:
    """Return the words of a NEAR, and how many others may lie between them."""
    named, comma, distance = inside.rpartition(",")
    if not comma:
        named = inside
    if not _words(named):
        raise _wrong(part, f"names no word. Write {_example('')}.")
    if not comma:
        return named, NEAR
    distance = distance.strip()
    if not (distance.isascii() and distance.isdigit() and len(distance) <= MOST_DIGITS):
        said = f"‘{distance}’" if distance else "nothing"
        raise _wrong(
            part,
            f"has {said} after the comma, where a number of at most {MOST_DIGITS} digits says how many words "
            f"may lie between. Write {_example(named)}.",
        )
    return named, int(distance)


def _example(inside: str) -> str:
    """Return a NEAR as it should be, with the words that were typed where there are two."""
    words = inside.rpartition(",")[0] or inside
    named = [word for word in words.split() if _words(word)]
    return f"NEAR({' '.join(named) if len(named) > 1 else 'two words'}, 5)"


def _wrong(part: re.Match[str], what: str) -> InexviewError:
    at = part.start() + len(part[1]) + 1
    return InexviewError(f"NEAR( at character {at:,} {what}")


def _words(text: str) -> tuple[SoughtWord, ...]:
    words, _, ends = text_words(text)
    return tuple(
        SoughtWord(word, text[end : end + 1] == "*") for word, end in zip(words, ends.tolist(), strict=True)
    )
