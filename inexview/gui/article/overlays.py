"""What is laid over the text: values only, no drawing.

A judgement is a background; a run is an underline.  Where both are shown, every character is a hit, a miss,
a false alarm, or none of them.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from enum import Enum
from functools import reduce
from itertools import combinations
from operator import attrgetter, or_, sub

from inexview.core.text.spans import EMPTY, Offsets, Spans
from inexview.core.text.text_quotes import Span


class Tool(Enum):
    """What the left button draws with."""

    MARK = "mark"
    ERASE = "erase"


@dataclass(frozen=True, slots=True)
class Stroke:
    """One stroke of a tool over the characters ``[start, end)``, already snapped."""

    tool: Tool
    start: int
    end: int
    widens: bool = False
    """Whether it is one gesture with the stroke before, and takes its place."""
    told: str = field(default="", compare=False)
    """Which of the units at one place it took, where one goes through them."""

    def applied_to(self, marks: Spans) -> Spans:
        """Return what the marks are after this stroke."""
        stroked = Spans([(self.start, self.end)])
        return marks | stroked if self.tool is Tool.MARK else marks - stroked

    def change_of(self, marks: Spans) -> int:
        """Return how many marked characters this stroke adds, or takes away: negative."""
        before = int(marks.overlap([self.start], [self.end])[0])
        return self.size_in(marks, self.start, self.end) - before

    def size_in(self, marks: Spans, start: int, end: int) -> int:
        """Count the characters of ``[start, end)`` that are marked after this stroke."""
        low, high = max(start, self.start), max(min(end, self.end), start, self.start)
        marked, stroked = marks.overlap([start, low], [end, high]).tolist()
        return int(marked - stroked + (high - low if self.tool is Tool.MARK else 0))


@dataclass(frozen=True, slots=True)
class Lane:
    """One run as a bar in the gutter; ``color`` is the number of its look."""

    name: str
    color: int
    spans: Spans
    hollow: bool = False
    """Whether it is a scratch copy of the run."""


HEAT = -1
"""The number of the lane of how many runs agree."""


@dataclass(frozen=True, slots=True, eq=False)
class Heat:
    """How many of ``runs`` runs retrieved each part of a text.

    ``counts[i]`` (k,) did from ``edges[i]`` to ``edges[i + 1]`` (k + 1,).
    """

    edges: Offsets
    counts: Offsets
    runs: int


@dataclass(frozen=True, slots=True)
class ContestedPlace:
    """A passage in which two assessors differ: its number, and what was taken, "" while that is open."""

    span: Span
    number: int
    taken: str = ""


@dataclass(frozen=True, slots=True)
class Contest:
    """What two or three assessors marked, beside the marks of a layer that is made of theirs.

    ``entries`` are their best entry points where they begin at different ones, as long as that is open.
    """

    layers: tuple[Spans, ...]
    places: tuple[ContestedPlace, ...] = ()
    current: Span | None = None
    entries: tuple[int | None, ...] = ()

    @property
    def open(self) -> Spans:
        return Spans(place.span for place in self.places if not place.taken)

    def only(self, layer: int) -> Spans:
        """What only this assessor marked."""
        others = (spans for at, spans in enumerate(self.layers) if at != layer)
        return reduce(sub, others, self.layers[layer])

    @property
    def several(self) -> Spans:
        """What more than one marked."""
        return reduce(or_, (one & other for one, other in combinations(self.layers, 2)), EMPTY)


@dataclass(frozen=True, slots=True)
class SuggestionGhost:
    """A passage that is suggested and not decided about; the ``current`` one is what a key takes."""

    span: Span
    current: bool = False


@dataclass(frozen=True, slots=True)
class Beside:
    """What is no judgement and no run, and stays whatever else is laid over the text."""

    contest: Contest | None = None
    """The assessors between whom the marks are settled."""
    suggested: tuple[SuggestionGhost, ...] = ()


@dataclass(frozen=True, slots=True)
class Overlay:
    """Everything that lies over one document; ``retrieved`` is None while no run is shown.

    Where a document is not ``judged``, nothing that a run retrieved is right or wrong yet.  ``style`` is the
    number of the run's look: what it retrieved, and its entry point, are in its colour.
    """

    marks: Spans = EMPTY
    bep: int | None = None
    retrieved: Spans | None = None
    entry: int | None = None
    lanes: tuple[Lane, ...] = ()
    judged: bool = True
    style: int = 0
    unread: Spans = EMPTY
    """What a reader whose patience ends does not read, where that is shown."""
    stop: int | None = None
    """Where that patience ends."""
    heat: Heat | None = None
    """How many runs agree, where there are too many for a lane each."""
    pen_on_run: bool = False
    """Whether the pen changes what is retrieved, and not the marks."""
    before: Spans = EMPTY
    """What was retrieved before the pen changed it, and is no more."""
    beside: Beside = field(default_factory=Beside)

    @property
    def distance(self) -> int | None:
        """Characters from the best entry point to the run's, negative before it; None without both."""
        return None if self.entry is None or self.bep is None else self.entry - self.bep

    @property
    def contest(self) -> Contest | None:
        """The assessors between whom the marks are settled."""
        return self.beside.contest

    def differs_by_marks(self, other: Overlay) -> bool:
        """Tell whether nothing but the marks can be others than in another overlay."""
        return _beside_marks(self) == _beside_marks(other) and self.heat is other.heat

    @property
    def drawn(self) -> Spans:
        """What the pen changes."""
        return self.retrieved or EMPTY if self.pen_on_run else self.marks


_beside_marks = attrgetter(*(one.name for one in fields(Overlay) if one.name not in ("marks", "heat")))


@dataclass(frozen=True, slots=True)
class Channels:
    """An overlay taken apart into disjoint sets of characters, each drawn in its own way."""

    judged: Spans = EMPTY  # marks while no run is shown
    hits: Spans = EMPTY
    misses: Spans = EMPTY
    false_alarms: Spans = EMPTY
    unjudged: Spans = EMPTY  # retrieved, of a document that no one has judged
    overlay: Overlay = field(default_factory=Overlay)

    @classmethod
    def of(cls, overlay: Overlay) -> Channels:
        marks, retrieved = overlay.marks, overlay.retrieved
        if retrieved is None:
            return cls(judged=marks, overlay=overlay)
        if not overlay.judged:
            return cls(unjudged=retrieved, overlay=overlay)
        return cls(
            hits=marks & retrieved,
            misses=marks - retrieved,
            false_alarms=retrieved - marks,
            overlay=overlay,
        )
