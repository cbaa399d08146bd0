"""The index of words of a collection: its segments, and what all of them together know of a word.

It is kept in the user's cache folder beside the collection's list, one folder a collection, for as long as no
document changes.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from inexview.core.collection.cache import CachePlace
from inexview.core.collection.collection import Collection
from inexview.core.errors import DataError
from inexview.core.progress import Tell, untold
from inexview.core.text.offset_arrays import Ints
from inexview.core.word_index.segment import BrokenSegmentError, Segment
from inexview.core.word_index.spaced_text import SpacedText, spaced_text
from inexview.core.word_index.words import as_compared

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
