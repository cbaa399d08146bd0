"""From the bytes of an XML file to UTF-8, whatever they are in and whatever they say that they are in.

An encoding that lies is found out where it can be: what is not in the encoding that it says is refused, with
the line of the first byte that does not fit, unless the bytes themselves show what they are in; then it is
read so, with a warning.  Nothing is turned to other characters silently.
"""

from __future__ import annotations

import codecs
import re
from contextlib import suppress
from dataclasses import dataclass

from inexview.core.errors import DocumentError

_UTF8 = "utf-8"
_DECLARATION = re.compile(rb"""\s*<\?xml[^>]{0,200}?\sencoding\s*=\s*["']([A-Za-z0-9._:-]{1,40})["']""")
_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, _UTF8),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark is the beginning of this one
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# How "<" begins a file whose characters are two or four bytes each and that has no mark.
_WIDE_BEGINNINGS = (
    (b"<\0\0\0", "utf-32-le"),
    (b"\0\0\0<", "utf-32-be"),
    (b"<\0", "utf-16-le"),
    (b"\0<", "utf-16-be"),
)
_FAMILIES = {"iso-10646-ucs-2": "utf-16", "ucs-2": "utf-16", "iso-10646-ucs-4": "utf-32", "ucs-4": "utf-32"}
# Codecs that are no character encodings of files: escapes, host names, the system's own code page.
_NO_ENCODINGS = {
    "idna",
    "punycode",
    "undefined",
    "unicode_escape",
    "raw_unicode_escape",
    "utf-7",
    "mbcs",
    "oem",
}
_CHUNK = 1 << 20  # bytes that are decoded in one go, so that a large file is not held twice

# Windows-1252, and where it has nothing Latin-1: what every browser reads for either name.
_WINDOWS_1252 = "".join(
    bytes([code]).decode("cp1252", "ignore") or bytes([code]).decode("latin-1") for code in range(256)
)
_C1_CONTROL = re.compile(rb"[\x80-\x9f]")
_BEYOND_ASCII = re.compile(rb"[\x80-\xff]")
_UTF8_SEQUENCE = re.compile(rb"[\xc3-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}")


@dataclass(frozen=True, slots=True)
class Decoded:
    """An XML file in UTF-8, without a byte order mark; what its declaration says counts no more.

    ``lie`` is what it says wrongly of itself, fit to be shown as a warning or raised.
    """

    source: bytes
    lie: DocumentError | None = None


def decoded(data: bytes, name: str, *, whole: bool = True) -> Decoded:
    """Return a file's bytes in UTF-8.

    With ``whole`` False the bytes are the beginning of a file, which may end within a character.  Raises
    DocumentError with the line of the first byte that is not in the encoding that the file says it is in.
    """
    return _EncodingDetector(data, name, whole).read()


class _EncodingDetector:
    def __init__(self, data: bytes, name: str, whole: bool) -> None:
        self.data, self.name, self.whole = data, name, whole

    def read(self) -> Decoded:
        data = self.data
        if not data or data.isspace():
            raise DocumentError("the file is empty", path=self.name)
        for mark, encoding in _BYTE_ORDER_MARKS:
            if data.startswith(mark):
                self.data = data[len(mark) :]
                return self._shown(encoding, "its byte order mark says")
        for beginning, encoding in _WIDE_BEGINNINGS:
            if data.startswith(beginning):
                return self._shown(encoding, "its first bytes show")
        if b"\0" in data[:1024] and data[:1] != b"<":
            raise DocumentError("this is a binary file, not XML", path=self.name)
        declared = _declared(data)
        family = _UTF8 if declared is None else _family(declared)
        if declared is not None and family not in (_UTF8, "utf-16", "utf-32", "ascii"):
            return self._eight_bits(declared)
        bad = self._first_bad()
        if declared is None:
            if bad is None:
                return Decoded(data)
            if not has_a_byte_for_each(data):
                problem = "the file does not say what encoding it is in, and only some of it is UTF-8"
                raise self._error(problem, bad)
            problem = (
                "the file does not say what encoding it is in, and is not UTF-8; it was read as Windows-1252"
            )
            return self._with_warning(self._windows_1252(), problem, bad)
        says = f"the file says that it is in {declared}, but is"
        if family == _UTF8 and bad is not None:
            hint = "; perhaps it is windows-1252: say so in its first line" * has_a_byte_for_each(data)
            raise self._error(f"{says} not{hint}", bad)
        if family == _UTF8 or (family == "ascii" and data.isascii()):
            return Decoded(data)
        if bad is not None:
            raise self._error(f"{says} neither that nor UTF-8", bad)
        return self._with_warning(data, f"{says} not; it was read as UTF-8")

    def _shown(self, encoding: str, how: str) -> Decoded:
        """Read what the bytes themselves show the encoding of; a declaration may contradict."""
        source = self._transcoded(encoding, f"{how} {encoding}, but what follows is not")
        declared = _declared(source)
        if declared is None or _family(declared) == _family(encoding):
            return Decoded(source)
        return self._with_warning(
            source, f"the file says that it is in {declared}, but {how} {encoding}; it was read so"
        )

    def _eight_bits(self, declared: str) -> Decoded:
        """Read an encoding in which all bytes, or most, mean something: what is declared counts."""
        codec = self._codec(declared)
        if codec in ("iso8859-1", "cp1252"):
            source = self._windows_1252()
        else:
            source = self._transcoded(codec, f"the file says that it is in {declared}, but is not")
        if (
            codec.startswith(("iso8859", "cp125", "koi8"))
            and not self.data.isascii()
            and self._first_bad() is None
        ):
            return self._with_warning(
                source,
                f"the file says that it is in {declared} and was read so, but looks like UTF-8; if letters "
                "with accents look wrong, correct its first line",
            )
        if codec == "iso8859-1" and (control := _C1_CONTROL.search(self.data)):
            return self._with_warning(
                source,
                f"the file says that it is in {declared}, but has characters of Windows-1252; it was read so",
                control.start(),
            )
        return Decoded(source)

    def _codec(self, declared: str) -> str:
        """Return Python's name of an encoding of text."""
        try:
            codec = codecs.lookup(declared).name
        except LookupError:
            codec = "undefined"
        if codec in _NO_ENCODINGS:
            raise DocumentError(
                f"the file says that its encoding is {declared!r}, which does not exist; "
                "correct its first line",
                path=self.name,
                line=1,
            )
        try:
            b"<".decode(codec)
        except LookupError:  # zip, hex and their like
            raise DocumentError(f"{declared!r} is not an encoding of text", path=self.name, line=1) from None
        return codec

    def _transcoded(self, codec: str, problem: str) -> bytes:
        bad = self._first_bad(codec)
        if bad is not None:
            raise self._error(problem, bad, codec)
        if codec == _UTF8:
            return self.data
        decoder = codecs.getincrementaldecoder(codec)()
        return b"".join(decoder.decode(chunk).encode() for chunk in self._chunks())

    def _windows_1252(self) -> bytes:
        return b"".join(map(from_windows_1252, self._chunks()))

    def _first_bad(self, codec: str = _UTF8) -> int | None:
        """Return the place of the first byte that is not in an encoding."""
        if codec == _UTF8 and len(self.data) <= _CHUNK:
            with suppress(UnicodeDecodeError):
                self.data.decode()
                return None
        # UTF-8 that ends within a character is cut off, and expat says where; it is no other encoding.
        ends_well = self.whole and codec != _UTF8
        decoder = codecs.getincrementaldecoder(codec)()
        place = 0
        for chunk in self._chunks():
            kept = len(decoder.getstate()[0])
            try:
                decoder.decode(chunk, ends_well and place + len(chunk) == len(self.data))
            except UnicodeDecodeError as error:
                return place - kept + error.start
            place += len(chunk)
        return None

    def _chunks(self) -> list[memoryview]:
        data = memoryview(self.data)
        return [data[at : at + _CHUNK] for at in range(0, len(data), _CHUNK)]

    def _with_warning(self, source: bytes, problem: str, place: int | None = None) -> Decoded:
        line = None if place is None else self._line(place)
        return Decoded(source, DocumentError(problem, path=self.name, line=line))

    def _error(self, problem: str, place: int, codec: str = _UTF8) -> DocumentError:
        return DocumentError(
            f"{problem} (byte 0x{self.data[place]:02X})", path=self.name, line=self._line(place, codec)
        )

    def _line(self, place: int, codec: str = _UTF8) -> int:
        return self.data[:place].decode(codec, "replace").count("\n") + 1


def from_windows_1252(data: bytes | memoryview) -> bytes:
    """Return in UTF-8 what is in Windows-1252, or in Latin-1, in which any bytes mean something."""
    return codecs.charmap_decode(data, "strict", _WINDOWS_1252)[0].encode()


def has_a_byte_for_each(data: bytes) -> bool:
    """Tell whether most bytes beyond ASCII stand for a character each, and are no broken UTF-8."""
    together = sum(len(found[0]) for found in _UTF8_SEQUENCE.finditer(data))
    return 2 * together < sum(1 for _ in _BEYOND_ASCII.finditer(data))


def _declared(data: bytes) -> str | None:
    found = _DECLARATION.match(data)
    return None if found is None else found[1].decode("ascii")


def _family(encoding: str) -> str:
    """Return what an encoding is a kind of: UTF-16 in either byte order, UTF-8 with a mark or without."""
    try:
        name = codecs.lookup(encoding).name
    except LookupError:
        name = encoding.lower()
    name = _FAMILIES.get(name, name)
    return next((family for family in ("utf-8", "utf-16", "utf-32") if name.startswith(family)), name)


# Tags as the formats name them, whatever case and namespace they are in.


class PlainNames(dict[str, str]):
    """The plain name of each tag: ``<INEX-Submission>`` and ``<i:inex-submission>`` are one.

    Looking up a tag that was looked up before takes no call.
    """

    def __missing__(self, tag: str) -> str:
        name = self[tag] = plain_name(tag)
        return name


def plain_name(tag: str) -> str:
    """Return a tag in lower case without its namespace, as expat (``i:tag``) or lxml (``{…}tag``) tell it."""
    return tag.rpartition("}")[2].rpartition(":")[2].lower()
