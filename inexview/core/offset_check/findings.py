"""What the offset doctor finds out, as plain records."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from inexview.core.text.counting import CONVENTIONS, FORMED, Convention, Ends
from inexview.core.text.spans import Ints, Mask

EXAMINED = CONVENTIONS + FORMED
"""Every convention that may explain a file."""

SCALES = tuple(one for one in EXAMINED if one.ends in (Ends.AS_THEY_ARE, Ends.TRIMMED))
"""The conventions that give offsets of their own: a newline more or less only changes a length."""


def _scale(convention: Convention) -> int:
    ends = Ends.TRIMMED if convention.ends is Ends.TRIMMED else Ends.AS_THEY_ARE
    return SCALES.index(Convention(convention.unit, convention.merged, ends, convention.form))


SCALE_OF = {convention: _scale(convention) for convention in EXAMINED}
INDEX = {convention: at for at, convention in enumerate(EXAMINED)}


@dataclass(frozen=True, eq=False)
class DocumentFindings:
    """What reading the documents of a table gave; one row for each of its D ids.

    ``lengths`` (D, 51) under each of EXAMINED (−1 where the document was not read, or not under another
    form); ``edges`` (D,), how many starts, ends and entry points the file names; ``natural`` (D, 39), how
    many of them fall on natural places under each of SCALES; ``readings`` (D, 39), equal where two scales
    read the same text.
    ``missing`` are not in the collection; ``unreadable`` says why a document could not be read.
    """

    lengths: Ints
    edges: Ints
    natural: Ints
    readings: Ints
    missing: Mask
    unreadable: dict[int, str]


class Sureness(Enum):
    """How far the best explanation can be trusted."""

    SURE = "sure"
    LIKELY = "likely"
    OPEN = "open"
    """Another convention explains as much and reads other text."""
    NONE = "none"
    """No convention explains half of the documents."""


class Problem(Enum):
    """Why a row does not fit a convention."""

    MISSING = "missing"
    UNREADABLE = "unreadable"
    LENGTH = "length"
    PAST_END = "past the end"


@dataclass(frozen=True, slots=True)
class CheckedRow:
    """A row held against a convention."""

    row: int
    topic: str
    document: str
    line: int
    problem: Problem | None
    """Why it does not fit; None where it does."""
    said: int | None
    """The document's length in the file."""
    found: int | None
    """The document's length under the convention; None where it could not be read."""
    reach: int | None
    """The last offset that the row names."""
    fits: tuple[Convention, ...]
    """The conventions that this row would fit."""
    why: str = ""
    """What the document's reader said, where it could not be read."""


@dataclass(frozen=True, slots=True)
class Fit:
    """How much of the file one convention explains."""

    convention: Convention
    documents: int
    passages: int
    """Passages that end within their document."""
    entries: int
    """Best entry points (or results that are only entry points) that lie within it."""
    natural: float
    """The share of edges that fall on natural places; NaN where there are none."""
