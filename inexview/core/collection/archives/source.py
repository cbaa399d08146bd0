"""What a folder and every kind of archive have in common: names, entries, limits and sentences.

Names are paths below the root with "/" on every system.  Nothing is ever unpacked to where a name points,
symbolic links are not followed, and no file gives more than MAX_BYTES, whatever an archive says of its size.
"""

from __future__ import annotations

import lzma
import os
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

from inexview.core.errors import DocumentError
from inexview.core.progress import Progress
from inexview.core.xml.parser import MAX_BYTES

if TYPE_CHECKING:
    from inexview.core.collection.archives.listing import Listing
    from inexview.core.collection.archives.packed_blocks import BlockTable

MAX_NAME = 4096  # characters
PAUSE = 0.2  # seconds between two words of progress, and between two looks at a lock
SAVED = 1.0  # seconds of listing that a kill may cost

_UNREADABLE = (OSError, EOFError, ValueError, zlib.error, lzma.LZMAError)


class CollectionFile(NamedTuple):
    """A file of a collection, and where it is: all that reading it takes."""

    name: str
    place: int = 0
    """Of a tar: where the file begins, in bytes of the unpacked tar.  Of a zip: where its header is."""
    size: int | None = None
    """Bytes; None in a folder, which is asked when it matters."""
    packed: int = 0
    """Bytes in the zip."""
    method: int = 0
    """How it is packed in the zip; see :mod:`inexview.core.collection.archives.zips`."""
    check: int = 0
    """The zip's CRC-32."""


class Readable(Protocol):
    """An open file."""

    def read(self, size: int, /) -> bytes:
        """Return so many bytes, fewer at the end."""


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

    def mark(self, entry: CollectionFile) -> tuple[int, int]:
        """Return what changes when the file does; raises KeyError where it is gone."""

    def fingerprint(self) -> str:
        """Return what changes when any file does; of a folder all its files are asked for their times."""

    def close(self) -> None:
        """Let go of open files."""


def document_id(name: str) -> str:
    """Return the id of the document in a file, whose name is its path below the root with "/"."""
    path = name[:-4] if name.lower().endswith(".xml") else name
    last = path.rsplit("/", 1)[-1]
    return last if last.isascii() and last.isdigit() else path


def is_article(name: str) -> bool:
    """Say whether a file's name is that of an article: ``.xml``, and not hidden."""
    last = name.rsplit("/", 1)[-1]
    return last[-4:].lower() == ".xml" and not last.startswith(".") and not name.startswith("__MACOSX/")


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


def archive_stamp(path: Path) -> str:
    """Return what changes when a file does: its size, and when it was last written to."""
    with explained(path, "the archive"):
        status = path.stat()
    return f"{status.st_size} {status.st_mtime_ns}"


def refuse_large(size: int, path: Path) -> None:
    """Raise DocumentError for a file that is too large to be an article."""
    if size > MAX_BYTES:
        raise DocumentError(f"the file is larger than {MAX_BYTES >> 20} MB, and is not read", path=path)


def limited(file: Readable, path: Path, limit: int | None) -> bytes:
    """Read a file or its beginning, and never more than is allowed."""
    if limit is not None:
        return file.read(limit)
    data = file.read(MAX_BYTES + 1)
    refuse_large(len(data), path)
    return data


@contextmanager
def explained(path: Path | str | os.PathLike[str], what: str) -> Iterator[None]:
    """Turn whatever goes wrong inside files and archives into a sentence."""
    try:
        yield
    except _UNREADABLE as error:
        reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
        raise DocumentError(
            f"{what} cannot be read ({reason}); is it complete?", path=os.fspath(path)
        ) from error
