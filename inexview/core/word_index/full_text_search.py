"""Full-text search: the documents that hold what is sought, the best first, each with a snippet.

All that is sought must be in a document, and nothing that a minus precedes.  Documents are ranked by BM25, a
phrase or a group of near words counting as one word.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple, TypeVar

import numpy as np

from inexview.core.collection.collection import Collection
from inexview.core.progress import Progress, unwatched
from inexview.core.text.offset_arrays import Floats, Ints
from inexview.core.text.spans import Spans
from inexview.core.text.text_quotes import Span
from inexview.core.word_index.bm25 import bm25_fewest, bm25_idf, bm25_part
from inexview.core.word_index.search_query import parse_search
from inexview.core.word_index.segment import Segment
from inexview.core.word_index.word_index import WordIndex, indexed_text
from inexview.core.word_index.word_matches import Matches, SoughtWord, matches

_WIDTH = 180  # characters
_LEAD = 40  # characters before the first word found
_THREADS = min(4, os.cpu_count() or 1)  # more than the processors would only wait
_SAFE = 1 - 1e-9  # a bound is lowered by more than what rounding may add
_WHITE_SPACE = re.compile(r"\s+")

T = TypeVar("T")


class Snippet(NamedTuple):
    """A stretch of text whose white space is tidied, and the characters of it that were sought."""

    text: str
    spans: Spans


def best_stretch(words: Ints, found: Spans) -> Span:
    """Return the stretch of about ``_WIDTH`` characters that holds most of what was found, whole words only.

    ``words`` (n, 2) are the characters of all words of the text.
    """
    if not found:
        return 0, 0
    behind = found.ends.searchsorted(found.starts + _WIDTH - _LEAD, side="right")
    sizes = np.append(0, (found.ends - found.starts).cumsum())
    best = int(found.starts[int((sizes[behind] - sizes[: len(found)]).argmax())])
    low = int(words[:, 0].searchsorted(max(best - _LEAD, 0)))
    start = min(int(words[low, 0]), best) if low < len(words) else best
    high = int(words[:, 1].searchsorted(start + _WIDTH, side="right"))
    end = int(words[high - 1, 1]) if high and words[high - 1, 1] > start else start + _WIDTH
    return start, end


def snippet(text: str, stretch: Span, found: Spans) -> Snippet:
    """Return a stretch of a text, and what was found in it."""
    start, end = stretch
    if not found:
        return Snippet("", Spans())
    inside = found.clip(start, end)
    spans = Spans.from_arrays(inside.starts - start, inside.ends - start)
    return _tidied(text[start:end], spans, start > 0, end < len(text))


def _tidied(text: str, spans: Spans, cut_before: bool, cut_behind: bool) -> Snippet:
    """Make one blank of each run of white space, and mark where the text was cut."""
    runs = [range(run.start() + 1, run.end()) for run in _WHITE_SPACE.finditer(text)]
    dropped = np.array([at for run in runs for at in run], np.int64)
    added = 1 if cut_before else 0
    starts, ends = (places - dropped.searchsorted(places) + added for places in (spans.starts, spans.ends))
    tidy = _WHITE_SPACE.sub(" ", text)
    return Snippet(f"{'…' * added}{tidy}{'…' if cut_behind else ''}", Spans.from_arrays(starts, ends))


@dataclass(frozen=True, slots=True)
class FoundDocument:
    """A document that holds what is sought: where, and how its best stretch reads."""

    id: str
    score: float
    spans: Spans
    """All that was sought and found, in code points of the document's text."""
    snippet: Snippet
    place: Span = (0, 0)
    """The first of the spans that the snippet shows."""


@dataclass(frozen=True, slots=True)
class SearchResult:
    """What a search found."""

    found: int
    """How many documents, of which the best are ``listed``."""
    unknown: tuple[str, ...]
    """Words sought that no document has."""
    _best: Sequence[Callable[[], FoundDocument]]

    @property
    def listed(self) -> int:
        return len(self._best)

    def documents(self, first: int = 0, behind: int | None = None) -> tuple[FoundDocument, ...]:
        """Read some of the best for their snippets, about a millisecond each.

        Raises DataError where a document cannot be read any more, or has changed.
        """
        return tuple(read() for read in self._best[first:behind])


def search(
    index: WordIndex,
    collection: Collection,
    typed: str,
    limit: int = 50,
    progress: Progress = unwatched,
) -> SearchResult:
    """Return the best ``limit`` documents for what somebody typed (see :func:`parse_search`).

    Raises InexviewError for a search that names no word or cannot be read, Cancelled where it is given up.
    """
    parts = parse_search(typed)
    wanted = [part for part in parts if not part.excluded]
    excluded = [part for part in parts if part.excluded]
    looked = _of_each(
        index.segments,
        lambda segment: [
            [matches(segment, part.words, part.near) for part in some] for some in (wanted, excluded)
        ],
        partial(progress, "parts of the index looked through"),
    )
    weights = [
        bm25_idf(sum(match.holders for match in of_part), index.documents)
        for of_part in zip(*(matched for matched, _ in looked), strict=True)
    ]
    average = index.words / max(index.documents, 1)
    found, best = 0, list[_BestMatch]()
    for at, (segment, (matched, without)) in enumerate(zip(index.segments, looked, strict=True)):
        progress("parts of the index ranked", at, len(index.segments))
        documents = _holding(segment, matched, without)
        found += len(documents)
        if len(best) == limit:
            documents = _promising(documents, matched, weights, best[-1].score)
        best = _best(best, at, documents, _scores(segment, documents, matched, weights, average), limit)
    return SearchResult(
        found,
        tuple(dict.fromkeys(word.text for part in wanted for word in part.words if _unknown(index, word))),
        [
            partial(_found, index.segments[at], number, looked[at][0], score, collection)
            for at, number, score in best
        ],
    )


def _of_each(
    segments: Sequence[Segment], look: Callable[[Segment], T], tell: Callable[[int, int], None]
) -> list[T]:
    """Look at all segments, some at a time: numpy leaves Python's lock free for most of it."""
    with ThreadPoolExecutor(_THREADS) as threads:
        looks = [threads.submit(look, segment) for segment in segments]
        try:
            found = []
            for at, looked in enumerate(looks):
                tell(at, len(looks))
                found.append(looked.result())
        finally:
            for looked in looks:
                looked.cancel()
    return found


def _holding(segment: Segment, matched: Sequence[Matches], excluded: Sequence[Matches]) -> Ints:
    """Return the documents of a segment that hold every part and none of those excluded.

    The rarest part comes first: of the others only its documents are looked at.
    """
    rarest, *others = sorted(matched, key=lambda match: len(match.first))
    if rarest.frequent:
        held = rarest.counts > 0
        for match in others:
            held &= match.counts > 0
        documents = np.flatnonzero(held)
    else:
        documents = rarest.documents
        for match in others:
            documents = documents.compress(match.often(documents) > 0)
    for match in excluded:
        documents = documents.compress(match.often(documents) == 0)
    return documents


def _promising(documents: Ints, matched: Sequence[Matches], weights: Sequence[float], least: float) -> Ints:
    """Return the documents that may score more than ``least``: those that hold each part often enough.

    Whatever the other parts give, they give less than their weights.
    """
    for match, weight in zip(matched, weights, strict=True):
        needed = 1 - (sum(weights) - least) / weight
        if needed > 0:
            documents = documents.compress(match.often(documents) >= bm25_fewest(needed * _SAFE))
    return documents


def _scores(
    segment: Segment,
    documents: Ints,
    matched: Sequence[Matches],
    weights: Sequence[float],
    average: float,
) -> Floats:
    """Return the scores (m,) of documents (m,) of a segment."""
    lengths = segment.lengths.take(documents) / average
    scores = np.zeros(len(documents))
    for match, weight in zip(matched, weights, strict=True):
        scores += weight * bm25_part(match.often(documents), lengths)
    return scores


class _BestMatch(NamedTuple):
    segment: int
    document: int
    score: float


def _best(
    before: list[_BestMatch], segment: int, documents: Ints, scores: Floats, limit: int
) -> list[_BestMatch]:
    """Return the best of the segments ``before`` and of another; of equal ones those that come first."""
    if len(before) == limit:
        better = scores > before[-1].score
        documents, scores = documents.compress(better), scores.compress(better)
    if len(scores) > limit:
        best = np.flatnonzero(scores >= np.partition(scores, -limit)[-limit])
        documents, scores = documents[best], scores[best]
    more = (_BestMatch(segment, *one) for one in zip(documents.tolist(), scores.tolist(), strict=True))
    return sorted([*before, *more], key=lambda one: -one.score)[:limit]


def _found(
    segment: Segment, number: int, matched: Sequence[Matches], score: float, collection: Collection
) -> FoundDocument:
    inside = [match.within(number) for match in matched]
    first = np.concatenate([first for first, _ in inside])
    last = np.concatenate([behind for _, behind in inside]) - 1
    spans = Spans.from_arrays(
        segment.starts[first], segment.starts[last].astype(np.int64) + segment.sizes[last]
    )
    id = segment.ids[number]
    low, high = segment.documents[number : number + 2]
    starts = segment.starts[low:high].astype(np.int64)
    text = indexed_text(collection, segment, number)
    words = np.stack((text.starts(starts), text.ends(starts + segment.sizes[low:high])), axis=1)
    shown = Spans.from_arrays(text.starts(spans.starts), text.ends(spans.ends))
    stretch = best_stretch(words, shown)
    shows = int(shown.ends.searchsorted(stretch[0], side="right"))
    place = int(spans.starts[shows]), int(spans.ends[shows])
    return FoundDocument(id, score, spans, snippet(text.text, stretch, shown), place)


def _unknown(index: WordIndex, word: SoughtWord) -> bool:
    return not any(
        segment.beginning_with(word.text) if word.beginning else segment.term(word.text) is not None
        for segment in index.segments
    )
