"""Where the tags of a plain article are and where they stand in its text, found all at once.

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

from inexview.core.entities import entity_text
from inexview.core.spans import Offsets

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
    of an element, and where it is in the text, in code points.  ``begins`` and ``stops``, of shape (n,):
    where in the bytes each start tag begins and stops.  ``names``: what the elements are called, in the order
    in which they end; :func:`name_in` takes away what may stand beside it in a tag.
    """

    opens: NDArray[np.bool_]
    places: Offsets
    begins: Offsets
    stops: Offsets
    names: list[str]


def plain_tags(source: bytes) -> Tags | None:
    """Find the tags of an article in UTF-8; None where it is not plain.

    What is returned for bytes that are not well-formed XML means nothing.
    """
    prolog = _PROLOG.match(source)
    characters = np.frombuffer(source, np.uint8)
    brackets = ((characters | _TELLS_APART) == _GREATER).nonzero()[0]
    if prolog and prolog.end():
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
    starts = begins[opens], lasts[opens] + 1
    names = _names(source, begins + 2 - opens, lasts, is_empty | ~opens)
    places = _places_in_text(source, characters, brackets)
    if is_empty.any():  # their tags are two edges
        counts = 1 + is_empty
        places, opens = places.repeat(counts), opens.repeat(counts)
        opens[(counts.cumsum() - 1)[is_empty]] = False
    return Tags(opens, places, *starts, names)


def _names(source: bytes, firsts: Offsets, lasts: Offsets, closes: NDArray[np.bool_]) -> list[str]:
    """Return what is called what between ``firsts`` and ``lasts`` where an element ends."""
    one_by_one = source.decode("latin-1")  # which is quickly done, and counts as the bytes do
    ending = zip(firsts[closes].tolist(), lasts[closes].tolist(), strict=True)
    return [one_by_one[first:last] for first, last in ending]


def name_in(tag: str) -> str:
    """Return the name in one of :attr:`Tags.names`."""
    return tag.encode("latin-1").rstrip(b"/").split(None, 1)[0].decode()


def _places_in_text(source: bytes, characters: NDArray[np.uint8], brackets: Offsets) -> Offsets:
    """Return how many code points of text there are before each tag."""
    points = brackets - _vanishing(source, characters, brackets)
    begins, lasts = points[0::2], points[1::2]
    places: Offsets = lasts - (lasts - begins).cumsum()  # a tag is longer by one than from "<" to ">" …
    places -= np.arange(begins[0], begins[0] + len(places))  # … and the text begins with the first
    return places


def _vanishing(source: bytes, characters: NDArray[np.uint8], brackets: Offsets) -> Offsets:
    """Return how many bytes before each bracket are no code point of their own; the prolog does not matter.

    Those are all bytes but one of each character and of each reference, and the CR of each CR LF.
    """
    vanishing = np.zeros(len(brackets), np.int64)
    if not source.isascii():
        vanishing += _continuing(characters.view(np.int8), brackets)
    if b"\r" in source:
        returns = ((characters[:-1] == ord("\r")) & (characters[1:] == ord("\n"))).nonzero()[0]
        vanishing += returns.searchsorted(brackets)
    if b"&" in source:
        vanishing += _of_references(source, brackets)
    return vanishing


def _continuing(body: NDArray[np.int8], places: Offsets) -> Offsets:
    """Return how many bytes before each of ``places`` continue a character of UTF-8."""
    counts = np.zeros(len(places), np.int64)
    before = 0
    for begin in range(0, len(body), _CHUNK):
        continuing = (body[begin : begin + _CHUNK] < -64).nonzero()[0]  # 0x80 to 0xBF
        first, last = places.searchsorted((begin, begin + _CHUNK))
        counts[first:last] = continuing.searchsorted(places[first:last] - begin) + before
        before += len(continuing)
    return counts


def _of_references(source: bytes, brackets: Offsets) -> Offsets:
    """Return how many bytes references have, before each bracket, beyond what they stand for."""
    starts, shrunk = [], [0]
    at = source.find(b"&", brackets[0])
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
