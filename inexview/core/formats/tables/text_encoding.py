"""What the readers of text tables do with bytes that are not UTF-8: a table cannot say what it is in."""

from __future__ import annotations

import codecs
import re
from pathlib import Path

from inexview.core.errors import DataError
from inexview.core.formats.problems import Problems

_READ_SO = "the file is not UTF-8, and was read as Windows-1252 (Latin-1)"
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_ZIP = b"PK\3\4"
_SQLITE = b"SQLite format 3\0"
_BINARY = re.compile(rb"[\x00-\x08\x0e-\x1f\x7f]")


class TextEncoding:
    """Turns a file, piece by piece, to UTF-8.

    A file whose first bytes beyond ASCII are not UTF-8 is read as Windows-1252, with a warning.  One that is
    UTF-8 elsewhere is refused: it is damaged, or of two kinds, and names in it would be read wrongly.
    """

    def __init__(self, problems: Problems) -> None:
        self._problems = problems
        self._utf8 = self._bytewise = False  # seen beyond ASCII

    def utf8(self, data: bytes, line: int) -> bytes:
        """Return the next piece, which begins on a line.  Raises DataError where it cannot be read."""
        if self._bytewise:
            return _from_windows_1252(data)
        try:
            data.decode()
        except UnicodeDecodeError as error:
            from inexview.core.xml.encodings import has_a_byte_for_each

            line += data.count(b"\n", 0, error.start)
            if self._utf8 or not has_a_byte_for_each(data):
                problem = (
                    f"byte 0x{data[error.start]:02x} is not UTF-8, as the file is elsewhere: "
                    "save the whole file as UTF-8"
                )
                raise DataError(problem, path=self._problems.path, line=line) from None
            self._bytewise = True
            self._problems.warn(_READ_SO, [line])
            return _from_windows_1252(data)
        self._utf8 = self._utf8 or not data.isascii()
        return data


def refuse_beginning(data: bytes | bytearray, path: Path, at: int = 0) -> None:
    """Refuse a file whose bytes begin, at such a place, as no text in UTF-8 does."""
    if data.startswith(_UTF16, at):
        raise DataError("is in UTF-16: save it as UTF-8", path=path, line=1)
    if data.startswith(_ZIP, at):
        raise DataError("is a zip archive: unpack it first", path=path, line=1)
    if data.startswith(_SQLITE, at):
        export = "is a database, as projects are: `inexview export` writes what is judged in one to a file"
        raise DataError(export, path=path)


def text_of_list(data: bytes, path: Path, warnings: list[str]) -> bytes:
    """Return a whole list of topics or documents in UTF-8.  Raises DataError for what is no text."""
    refuse_beginning(data, path)
    problems = Problems(path)
    text = TextEncoding(problems).utf8(data, 1).removeprefix(codecs.BOM_UTF8)
    if found := _BINARY.search(text):
        problem = f"holds the byte 0x{found[0][0]:02x}: this is a binary file, no list"
        raise DataError(problem, path=path, line=1 + text.count(b"\n", 0, found.start()))
    warnings.extend(problems.warnings)
    return text


def _from_windows_1252(data: bytes) -> bytes:
    from inexview.core.xml.encodings import from_windows_1252

    return from_windows_1252(data)
