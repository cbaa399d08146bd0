"""A tar, plain or packed with gzip, bzip2 or xz, and never unpacked to where anybody finds it."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from threading import RLock
from time import monotonic
from typing import IO

from inexview.core.collection.archives.bzip2 import Bzip2
from inexview.core.collection.archives.listing import Listing
from inexview.core.collection.archives.members import CollectionFile, explained, refuse_large
from inexview.core.collection.archives.packed_blocks import BlockStream, BlockTable, Packing, Unpacked
from inexview.core.collection.archives.reblocked import OPENERS, Reblocked
from inexview.core.collection.archives.source import SAVED, ArchiveFile, KeptListing, member_name
from inexview.core.collection.archives.tar_headers import Members, Stream
from inexview.core.progress import Progress

_SMALL_PLAIN, _SMALL_PACKED = 16 << 20, 2 << 20  # bytes that are listed in a fraction of a second

_LOOK = 256  # members between two looks at the clock


class TarSource(ArchiveFile):
    """The XML files of a tar."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = RLock()
        self._file: IO[bytes] | None = None
        self._packing: Packing | None = None
        self._unpacked: Unpacked | None = None
        with explained(path, "the archive"), path.open("rb") as file:
            beginning = file.read(6)
        self._bzip2 = beginning.startswith(b"BZh")
        self._opener = next((opener for mark, opener in OPENERS.items() if beginning.startswith(mark)), None)

    @property
    def _packed(self) -> bool:
        return self._bzip2 or self._opener is not None

    def small(self) -> bool:
        with explained(self.path, "the archive"):
            return self.path.stat().st_size < (_SMALL_PACKED if self._packed else _SMALL_PLAIN)

    def fits(self, index: KeptListing) -> bool:
        """Say whether what was packed again is still there."""
        last = index.blocks.last()
        store = index.blocks.store
        return self._opener is None or last is None or (store.exists() and store.stat().st_size >= last.stop)

    def list(self, listing: Listing, progress: Progress) -> None:
        """Write all regular files to the listing; links and devices are passed over."""
        with explained(self.path, "the archive"):
            place = listing.reached()
            work = _Work(self.path, listing, progress, place)
            try:
                if self._packed:
                    packing = self._own_packing(listing.blocks.store)
                    with closing(
                        BlockStream(packing, listing.blocks, place, lambda: work.pause(packing.taken))
                    ) as stream:
                        work.list(stream)
                        while stream.skip(1 << 20):
                            pass  # to the end, where gzip and xz have their check sums
                else:
                    with self.path.open("rb", buffering=1 << 16) as file:
                        work.list(_FileStream(file, place))
            finally:
                listing.save()

    def read(self, entry: CollectionFile, blocks: BlockTable | None, limit: int | None = None) -> bytes:
        place = self.path / entry.name
        size = entry.size or 0
        if limit is None:
            refuse_large(size, place)
        size = min(size, size if limit is None else limit)
        with explained(place, "the file"):
            data = self._read_packed(entry, size, blocks) if self._packed else self._read_plain(entry, size)
            if len(data) < size:
                raise EOFError("the archive ends too early")
        return data

    def close(self) -> None:
        with self._lock:
            for opened in (self._file, self._packing):
                if opened is not None:
                    opened.close()
            self._file = self._packing = self._unpacked = None

    def _read_plain(self, entry: CollectionFile, size: int) -> bytes:
        with self._lock:
            if self._file is None:
                self._file = self.path.open("rb")
            self._file.seek(entry.place)
            return self._file.read(size)

    def _read_packed(self, entry: CollectionFile, size: int, blocks: BlockTable | None) -> bytes:
        assert blocks is not None
        with self._lock:
            if self._unpacked is None:
                self._unpacked = Unpacked(self._own_packing(blocks.store))
            unpacked = self._unpacked
        return unpacked.read(blocks, entry.place, size)

    def _own_packing(self, store: Path) -> Packing:
        with self._lock:
            if self._packing is None:
                self._packing = (
                    Bzip2(self.path) if self._opener is None else Reblocked(self.path, self._opener, store)
                )
            return self._packing

    def __del__(self) -> None:
        if "_packing" in self.__dict__:
            self.close()


class _Work:
    """Lists the members of a tar, saying how far it is."""

    def __init__(self, path: Path, listing: Listing, progress: Progress, place: int) -> None:
        self._listing = listing
        self._progress = progress
        self._total = path.stat().st_size
        self._saved = monotonic()
        self._reached = place

    def list(self, stream: Stream) -> None:
        """Add all members from the stream's place on; raises what the headers raise, and Cancelled."""
        members = Members(stream)
        try:
            for number, member in enumerate(members):
                name = member_name(member.name, self._listing)
                if name is not None:
                    self._listing.add(CollectionFile(name, member.place, member.size))
                self._reached = member.following
                if number % _LOOK == 0 and isinstance(stream, _FileStream):
                    self.pause(stream.place)
        finally:
            self._listing.reach(self._reached)
        if not members.ended:
            self._listing.warn("the tar has no end mark, and may not be complete")

    def pause(self, taken: int) -> None:
        """Say how many bytes of the archive were read, and keep now and then what was done."""
        self._progress("MB of the archive listed", taken >> 20, max(self._total, taken) >> 20)
        if monotonic() - self._saved > SAVED:
            self._listing.reach(self._reached)
            self._listing.save()
            self._saved = monotonic()


class _FileStream:
    """A plain tar from a place on."""

    def __init__(self, file: IO[bytes], place: int) -> None:
        self.place = place
        self._file = file
        self._size = file.seek(0, 2)
        file.seek(place)

    def read(self, size: int) -> bytes:
        data = self._file.read(size)
        self.place += len(data)
        return data

    def skip(self, size: int) -> bool:
        if self.place + size > self._size:
            return False
        self.place += size
        if size:
            self._file.seek(self.place)
        return True
