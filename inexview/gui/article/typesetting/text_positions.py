"""Code points ↔ positions in a QTextDocument: the only place in the window that knows UTF-16.

The core counts code points.  Qt counts UTF-16 units, in which the characters beyond U+FFFF take two, and
adds one position of its own between two paragraphs.  The article view inserts the text in *pieces* (one
per paragraph, or per table cell), one to one, with exactly one Qt character between neighbours, so that

    position(offset) = offset + (characters beyond U+FFFF before it) + (index of its piece)

Only the offsets of the characters beyond U+FFFF and the starts of the pieces are stored.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable

import numpy as np

from inexview.core.text.spans import Offsets

LAST_OF_PLANE_0 = 0xFFFF


def wide_offsets(text: str) -> Offsets:
    """Return the sorted offsets, shape (n,), of the characters that take two UTF-16 units."""
    if text.isascii():
        return np.empty(0, np.int64)
    points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
    return np.flatnonzero(points > LAST_OF_PLANE_0).astype(np.int64)


class OffsetMap:
    """The map of one text; it grows as pieces are inserted into the Qt document.

    Pieces tile the text from offset 0 in order.  Offsets run from 0 to the end of the last piece; that
    end, and the end of each piece, is where the next piece starts: ``at_end`` says which side is meant.
    """

    def __init__(self, text: str, piece_starts: Iterable[int] = ()) -> None:
        self._wide: list[int] = wide_offsets(text).tolist()
        # UTF-16 index of each wide character: its offset and one more for each wide one before it.
        self._wide_units: list[int] = [offset + index for index, offset in enumerate(self._wide)]
        self._starts: list[int] = []
        self._positions: list[int] = []
        self.end = 0
        self.extend(piece_starts, len(text))

    def extend(self, piece_starts: Iterable[int], end: int) -> None:
        """Add pieces, of which the last ends at ``end``; the first must start where the map ended."""
        for start in piece_starts:
            self._positions.append(self._units(start) + len(self._starts))
            self._starts.append(start)
        if self._starts:
            self.end = end

    @property
    def pieces(self) -> int:
        return len(self._starts)

    def piece_at(self, offset: int) -> int:
        """Return the index of the piece that holds the character at the offset (clipped to the map)."""
        return max(0, bisect_right(self._starts, offset) - 1)

    def to_position(self, offset: int, *, at_end: bool = False) -> int:
        """Return the Qt position before the character at ``offset``.

        With ``at_end`` the offset is the end of a span: where a piece starts there, the answer is the
        place behind the last character of the piece before, not the place before its own first.
        """
        offset = min(max(offset, 0), self.end)
        piece = self.piece_at(offset - 1 if at_end and offset > 0 else offset)
        return self._units(offset) + piece

    def to_offset(self, position: int) -> int:
        """Return the offset of the character behind a Qt position.

        A position inside a surrogate pair, which Qt accepts, is the offset of the whole character.
        """
        piece = max(0, bisect_right(self._positions, position) - 1)
        units = max(0, position - piece)
        offset = units - bisect_left(self._wide_units, units)
        return min(offset, self.end)

    def _units(self, offset: int) -> int:
        """Return the UTF-16 units of the text before an offset."""
        return offset + bisect_left(self._wide, offset)
