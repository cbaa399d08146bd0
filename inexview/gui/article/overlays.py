"""What is laid over the text, as values, and how each kind of it looks; and the same as HTML."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields
from enum import Enum
from functools import reduce
from html import escape
from itertools import combinations, pairwise
from operator import attrgetter, or_, sub
from typing import NamedTuple, Protocol

from PySide6.QtCore import QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from inexview.core.article.blocks import Block, BlockKind
from inexview.core.article.document import Document
from inexview.core.text.search import Span
from inexview.core.text.spans import EMPTY, Offsets, Spans
from inexview.gui.look.theme import LAYER_LOOKS, Theme, run_color

# What is laid over the text: values only, no drawing.
#
# A judgement is a background; a run is an underline.  Where both are shown, every character is a hit, a miss,
# a false alarm, or none of them.


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


def which(name: str, at: int, count: int) -> str:
    """Return which of several targets was taken, counted from 0 at the narrowest."""
    return f"{name} · {at + 1} of {count} at this place"


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


# How judged and retrieved text looks, a way for each: over the article, and smaller in the legends.
#
# Judgement and run use two channels: the background says what was judged relevant, the line under the text
# says what the run did. Each line has a shape of its own (solid, dotted, double), so that hit, miss and
# false alarm are told apart without colour.


class TextLine(Protocol):
    """Where the letters of a line of text are, in pixels."""

    @property
    def top(self) -> float: ...
    @property
    def bottom(self) -> float: ...


class SignLine(NamedTuple):
    """The line of a sign in a legend."""

    top: float
    bottom: float


DrawnPlace = tuple[TextLine, float, float]  # a line, and left and right of what is drawn there


class MarkLooks:
    """Draws on one painter, in one theme; lengths grow with ``scale`` (1 at a reading size of 17 pixels)."""

    def __init__(self, painter: QPainter, theme: Theme, scale: float) -> None:
        self._painter = painter
        self._theme = theme
        self._scale = scale

    def marked(self, places: Sequence[DrawnPlace]) -> None:
        self._ground(places)
        self._line(places, self._theme.color("mark_edge"), 2)

    def hit(self, places: Sequence[DrawnPlace], run: QColor) -> None:
        self._ground(places)
        self._line(places, run, 3)

    def missed(self, places: Sequence[DrawnPlace]) -> None:
        self._ground(places)
        self._dashes(places, self._theme.color("miss"), max(2.0, round(3 * self._scale)), (1, 1))

    def unjudged(self, places: Sequence[DrawnPlace], run: QColor) -> None:
        self._line(places, run, 2)

    def false_alarm(self, places: Sequence[DrawnPlace]) -> None:
        self.double(places, "false_alarm")

    def layer(self, places: Sequence[DrawnPlace], number: int) -> None:
        """Underline what one assessor marked, A is 0."""
        look = LAYER_LOOKS[number]
        color = self._theme.color(look.token)
        if number == 0:
            self._line(places, color, 2)
        else:
            self._dashes(places, color, max(2.0, round(2 * self._scale)), look.dashes)

    def double(self, places: Sequence[DrawnPlace], token: str) -> None:
        thick = max(1.0, round(self._scale))
        for drop in (-2 * thick, thick):
            tops = [round(line.bottom + drop) for line, _, _ in places]
            edges = (
                (left, top, right, top + thick) for top, (_, left, right) in zip(tops, places, strict=True)
            )
            self._fill(edges, self._theme.color(token))

    def wash(self, places: Sequence[DrawnPlace], strength: float) -> None:
        """Let text step back into the page."""
        color = self._theme.color("page")
        color.setAlphaF(strength)
        self._fill(((left, line.top, right, line.bottom + 1) for line, left, right in places), color)

    def _ground(self, places: Sequence[DrawnPlace]) -> None:
        edges = ((left, line.top, right, line.bottom) for line, left, right in places)
        self._fill(edges, self._theme.color("mark"))

    def _line(self, places: Sequence[DrawnPlace], color: QColor, thickness: float) -> None:
        thick = max(1.0, round(thickness * self._scale))
        self._fill(
            ((left, line.bottom - 1, right, line.bottom - 1 + thick) for line, left, right in places), color
        )

    def _dashes(
        self, places: Sequence[DrawnPlace], color: QColor, thick: float, dashes: tuple[float, float]
    ) -> None:
        pen = QPen(color, thick, Qt.PenStyle.CustomDashLine, Qt.PenCapStyle.FlatCap)
        pen.setDashPattern(list(dashes))
        for line, left, right in places:
            y = line.bottom - 1 + thick / 2
            pen.setDashOffset(
                left / thick % sum(dashes)
            )  # dashes keep step where one stretch follows another
            self._painter.setPen(pen)
            self._painter.drawLine(QPointF(left, y), QPointF(right, y))

    def _fill(self, edges: Iterable[tuple[float, float, float, float]], color: QColor) -> None:
        """Fill rectangles (left, top, right, bottom), all at once: a screen may have hundreds of them."""
        self._painter.setPen(Qt.PenStyle.NoPen)
        self._painter.setBrush(color)
        self._painter.drawRects(
            [
                QRect(QPoint(round(x), round(y)), QPoint(round(right) - 1, round(bottom) - 1))
                for x, y, right, bottom in edges
            ]
        )


# An article, or a part of it, with its overlays as HTML: what is judged, and what a run retrieved of it.
#
# Everything of the article is escaped. The same page is shown by a browser and drawn by Qt's rich text,
# which knows fewer ways of underlining: there a miss has none, and so differs from a hit.

HEADINGS = (BlockKind.TITLE, BlockKind.HEADING)
BEST, ENTRY = "▶", "▷"
SIGNS = (("judged", "relevant"), ("hits", "hit"), ("misses", "missed"), ("false_alarms", "false alarm"),
         ("unjudged", "retrieved, not judged"))  # fmt: skip


def style_sheet(theme: Theme, style: int) -> str:
    """Return the looks of the signs: ``style`` is the number of the run's."""
    run = run_color(theme, style).name()
    ground = f"background-color:{theme.mark}"
    return (
        f".judged{{{ground}}}"
        f".hits{{{ground};text-decoration:underline;text-decoration-color:{run}}}"
        f".misses{{{ground};border-bottom:2px dotted {theme.miss}}}"  # Qt draws none around words
        f".false_alarms{{text-decoration:underline;text-decoration-style:double;"
        f"text-decoration-color:{theme.false_alarm}}}"
        f".unjudged{{text-decoration:underline;text-decoration-color:{run}}}"
        f".bep{{color:{theme.bep}}}.entry{{color:{run}}}.muted{{color:{theme.muted}}}"
    )


def legend(channels: Channels) -> str:
    """Return the signs that are used, with their names and how many characters have each."""
    shown = [(name, said, getattr(channels, name)) for name, said in SIGNS]
    signs = [
        f'<span class="{name}">{said}</span> {spans.size:,}' for name, said, spans in shown if len(spans)
    ]
    overlay = channels.overlay
    if overlay.bep is not None:
        signs.append(f'<span class="bep">{BEST}</span> best entry point {overlay.bep:,}')
    if overlay.entry is not None:
        signs.append(f'<span class="entry">{ENTRY}</span> where the run begins {overlay.entry:,}')
    return " · ".join(signs)


def overlaid_text(document: Document, channels: Channels, start: int, end: int) -> str:
    """Return the characters ``[start, end)`` of an article as paragraphs."""
    first, last = document.blocks.at(start), document.blocks.at(max(end - 1, start))
    blocks = document.blocks[first : last + 1]
    return "\n".join(filter(None, (_paragraph(document, channels, one, start, end) for one in blocks)))


def _paragraph(document: Document, channels: Channels, block: Block, start: int, end: int) -> str:
    low, high = max(block.start, start), min(block.end, end)
    words = "".join(_pieces(document, channels, low, high)).strip()
    if not words:
        return ""
    tag = "h3" if block.kind in HEADINGS else "p"
    marker = f"{escape(block.marker)} " if block.marker else ""
    return f"<{tag}>{marker}{words}</{tag}>"


def _pieces(document: Document, channels: Channels, start: int, end: int) -> Iterator[str]:
    """Yield the text, cut where a sign begins or ends."""
    overlay = channels.overlay
    points = dict.fromkeys((overlay.bep, overlay.entry), "")
    points[overlay.entry] += f'<span class="entry">{ENTRY}</span>'
    points[overlay.bep] += f'<span class="bep">{BEST}</span>'
    sets: list[tuple[str, Spans]] = [(name, getattr(channels, name).clip(start, end)) for name, _ in SIGNS]
    edges = {start, end, *(at for at in points if at is not None and start <= at < end)}
    for _, spans in sets:
        edges.update(spans.starts.tolist(), spans.ends.tolist())
    cuts = sorted(edges)
    for low, high in pairwise(cuts):
        yield points.get(low, "")
        text = escape(document.text[low:high])
        name = next((name for name, spans in sets if low in spans), "")
        yield f'<span class="{name}">{text}</span>' if name else text
