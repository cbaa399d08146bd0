"""Placeholders for articles that are not here: of each document its id and how many characters it has.

Judgements and runs alone decide what a run scores.  A placeholder has a character for every character of the
article, so that passages lie in it at their offsets.  Each of its paragraphs begins with its own offset.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

from inexview.core.collection.archives.listing import Listing
from inexview.core.collection.archives.members import CollectionFile, explained
from inexview.core.collection.archives.packed_blocks import BlockTable
from inexview.core.collection.archives.source import ArchiveFile, KeptListing
from inexview.core.errors import DocumentError
from inexview.core.progress import Progress
from inexview.core.text.text_quotes import PLACEHOLDER
from inexview.core.xml.parser import MAX_BYTES

PLACEHOLDERS = ".placeholders"
"""The end of the name of a file of placeholders."""
_PARAGRAPH, _WORD = 1_000, f"{PLACEHOLDER * 9} "
_LONGEST = MAX_BYTES // 3  # characters: a dot has two bytes, tags have some more


class PlaceholderSource(ArchiveFile):
    """The documents of a file that gives ids and lengths."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._known: Mapping[str, int] | None = None

    def small(self) -> bool:
        """Say yes: the file is a list."""
        return True

    def fits(self, index: KeptListing) -> bool:
        """Say yes: the stamp tells."""
        return True

    def list(self, listing: Listing, progress: Progress) -> None:
        for place, id in enumerate(self._lengths):
            progress("documents", place, len(self._lengths))
            listing.add(CollectionFile(f"{id}.xml"))
        listing.save()

    def direct(self, name: str) -> CollectionFile | None:
        """Find a document in the file."""
        return CollectionFile(name) if name.removesuffix(".xml") in self._lengths else None

    def read(self, entry: CollectionFile, blocks: BlockTable | None, limit: int | None = None) -> bytes:
        """Return a placeholder as XML, or its first ``limit`` bytes."""
        length = self._lengths[entry.name.removesuffix(".xml")]
        if length > _LONGEST:
            problem = f"{length:,} characters are more than the {_LONGEST:,} that can be shown"
            raise DocumentError(problem, path=self.path)
        marked = "".join(f"<p>{paragraph}</p>" for paragraph in _paragraphs(length))
        return f"<article><bdy>{marked}</bdy></article>".encode()[:limit]

    def close(self) -> None:
        """Do nothing: no file stays open."""

    @property
    def _lengths(self) -> Mapping[str, int]:
        if self._known is None:
            with explained(self.path, "the file"):
                self._known = json.loads(self.path.read_text(encoding="utf-8"))
        return self._known


def write_placeholders(path: Path, lengths: Mapping[str, int]) -> None:
    """Write a file of placeholders for documents of these lengths in code points."""
    path.write_text(json.dumps({id: int(length) for id, length in lengths.items()}), encoding="utf-8")


def _paragraphs(length: int) -> Iterator[str]:
    """Yield the paragraphs of a placeholder, which have so many code points together."""
    for start in range(0, length, _PARAGRAPH):
        size = min(_PARAGRAPH, length - start)
        yield f"{start:,} {_WORD * (_PARAGRAPH // len(_WORD) + 1)}"[:size]
