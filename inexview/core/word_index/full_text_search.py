"""Full-text search: the documents that hold what is sought, the best first, each with a snippet.

Sought are words, "phrases", beginnings*, NEAR(several words, 5) and -none of these: all of them must be in a
document, and nothing that a minus precedes.  What looks like one word and is several (``heart-rate``) is a
phrase.  Documents are ranked by BM25, a phrase or a group of near words counting as one word.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from typing import NamedTuple

import numpy as np

from inexview.core.collection.collection import Collection
from inexview.core.errors import InexviewError
from inexview.core.text.offset_arrays import Floats, Ints
from inexview.core.text.spans import Spans
from inexview.core.word_index.bm25 import bm25_idf, bm25_part
from inexview.core.word_index.segment import Segment
from inexview.core.word_index.word_index import WordIndex, indexed_text
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


_WIDTH = 180  # characters
_LEAD = 40  # characters before the first word found


class Snippet(NamedTuple):
    """A stretch of text whose white space is tidied, and the characters of it that were sought."""

    text: str
    spans: Spans


def snippet(text: str, words: Ints, found: Spans) -> Snippet:
    """Return the stretch of about ``_WIDTH`` characters that holds most of what was found, whole words only.

    ``words`` (n, 2) are the characters of all words of the text.
    """
    if not found:
        return Snippet("", Spans())
    behind = found.ends.searchsorted(found.starts + _WIDTH - _LEAD, side="right")
    sizes = np.append(0, (found.ends - found.starts).cumsum())
    best = int(found.starts[int((sizes[behind] - sizes[: len(found)]).argmax())])
    low = int(words[:, 0].searchsorted(max(best - _LEAD, 0)))
    start = min(int(words[low, 0]), best) if low < len(words) else best
    high = int(words[:, 1].searchsorted(start + _WIDTH, side="right"))
    end = int(words[high - 1, 1]) if high and words[high - 1, 1] > start else start + _WIDTH
    inside = found.clip(start, end)
    spans = Spans.from_arrays(inside.starts - start, inside.ends - start)
    return _tidied(text[start:end], spans, start > 0, end < len(text))


def _tidied(text: str, spans: Spans, cut_before: bool, cut_behind: bool) -> Snippet:
    """Make one blank of each run of white space, and mark where the text was cut."""
    blank = np.array([character.isspace() for character in text], bool)
    kept = ~(blank & np.append(False, blank[:-1]))
    places = np.append(0, kept.cumsum()) + (1 if cut_before else 0)
    tidy = "".join(" " if character.isspace() else character for character in np.array([*text])[kept])
    moved = Spans.from_arrays(places[spans.starts], places[spans.ends])
    return Snippet(f"{'…' if cut_before else ''}{tidy}{'…' if cut_behind else ''}", moved)


@dataclass(frozen=True, slots=True)
class FoundDocument:
    """A document that holds what is sought: where, and how its best stretch reads."""

    id: str
    score: float
    spans: Spans
    """All that was sought and found, in code points of the document's text."""
    snippet: Snippet


@dataclass(frozen=True, slots=True)
class SearchResult:
    """What a search found."""

    found: int
    """How many documents, of which ``documents`` are the first."""
    documents: tuple[FoundDocument, ...]
    unknown: tuple[str, ...]
    """Words sought that no document has."""


@dataclass(frozen=True, slots=True)
class _Matches:
    """Where a part is found in a segment: words ``[first, behind)`` of shape (m,), by document (m,)."""

    first: Ints
    behind: Ints
    documents: Ints

    def within(self, document: int) -> _Matches:
        low, high = self.documents.searchsorted([document, document + 1])
        return _Matches(self.first[low:high], self.behind[low:high], self.documents[low:high])


def search(index: WordIndex, collection: Collection, typed: str, limit: int = 50) -> SearchResult:
    """Return the best ``limit`` documents for what somebody typed (see :func:`parse_search`).

    Reads these documents for their snippets, about a millisecond each.  Raises InexviewError for a search
    without a word, DataError where a document cannot be read any more, or has changed.
    """
    parts = parse_search(typed)
    wanted = [part for part in parts if not part.excluded]
    matched = [[_matches(segment, part) for part in wanted] for segment in index.segments]
    holding = [
        _documents(segment, matches, [part for part in parts if part.excluded])
        for segment, matches in zip(index.segments, matched, strict=True)
    ]
    weights = _weights(index, matched, len(wanted))
    scores = [
        _scores(segment, matches, documents, weights, index.words / max(index.documents, 1))
        for segment, matches, documents in zip(index.segments, matched, holding, strict=True)
    ]
    best = _best(index, holding, scores, limit)
    return SearchResult(
        sum(map(len, holding)),
        tuple(
            _found(index.segments[at], number, matched[at], score, collection) for at, number, score in best
        ),
        tuple(dict.fromkeys(word.text for part in wanted for word in part.words if _unknown(index, word))),
    )


def _matches(segment: Segment, part: SoughtPart) -> _Matches:
    places = [_places(segment, word) for word in part.words]
    first, behind = _phrases(places) if part.near is None else _near(places, part.near)
    documents = segment.documents_of(first.astype(np.int32))
    whole = behind <= segment.documents[documents + 1]
    return _Matches(first[whole], behind[whole], documents[whole])


def _places(segment: Segment, word: SoughtWord) -> Ints:
    """Return where a word occurs in a segment, ascending."""
    if not word.beginning:
        term = segment.term(word.text)
        return np.empty(0, np.int64) if term is None else segment.postings(term).astype(np.int64)
    pieces = [segment.postings(term) for term in segment.beginning_with(word.text)]
    return np.sort(np.concatenate([np.empty(0, np.int32), *pieces])).astype(np.int64)


def _phrases(places: Sequence[Ints]) -> tuple[Ints, Ints]:
    shifted = [found - at for at, found in enumerate(places)]
    first = reduce(lambda one, other: np.intersect1d(one, other, assume_unique=True), shifted)
    return first, first + len(places)


def _near(places: Sequence[Ints], most: int) -> tuple[Ints, Ints]:
    """Return the shortest stretches that end with each occurrence of a word and hold all the others."""
    if not all(map(len, places)):
        return np.empty(0, np.int64), np.empty(0, np.int64)
    last = np.unique(np.concatenate(places))
    before = np.stack([found.searchsorted(last, side="right") - 1 for found in places])
    complete = (before >= 0).all(axis=0)
    last, before = last[complete], before[:, complete]
    first = np.min([found[at] for found, at in zip(places, before, strict=True)], axis=0)
    close = last - first - 1 <= most
    return first[close], last[close] + 1


def _documents(segment: Segment, matches: Sequence[_Matches], excluded: Sequence[SoughtPart]) -> Ints:
    """Return the documents of a segment that hold every part, and none of those excluded, ascending."""
    holding = reduce(np.intersect1d, (np.unique(match.documents) for match in matches))
    for part in excluded:
        holding = np.setdiff1d(holding, _matches(segment, part).documents)
    return holding


def _weights(index: WordIndex, matched: Sequence[Sequence[_Matches]], parts: int) -> list[float]:
    counts = [sum(len(np.unique(matches[part].documents)) for matches in matched) for part in range(parts)]
    return [bm25_idf(count, index.documents) for count in counts]


def _scores(
    segment: Segment, matches: Sequence[_Matches], documents: Ints, weights: list[float], average: float
) -> Floats:
    lengths = np.diff(segment.documents)[documents]
    scores = np.zeros(len(documents))
    for match, weight in zip(matches, weights, strict=True):
        often = np.bincount(match.documents, minlength=segment.facts.documents)[documents]
        scores += weight * bm25_part(often, lengths / average)
    return scores


def _best(
    index: WordIndex, holding: Sequence[Ints], scores: Sequence[Floats], limit: int
) -> list[tuple[int, int, float]]:
    """Return segment, document and score of the best; of equal ones those that come first."""
    if not holding:
        return []
    of = np.repeat(np.arange(len(holding)), [len(documents) for documents in holding])
    numbers, all_scores = np.concatenate(holding), np.concatenate(scores)
    order = np.argsort(-all_scores, kind="stable")[:limit]
    return list(zip(of[order].tolist(), numbers[order].tolist(), all_scores[order].tolist(), strict=True))


def _found(
    segment: Segment, number: int, matches: Sequence[_Matches], score: float, collection: Collection
) -> FoundDocument:
    inside = [match.within(number) for match in matches]
    first = np.concatenate([match.first for match in inside])
    last = np.concatenate([match.behind for match in inside]) - 1
    spans = Spans.from_arrays(
        segment.starts[first], segment.starts[last].astype(np.int64) + segment.sizes[last]
    )
    id = segment.ids[number]
    low, high = segment.documents[number : number + 2]
    starts = segment.starts[low:high].astype(np.int64)
    text = indexed_text(collection, segment, number)
    words = np.stack((text.starts(starts), text.ends(starts + segment.sizes[low:high])), axis=1)
    shown = Spans.from_arrays(text.starts(spans.starts), text.ends(spans.ends))
    return FoundDocument(id, score, spans, snippet(text.text, words, shown))


def _unknown(index: WordIndex, word: SoughtWord) -> bool:
    return not any(
        segment.beginning_with(word.text) if word.beginning else segment.term(word.text) is not None
        for segment in index.segments
    )
