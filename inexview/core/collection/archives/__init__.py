"""Where the files of a collection lie: a folder, a zip, a tar, each listed once and read in any order."""

from __future__ import annotations

import zipfile
from pathlib import Path

from inexview.core.collection.archives.archive_files import TarSource, ZipSource
from inexview.core.collection.archives.listing import (
    PLACEHOLDERS,
    ArticleSource,
    CollectionFile,
    FolderSource,
    PlaceholderSource,
    document_id,
    explained,
)
from inexview.core.errors import DataError
from inexview.core.files import TARS, folder_is_there, is_there

__all__ = [
    "ArticleSource",
    "CollectionFile",
    "FolderSource",
    "PlaceholderSource",
    "TarSource",
    "ZipSource",
    "document_id",
    "open_source",
]


def open_source(path: Path) -> ArticleSource:
    """Open a folder, a .zip or a .tar(.gz, .bz2, .xz), listing nothing; raises DataError for others."""
    if folder_is_there(path):
        whole = path.absolute()
        if whole.parent == whole:
            raise DataError("this is a whole disk; name the folder that holds the articles", path=path)
        return FolderSource(path)
    if not is_there(path):
        raise DataError("there is no such folder or archive; choose where the collection lies now", path=path)
    if not path.is_file():
        raise DataError("this is a pipe or a device; a collection is a folder or an archive", path=path)
    if path.name.endswith(PLACEHOLDERS):
        return PlaceholderSource(path)
    if path.name.lower().endswith(TARS):
        return TarSource(path)
    with explained(path, "the archive"):
        if zipfile.is_zipfile(path):
            return ZipSource(path)
    raise DataError(
        "a collection is a folder, a .zip or a .tar(.gz, .bz2, .xz) of XML files; choose one of these",
        path=path,
    )
