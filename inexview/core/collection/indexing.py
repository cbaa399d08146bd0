"""Makes sure that there is an index of a collection as it is now, by the process that comes first."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from inexview.core.collection.archives import ArticleSource
from inexview.core.collection.archives.listing import Listing, delete_listing
from inexview.core.collection.archives.packed_blocks import DAMAGED
from inexview.core.collection.cache import CachePlace
from inexview.core.collection.cache_lock import locked
from inexview.core.collection.collection_index import CollectionIndex
from inexview.core.collection.index_writing import delete_unfinished, note_folders, write_index
from inexview.core.errors import DataError
from inexview.core.progress import Progress

_CORRUPT = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_FULL = (errno.ENOSPC, errno.EDQUOT)


def kept_index(source: ArticleSource, place: CachePlace) -> CollectionIndex | None:
    """Return the index that was made before, None where the collection has changed since or there is none."""
    if place.small:
        return None
    index = CollectionIndex.open(place.index, place.store, source.stamp())
    try:
        fits = index is not None and source.fits(index)
    except BaseException:
        if index is not None:
            index.close()
        raise
    if index is not None and not fits:
        index.close()
        return None
    if index is not None and not place.name.exists():
        place.note_name()
    return index


def make_index(source: ArticleSource, place: CachePlace, progress: Progress) -> CollectionIndex:
    """Make an index, going on where an earlier attempt was stopped; waits while somebody else makes it.

    Raises DataError where the collection cannot be read or the disk is full, Cancelled.
    """
    with _told_of_the_cache(place):
        if place.small:
            return _make(source, place, None, progress)
        with locked(place.lock, "list", progress):
            place.note_name()
            index = kept_index(source, place)  # somebody else may have made it meanwhile
            if index is not None:
                return index
            delete_unfinished(place.index)
            with _emptied_when_full(source, place):
                return _make_kept(source, place, progress)


def _make_kept(source: ArticleSource, place: CachePlace, progress: Progress) -> CollectionIndex:
    try:
        return _make(source, place, place.listing, progress)
    except DAMAGED as error:
        if getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) not in _CORRUPT:
            raise
    delete_listing(place.listing)  # what an earlier attempt left is damaged: it is begun again
    return _make(source, place, place.listing, progress)


def _make(
    source: ArticleSource, place: CachePlace, listed: Path | None, progress: Progress
) -> CollectionIndex:
    stamp = source.stamp()
    listing = Listing(listed, place.store, stamp)
    own = None if source.path.is_dir() else source.path.name.split(".")[0]
    try:
        with _told_of_the_source(source):
            source.list(listing, progress)
        path = None if listed is None else place.index
        connection = None
        if path is None or not (listing.indexed and note_folders(listing, path) and _opens(place, stamp)):
            connection = write_index(listing, path, stamp=stamp, own=own, progress=progress)
            listing.note_indexed()
    finally:
        listing.close()
    if connection is not None:
        return CollectionIndex(connection, place.store)
    if listed is not None and stamp:  # of a folder it tells next time what has changed
        listed.unlink(missing_ok=True)
    index = CollectionIndex.open(place.index, place.store, stamp)
    if index is None:
        raise DataError("the list of articles that was just made is damaged; is the disk?", path=place.index)
    return index


def _opens(place: CachePlace, stamp: str) -> bool:
    index = CollectionIndex.open(place.index, place.store, stamp)
    if index is not None:
        index.close()
    return index is not None


@contextmanager
def _emptied_when_full(source: ArticleSource, place: CachePlace) -> Iterator[None]:
    """Give back the room of unfinished work that has filled the disk; the caller holds its lock.

    Going on from there would need still more room, which others may need sooner.
    """
    try:
        yield
    except (sqlite3.Error, OSError, DataError) as error:
        if _is_full(error):
            source.close()  # it may have the store open
            with suppress(OSError):
                delete_listing(place.listing)
                place.store.unlink(missing_ok=True)
        raise


def _is_full(error: Exception) -> bool:
    """Say whether the disk was full, also where a sentence was made of it already."""
    reason = error.__cause__ if isinstance(error, DataError) else error
    if isinstance(reason, OSError):
        return reason.errno in _FULL
    return getattr(reason, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL


@contextmanager
def _told_of_the_source(source: ArticleSource) -> Iterator[None]:
    """Say of what goes wrong in the collection that it is there: the cache is as it was."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        raise DataError(
            f"the articles cannot be listed ({reason}); is everything still there?", path=source.path
        ) from error


@contextmanager
def _told_of_the_cache(place: CachePlace) -> Iterator[None]:
    """Say of what goes wrong in the cache that it is there: the collection is as it was."""
    try:
        yield
    except sqlite3.Error as error:
        raise DataError(
            f"the list of articles cannot be written ({error}); is the disk full?", path=place.index
        ) from error
    except OSError as error:
        raise DataError(
            f"the list of articles cannot be written ({error.strerror or error}); is the disk full?",
            path=place.index,
        ) from error
