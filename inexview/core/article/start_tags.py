"""Where the tags of a plain article are and where they are in its text, found all at once.

Nearly all articles are plain: behind their first lines they have no comment, CDATA section, processing
instruction or entity of their own, and no bare ">".  Then every "<" begins a tag and every ">" ends one, and
numpy finds them without a step for each.  Nothing is checked here: expat reads the same bytes, and refuses
what is not well-formed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from inexview.core.text.spans import Offsets
from inexview.core.xml.parser import entity_text

_PROLOG = re.compile(
    rb"""(?>\s+|<\?.*?\?>|<!--.*?-->|<!DOCTYPE(?>[^\["'<>]+|"[^"]*"|'[^']*')*+>)*+""", re.DOTALL
)
_REFERENCE = re.compile(rb"&([^;&<>]*+);")
_GREATER, _SLASH = b">/"
_TELLS_APART = ord(">") - ord("<")  # a bit that is all that "<" lacks to be ">"
_MOST_REFERENCES = 100_000  # each costs a step here; with more, a step for each element is cheaper
_MOST_BRACKETS = 4 * 1_000_000  # two for each tag; places of more would take more than the file
_CHUNK = 1 << 20  # bytes that are searched in one go: what is found of a large file is not all held at once


@dataclass(frozen=True, slots=True)
class Tags:
    """The tags of an article, and what they leave in its text.

    ``opens`` and ``places``, of shape (2n,) for n elements, in document order: whether an edge is the start
    of an element, and where it is in the text, in code points.  ``begins``, of shape (n,): where in the bytes
    each start tag begins.
    """

    opens: NDArray[np.bool_]
    places: Offsets
    begins: Offsets


def plain_tags(source: bytes) -> Tags | None:
    """Find the tags of an article in UTF-8; None where it is not plain.

    What is returned for bytes that are not well-formed XML means nothing.
    """
    characters = np.frombuffer(source, np.uint8)
    is_bracket = (characters | _TELLS_APART) == _GREATER
    if np.count_nonzero(is_bracket) > _MOST_BRACKETS:
        return None
    brackets = is_bracket.nonzero()[0]
    if prolog := _PROLOG.match(source):
        brackets = brackets[brackets.searchsorted(prolog.end()) :]
    if not len(brackets) or characters[brackets].tobytes() != b"<>" * (len(brackets) // 2):
        return None
    begins, lasts = brackets[0::2], brackets[1::2]
    seconds = characters[begins + 1]
    kinds = seconds.tobytes()
    if b"!" in kinds or b"?" in kinds or (b"&" in source and source.count(b"&") > _MOST_REFERENCES):
        return None
    opens = seconds != _SLASH
    is_empty = opens & (characters[lasts - 1] == _SLASH)
    places = _places_in_text(source, characters, brackets)
    starts = begins[opens]
    if is_empty.any():  # their tags are two edges
        counts = 1 + is_empty
        places, opens = places.repeat(counts), opens.repeat(counts)
        opens[(counts.cumsum() - 1)[is_empty]] = False
    return Tags(opens, places, starts)


def _places_in_text(source: bytes, characters: NDArray[np.uint8], brackets: Offsets) -> Offsets:
    """Return how many code points of text there are before each tag."""
    points = _in_points(source, characters, brackets)
    begins, lasts = points[0::2], points[1::2]
    places: Offsets = lasts - (lasts - begins).cumsum()  # a tag is longer by one than from "<" to ">" …
    places -= np.arange(begins[0], begins[0] + len(places))  # … and the text begins with the first
    return places


def _in_points(source: bytes, characters: NDArray[np.uint8], brackets: Offsets) -> Offsets:
    """Return at which code point each bracket is; what the prolog holds may be counted as bytes.

    Bytes that are no code point of their own are all but one of each character and of each reference, and the
    CR of each CR LF.
    """
    points = brackets
    if not source.isascii():
        points = points - _continuing(characters.view(np.int8), brackets)
    if b"\r" in source:
        returns = ((characters[:-1] == ord("\r")) & (characters[1:] == ord("\n"))).nonzero()[0]
        points = points - returns.searchsorted(brackets)
    if b"&" in source:
        points = points - _of_references(source, brackets)
    return points


def _continuing(characters: NDArray[np.int8], places: Offsets) -> Offsets:
    """Return how many bytes before each of ``places`` continue a character of UTF-8."""
    if len(characters) <= _CHUNK:
        return (characters < -64).nonzero()[0].searchsorted(places)  # 0x80 to 0xBF
    counts = np.zeros(len(places), np.int64)
    before = 0
    for begin in range(0, len(characters), _CHUNK):
        continuing = (characters[begin : begin + _CHUNK] < -64).nonzero()[0]
        first, last = places.searchsorted((begin, begin + _CHUNK))
        counts[first:last] = continuing.searchsorted(places[first:last] - begin) + before
        before += len(continuing)
    return counts


def _of_references(source: bytes, brackets: Offsets) -> Offsets:
    """Return how many bytes references have, before each bracket, beyond what they stand for."""
    starts, shrunk = [], [0]
    at = source.find(b"&", int(brackets[0]))
    while at >= 0:
        if found := _REFERENCE.match(source, at):
            starts.append(at)
            shrunk.append(shrunk[-1] + _shrinks_by(found[1]))
        at = source.find(b"&", at + 1)
    return np.array(shrunk)[np.array(starts, np.int64).searchsorted(brackets)]


@lru_cache(4096)
def _shrinks_by(name: bytes) -> int:
    """Return how many bytes a reference has more than what it stands for has code points."""
    if name.startswith(b"#"):
        return len(name) + 1
    characters = entity_text(name.decode("utf-8", "replace"))
    return 0 if characters is None else len(name) + 2 - len(characters)  # unknown: shown as it is written
