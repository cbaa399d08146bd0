"""The files of a tar, plain or packed with gzip, bzip2 or xz, and of a zip: listed once, read anywhere."""

from __future__ import annotations

import bz2
import struct
import tarfile
import zlib
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import IO, NamedTuple

from inexview.core.collection.listing import (
    ArticleSource,
    BlockTable,
    CollectionFile,
    DataStream,
    KeptListing,
    Listing,
    PackedFile,
    explained,
    member_name,
    refuse_large,
)
from inexview.core.errors import DocumentError
from inexview.core.files import packing_of
from inexview.core.progress import Progress
from inexview.core.text.xml import MAX_BYTES

# The tarfile module parses single headers here, but relations between headers are read here, in bounded time
# and memory. For extended attributes of 1 MB, Python 3.11.7 takes 19 minutes (1.1 s for 32 kB, growing with
# the square) or 250 GB; it also keeps an object for each member, and stops silently at a damaged header.

BLOCK = tarfile.BLOCKSIZE
_LONGEST_HEADER = 1 << 20  # bytes of a long name or of extended attributes; real ones have a few hundred
_MOST_RECORDS = 5_000  # extended attributes of one file
_OF_ANOTHER = (tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK, tarfile.XHDTYPE, tarfile.XGLTYPE)
_FILES = (tarfile.REGTYPE, tarfile.AREGTYPE, tarfile.CONTTYPE)
_WITHOUT_DATA = b"123456"  # links, devices, folders, pipes: no data follow, whatever size they state


def _added(listing: Listing, stream: DataStream) -> Iterator[int]:
    """Add the regular files of a tar from the stream's place on; yield after each the place of the next.

    Raises ValueError if it is damaged or not a tar, and EOFError if it ends within a member.
    """
    said: dict[bytes, bytes] = {}  # from previous headers, about the member after them
    while True:
        at = stream.place
        raw = stream.read(BLOCK)
        if len(raw) < BLOCK:
            if raw or at == 0:
                raise ValueError("it ends within a header" if at else "this is not a tar archive")
            listing.warn("the tar has no end mark, and may not be complete")
            return
        if not any(raw):
            return
        try:
            header = tarfile.TarInfo.frombuf(raw, "utf-8", "backslashreplace")
        except tarfile.HeaderError as error:
            raise ValueError(
                f"damaged at byte {at:,} of the tar" if at else "this is not a tar archive"
            ) from error
        digits = said.get(b"size", b"")
        size = int(digits) if digits.isdigit() and len(digits) < 20 else header.size
        if size < 0:
            raise ValueError("a header has a negative number")
        if header.type in _OF_ANOTHER:
            if size > _LONGEST_HEADER:
                raise ValueError(f"the header at byte {stream.place:,} of the tar declares {size:,} bytes")
            said |= _said(header.type, _whole(stream, -(-size // BLOCK) * BLOCK)[:size])
            continue
        if header.type == tarfile.GNUTYPE_SPARSE:  # blocks that list the holes of the file
            more = raw[482]
            while more:
                more = _whole(stream, BLOCK)[504]
        member = said[b"path"].decode("utf-8", "backslashreplace") if b"path" in said else header.name
        place = stream.place
        if not stream.skip(0 if header.type in _WITHOUT_DATA else -(-size // BLOCK) * BLOCK):
            raise EOFError(f"it ends within {member!r}")
        if header.type in _FILES and b"sparse" not in said and not member.endswith("/"):
            name = member_name(member, listing)
            if name is not None:
                listing.add(CollectionFile(name, place, size))
            listing.reach(stream.place)
            yield stream.place
        said = {}


def _whole(stream: DataStream, size: int) -> bytes:
    data = stream.read(size)
    if len(data) < size:
        raise EOFError("it ends within a header")
    return data


def _said(kind: bytes, data: bytes) -> dict[bytes, bytes]:
    """Return what a header's data state about the next member: "path", "size" and whether "sparse"."""
    if kind == tarfile.GNUTYPE_LONGNAME:
        return {b"path": data.split(b"\0", 1)[0]}
    said = {}
    for key, value in _records(data) if kind == tarfile.XHDTYPE else ():
        if key in (b"path", b"size"):
            said[key] = value
        elif key.startswith(b"GNU.sparse."):
            said[b"sparse"] = value
    return said


def _records(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield keys and values of extended attributes: "LENGTH KEY=VALUE\\n"."""
    at = count = 0
    while at < len(data):
        count += 1
        if count > _MOST_RECORDS:
            raise ValueError(f"a file has more than {_MOST_RECORDS:,} extended attributes")
        length = data[at : at + 8].partition(b" ")[0]
        size = int(length) if length.isdigit() and len(length) < 8 else 0
        if size <= len(length) + 1 or at + size > len(data):
            raise ValueError("extended attributes are damaged")
        key, _, value = data[at + len(length) + 1 : at + size - 1].partition(b"=")
        yield key, value
        at += size


_SMALL_PLAIN, _SMALL_PACKED = 16 << 20, 2 << 20  # bytes that are listed in a fraction of a second

_LOOK = 256  # members between two checks of the clock


class TarSource(ArticleSource):
    """The XML files of a tar."""

    _packed: PackedFile | None = None

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        with explained(path, "the archive"), path.open("rb") as file:
            packing = packing_of(file.read(6))
        self._packed = PackedFile(path, packing) if packing else None

    def small(self) -> bool:
        with explained(self.path, "the archive"):
            return self.path.stat().st_size < (_SMALL_PACKED if self._packed else _SMALL_PLAIN)

    def fits(self, index: KeptListing) -> bool:
        return not self._packed or index.blocks.holds()

    def list(self, listing: Listing, progress: Progress) -> None:
        """Write all regular files to the listing; links and devices are skipped."""
        with explained(self.path, "the archive"):
            place, total = listing.reached(), self.path.stat().st_size

            def pause(taken: int) -> None:
                progress("MB of the archive listed", taken >> 20, max(total, taken) >> 20)
                listing.save_in_time()

            try:
                if packed := self._packed:
                    pieces = packed.unpacked(place, listing.blocks, lambda: pause(packed.taken))
                    with closing(pieces):
                        for _ in _added(listing, DataStream(pieces, place)):
                            pass
                        for _ in pieces:
                            pass  # read to the end, where the packed file has its check sum
                else:
                    with self.path.open("rb", buffering=1 << 16) as file:
                        for number, reached in enumerate(_added(listing, _FileStream(file, place))):
                            if number % _LOOK == 0:
                                pause(reached)
            finally:
                listing.save()

    def read(self, entry: CollectionFile, blocks: BlockTable | None, limit: int | None = None) -> bytes:
        place = self.path / entry.name
        size = entry.size or 0
        if limit is None:
            refuse_large(size, place)
        size = min(size, size if limit is None else limit)
        with explained(place, "the file"):
            if self._packed:
                assert blocks is not None
                data = self._packed.read(entry.place, size, blocks)
            else:
                data = self.read_at(entry.place, size)
            if len(data) < size:
                raise EOFError("the archive ends too early")
        return data

    def close(self) -> None:
        super().close()
        if self._packed:
            self._packed.close()


class _FileStream(DataStream):
    """A plain tar from a place on."""

    def __init__(self, file: IO[bytes], place: int) -> None:
        super().__init__(iter(()), place)
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


# A zip's central directory is read once and stored as the collection's list; an entry contains all that is
# needed to unpack its member.

_SMALL = 1 << 20  # bytes

# PKWARE's APPNOTE.TXT: sections 4.3.7 (local header), 4.3.12 (central directory), 4.3.14 to 4.3.16 (its end).
_LOCAL = struct.Struct("<4s22xHH")
_CENTRAL = struct.Struct("<4s4xHH4xLLLHHH8xL")
_END = struct.Struct("<10xHLL2x")
_END64 = struct.Struct("<4s28xQQQ")
_LOCATOR = struct.Struct("<4s4xQ4x")
_LONGEST_COMMENT = 0xFFFF
_IN_EXTRA = 0xFFFFFFFF  # the number did not fit: a Zip64 extra field contains it
_LARGEST = (1 << 63) - 1
_ENCRYPTED, _UTF8 = 0x1, 0x800
_STORED, _DEFLATED, _BZIP2 = 0, 8, 12
_WANTS_PASSWORD = -1  # used instead of a method


class _Directory(NamedTuple):
    """The central directory, at ``[start, stop)`` of the file; ``shift`` bytes precede the zip in it.

    ``members`` is the number of members stated at the end; old programs store only its low sixteen bits.
    """

    start: int
    stop: int
    shift: int
    members: int


class ZipSource(ArticleSource):
    """The XML files of a zip archive."""

    def small(self) -> bool:
        with explained(self.path, "the archive"):
            return self.path.stat().st_size < _SMALL

    def list(self, listing: Listing, progress: Progress) -> None:
        """Write all XML files to the listing."""
        with explained(self.path, "the archive"), self.path.open("rb", buffering=1 << 16) as file:
            directory = _directory(file)
            place = max(listing.reached(), directory.start)
            again, found = place == directory.start, 0
            try:
                for number, (raw, following) in enumerate(_members(file, directory, place)):
                    name = member_name(raw.name, listing)
                    if name is not None:
                        listing.add(raw._replace(name=name))
                    listing.reach(following)
                    found = number + 1
                    if number % _LOOK == 0:
                        progress("MB of the archive's list read", following - directory.start >> 20,
                                 directory.stop - directory.start >> 20)  # fmt: skip
                        listing.save_in_time()
            finally:
                listing.save()
            if again and found & 0xFFFF != directory.members & 0xFFFF:
                listing.warn(f"the zip declares {directory.members:,} files, but lists {found:,}")

    def read(self, entry: CollectionFile, blocks: BlockTable | None, limit: int | None = None) -> bytes:
        place = self.path / entry.name
        _refuse_method(entry, place)
        with explained(place, "the file"):
            refuse_large(entry.packed, place)
            data = _unpacked(self._packed(entry), entry, MAX_BYTES + 1 if limit is None else limit)
            if limit is None:
                refuse_large(len(data), place)
                if zlib.crc32(data) != entry.check:
                    raise ValueError("its check sum is wrong")
        return data

    def _packed(self, entry: CollectionFile) -> bytes:
        header = self.read_at(entry.place, _LOCAL.size)
        mark, name, extra = _LOCAL.unpack(header) if len(header) == _LOCAL.size else (b"", 0, 0)
        if mark != b"PK\3\4":
            raise ValueError("it is not at its place in the archive")
        packed = self.read_at(entry.place + _LOCAL.size + name + extra, entry.packed)
        if len(packed) < entry.packed:
            raise EOFError("the archive ends too early")
        return packed


def _refuse_method(entry: CollectionFile, place: Path) -> None:
    """Raise DocumentError for an encrypted member, or a rare compression method (LZMA, Zstandard, …)."""
    if entry.method == _WANTS_PASSWORD:
        raise DocumentError(
            "the file is encrypted; unpack the archive with its password, and choose the folder", path=place
        )
    if entry.method not in (_STORED, _DEFLATED, _BZIP2):
        raise DocumentError(
            f"the file uses compression method {entry.method}, which is not supported; unpack the archive, "
            "and choose the folder",
            path=place,
        )


def _unpacked(packed: bytes, entry: CollectionFile, most: int) -> bytes:
    """Unpack a member, or its first ``most`` bytes."""
    if entry.method == _STORED:
        return packed[:most]
    unpacker = zlib.decompressobj(-zlib.MAX_WBITS) if entry.method == _DEFLATED else bz2.BZ2Decompressor()
    data = unpacker.decompress(packed, most)
    if len(data) < most and not unpacker.eof:
        raise EOFError("it ends too early")
    return data


def _members(file: IO[bytes], directory: _Directory, place: int) -> Iterator[tuple[CollectionFile, int]]:
    """Yield the members from a place in the directory on, each with the place of the next."""
    file.seek(place)
    while place < directory.stop:
        header = file.read(_CENTRAL.size)
        if len(header) < _CENTRAL.size or header[:4] != b"PK\1\2":
            raise ValueError(f"its list is damaged at byte {place:,}")
        _, flags, method, check, packed, size, *lengths, at = _CENTRAL.unpack(header)
        name_length, extra_length, comment_length = lengths
        rest = file.read(name_length + extra_length + comment_length)
        name = rest[:name_length].decode("utf-8" if flags & _UTF8 else "cp437", "backslashreplace")
        if _IN_EXTRA in (size, packed, at):
            extra = rest[name_length : name_length + extra_length]
            size, packed, at = _from_extra(extra, size, packed, at)
        if flags & _ENCRYPTED:
            method = _WANTS_PASSWORD
        place += _CENTRAL.size + sum(lengths)
        if place > directory.stop:
            raise ValueError("its list is damaged: it ends within a name")
        at += directory.shift
        if max(at, size, packed) > _LARGEST:
            raise ValueError("its list is damaged: a size or offset is too large")
        yield CollectionFile(name, at, size, packed, method, check), place


def _from_extra(extra: bytes, *numbers: int) -> Iterator[int]:
    """Yield the numbers, reading those that did not fit from the Zip64 extra field."""
    while len(extra) >= 4:
        kind, length = struct.unpack_from("<HH", extra)
        if kind == 1:
            large = extra[4 : 4 + length]
            for number in numbers:
                if number == _IN_EXTRA and len(large) < 8:
                    raise ValueError("its list is damaged: a size is missing")
                yield int.from_bytes(large[:8], "little") if number == _IN_EXTRA else number
                large = large[8 * (number == _IN_EXTRA) :]
            return
        extra = extra[4 + length :]
    yield from numbers


def _directory(file: IO[bytes]) -> _Directory:
    """Find the central directory from the file's end; raises ValueError if there is none."""
    length = file.seek(0, 2)
    tail_at = max(length - _END.size - _LONGEST_COMMENT, 0)
    file.seek(tail_at)
    tail = file.read()
    found = tail.rfind(b"PK\5\6")
    if found < 0 or len(tail) - found < _END.size:
        raise ValueError("it has no list of its files at its end")
    count, size, at = _END.unpack_from(tail, found)
    end = tail_at + found
    if end >= _LOCATOR.size:
        file.seek(end - _LOCATOR.size)
        mark, end64 = _LOCATOR.unpack(file.read(_LOCATOR.size))
        if mark == b"PK\6\7":
            count, size, at, end = _end64(file, end64, end - _LOCATOR.size)
    start = end - size
    if start < 0 or start < at:
        raise ValueError("its list is damaged")
    return _Directory(start, end, start - at, count)


def _end64(file: IO[bytes], said: int, before: int) -> tuple[int, int, int, int]:
    """Return from the Zip64 record the number of members, and size, place and end of the directory."""
    for place in (said, before - _END64.size):  # the second place if other data precede the zip
        file.seek(min(place, before) if place >= 0 else 0)
        record = file.read(_END64.size)
        if len(record) == _END64.size and record[:4] == b"PK\6\6":
            _, count, size, at = _END64.unpack(record)
            return count, size, at, file.tell() - _END64.size
    raise ValueError("its list is damaged")
