"""Sentences that are in several documents of a topic, and how each of them is judged there.

Two sentences are the same where their words are: case, white space and punctuation do not count.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING
from unicodedata import normalize

from inexview.core.article.document import Document
from inexview.core.article.granularity import Sentences
from inexview.core.project.judging.document_state import MarkEdges

if TYPE_CHECKING:
    import regex

SHORTEST = 6  # words; shorter sentences are the same everywhere and say little
_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_ASCII_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class SentencePlace:
    """Where a sentence is: the characters ``[start, end)`` of a document, and whether they are marked."""

    document: str
    start: int
    end: int
    marked: bool


@dataclass(frozen=True, slots=True)
class RepeatedSentence:
    """A sentence with all its places, in the order in which the documents were given."""

    text: str
    places: tuple[SentencePlace, ...]

    @property
    def marked(self) -> int:
        """In how many places it is marked."""
        return sum(place.marked for place in self.places)


class SentencePlaces:
    """The sentences of judged documents, by their words."""

    def __init__(self) -> None:
        self._places: dict[str, list[SentencePlace]] = {}

    def put(self, document: Document, edges: MarkEdges) -> None:
        """Take in how a document is judged, once."""
        for key, start, end in sentences(document):
            place = SentencePlace(document.id, start, end, is_marked(edges, start, end))
            self._places.setdefault(key, []).append(place)

    def judged_differently(self, texts: dict[str, str]) -> Iterator[RepeatedSentence]:
        """Yield the sentences that are marked in one document and not in another; ``texts`` by document."""
        for places in self._places.values():
            differently = 0 < sum(place.marked for place in places) < len(places)
            if differently and len(documents_of(places)) > 1:
                first = places[0]
                text = " ".join(texts[first.document][first.start : first.end].split())
                yield RepeatedSentence(text, tuple(places))


def sentences(document: Document) -> Iterator[tuple[str, int, int]]:
    """Yield the sentences of a document that can be compared: the words of each, its start and its end."""
    found = Sentences(document.text, document.blocks)
    for index in range(len(document.blocks)):
        for start, end in zip(*found.of_block(index), strict=True):
            words = _words(document.text[start:end].casefold())
            if len(words) >= SHORTEST:
                yield " ".join(words), start, end


def _words(text: str) -> list[str]:
    """Return the words of a text; Chinese and Japanese put no space between them."""
    if text.isascii():
        return _ASCII_WORD.findall(text)
    found: list[str] = _word().findall(normalize("NFC", text))
    return found


@cache
def _word() -> regex.Pattern[str]:
    """Return what is a word, with the marks on its letters, which `re` takes for none (5 ms to compile)."""
    import regex  # 20 ms, when it is first needed

    return regex.compile(rf"[{_CJK}]|[^\W{_CJK}]+")


def is_marked(edges: MarkEdges, start: int, end: int) -> bool:
    """Tell whether most of ``[start, end)`` is marked; ``edges`` are those of a document's state."""
    low, high = bisect_right(edges, start), bisect_left(edges, end)
    begun = edges[low:high] if low % 2 == 0 else (start, *edges[low:high])
    inside = begun if high % 2 == 0 else (*begun, end)
    return 2 * (sum(inside[1::2]) - sum(inside[::2])) > end - start


def documents_of(places: Iterable[SentencePlace]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(place.document for place in places))
