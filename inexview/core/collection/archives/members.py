"""A file of a collection: its name, its id, the limits that it keeps, and a sentence where it cannot be read.

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
from typing import NamedTuple, Protocol

from inexview.core.errors import DocumentError
from inexview.core.xml.parser import MAX_BYTES

MAX_NAME = 4096  # characters


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


def document_id(name: str) -> str:
    """Return the id of the document in a file, whose name is its path below the root with "/"."""
    path = name[:-4] if name.lower().endswith(".xml") else name
    last = path.rsplit("/", 1)[-1]
    return last if last.isascii() and last.isdigit() else path


def is_article(name: str) -> bool:
    """Say whether a file's name is that of an article: ``.xml``, and not hidden."""
    last = name.rsplit("/", 1)[-1]
    return last[-4:].lower() == ".xml" and not last.startswith(".") and not name.startswith("__MACOSX/")


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
