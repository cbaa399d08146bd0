"""The index of words of a collection: its segments, and what all of them together know of a word.

It is kept in the user's cache folder beside the collection's list, one folder a collection, for as long as no
document changes."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from inexview.core.collection.collection import Collection
from inexview.core.collection.collection_index import CachePlace, locked
from inexview.core.errors import DataError
from inexview.core.progress import Cancelled, Progress, Tell, untold, unwatched
from inexview.core.text.spans import Ints
from inexview.core.word_index.segment import BrokenSegmentError, Segment, SegmentWriter
from inexview.core.word_index.words import SpacedText, as_compared, spaced_text

VERSION = 2
MANIFEST = "index.json"
DAMAGED = "the index of the collection’s words is damaged or cut short"
OF_ANOTHER_VERSION = "the index of the collection’s words was made by another version of inexview"
OUTDATED = "the collection has changed since its words were indexed"


class OutdatedIndexError(DataError):
    """A document is not as it was when its words were indexed."""


class WordCounts(NamedTuple):
    """How often a word occurs in the collection, and in how many of its documents."""

    occurrences: int
    documents: int


@dataclass(frozen=True, slots=True)
class Manifest:
    """What is said of an index: of which state of the collection it is, and of which segments."""

    fingerprint: str
    segments: tuple[str, ...] = ()
    complete: bool = False

    @classmethod
    def read(cls, folder: Path, tell: Tell = untold) -> Manifest | None:
        """Read what is said of the index in a folder; None where there is none of this version.

        ``tell`` hears why one that is there cannot be used.
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
        """Write it in place of what was said before."""
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
    """Words of all documents; any number of threads may ask at once.

    Documents are numbered from 0 in the order in which they lie in the collection, through all segments.
    """

    def __init__(self, segments: Sequence[Segment]) -> None:
        self.segments = tuple(segments)
        self.first_documents: Ints = np.cumsum(
            [0, *(segment.facts.documents for segment in self.segments)], dtype=np.int64
        )
        """(s+1,) the number of the first document of each segment."""

    @classmethod
    def kept(cls, collection: Collection, tell: Tell = untold) -> WordIndex | None:
        """Return the index that was made before; None where there is none of the collection as it is now.

        Reads all of it once, to see that it is whole; ``tell`` hears why one that is there cannot be used.
        Raises DataError where the collection is gone.
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
        """How many documents there are that can be read."""
        return int(self.first_documents[-1]) - self.unreadable

    @property
    def unreadable(self) -> int:
        """How many documents are no XML, or cannot be read for another reason."""
        return sum(segment.facts.unreadable for segment in self.segments)

    @property
    def words(self) -> int:
        """How many words the collection has, each as often as it occurs."""
        return sum(segment.facts.words for segment in self.segments)

    def counts(self, word: str) -> WordCounts:
        """Return how often a word occurs, in upper or lower case; zeros where no document has it."""
        word = as_compared(word)
        found = [(segment, segment.term(word)) for segment in self.segments]
        return WordCounts(
            sum(segment.frequency(term) for segment, term in found if term is not None),
            sum(int(segment.document_counts[term]) for segment, term in found if term is not None),
        )

    def document(self, id: str) -> tuple[Segment, int]:
        """Return the segment of a document and its number there; raises DataError where it is in none."""
        place = self._places.get(id)
        if place is None:
            raise DataError(f"the index of words has no document {id!r}")
        return self.segments[place[0]], place[1]

    def segment_of(self, number: int) -> tuple[Segment, int]:
        """Return the segment of a document by its number in the collection, and its number there."""
        at = int(self.first_documents.searchsorted(number, side="right")) - 1
        return self.segments[at], number - int(self.first_documents[at])

    def positions(self, word: str, id: str) -> Ints:
        """Return the characters (k, 2) of a document at which a word occurs, as starts and ends."""
        segment, number = self.document(id)
        term = segment.term(as_compared(word))
        if term is None:
            return np.empty((0, 2), np.int64)
        places = segment.postings(term)
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

    Raises OutdatedIndexError where it has another length now, DataError where it cannot be read any more.
    """
    article = collection.scan(segment.ids[number])
    if len(article.text) != segment.characters[number]:
        raise OutdatedIndexError(
            f"document {segment.ids[number]} has changed since its words were indexed", path=collection.path
        )
    return spaced_text(article)


# Makes the index of words of a collection, segment by segment, going on where it was stopped.

SEGMENT_WORDS = 8_000_000  # 100 MB in memory, and a minute that a kill may cost


def word_index(
    collection: Collection, progress: Progress = unwatched, *, rebuild: bool = False, tell: Tell = untold
) -> WordIndex:
    """Return the index of words of a collection; makes it where there is none of the collection as it is.

    What was done when the work is given up is kept, and the next attempt goes on from there; an index that
    is damaged, cut short or of another version is made again, which ``tell`` hears before the work begins.
    ``progress`` hears of "articles indexed".
    Raises Cancelled, and DataError where the collection cannot be listed, was replaced or changes meanwhile,
    or the disk is full.
    """
    kept = None if rebuild else WordIndex.kept(collection)
    if kept is not None:
        return kept
    if collection.replaced():  # one would find the words of one archive, and read the other
        told = "the articles were replaced while they were open; open them again"
        raise DataError(told, path=collection.path)
    place = CachePlace(collection.path, small=False)
    with (
        locked(place.lock.with_suffix(".words-lock"), "index of words", progress),
        closing(Collection.open(collection.path)) as current,  # an open one may list what was there before
    ):
        if not rebuild:  # another process may have made it meanwhile
            kept = WordIndex.kept(collection, lambda why: tell(f"{why}; they are indexed again"))
        if kept is not None:
            return kept
        current.check(progress)  # what is made of a damaged list would stay wrong
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
    _sweep(folder, manifest.segments)
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


def _sweep(folder: Path, segments: Sequence[str]) -> None:
    """Remove what a killed process has left of segments that it was about to write."""
    for left in folder.iterdir():
        if left.is_dir() and left.name not in segments:
            shutil.rmtree(left, ignore_errors=True)


def _changed(collection: Collection) -> DataError:
    return DataError(
        "the collection changed while its words were indexed; index it again when it is at rest",
        path=collection.path,
    )


def _begun(folder: Path, fingerprint: str) -> tuple[Manifest, list[Segment]]:
    """Return what an earlier attempt has left of this state of the collection, as far as it is whole."""
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
    """Read articles until a segment is full, they end, or somebody gives the work up."""
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
    """Read an article into a segment; one that cannot be read keeps its place there."""
    try:
        article = collection.scan(id)
    except DataError:
        article = None
    writer.add(id, article)
