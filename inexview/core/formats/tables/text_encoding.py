"""What the readers of text tables do with bytes that are not UTF-8: a table cannot say what it is in."""

from __future__ import annotations

from inexview.core.errors import DataError
from inexview.core.formats.problems import Problems

_READ_SO = "the file is not UTF-8, and was read as Windows-1252 (Latin-1)"


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
            from inexview.core.xml.encodings import (
                has_a_byte_for_each,  # a tenth of what one run takes to load
            )

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


def _from_windows_1252(data: bytes) -> bytes:
    from inexview.core.xml.encodings import from_windows_1252  # as above

    return from_windows_1252(data)
