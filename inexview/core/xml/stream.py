"""Large XML files that are read once and not kept: what they hold is gone as soon as it has been seen.

The rules are those of articles (see :mod:`~inexview.core.xml.parser`), but for the number of elements,
which may be any where none is kept.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from xml.parsers import expat

from inexview.core.xml.parser import Scanner, read_bytes, said_of_error

MAX_BYTES = 512 * 1024 * 1024  # a run of three million results
LONGEST_TAG = 1 << 20  # bytes, attributes included; comments too
_PIECE = 1 << 16


class XmlStream(Scanner):
    """A file to go through piece by piece; callers hang their handlers on ``parser``."""

    def __init__(self, path: str | Path) -> None:
        """Read the bytes; raises DocumentError where they are missing, too many or in no known encoding."""
        super().__init__(read_bytes(path, MAX_BYTES), str(path), kept=False)

    def pieces(self) -> Iterator[None]:
        """Parse the file; yields after each piece.  Raises DocumentError with line and column."""
        source, parser = memoryview(self.source), self.parser
        try:
            for at in range(0, len(source), _PIECE):
                parser.Parse(source[at : at + _PIECE], False)
                if at + _PIECE - parser.CurrentByteIndex > LONGEST_TAG:
                    raise self.error(f"a tag or comment is longer than {LONGEST_TAG >> 20} MB")
                yield
            parser.Parse(b"", True)
            yield
        except expat.ExpatError as error:
            raise self.error(said_of_error(error), error.lineno, error.offset + 1) from error
        finally:
            del self.parser  # it knows the handlers, which know the scanner: apart, all are freed at once
