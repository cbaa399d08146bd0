"""The index of words of a collection: its segments, and the counts of words in all of them.

It is kept in the user's cache folder with the collection's list, one folder per collection, as long as no
document changes.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import islice
from math import log
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from inexview.core.collection.collection import Collection
from inexview.core.collection.collection_index import CachePlace, locked
from inexview.core.errors import DataError, InexviewError
from inexview.core.progress import Cancelled, Progress, Tell, untold, unwatched
from inexview.core.text.search import Span
from inexview.core.text.spans import Floats, Ints, Spans
from inexview.core.word_index.segment import (
    BrokenSegmentError,
    Int32,
    Integers,
    Segment,
    SegmentWriter,
    SpacedText,
    as_compared,
    spaced_text,
    text_words,
)

VERSION = 2
MANIFEST = "index.json"
DAMAGED = "the index of the collection’s words is damaged or cut short"
OF_ANOTHER_VERSION = "the index of the collection’s words was made by another version of inexview"
OUTDATED = "the collection has changed since its words were indexed"


class OutdatedIndexError(DataError):
    """A document has changed since its words were indexed."""


class WordCounts(NamedTuple):
    """The number of occurrences of a word in the collection, and of documents that contain it."""

    occurrences: int
    documents: int


@dataclass(frozen=True, slots=True)
class Manifest:
    """The facts of an index: its segments, and the state of the collection that was indexed."""

    fingerprint: str
    segments: tuple[str, ...] = ()
    complete: bool = False

    @classmethod
    def read(cls, folder: Path, tell: Tell = untold) -> Manifest | None:
        """Read the manifest of the index in a folder; None if there is none of this version.

        ``tell`` is called with the reason why an existing one cannot be used.
        """
        try:
            said: Any = json.loads((folder / MANIFEST).read_bytes())
            if said["version"] == VERSION:
                segments = tuple(map(str, said["segments"]))
                return cls(str(said["fingerprint"]), segments, said["complete"] is True)
            tell(OF_ANOTHER_VERSION)
        except FileNotFoundError:
            pass
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            tell(DAMAGED)
        return None

    def write(self, folder: Path) -> None:
        said = {
            "version": VERSION,
            "fingerprint": self.fingerprint,
            "segments": self.segments,
            "complete": self.complete,
        }
        made = folder / f"{MANIFEST}.new"
        made.write_text(json.dumps(said))
        made.replace(folder / MANIFEST)


class WordIndex:
    """The words of all documents; any number of threads may query at once.

    Documents are numbered from 0 in the order of the collection, through all segments.
    """

    def __init__(self, segments: Sequence[Segment]) -> None:
        self.segments = tuple(segments)
        self.first_documents: Ints = np.cumsum(
            [0, *(segment.facts.documents for segment in self.segments)], dtype=np.int64
        )
        """(s+1,) the number of the first document of each segment."""

    @classmethod
    def kept(cls, collection: Collection, tell: Tell = untold) -> WordIndex | None:
        """Return the index made before; None if there is none for the collection as it is now.

        Reads it once to verify it; ``tell`` is called with the reason why an existing one cannot be used.
        Raises DataError if the collection is missing.
        """
        folder = CachePlace(collection.path, small=False).words
        manifest = Manifest.read(folder, tell)
        if manifest is None:
            return None
        if manifest.fingerprint != collection.fingerprint() or collection.replaced():
            tell(OUTDATED)
            return None
        if not manifest.complete:
            return None
        try:
            return cls([Segment(folder / name) for name in manifest.segments])
        except BrokenSegmentError:
            tell(DAMAGED)
            return None

    @property
    def documents(self) -> int:
        """The number of readable documents."""
        return int(self.first_documents[-1]) - self.unreadable

    @property
    def unreadable(self) -> int:
        """The number of documents that are not XML, or cannot be read for another reason."""
        return sum(segment.facts.unreadable for segment in self.segments)

    @property
    def words(self) -> int:
        """The number of words in the collection, counting each occurrence."""
        return sum(segment.facts.words for segment in self.segments)

    def counts(self, word: str) -> WordCounts:
        """Return how often a word occurs, in upper or lower case; zeros if it does not."""
        word = as_compared(word)
        found = [(segment, segment.term(word)) for segment in self.segments]
        return WordCounts(
            sum(segment.frequency(term) for segment, term in found if term is not None),
            sum(int(segment.document_counts[term]) for segment, term in found if term is not None),
        )

    def document(self, id: str) -> tuple[Segment, int]:
        """Return the segment of a document and its number there; raises DataError if it is not indexed."""
        place = self._places.get(id)
        if place is None:
            raise DataError(f"the index of words has no document {id!r}")
        return self.segments[place[0]], place[1]

    def segment_of(self, number: int) -> tuple[Segment, int]:
        """Return the segment of a document by its number in the collection, and its number there."""
        at = int(self.first_documents.searchsorted(number, side="right")) - 1
        return self.segments[at], number - int(self.first_documents[at])

    def positions(self, word: str, id: str) -> Ints:
        """Return the places (k, 2) of a word in a document, as starts and ends in characters."""
        segment, number = self.document(id)
        term = segment.term(as_compared(word))
        if term is None:
            return np.empty((0, 2), np.int64)
        places = segment.postings(range(term, term + 1))
        low, high = places.searchsorted(segment.documents[number : number + 2])
        starts = segment.starts[places[low:high]].astype(np.int64)
        return np.stack((starts, starts + segment.sizes[places[low:high]]), axis=1)

    @cached_property
    def _places(self) -> dict[str, tuple[int, int]]:
        return {
            id: (at, number)
            for at, segment in enumerate(self.segments)
            for number, id in enumerate(segment.ids)
        }


def indexed_text(collection: Collection, segment: Segment, number: int) -> SpacedText:
    """Return the text of a document of a segment, by its number there.

    Raises OutdatedIndexError if its length has changed, DataError if it can no longer be read.
    """
    article = collection.scan(segment.ids[number])
    if len(article.text) != segment.characters[number]:
        raise OutdatedIndexError(
            f"document {segment.ids[number]} has changed since its words were indexed", path=collection.path
        )
    return spaced_text(article)


# Makes the index of words of a collection, segment by segment, continuing an interrupted attempt.

SEGMENT_WORDS = 8_000_000  # 100 MB in memory, and up to a minute of work lost by a kill


def word_index(
    collection: Collection, progress: Progress = unwatched, *, rebuild: bool = False, tell: Tell = untold
) -> WordIndex:
    """Return the index of words of a collection; make it if there is none of the collection as it is.

    If the work is cancelled, the next attempt continues from there.  An index that is damaged, cut short or
    of another version is made again; ``tell`` is called with the reason before the work begins. ``progress``
    counts "articles indexed". Raises Cancelled, and DataError if the collection cannot be listed, was
    replaced or changes meanwhile, or the disk is full.
    """
    kept = None if rebuild else WordIndex.kept(collection)
    if kept is not None:
        return kept
    if collection.replaced():  # the words of one archive would be found in the text of another
        told = "the articles were replaced while they were open; open them again"
        raise DataError(told, path=collection.path)
    place = CachePlace(collection.path, small=False)
    with (
        locked(place.lock.with_suffix(".words-lock"), "index of words", progress),
        closing(
            Collection.open(collection.path, collection.keys)
        ) as current,  # an open collection may have an old list
    ):
        if not rebuild:  # another process may have made it meanwhile
            kept = WordIndex.kept(collection, lambda why: tell(f"{why}; they are indexed again"))
        if kept is not None:
            return kept
        current.check(progress)  # errors of a damaged list would stay in the index
        place.note_name()
        try:
            return _made(current, place, progress, rebuild)
        except OSError as error:
            place.forget_words()
            raise DataError(
                f"the index of words cannot be written ({error.strerror or error}); is the disk full?",
                path=place.words,
            ) from error


def _made(collection: Collection, place: CachePlace, progress: Progress, rebuild: bool) -> WordIndex:
    folder, fingerprint = place.words, collection.fingerprint()
    manifest, segments = Manifest(fingerprint), list[Segment]()
    if not rebuild:
        manifest, segments = _begun(folder, fingerprint)
    if not segments:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
    for left in folder.iterdir():  # of segments that a killed process was about to write
        if left.is_dir() and left.name not in manifest.segments:
            shutil.rmtree(left, ignore_errors=True)
    done = sum(segment.facts.documents for segment in segments)
    ids, total = islice(collection.ids_as_stored(), done, None), len(collection)
    while done < total:
        writer, stopped = _filled(collection, ids, progress, done, total)
        if not writer.ids:
            raise stopped or _changed(collection)
        name = f"{len(segments):04}"
        writer.write(folder / name)
        segments.append(Segment(folder / name))
        manifest = replace(manifest, segments=(*manifest.segments, name))
        manifest.write(folder)
        if stopped is not None:
            raise stopped
        done += len(writer.ids)
    if collection.fingerprint() != fingerprint:
        place.forget_words()
        raise _changed(collection)
    replace(manifest, complete=True).write(folder)
    return WordIndex(segments)


def _changed(collection: Collection) -> DataError:
    return DataError(
        "the collection changed while its words were indexed; index it again when it no longer changes",
        path=collection.path,
    )


def _begun(folder: Path, fingerprint: str) -> tuple[Manifest, list[Segment]]:
    """Return what an earlier attempt has indexed of this state of the collection, as far as it is valid."""
    manifest = Manifest.read(folder)
    if manifest is None or manifest.fingerprint != fingerprint:
        return Manifest(fingerprint), []
    segments = []
    for name in manifest.segments:
        try:
            segments.append(Segment(folder / name))
        except BrokenSegmentError:
            break
    return replace(manifest, segments=manifest.segments[: len(segments)], complete=False), segments


def _filled(
    collection: Collection, ids: Iterable[str], progress: Progress, done: int, total: int
) -> tuple[SegmentWriter, Cancelled | None]:
    """Read articles until a segment is full, they end, or the work is cancelled."""
    writer = SegmentWriter()
    for id in ids:
        try:
            progress("articles indexed", done + len(writer.ids), total)
        except Cancelled as wish:
            return writer, wish
        add_article(writer, collection, id)
        if writer.words >= SEGMENT_WORDS:
            break
    return writer, None


def add_article(writer: SegmentWriter, collection: Collection, id: str) -> None:
    """Read an article into a segment; an unreadable one keeps its number there."""
    try:
        article = collection.scan(id)
    except DataError:
        article = None
    writer.add(id, article)


# Full-text search: the documents that match a search, the best first, each with a snippet.
#
# All parts must be in a document, except those with a minus, which must not. Documents are ranked by BM25,
# with a phrase or a group of near words counting as one word.

# The syntax of a search: words, "phrases", begin*, NEAR(several words, 5), -none of these.
#
# A token that consists of several words (`heart-rate`) is a phrase.

NEAR = 10  # words that may come between, unless a number is given
MOST_DIGITS = 6
MOST_WORDS = 64

_PART = re.compile(r'(-?)(?:"([^"]*)"?|(NEAR\()([^()]*)(\)?)|([^\s"]+))')


@dataclass(frozen=True, slots=True)
class SoughtPart:
    """Words that follow one another in this order, or, with ``near``, are close together in any order."""

    words: tuple[SoughtWord, ...]
    near: int | None = None
    """How many words may come between the first and the last of them; None for a phrase."""
    excluded: bool = False


def parse_search(typed: str) -> tuple[SoughtPart, ...]:
    """Return the parts of a search; raises InexviewError if it is empty, too long or invalid."""
    found = []
    for part in _PART.finditer(typed):
        minus, phrase, near, inside, closed, word = part.groups()
        within = None
        if near:
            if not closed:
                raise _wrong(part, f"has no closing parenthesis. Write {_example(inside)}.")
            inside, within = _near_words(part, inside)
        words = _words(phrase or inside or word or "")
        if words:
            found.append(SoughtPart(words, within, bool(minus)))
    if sum(len(part.words) for part in found) > MOST_WORDS:
        raise InexviewError(f"At most {MOST_WORDS} words can be searched for at once.")
    if all(part.excluded for part in found):
        raise InexviewError("Enter at least one word to find.")
    return tuple(found)


def _near_words(part: re.Match[str], inside: str) -> tuple[str, int]:
    """Return the words of a NEAR, and how many others may come between them."""
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
    """Return a correct NEAR, with the words that were typed if there are two."""
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


# The places of sought words in a segment: one word, a phrase, or words near each other.
#
# A word may occur a million times: only the occurrences near the rarest word are checked.  `take` and
# `compress` do the work of an index in brackets in a quarter of the time.

_LEAST_BLOCK = 3  # of 8 words
FEWER = 16  # times: fewer documents are looked up among occurrences; for more, all are counted


@dataclass(frozen=True, slots=True)
class SoughtWord:
    """A word, or with ``beginning`` all words with that beginning."""

    text: str
    beginning: bool = False


@dataclass(frozen=True)
class Matches:
    """The places of something sought in a segment: from the words ``first`` (m,) to ``behind`` (m,).

    ``of`` (m,) are their documents; ``behind`` is None if each is a single word; ``in_documents`` is known
    for a single word.  Places ascend, unless they are of ``several`` words, one word after the other.
    """

    segment: Segment
    first: Ints | Int32
    of: Integers
    behind: Ints | None = None
    in_documents: int | None = None
    several: bool = False

    @property
    def holders(self) -> int:
        """The number of documents with it."""
        return int(np.count_nonzero(self.counts)) if self.in_documents is None else self.in_documents

    @cached_property
    def counts(self) -> Ints:
        """How often it occurs in each document of the segment, shape (d,)."""
        return np.bincount(self.of, minlength=self.segment.facts.documents)

    @cached_property
    def documents(self) -> Ints:
        """The documents that contain it, ascending."""
        return np.flatnonzero(self.counts)

    @property
    def frequent(self) -> bool:
        """Whether it occurs so often that all documents are counted at once."""
        return len(self.of) * FEWER > self.segment.facts.documents

    def often(self, documents: Ints) -> Ints:
        """Count how often it occurs in some documents, shape as given."""
        counted: Ints
        if self.several or len(documents) * FEWER > len(self.of):
            counted = self.counts.take(documents)
        else:
            wanted = documents.astype(self.of.dtype)
            counted = self.of.searchsorted(wanted, side="right") - self.of.searchsorted(wanted)
        return counted

    def within(self, document: int) -> tuple[Ints, Ints]:
        """Return the first words of the places in a document, and the words after them, shape (k,)."""
        there = np.flatnonzero(self.of == document)
        first = self.first[there].astype(np.int64)
        return first, first + 1 if self.behind is None else self.behind[there]


def matches(segment: Segment, words: Sequence[SoughtWord], near: int | None) -> Matches:
    """Return the places of adjacent words, or with ``near`` of words with at most that many between."""
    sought = [_terms(segment, word) for word in words]
    if len(words) == 1:
        (terms,) = sought
        known = None if words[0].beginning else int(segment.document_counts[terms.start : terms.stop].sum())
        first, of = segment.postings(terms), segment.posting_documents(terms)
        return Matches(segment, first, of, None, known, several=len(terms) > 1)
    return _phrase(segment, sought) if near is None else _near(segment, sought, near)


def _terms(segment: Segment, word: SoughtWord) -> range:
    """Return the numbers of a word, or of all with that beginning; none if the segment lacks it."""
    if word.beginning:
        return segment.beginning_with(word.text)
    term = segment.term(word.text)
    return range(0) if term is None else range(term, term + 1)


def _phrase(segment: Segment, sought: Sequence[range]) -> Matches:
    """Return the places of words in sequence, searching around the rarest of them."""
    rarest = min(range(len(sought)), key=lambda at: len(segment.postings(sought[at])))
    first = segment.postings(sought[rarest]).astype(np.int64) - rarest
    of = segment.posting_documents(sought[rarest])
    for at, terms in enumerate(sought):
        if at != rarest:
            there = segment.terms.take(first + at, mode="clip")
            found = (there >= terms.start) & (there < terms.stop)
            first, of = first.compress(found), of.compress(found)
    starts, ends = segment.documents.take(of), segment.documents[1:].take(of)
    whole = (starts <= first) & (first + len(sought) <= ends)
    first, of = first.compress(whole), of.compress(whole)
    return Matches(segment, first, of, first + len(sought), several=len(sought[rarest]) > 1)


def _near(segment: Segment, sought: Sequence[range], most: int) -> Matches:
    """Return the shortest stretches that end with an occurrence of a word and contain all the others.

    All occurrences are sorted together, so that one pass knows the last place of each word.  For words much
    more frequent than the rarest, only the places around the rarest are sorted; and the pass covers only
    those with enough others close by.
    """
    rarest = np.sort(min(map(segment.postings, sought), key=len), kind="stable")
    close = [_around(segment.postings(terms), rarest, most + 1, several=len(terms) > 1) for terms in sought]
    bits = (len(close) - 1).bit_length()  # the bits below a place give the word
    shift = most + 2  # so that no word is near to 0, the last place of words not seen yet
    fits = segment.facts.words + shift << bits < 1 << 31
    kind = np.dtype("i4" if fits else "i8")
    keys = np.concatenate([(found.astype(kind) + shift) << bits | at for at, found in enumerate(close)])
    keys.sort(kind="stable")  # merges parts that already ascend
    # Keep only places that may be in a stretch with enough others.
    places, others = keys >> bits, len(close) - 1
    ends = np.zeros(len(keys), bool)
    ends[others:] = places[others:] - places[:-others] <= most + 1
    crowded = ends.copy()
    for before in range(1, len(close)):
        crowded[:-before] |= ends[before:]
    keys = keys.compress(crowded)
    last, word = keys >> bits, keys & (1 << bits) - 1
    first = last
    for at in range(len(close)):
        first = np.minimum(first, np.maximum.accumulate(last * (word == at)))
    near = last - first <= most + 1
    # if several words are at one place, the last of them has all the facts
    near[:-1] &= last[1:] != last[:-1]
    first, last = first.compress(near) - shift, last.compress(near) - shift
    of = segment.documents_of(last)
    whole = segment.documents.take(of) <= first
    first, of, last = first.compress(whole), of.compress(whole), last.compress(whole)
    return Matches(segment, first.astype(np.int64), of, last.astype(np.int64) + 1)


def _around(places: Int32, rarest: Int32, distance: int, *, several: bool) -> Int32:
    """Return, ascending, the places near one of the rarest: only these are in a close stretch.

    Others are kept where removing them would take longer.
    """
    if several:  # of several words, one after the other
        return np.sort(places.compress(_beside(places, rarest, distance)))
    if len(places) < FEWER * len(rarest):
        return places
    low = places.searchsorted(rarest - np.int32(distance))
    high = places.searchsorted(rarest + np.int32(distance), side="right")
    low = np.maximum(low, np.append(0, high[:-1]))  # a place near two of them counts once
    sizes = np.maximum(high - low, 0)
    at = np.repeat(low - sizes.cumsum() + sizes, sizes) + np.arange(sizes.sum())
    near: Int32 = places.take(at)
    return near


def _beside(places: Int32, rarest: Int32, distance: int) -> NDArray[np.bool_]:
    """Return which places are in a block of words with one of the rarest, or in an adjacent block."""
    size = max(distance.bit_length(), _LEAST_BLOCK)
    blocks = np.zeros((int(max(places.max(initial=0), rarest.max(initial=0))) >> size) + 3, bool)
    blocks[(rarest >> size).astype(np.intp) + 1] = True  # any other index is checked twice
    blocks[1:-1] |= blocks[:-2] | blocks[2:]
    found: NDArray[np.bool_] = blocks.take((places >> size).astype(np.intp) + 1)
    return found


K1, B = 0.9, 0.4


# BM25 as Lucene has it since version 8: without the factor k1 + 1, which changes no ranking.
#
# Robertson and Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond, 2009, section 3.


def bm25_idf(having: int, among: int) -> float:
    """Return the weight of a term that ``having`` of ``among`` documents contain."""
    return log(1 + (among - having + 0.5) / (having + 0.5))


def bm25_part(often: NDArray[np.integer], relative_lengths: Floats, k1: float = K1, b: float = B) -> Floats:
    """Return the part of its weight that a term gives to documents (m,) that contain it so often.

    Lengths are relative to the average length.
    """
    part: Floats = often / (often + k1 * (1 - b + b * relative_lengths))
    return part


def bm25_fewest(part: float, k1: float = K1, b: float = B) -> float:
    """Return the least frequency at which a term can give a document this part of its weight, below 1.

    It is the frequency in a document of length 0; all others need more.
    """
    return part / (1 - part) * k1 * (1 - b)


_WIDTH = 180  # characters
_LEAD = 40  # characters before the first word found
_THREADS = min(4, os.cpu_count() or 1)  # more than the number of processors would only wait
_SAFE = 1 - 1e-9  # a bound is lowered by more than rounding may add
_WHITE_SPACE = re.compile(r"\s+")

T = TypeVar("T")


class Snippet(NamedTuple):
    """A stretch of text with normalised white space, and the characters of it that match the search."""

    text: str
    spans: Spans


def best_stretch(words: Ints, found: Spans) -> Span:
    """Return the stretch of about ``_WIDTH`` characters with the most matches, in whole words.

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
    start, end = stretch
    if not found:
        return Snippet("", Spans())
    inside, shown = found.clip(start, end), text[start:end]
    # Each run of white space becomes one blank, and cuts of the text are marked.
    runs = [range(run.start() + 1, run.end()) for run in _WHITE_SPACE.finditer(shown)]
    dropped = np.array([at for run in runs for at in run], np.int64)
    added = int(start > 0)
    starts, ends = (
        places - dropped.searchsorted(places) + added
        for places in (inside.starts - start, inside.ends - start)
    )
    tidy = f"{'…' * added}{_WHITE_SPACE.sub(' ', shown)}{'…' * (end < len(text))}"
    return Snippet(tidy, Spans.from_arrays(starts, ends))


@dataclass(frozen=True, slots=True)
class FoundDocument:
    """A document that matches a search: the places, and the text of its best stretch."""

    id: str
    score: float
    spans: Spans
    """All matches, in code points of the document's text."""
    snippet: Snippet
    place: Span = (0, 0)
    """The first of the spans that the snippet shows."""


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The result of a search."""

    found: int
    """The number of matching documents; the best of them are ``listed``."""
    unknown: tuple[str, ...]
    """Sought words that no document contains."""
    _best: Sequence[Callable[[], FoundDocument]]

    @property
    def listed(self) -> int:
        return len(self._best)

    def documents(self, first: int = 0, behind: int | None = None) -> tuple[FoundDocument, ...]:
        """Read some of the best documents for their snippets, about a millisecond each.

        Raises DataError if a document can no longer be read, or has changed.
        """
        return tuple(read() for read in self._best[first:behind])


def search(
    index: WordIndex, collection: Collection, typed: str, limit: int = 50, progress: Progress = unwatched
) -> SearchResult:
    """Return the best ``limit`` documents for a search as typed (see :func:`parse_search`).

    Raises InexviewError for a search without words or with invalid syntax, Cancelled.
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
    """Apply ``look`` to all segments, several at a time: numpy releases Python's lock for most of it."""
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
    """Return the documents of a segment that contain every part and none of those excluded.

    The rarest part comes first: the others are checked only in its documents.
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
    """Return the documents that may score more than ``least``, with each part frequent enough.

    The other parts give less than their weights.
    """
    for match, weight in zip(matched, weights, strict=True):
        needed = 1 - (sum(weights) - least) / weight
        if needed > 0:
            documents = documents.compress(match.often(documents) >= bm25_fewest(needed * _SAFE))
    return documents


def _scores(
    segment: Segment, documents: Ints, matched: Sequence[Matches], weights: Sequence[float], average: float
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
    """Return the best of the segments ``before`` and of another; equal ones keep their order."""
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
