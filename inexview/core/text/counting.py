"""Ways in which files count the characters of a document, and the conversion to code points.

inexview counts code points, with white space unchanged.  Other files may count UTF-8 bytes or UTF-16 units, a
run of white space as one, or one newline more or less at the end.  A :class:`Convention` is one such way; a
:class:`Scale` is a text under a convention.  Other tools count another form of the text (:class:`Form`): the
file with its tags, composed characters, text nodes joined by blanks; a :class:`FormScale` is such a form.

White space is defined as in XML: space, tab, CR and LF.  XPath's ``normalize-space()``, ``\\s`` of Java on
anything that XML 1.0 allows and ``isspace()`` of C agree on these four; a no-break space is a character.

>>> Scale("naïve – yes", Convention(Unit.UTF8_BYTES)).to_code_points([0, 6, 10]).tolist()
[0, 5, 7]
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from itertools import product
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from inexview.core.errors import InexviewError
from inexview.core.text.spans import Mask, Offsets

WHITE_SPACE = " \t\r\n"
_BEHIND_ALL = np.iinfo(np.int64).max // 2  # offsets are added to it


class Unit(Enum):
    """The unit that is counted; the value is its name on the command line."""

    CODE_POINTS = "code-points"
    UTF8_BYTES = "bytes"
    UTF16_UNITS = "utf16"


class Ends(Enum):
    """The treatment of the two ends of a text; the value is its name on the command line."""

    AS_THEY_ARE = ""
    NEWLINE_MORE = "newline"
    """One more at the end: the text was written to a file with a line end."""
    NEWLINE_LESS = "no-newline"
    """The white space at the end of the text counts one less: its line end was removed."""
    TRIMMED = "trimmed"
    """White space at either end does not count, as in ``normalize-space()``, which shifts offsets."""


class Form(Enum):
    """The form of the text that is counted; the value is its name on the command line."""

    TEXT = ""
    """The text itself."""
    CRLF = "crlf"
    """Each line end counts as CR and LF, as in files written by Windows."""
    REFERENCES = "entities"
    """References count as they are written: ``&amp;`` counts five."""
    SOURCE = "source"
    """Offsets in the file: tags, comments and declarations count."""
    SOURCE_LF = "source-lf"
    """Offsets in the file as Python reads it, CR and LF as one."""
    NFC = "nfc"
    """Composed characters: é counts one in either form."""
    NFD = "nfd"
    """Decomposed characters: é counts two in either form."""
    JOINED = "joined"
    """A blank counts between any two text nodes, as in ``" ".join(root.itertext())``."""
    STRIPPED = "stripped"
    """As JOINED, each node without the white space at its ends, blank nodes left out."""
    NO_BLANK_NODES = "no-blank-nodes"
    """Text nodes that contain only white space are left out."""


_UNITS = {Unit.CODE_POINTS: "code points", Unit.UTF8_BYTES: "UTF-8 bytes", Unit.UTF16_UNITS: "UTF-16 units"}
_ENDS = {
    Ends.NEWLINE_MORE: "a final newline more",
    Ends.NEWLINE_LESS: "without the final newline",
    Ends.TRIMMED: "trimmed at both ends",
}
_FORMS = {
    Form.CRLF: "line ends as CR+LF",
    Form.REFERENCES: "entities as written",
    Form.SOURCE: "of the file with its tags",
    Form.SOURCE_LF: "of the file with its tags, CR+LF as one",
    Form.NFC: "composed (NFC)",
    Form.NFD: "decomposed (NFD)",
    Form.JOINED: "a blank between text nodes",
    Form.STRIPPED: "stripped text nodes joined by blanks",
    Form.NO_BLANK_NODES: "without blank text nodes",
}


@dataclass(frozen=True, slots=True)
class Convention:
    """One way of counting characters."""

    unit: Unit = Unit.CODE_POINTS
    merged: bool = False
    """Whether a run of white space counts one."""
    ends: Ends = Ends.AS_THEY_ARE
    form: Form = Form.TEXT

    @property
    def name(self) -> str:
        """The name shown to users: "UTF-8 bytes, white space merged"."""
        if self.form in (Form.SOURCE, Form.SOURCE_LF):
            return f"{_UNITS[self.unit]} {_FORMS[self.form]}"
        parts = [_UNITS[self.unit]]
        if self.form in _FORMS:
            parts.append(_FORMS[self.form])
        if self.merged:
            parts.append("white space merged")
        if self.ends in _ENDS:
            parts.append(_ENDS[self.ends])
        return ", ".join(parts)

    @property
    def key(self) -> str:
        """The short name, for the command line and for files: "bytes+merged"."""
        merged = "merged" if self.merged else ""
        return "+".join(filter(None, (self.unit.value, self.form.value, merged, self.ends.value)))

    @classmethod
    def of(cls, key: str) -> Convention:
        """Return the convention with a short name.  Raises InexviewError for any other text."""
        try:
            return _BY_KEY[key.strip().lower()]
        except KeyError:
            raise InexviewError(
                f"there is no convention {key!r}: write {', '.join(unit.value for unit in Unit)}, and where "
                f"need be +merged and one of {', '.join(f'+{end.value}' for end in Ends if end.value)}, "
                f"or one of {', '.join(f'+{form.value}' for form in Form if form.value)}"
            ) from None

    def __str__(self) -> str:
        return self.name


CODE_POINTS = Convention()
UTF8_BYTES = Convention(Unit.UTF8_BYTES)
UTF16_UNITS = Convention(Unit.UTF16_UNITS)

CONVENTIONS: tuple[Convention, ...] = tuple(
    Convention(unit, merged, ends) for ends, merged, unit in product(Ends, (False, True), Unit)
)
"""The ways of counting the text itself, the usual ones first; a project's qrels count by one of these."""

FORMED: tuple[Convention, ...] = tuple(
    Convention(unit, form=form) for form, unit in product(Form, Unit) if form is not Form.TEXT
)
"""The ways of counting another form of the text."""

_BY_KEY = {convention.key: convention for convention in CONVENTIONS + FORMED}


@dataclass(frozen=True, eq=False)
class Written:
    """How a text of n characters is written in its article.

    ``node_starts`` and ``node_ends`` (m,) are its text nodes, which cover it completely.  ``source`` is the
    file in code points, and character i is written at ``source[starts[i]:ends[i]]``; None if unknown.
    """

    node_starts: Offsets
    node_ends: Offsets
    source: str | None = None
    starts: Offsets | None = None
    ends: Offsets | None = None


class Characters:
    """The characters of a text that conventions count differently, found once for all of them."""

    def __init__(self, text: str, written: Callable[[], Written] | None = None) -> None:
        """``written`` returns how the text is written, and is called only if a form needs it."""
        self.text = text
        self._written = written
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
        """The places of white space that does not count when runs are merged."""
        self.wide: Offsets = np.empty(0, np.int64) if ascii_only else np.flatnonzero(points >= 0x80)
        """The places of characters that take more than one byte."""
        self.leading = len(text) - len(text.lstrip(WHITE_SPACE))
        self.trailing = len(text) - len(text.rstrip(WHITE_SPACE))
        self._extra: dict[Unit, Offsets] = {}
        self._more: dict[Unit, int] = {}

    def __len__(self) -> int:
        return len(self.points)

    @cached_property
    def written(self) -> Written | None:
        """How the text is written in its article; None if unknown."""
        return None if self._written is None else self._written()

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
        leading, trailing = self.leading, self.trailing
        whole = len(self) + self._counted_more(convention.unit)
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
    """A text as a convention counts it: its length, and the conversion between its offsets and code points.

    Offsets are places between characters.  Those after the text stay at the same distance from its end, and
    negative ones (no entry point, unknown passage) are unchanged.
    """

    def __init__(self, text: str | Characters, convention: Convention) -> None:
        characters = Characters(text) if isinstance(text, str) else text
        self.convention = convention
        # Where a character does not count one, and the difference; in between, both ways of counting agree.
        places, extra = characters.wide, characters.extra(convention.unit)
        places, extra = places[extra > 0], extra[extra > 0]
        if convention.merged:
            places = np.concatenate((places, characters.merged))
            extra = np.concatenate((extra, np.full(len(characters.merged), -1)))
            order = np.argsort(places, kind="stable")
            places, extra = places[order], extra[order]
        self._gained: Offsets = np.append(0, np.cumsum(extra))
        self._places: Offsets = np.append(places, _BEHIND_ALL)
        self._behind: Offsets = places + 1 + self._gained[1:]  # the offsets right after these characters
        self._shift = 0
        if convention.ends is Ends.TRIMMED:
            self._shift = min(characters.leading, 1) if convention.merged else characters.leading
        self.length = characters.length(convention)
        """The length of the text as counted."""

    def from_code_points(self, offsets: ArrayLike) -> Offsets:
        """Return the convention's offsets of code points, both int64 of the same shape."""
        offsets = np.asarray(offsets, np.int64)
        counted = offsets + self._gained[np.searchsorted(self._places, offsets)] - self._shift
        return np.where(offsets < 0, offsets, np.maximum(counted, 0))

    def to_code_points(self, offsets: ArrayLike, *, ends: bool = False) -> Offsets:
        """Return the code points of the convention's offsets, both int64 of the same shape.

        An offset after a merged run is the place after the whole run.  One inside a character means the
        character's start or, with ``ends`` (the ends of passages), its end, so that the passage contains it.
        So offsets that the convention can express are restored exactly, and the order of offsets is kept.
        """
        offsets = np.asarray(offsets, np.int64)
        shifted = offsets + self._shift
        passed = np.searchsorted(self._behind, shifted, side="right")
        places = shifted - self._gained[passed]
        inside = places > self._places[passed]
        places = np.where(inside, self._places[passed] + ends, places)
        return np.where(offsets < 0, offsets, places)


class FormScale:
    """Another form of a text as a convention counts it: its length, and the conversion to code points.

    Character i of the text counts from ``starts[i]`` to ``ends[i]``, which may be equal; characters that the
    form combines (a letter and its accent) have the same offsets.  Between characters there may be text of
    this form only, such as tags.
    """

    def __init__(self, characters: Characters, convention: Convention) -> None:
        """Raises LookupError if it is unknown how the text is written in its article."""
        counted = _FORM_COUNTS[convention.form](characters, convention)
        self._starts, self._ends, self.length = counted
        self.convention = convention

    def to_code_points(self, offsets: ArrayLike, *, ends: bool = False) -> Offsets:
        """Return the code points of the form's offsets, both int64 of the same shape.

        An offset inside a character means its start or, with ``ends``, its end; one between characters means
        the place between them.  Offsets after the text keep their distance from its end, and negative ones
        their value.
        """
        offsets = np.asarray(offsets, np.int64)
        places = (
            self._starts.searchsorted(offsets, "left") if ends else self._ends.searchsorted(offsets, "right")
        )
        places = places + np.maximum(offsets - self.length, 0)
        return np.where(offsets < 0, offsets, places)


Counted = tuple[Offsets, Offsets, int]
"""The starts and ends of the characters of the text in a form, shape (n,) both, and the form's length."""


def _unit_sizes(text: str, unit: Unit) -> Offsets:
    """Return how much each character of a text counts, shape (n,)."""
    characters = Characters(text)
    sizes = np.ones(len(characters), np.int64)
    sizes[characters.wide] += characters.extra(unit)
    return sizes


def _laid_out(sizes: Offsets, before: Offsets | None = None, follows: Mask | None = None) -> Counted:
    """Return the places of characters of these sizes.

    ``before`` is the length that the form has before each of them; a character that ``follows`` counts
    nothing by itself and is at the place of the previous one.
    """
    ends: Offsets = np.cumsum(sizes if before is None else sizes + before)
    starts, length = ends - sizes, int(ends[-1]) if len(ends) else 0
    if follows is not None and len(ends):
        leader = np.maximum.accumulate(np.where(follows, 0, np.arange(len(ends))))
        starts, ends = starts[leader], ends[leader]
    return starts, ends, length


def _with_crlf(characters: Characters, convention: Convention) -> Counted:
    sizes = _unit_sizes(characters.text, convention.unit)
    sizes[characters.points == ord("\n")] += 1
    return _laid_out(sizes)


def _normalised(characters: Characters, convention: Convention) -> Counted:
    """Count the text in NFC or NFD; characters that change together count as one."""
    name: Literal["NFC", "NFD"] = "NFC" if convention.form is Form.NFC else "NFD"
    text, unit = characters.text, convention.unit
    sizes = _unit_sizes(text, unit)
    follows = np.zeros(len(text), bool)
    import regex  # only the check of offsets needs it here

    for stretch in regex.finditer(r"[\x00-\x7f]?[^\x00-\x7f]++", text):
        for cluster in regex.finditer(r"\X", text, pos=stretch.start(), endpos=stretch.end()):
            normal = unicodedata.normalize(name, cluster[0])
            if normal != cluster[0]:
                start, end = cluster.span()
                sizes[start:end] = 0
                sizes[start] = int(_unit_sizes(normal, unit).sum())
                follows[start + 1 : end] = True
    return _laid_out(sizes, follows=follows)


def _of_nodes(characters: Characters, convention: Convention) -> Counted:
    """Count text nodes with the text between them, or without the text that is left out of them."""
    written = characters.written
    if written is None:
        raise LookupError
    text, form = characters.text, convention.form
    sizes, before = _unit_sizes(text, convention.unit), np.zeros(len(text), np.int64)
    first = True
    for start, end in zip(written.node_starts.tolist(), written.node_ends.tolist(), strict=True):
        node = text[start:end]
        kept_start, kept_end = start, end
        if form is Form.STRIPPED or (form is Form.NO_BLANK_NODES and node.isspace()):
            kept_end = start + len(node.rstrip())
            kept_start = min(start + len(node) - len(node.lstrip()), kept_end)
        sizes[start:kept_start] = sizes[kept_end:end] = 0
        if kept_start < kept_end and form is not Form.NO_BLANK_NODES:
            before[kept_start] = not first
            first = False
    return _laid_out(sizes, before)


def _as_written(characters: Characters, convention: Convention) -> Counted:
    """Count the text without its tags as the file writes it: a reference counts all its characters."""
    source, starts, ends = _source_of(characters)
    counts = _counts_before(source, convention.unit)
    sizes = counts[ends] - counts[starts]
    follows = np.append(False, starts[1:] == starts[:-1])[: len(sizes)]
    sizes[follows] = 0
    sizes[characters.points == ord("\n")] = 1  # CR and LF have a way of counting of their own
    return _laid_out(sizes, follows=follows)


def _of_source(characters: Characters, convention: Convention) -> Counted:
    source, starts, ends = _source_of(characters)
    counts = _counts_before(source, convention.unit, one_line_end=convention.form is Form.SOURCE_LF)
    return counts[starts], counts[ends], int(counts[-1])


def _source_of(characters: Characters) -> tuple[str, Offsets, Offsets]:
    written = characters.written
    if written is None or written.source is None or written.starts is None or written.ends is None:
        raise LookupError
    return written.source, written.starts, written.ends


def _counts_before(source: str, unit: Unit, *, one_line_end: bool = False) -> Offsets:
    """Return how much a source counts before each of its places, shape (n + 1,)."""
    sizes = _unit_sizes(source, unit)
    if one_line_end:
        points = Characters(source).points
        sizes[:-1][(points[:-1] == ord("\r")) & (points[1:] == ord("\n"))] = 0
    counts: Offsets = np.append(0, np.cumsum(sizes))
    return counts


_FORM_COUNTS: dict[Form, Callable[[Characters, Convention], Counted]] = {
    Form.CRLF: _with_crlf,
    Form.REFERENCES: _as_written,
    Form.SOURCE: _of_source,
    Form.SOURCE_LF: _of_source,
    Form.NFC: _normalised,
    Form.NFD: _normalised,
    Form.JOINED: _of_nodes,
    Form.STRIPPED: _of_nodes,
    Form.NO_BLANK_NODES: _of_nodes,
}


def scale_of(characters: Characters, convention: Convention) -> Scale | FormScale:
    """Return a text under any convention; raises LookupError if its form is unknown."""
    if convention.form is Form.TEXT:
        return Scale(characters, convention)
    return FormScale(characters, convention)
