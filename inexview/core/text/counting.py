"""Ways in which files count the characters of a document, and the way back to code points.

inexview counts code points, white space as it is.  Files in the wild also count UTF-8 bytes or UTF-16 units,
count a run of white space as one, or a newline more or less at the end.  A :class:`Convention` is one such
way; a :class:`Scale` is a text under a convention.

White space is what XML calls so: space, tab, CR and LF.  XPath's ``normalize-space()``, ``\\s`` of Java on
anything that XML 1.0 allows and ``isspace()`` of C agree on these four; a no-break space is a character.

>>> Scale("naïve – yes", Convention(Unit.UTF8_BYTES)).to_code_points([0, 6, 10]).tolist()
[0, 5, 7]
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from itertools import product

import numpy as np
from numpy.typing import ArrayLike, NDArray

from inexview.core.errors import InexviewError
from inexview.core.text.spans import Offsets

WHITE_SPACE = " \t\r\n"
_BEHIND_ALL = np.iinfo(np.int64).max // 2  # offsets are added to it


class Unit(Enum):
    """What is counted; the value is its name on the command line."""

    CODE_POINTS = "code-points"
    UTF8_BYTES = "bytes"
    UTF16_UNITS = "utf16"


class Ends(Enum):
    """What is counted at the two ends of a text; the value is its name on the command line."""

    AS_THEY_ARE = ""
    NEWLINE_MORE = "newline"
    """One more at the end: the text was written to a file with a line end."""
    NEWLINE_LESS = "no-newline"
    """The white space that the text ends in counts one less: its line end was taken off."""
    TRIMMED = "trimmed"
    """No white space at either end counts, as in ``normalize-space()``: offsets are shifted by what leads."""


_UNITS = {
    Unit.CODE_POINTS: "code points",
    Unit.UTF8_BYTES: "UTF-8 bytes",
    Unit.UTF16_UNITS: "UTF-16 units",
}
_ENDS = {
    Ends.NEWLINE_MORE: "a final newline more",
    Ends.NEWLINE_LESS: "without the final newline",
    Ends.TRIMMED: "trimmed at both ends",
}


@dataclass(frozen=True, slots=True)
class Convention:
    """One way of counting characters."""

    unit: Unit = Unit.CODE_POINTS
    merged: bool = False
    """Whether a run of white space counts one."""
    ends: Ends = Ends.AS_THEY_ARE

    @property
    def name(self) -> str:
        """What a person calls it: "UTF-8 bytes, white space merged"."""
        parts = [_UNITS[self.unit]]
        if self.merged:
            parts.append("white space merged")
        if self.ends in _ENDS:
            parts.append(_ENDS[self.ends])
        return ", ".join(parts)

    @property
    def key(self) -> str:
        """Its short name, for the command line and for files: "bytes+merged"."""
        return "+".join(filter(None, (self.unit.value, "merged" if self.merged else "", self.ends.value)))

    @classmethod
    def of(cls, key: str) -> Convention:
        """Return the convention with a short name.  Raises InexviewError for any other text."""
        try:
            return _BY_KEY[key.strip().lower()]
        except KeyError:
            raise InexviewError(
                f"there is no convention {key!r}: write {', '.join(unit.value for unit in Unit)}, and where "
                f"need be +merged and one of {', '.join(f'+{end.value}' for end in Ends if end.value)}"
            ) from None

    def __str__(self) -> str:
        return self.name


CODE_POINTS = Convention()
UTF8_BYTES = Convention(Unit.UTF8_BYTES)
UTF16_UNITS = Convention(Unit.UTF16_UNITS)

CONVENTIONS: tuple[Convention, ...] = tuple(
    Convention(unit, merged, ends) for ends, merged, unit in product(Ends, (False, True), Unit)
)
"""Every convention, the usual ones first."""

_BY_KEY = {convention.key: convention for convention in CONVENTIONS}


class Characters:
    """What conventions count differently in one text, found once for all of them."""

    def __init__(self, text: str) -> None:
        ascii_only = text.isascii()
        points: NDArray[np.uint8] | NDArray[np.uint32]
        if ascii_only:
            points = np.frombuffer(text.encode(), np.uint8)
        else:
            points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), "<u4")
        self.points = points
        """The text's code points, shape (n,)."""
        white = (points == 32) | (points == 10) | (points == 9) | (points == 13)
        self.merged: Offsets = np.flatnonzero(white[1:] & white[:-1]) + 1
        """Where white space is that counts nothing when runs are merged."""
        self.wide: Offsets = np.empty(0, np.int64) if ascii_only else np.flatnonzero(points >= 0x80)
        """Where the characters are that take more than one byte."""
        self.leading = len(text) - len(text.lstrip(WHITE_SPACE))
        self.trailing = len(text) - len(text.rstrip(WHITE_SPACE))
        self._extra: dict[Unit, Offsets] = {}
        self._more: dict[Unit, int] = {}

    def __len__(self) -> int:
        return len(self.points)

    def extra(self, unit: Unit) -> Offsets:
        """Return how much more than one each of the wide characters counts."""
        if unit not in self._extra:
            wide = self.points[self.wide]
            beyond = (wide >= 0x10000).astype(np.int64)
            if unit is Unit.UTF8_BYTES:
                beyond += 1 + (wide >= 0x800).astype(np.int64)
            self._extra[unit] = beyond * (unit is not Unit.CODE_POINTS)
            self._more[unit] = int(self._extra[unit].sum())
        return self._extra[unit]

    def length(self, convention: Convention) -> int:
        """Return how many characters the text has under a convention."""
        leading, trailing, whole = (
            self.leading,
            self.trailing,
            len(self) + self._counted_more(convention.unit),
        )
        if convention.merged:
            leading, trailing, whole = min(leading, 1), min(trailing, 1), whole - len(self.merged)
        if convention.ends is Ends.TRIMMED:
            return max(whole - leading - trailing, 0)
        if convention.ends is Ends.NEWLINE_LESS:
            return whole - (trailing > 0)
        return whole + (convention.ends is Ends.NEWLINE_MORE)

    def simplest(self, convention: Convention) -> Convention:
        """Return the simplest convention that has the same offsets in this text."""
        trimmed = convention.ends is Ends.TRIMMED and self.leading > 0
        return Convention(
            convention.unit if self._counted_more(convention.unit) else Unit.CODE_POINTS,
            convention.merged and len(self.merged) > 0,
            Ends.TRIMMED if trimmed else Ends.AS_THEY_ARE,
        )

    def _counted_more(self, unit: Unit) -> int:
        self.extra(unit)
        return self._more[unit]


class Scale:
    """A text as a convention counts it: how long it is, and which of its offsets is which code point.

    Offsets are places between characters.  Those that lie behind the text stay as far behind its end, and
    negative ones (no entry point, unknown passage) stay what they are.
    """

    def __init__(self, text: str | Characters, convention: Convention) -> None:
        characters = Characters(text) if isinstance(text, str) else text
        self.convention = convention
        # Where a character counts other than one, and by how much; in between, both ways of counting agree.
        places, extra = characters.wide, characters.extra(convention.unit)
        places, extra = places[extra > 0], extra[extra > 0]
        if convention.merged:
            places = np.concatenate((places, characters.merged))
            extra = np.concatenate((extra, np.full(len(characters.merged), -1)))
            order = np.argsort(places, kind="stable")
            places, extra = places[order], extra[order]
        self._gained: Offsets = np.append(0, np.cumsum(extra))
        self._places: Offsets = np.append(places, _BEHIND_ALL)
        self._behind: Offsets = places + 1 + self._gained[1:]  # the offsets right behind these characters
        self._shift = 0
        if convention.ends is Ends.TRIMMED:
            self._shift = min(characters.leading, 1) if convention.merged else characters.leading
        self.length = characters.length(convention)
        """How many characters the text has."""

    def from_code_points(self, offsets: ArrayLike) -> Offsets:
        """Return the convention's offsets of code points, both int64 of the same shape."""
        offsets = np.asarray(offsets, np.int64)
        counted = offsets + self._gained[np.searchsorted(self._places, offsets)] - self._shift
        return np.where(offsets < 0, offsets, np.maximum(counted, 0))

    def to_code_points(self, offsets: ArrayLike, *, ends: bool = False) -> Offsets:
        """Return the code points of the convention's offsets, both int64 of the same shape.

        An offset behind a merged run is the place behind the whole run.  One inside a character means the
        character's start or, with ``ends`` (where passages end), its end: the passage then holds it.  So what
        the convention can express comes back as it was, and the order of offsets stays.
        """
        offsets = np.asarray(offsets, np.int64)
        shifted = offsets + self._shift
        passed = np.searchsorted(self._behind, shifted, side="right")
        places = shifted - self._gained[passed]
        inside = places > self._places[passed]
        places = np.where(inside, self._places[passed] + ends, places)
        return np.where(offsets < 0, offsets, places)
