"""Where the tags of a plain article are and where they stand in its text, found all at once.

Nearly all articles are plain: behind their first lines they have no comment, CDATA section, processing
instruction or entity of their own, and no bare ">".  Then every "<" begins a tag and every ">" ends one, and
numpy finds them without a step for each.  Nothing is checked here: expat reads the same bytes, and refuses
what is not well-formed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
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
_LESS, _GREATER, _SLASH = b"<>/"
_MOST_REFERENCES = 100_000  # each costs a step here; with more, a step for each element is cheaper
_CHUNK = 1 << 20  # bytes that are searched in one go: what is found of a large file is not all held at once


@dataclass(frozen=True, slots=True)
class Tags:
    """The tags of an article, and what they leave in its text.

    ``edges``, of shape (2n,) for n elements: the place in the text, in code points, of each start tag, and
    the complement of the place of each end tag (:func:`inexview.core.elements.nest` takes them so).
    ``begins`` and ``stops``, of shape (n,): where in the bytes each start tag begins and stops.
    """

    edges: Offsets
    begins: Offsets
    stops: Offsets

    @property
    def length(self) -> int:
        """The length of the text between the first tag and the last, in code points."""
        return ~int(self.edges[-1])


def plain_tags(source: bytes) -> Tags | None:
    """Find the tags of an article in UTF-8; None where it is not plain.

    What is returned for bytes that are not well-formed XML means nothing.
    """
    prolog = _PROLOG.match(source)
    body = np.frombuffer(source, np.uint8)[prolog.end() if prolog else 0 :]
    brackets = ((body == _LESS) | (body == _GREATER)).nonzero()[0]
    if not len(brackets) or body[brackets].tobytes() != b"<>" * (len(brackets) // 2):
        return None
    begins, lasts = brackets[0::2], brackets[1::2]
    seconds = body[begins + 1]
    kinds = seconds.tobytes()
    if b"!" in kinds or b"?" in kinds or (b"&" in source and source.count(b"&") > _MOST_REFERENCES):
        return None
    shift = len(source) - len(body)
    is_start = seconds != _SLASH
    is_empty = body[lasts - 1] == _SLASH
    is_empty &= is_start
    places = _places_in_text(source, body, brackets)
    return Tags(_edges(places, is_start, is_empty), begins[is_start] + shift, lasts[is_start] + (shift + 1))


def _edges(places: Offsets, is_start: NDArray[np.bool_], is_empty: NDArray[np.bool_]) -> Offsets:
    """Return the edges of elements, two for the tag of an empty one."""
    if is_empty.any():
        counts = 1 + is_empty
        places, starting = places.repeat(counts), is_start.repeat(counts)
        starting[(counts.cumsum() - 1)[is_empty]] = False
    else:
        starting = is_start
    return np.where(starting, places, ~places)


def _places_in_text(source: bytes, body: NDArray[np.uint8], brackets: Offsets) -> Offsets:
    """Return how many code points of text there are before each tag."""
    points = brackets.copy()
    points[1::2] += 1
    points -= _vanishing(source, body, brackets)
    begins, stops = points[0::2], points[1::2]
    places: Offsets = stops - (stops - begins).cumsum()
    places -= begins[0]
    return places


def _vanishing(source: bytes, body: NDArray[np.uint8], places: Offsets) -> Offsets:
    """Return how many bytes before each of ``places``, which ascend, are no code point of their own.

    Those are all bytes but one of each character and of each reference, and the CR of each CR LF.
    """
    vanishing = np.zeros(len(places), np.int64)
    if not source.isascii():
        vanishing += _continuing(body.view(np.int8), places)
    if b"\r" in source:
        returns = ((body[:-1] == ord("\r")) & (body[1:] == ord("\n"))).nonzero()[0]
        vanishing += returns.searchsorted(places)
    if b"&" in source:
        shift = len(source) - len(body)
        starts, sizes = np.array(list(_references(source, shift)), np.int64).reshape(-1, 2).T
        vanishing += np.append(0, sizes.cumsum())[starts.searchsorted(places + shift)]
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


def _references(source: bytes, begin: int) -> Iterator[tuple[int, int]]:
    """Yield where each reference begins and how much longer it is than what it stands for."""
    at = source.find(b"&", begin)
    while at >= 0:
        if found := _REFERENCE.match(source, at):
            yield at, _shrinks_by(found[1])
        at = source.find(b"&", at + 1)


@lru_cache(4096)
def _shrinks_by(name: bytes) -> int:
    """Return how many bytes a reference has more than what it stands for has code points."""
    if name.startswith(b"#"):
        return len(name) + 1
    characters = entity_text(name.decode("utf-8", "replace"))
    return 0 if characters is None else len(name) + 2 - len(characters)  # unknown: shown as it is written
