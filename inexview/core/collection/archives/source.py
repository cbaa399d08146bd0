"""What a folder and every kind of archive offer to a collection, and under which names they list files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

from inexview.core.collection.archives.listing import Listing
from inexview.core.collection.archives.members import MAX_NAME, CollectionFile, archive_stamp, is_article
from inexview.core.collection.archives.packed_blocks import BlockTable
from inexview.core.progress import Progress

PAUSE = 0.2  # seconds between two looks at a lock
SAVED = 1.0  # seconds of listing that a kill may cost


class KeptListing(Protocol):
    """What an index that was kept knows beside its documents."""

    blocks: BlockTable

    def folders(self) -> Iterator[tuple[str, int | None]]:
        """Yield the folders that were listed, and when each was last changed then."""


class ArticleSource(Protocol):
    """What :class:`inexview.core.collection.collection.Collection` asks of a folder or an archive."""

    path: Path

    def small(self) -> bool:
        """Say whether it is listed in no time, so that a list need not be kept."""

    def stamp(self) -> str:
        """Return what changes when the archive does; "" of a folder, whose folders are looked at instead."""

    def list(self, listing: Listing, progress: Progress) -> None:
        """Write the XML files to a listing, going on where it ends.

        Raises DataError where the archive is damaged, Cancelled; what was listed until then is kept.
        """

    def fits(self, index: KeptListing) -> bool:
        """Say whether an index that was made of this stamp is of the collection as it is now."""

    def direct(self, name: str) -> CollectionFile | None:
        """Find a file without any listing; None where that cannot be said."""

    def read(self, entry: CollectionFile, blocks: BlockTable | None, limit: int | None = None) -> bytes:
        """Return a file, or its first ``limit`` bytes.

        Raises DocumentError where it cannot be read, KeyError where it is gone.
        """

    def file_of(self, entry: CollectionFile) -> Path:
        """Return the file on disk that holds this one."""

    def mark(self, entry: CollectionFile) -> tuple[int, int]:
        """Return what changes when the file does; raises KeyError where it is gone."""

    def fingerprint(self) -> str:
        """Return what changes when any file does; of a folder all its files are asked for their times."""

    def close(self) -> None:
        """Let go of open files."""


class ArchiveFile:
    """What archives of every kind have in common: they are one file, and change as a whole."""

    path: Path

    def stamp(self) -> str:
        """Return the archive's size and the time of its last change."""
        return archive_stamp(self.path)

    def fingerprint(self) -> str:
        """Return the stamp: no file changes without the archive."""
        return self.stamp()

    def direct(self, name: str) -> CollectionFile | None:
        """Find nothing: the archive would have to be read."""
        return None

    def file_of(self, entry: CollectionFile) -> Path:
        """Return the archive."""
        return self.path

    def mark(self, entry: CollectionFile) -> tuple[int, int]:
        """Return nothing that changes: the stamp does."""
        return 0, 0


def member_name(name: str, listing: Listing) -> str | None:
    """Return the name under which an archive's member is listed; None for what is no article.

    Names that are no way down from the root are passed over with a warning.
    """
    if not is_article(name):
        return None
    if len(name) > MAX_NAME:
        listing.warn("names are longer than any file system allows, and were passed over", name[:60] + "…")
        return None
    if "\0" in name or ".." in name.split("/"):
        listing.warn("names lead out of the archive, and were passed over", repr(name)[1:-1])
        return None
    name = name.lstrip("/")
    return name.removeprefix("./") if name.startswith("./") else name
