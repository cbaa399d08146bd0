"""Overlays of the text as values, the style of each kind, and the same as HTML."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields
from enum import Enum
from functools import reduce
from html import escape
from itertools import combinations, pairwise
from operator import attrgetter, or_, sub
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np
from PySide6.QtCore import QObject, QPoint, QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen

from inexview.core.article.blocks import Block, BlockKind
from inexview.core.article.document import Document
from inexview.core.article.elements import Element, Elements
from inexview.core.text.search import Span
from inexview.core.text.spans import EMPTY, Offsets, Spans
from inexview.gui.article.styles import PADDING
from inexview.gui.article.text_document import Line, ReadingEdit
from inexview.gui.look.theme import LAYER_LOOKS, Theme, run_color

if TYPE_CHECKING:
    from inexview.core.open_runs.rankings import ChunkBar

# Overlays as values, without drawing.
#
# A judgement is a background; a run is an underline. If both are shown, every character is a hit, a miss, a
# false alarm, or none of them.


class Tool(Enum):
    """The tool of the left mouse button."""

    MARK = "mark"
    ERASE = "erase"


@dataclass(frozen=True, slots=True)
class Stroke:
    """A stroke of a tool over the characters ``[start, end)``, already snapped to units."""

    tool: Tool
    start: int
    end: int
    widens: bool = False
    """Whether it continues the previous stroke's gesture, and replaces it."""
    told: str = field(default="", compare=False)
    """Which of several units at one place it covers."""

    def applied_to(self, marks: Spans) -> Spans:
        stroked = Spans([(self.start, self.end)])
        return marks | stroked if self.tool is Tool.MARK else marks - stroked

    def change_of(self, marks: Spans) -> int:
        """Return the change in marked characters by this stroke, negative if it erases."""
        before = int(marks.overlap([self.start], [self.end])[0])
        return self.size_in(marks, self.start, self.end) - before

    def size_in(self, marks: Spans, start: int, end: int) -> int:
        """Return the number of characters of ``[start, end)`` that are marked after this stroke."""
        low, high = max(start, self.start), max(min(end, self.end), start, self.start)
        marked, stroked = marks.overlap([start, low], [end, high]).tolist()
        return int(marked - stroked + (high - low if self.tool is Tool.MARK else 0))


def which(name: str, at: int, count: int) -> str:
    """Return the text for one of several targets, counted from 0 at the narrowest."""
    return f"{name} · {at + 1} of {count} at this place"


@dataclass(frozen=True, slots=True)
class Lane:
    """A run as a bar in the gutter; ``color`` is the index of its style."""

    name: str
    color: int
    spans: Spans
    hollow: bool = False
    """Whether it is the scratch copy of a run."""
    chunks: tuple[ChunkBar, ...] = ()
    """The parts of the bar if results are shown separately."""


HEAT = -1
"""The index of the lane of agreement of runs."""


@dataclass(frozen=True, slots=True, eq=False)
class Heat:
    """How many of ``runs`` runs retrieved each part of a text.

    ``counts[i]`` (k,) is the number for the part from ``edges[i]`` to ``edges[i + 1]`` (k + 1,).
    """

    edges: Offsets
    counts: Offsets
    runs: int


@dataclass(frozen=True, slots=True)
class ContestedPlace:
    """A passage in which assessors differ: its number, and its ruling, "" while open."""

    span: Span
    number: int
    taken: str = ""


@dataclass(frozen=True, slots=True)
class Contest:
    """The marks of two or three assessors, next to the marks of the third layer.

    ``entries`` are their best entry points if these differ and are not settled.
    """

    layers: tuple[Spans, ...]
    places: tuple[ContestedPlace, ...] = ()
    current: Span | None = None
    entries: tuple[int | None, ...] = ()

    @property
    def open(self) -> Spans:
        return Spans(place.span for place in self.places if not place.taken)

    def only(self, layer: int) -> Spans:
        others = (spans for at, spans in enumerate(self.layers) if at != layer)
        return reduce(sub, others, self.layers[layer])

    @property
    def several(self) -> Spans:
        return reduce(or_, (one & other for one, other in combinations(self.layers, 2)), EMPTY)


@dataclass(frozen=True, slots=True)
class SuggestionGhost:
    """An undecided suggestion; keys act on the ``current`` one."""

    span: Span
    current: bool = False
    quoted: bool = False
    """Whether a model quotes it: shown with a dashed underline instead of brackets."""


@dataclass(frozen=True, slots=True)
class Beside:
    """Overlays that are neither judgement nor run, and stay if these change."""

    contest: Contest | None = None
    """The assessors whose marks are being settled."""
    suggested: tuple[SuggestionGhost, ...] = ()
    filed: Spans = EMPTY
    """The words that state the selected nugget."""
    filed_by: int | None = None
    """The layer of that nugget; None for the project's own."""
    in_hand: Span | None = None
    """The mark or selected words that a digit files under a nugget."""


@dataclass(frozen=True, slots=True)
class Overlay:
    """All overlays of one document; ``retrieved`` is None if no run is shown.

    In a document that is not ``judged``, nothing retrieved is right or wrong. ``style`` is the index of the
    run's style: its colour is used for retrieved text and entry point.
    """

    marks: Spans = EMPTY
    bep: int | None = None
    retrieved: Spans | None = None
    entry: int | None = None
    lanes: tuple[Lane, ...] = ()
    judged: bool = True
    style: int = 0
    unread: Spans = EMPTY
    """The text that the reader does not reach, if shown."""
    stop: int | None = None
    """The point at which the reader stops."""
    heat: Heat | None = None
    """How many runs agree, if there are too many runs for lanes."""
    pen_on_run: bool = False
    """Whether the pen changes what is retrieved instead of the marks."""
    before: Spans = EMPTY
    """What the run retrieved before changes by the pen, and does not any more."""
    cuts: tuple[int, ...] = ()
    """Borders of chunks that cut a relevant passage which no chunk contains whole."""
    chosen: Span | None = None
    """The selected chunk."""
    beside: Beside = field(default_factory=Beside)

    @property
    def distance(self) -> int | None:
        """Characters from the best entry point to the run's, negative before it; None unless both exist."""
        return None if self.entry is None or self.bep is None else self.entry - self.bep

    @property
    def contest(self) -> Contest | None:
        return self.beside.contest

    def differs_by_marks(self, other: Overlay) -> bool:
        """Return whether two overlays differ at most by their marks."""
        return _beside_marks(self) == _beside_marks(other) and self.heat is other.heat

    @property
    def drawn(self) -> Spans:
        return self.retrieved or EMPTY if self.pen_on_run else self.marks


_beside_marks = attrgetter(*(one.name for one in fields(Overlay) if one.name not in ("marks", "heat")))


@dataclass(frozen=True, slots=True)
class Channels:
    """An overlay as disjoint sets of characters, each with its own style."""

    judged: Spans = EMPTY  # marks if no run is shown
    hits: Spans = EMPTY
    misses: Spans = EMPTY
    false_alarms: Spans = EMPTY
    unjudged: Spans = EMPTY  # retrieved from an unjudged document
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


# The styles of judged and retrieved text, over the article and smaller in legends.
#
# Judgement and run use two channels: the background shows relevant text, the line under the text shows the
# run. Each line has its own shape (solid, dotted, double), so that hit, miss and false alarm can be
# distinguished without colour.


class TextLine(Protocol):
    """The vertical position of a line of text, in pixels."""

    @property
    def top(self) -> float: ...
    @property
    def bottom(self) -> float: ...


class SignLine(NamedTuple):
    """The line of a sign in a legend."""

    top: float
    bottom: float


DrawnPlace = tuple[TextLine, float, float]  # a line, and the left and right end of what is drawn


class MarkLooks:
    """Draws with one painter and theme; lengths scale with ``scale`` (1 at a reading size of 17 pixels)."""

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
        """Underline the marks of an assessor; A is 0."""
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
        """Fade text."""
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
            pen.setDashOffset(left / thick % sum(dashes))  # the dashes continue from one stretch to the next
            self._painter.setPen(pen)
            self._painter.drawLine(QPointF(left, y), QPointF(right, y))

    def _fill(self, edges: Iterable[tuple[float, float, float, float]], color: QColor) -> None:
        """Fill rectangles (left, top, right, bottom) in one call: a screen may have hundreds of them."""
        self._painter.setPen(Qt.PenStyle.NoPen)
        self._painter.setBrush(color)
        self._painter.drawRects(
            [
                QRect(QPoint(round(x), round(y)), QPoint(round(right) - 1, round(bottom) - 1))
                for x, y, right, bottom in edges
            ]
        )


# An article, or a part of it, as HTML with marks and retrieved text.
#
# All text of the article is escaped. The page is shown by browsers and by Qt's rich text, which supports
# fewer underlines: there a miss has none, which distinguishes it from a hit.

HEADINGS = (BlockKind.TITLE, BlockKind.HEADING)
BEST, ENTRY = "▶", "▷"
SIGNS = (("judged", "relevant"), ("hits", "hit"), ("misses", "missed"), ("false_alarms", "false alarm"),
         ("unjudged", "retrieved, not judged"))  # fmt: skip


def style_sheet(theme: Theme, style: int) -> str:
    run = run_color(theme, style).name()
    ground = f"background-color:{theme.mark}"
    return (
        f".judged{{{ground}}}"
        f".hits{{{ground};text-decoration:underline;text-decoration-color:{run}}}"
        f".misses{{{ground};border-bottom:2px dotted {theme.miss}}}"  # Qt draws no border around words
        f".false_alarms{{text-decoration:underline;text-decoration-style:double;"
        f"text-decoration-color:{theme.false_alarm}}}"
        f".unjudged{{text-decoration:underline;text-decoration-color:{run}}}"
        f".bep{{color:{theme.bep}}}.entry{{color:{run}}}.muted{{color:{theme.muted}}}"
    )


def legend(channels: Channels) -> str:
    """Return the used signs with their names and numbers of characters."""
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
    """Yield the text, cut at the ends of signs."""
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


NEAR = 4.0  # pixels within which the mouse hits an element without characters
_VISIBLE = re.compile(r"\S")


@dataclass(frozen=True, slots=True)
class Outlined:
    """The outlined element, and its relevant characters by the current judgement."""

    element: Element
    rsize: int

    @property
    def size(self) -> int:
        return self.element.end - self.element.start

    @property
    def span(self) -> str:
        """Its span in the notation of qrels and runs, ``offset:length``."""
        return f"{self.element.start}:{self.size}"

    @property
    def specificity(self) -> float | None:
        """The relevant share of its characters; None if it has none."""
        return self.rsize / self.size if self.size else None


class Outlines(QObject):
    """Tracks the outlined element: the innermost one at the mouse or caret, whichever moved last.

    From there, keys go to its parent, children and siblings.
    """

    changed = Signal(object)  # Outlined | None: another element, or another judgement of it
    moved = Signal(object)  # None: the drawing is outdated
    hovered = Signal(object)  # int: the character under the mouse

    def __init__(self, surface: ReadingEdit, parent: QObject) -> None:
        super().__init__(parent)
        self.shown = False
        self.chosen = 0  # index of the element
        self._surface = surface
        self._document: Document | None = None
        self._empty: Offsets = np.empty(0, np.int64)  # indices of the elements without characters
        self._marks = EMPTY
        self._stroke: Stroke | None = None
        self._anchor = 0  # the character last pointed at
        self._walked = False
        self._mouse: QPointF | None = None  # its position, if the mouse moved last

    # -- elements ------------------------------------------------------------------------------------

    @property
    def elements(self) -> Elements | None:
        return None if self._document is None else self._document.elements

    @property
    def drawn(self) -> bool:
        """Whether an outline is drawn: always, or because keys have moved it."""
        return self._document is not None and (self.shown or self._walked)

    def set_document(self, document: Document | None) -> None:
        """Switch to another article, whose caret is at the start."""
        self._document = None
        self.moved.emit(None)  # from here on indices mean other elements
        self._document = document
        self._marks, self._stroke, self._mouse = EMPTY, None, None
        if document is not None:
            elements = document.elements
            self._empty = (elements.starts == elements.ends).nonzero()[0]
        self._point(0)

    def set_shown(self, shown: bool) -> None:
        """Show or hide outlines, starting with the element at the caret."""
        self.shown = shown
        self._mouse = None
        if self._document is not None:
            self._point(self._surface.character_at_caret())
        self._tell()

    def set_marks(self, marks: Spans) -> None:
        self._marks = marks
        self._tell(moved=False)

    def preview(self, stroke: Stroke | None) -> None:
        self._stroke = stroke
        self._tell(moved=False)

    def at_hand(self) -> Outlined | None:
        """Return the current element, last pointed at by mouse or caret or reached by keys."""
        if self._document is None:
            return None
        element = self._document.elements[self.chosen]
        return Outlined(element, self._rsize(element.start, element.end))

    def drawn_span(self, index: int) -> tuple[int, int]:
        """Return the span of an element without the white space at its ends."""
        assert self._document is not None
        text, elements = self._document.text, self._document.elements
        start, end = int(elements.starts[index]), int(elements.ends[index])
        first = _VISIBLE.search(text, start, end)
        if first is None:
            return start, end
        while text[end - 1].isspace():
            end -= 1
        return first.start(), end

    # -- pointing ------------------------------------------------------------------------------------

    def hover(self, point: QPointF) -> None:
        if self.elements is None:
            return
        self._mouse = point
        self.hovered.emit(self._surface.character_at(point))
        empty = self._empty_at(point)
        if empty is not None:
            self._anchor, self._walked = int(self.elements.starts[empty]), False
            self._choose(empty)
        else:
            self._point_on(self._surface.character_at(point))

    def caret_moved(self) -> None:
        if self.elements is not None:
            self._mouse = None
            self._point_on(self._surface.character_at_caret())

    def scrolled(self) -> None:
        if self._mouse is not None:
            self.hover(self._mouse)

    def mouse_left(self) -> None:
        self._mouse = None

    def _point_on(self, character: int) -> None:
        """Keep an element reached by keys as long as the pointer is inside it."""
        if self._walked and self._document is not None:
            elements = self._document.elements
            if elements.starts[self.chosen] <= character < elements.ends[self.chosen]:
                self._anchor = character
                return
        self._point(character)

    def _point(self, character: int) -> None:
        walked, self._anchor, self._walked = self._walked, character, False
        if self._document is not None:
            self._choose(self._document.elements.around(character, character + 1), again=walked)

    def _empty_at(self, point: QPointF) -> int | None:
        """Return the element without characters under the mouse."""
        line = self._surface.line_near(point.y())
        if line is None or not len(self._empty) or self._document is None:
            return None
        starts = self._document.elements.starts[self._empty]
        first, last = np.searchsorted(starts, [line.start, line.end + 1])
        near = [(abs(line.x(int(starts[at])) - point.x()), int(self._empty[at])) for at in range(first, last)]
        distance, index = min(near, default=(NEAR + 1, 0))
        return index if distance <= NEAR else None

    # -- moving between elements ---------------------------------------------------------------------

    def outward(self) -> bool:
        return self._walk_to(self._parent())

    @property
    def pointed(self) -> tuple[int, int]:
        """The character pointed at, and the index of the element."""
        return self._anchor, self.chosen

    def go_round(self) -> str:
        """Go to the next wider element with another span, wrapping at the widest; return its name."""
        if self.elements is None:
            return ""
        elements = self.elements
        chain = elements.holding(self._anchor, self._anchor + 1)
        extents = [(elements.starts[index], elements.ends[index]) for index in chain]
        here = elements.starts[self.chosen], elements.ends[self.chosen]
        at = (extents.index(here) + 1) % len(chain) if here in extents else 0
        self._walk_to(chain[at])
        return which(elements.tags[chain[at]], at, len(chain))

    def inward(self) -> bool:
        """Go to the child pointed at, else to the first one; return False if there is none."""
        elements = self.elements
        if elements is None:
            return False
        inner = elements.around(self._anchor, self._anchor + 1)
        while inner > self.chosen and elements.parents[inner] != self.chosen:
            inner = int(elements.parents[inner])
        if inner > self.chosen:
            return self._walk_to(inner)
        has_children = elements.nexts[self.chosen] > self.chosen + 1
        return self._walk_to(self.chosen + 1 if has_children else -1)

    def sideways(self, step: int) -> bool:
        """Go to the next (1) or previous (-1) sibling; return False if there is none."""
        elements, parent = self.elements, self._parent()
        if elements is None or parent < 0:
            return False
        if step > 0:
            following = int(elements.nexts[self.chosen])
            return self._walk_to(following if following < elements.nexts[parent] else -1)
        before = self.chosen - 1
        while before > parent and elements.parents[before] != parent:
            before = int(elements.parents[before])
        return self._walk_to(before if before > parent else -1)

    def _parent(self) -> int:
        return -1 if self.elements is None else int(self.elements.parents[self.chosen])

    def _walk_to(self, index: int) -> bool:
        elements = self.elements
        if elements is None or index < 0:
            return False
        if not elements.starts[index] <= self._anchor < elements.ends[index]:
            self._anchor = int(elements.starts[index])
        self._walked = True
        self._choose(index, again=True)
        return True

    # -- signals -------------------------------------------------------------------------------------

    def _choose(self, index: int, *, again: bool = False) -> None:
        if index != self.chosen or again:
            self.chosen = index
            self._tell()

    def _tell(self, *, moved: bool = True) -> None:
        if moved:
            self.moved.emit(None)
        self.changed.emit(self.at_hand() if self.elements is not None else None)

    def _rsize(self, start: int, end: int) -> int:
        if self._stroke is not None:
            return self._stroke.size_in(self._marks, start, end)
        return int(self._marks.overlap([start], [end])[0])


AROUND = 2.0  # pixels between the letters and the outline
STEP = 3.0  # pixels from one outline to that of the element around it
FADING = (0.55, 0.36, 0.22)  # opacity of the outlines of ancestors, the nearest first
FILL = 0.07
BAR = 2.0  # width in pixels of an element without characters
BEYOND = 10_000.0  # pixels outside any viewport, where an outline whose end is not visible ends

OutlineLevel = tuple[int, int]  # index of an element, and how many levels it is above the outlined one


def paint_outlines(
    painter: QPainter, theme: Theme, column: float, lines: Sequence[Line], outlines: Outlines
) -> None:
    """Draw the outlined element and its nearest ancestors; ``column`` is the maximum width of text."""
    drawn = levels(outlines)
    if not drawn or not lines:
        return
    painter.save()
    color = theme.color("accent")
    chosen = outline(lines, *outlines.drawn_span(outlines.chosen), column, AROUND)
    painter.fillPath(chosen, _faded(color, FILL))
    for index, level in drawn[1:]:
        around = outline(lines, *outlines.drawn_span(index), column, AROUND + level * STEP)
        painter.strokePath(around, QPen(_faded(color, FADING[level - 1]), 1))
    painter.strokePath(chosen, QPen(color, 1.5))
    painter.restore()


def levels(outlines: Outlines) -> list[OutlineLevel]:
    """Return the outlines as (index, level): the element at level 0, its parent at 1, and so on."""
    elements = outlines.elements
    if elements is None or not outlines.drawn:
        return []
    drawn = [(outlines.chosen, 0)]
    while len(drawn) <= len(FADING) and (parent := int(elements.parents[drawn[-1][0]])) >= 0:
        drawn.append((parent, len(drawn)))
    return drawn


def stretch(
    lines: Sequence[Line], outlines: Outlines, drawn: Iterable[OutlineLevel]
) -> tuple[float, float] | None:
    """Return top and bottom of all of these outlines on the visible lines, None if none is visible."""
    spans = [outlines.drawn_span(index) for index, _ in drawn]
    touched = [line for line in lines if any(line.start <= end and line.end >= start for start, end in spans)]
    beyond = AROUND + STEP * len(FADING) + 2
    return (touched[0].top - beyond, touched[-1].bottom + beyond) if touched else None


def outline(lines: Sequence[Line], start: int, end: int, column: float, spread: float) -> QPainterPath:
    """Return the outline of the characters ``[start, end)`` on the visible lines, ``spread`` pixels around.

    The outline starts and ends within a line if they do. The lines between are as wide as the widest, or as
    the column if some are not visible.
    """
    if start >= end:
        return _bar(lines, start, spread)
    touched = [line for line in lines if line.start < end and line.end > start]
    if not touched:
        return QPainterPath()
    if any(line.mixed and (line.start < start or line.end > end) for line in (touched[0], touched[-1])):
        return _pieced(lines, touched, start, end, column, spread)
    spans = [line.extent(max(start, line.start), min(end, line.end)) for line in touched]
    first_left, last_right = spans[0][0], spans[-1][1]
    whole = start >= lines[0].start and end <= lines[-1].end
    left, right = first_left, last_right
    if len(touched) > 1 or not whole:
        begins_within = first_left > touched[0].left + 1
        ends_within = last_right < touched[-1].right - 1
        left = min((edge for edge, _ in spans[begins_within:]), default=first_left) if whole else PADDING
        right = PADDING + column
        first_left = first_left if begins_within else left
        last_right = last_right if ends_within else right
    top = touched[0].top if start >= lines[0].start else -BEYOND
    bottom = touched[-1].bottom if end <= lines[-1].end else lines[-1].bottom + BEYOND
    between = [(one.bottom + other.top) / 2 for one, other in pairwise(touched)]
    # the first line, the lines between, and the last line
    edges = [top - spread, *between[:1], *between[1:][-1:], bottom + spread]
    stripes = len(edges) - 1
    return _closed(
        [_snapped(edge - spread) for edge in [first_left, left, left][:stripes]],
        [_snapped(edge + spread) for edge in [right, right, last_right][-stripes:]],
        [_snapped(edge) for edge in edges],
    )


def _pieced(
    lines: Sequence[Line], touched: Sequence[Line], start: int, end: int, column: float, spread: float
) -> QPainterPath:
    """Return the outline if a partly covered line has words written from right to left.

    The covered part of such a line may be at its right, or in several places.
    """
    path = QPainterPath()
    path.setFillRule(Qt.FillRule.WindingFill)
    edges = [(one.bottom + other.top) / 2 for one, other in pairwise(touched)]
    tops = [touched[0].top - spread if start >= lines[0].start else -BEYOND, *edges]
    bottoms = [*edges, touched[-1].bottom + (spread if end <= lines[-1].end else BEYOND)]
    for line, top, bottom in zip(touched, tops, bottoms, strict=True):
        stretches = [(float(PADDING), PADDING + column)]
        if line.start < start or line.end > end:
            stretches = line.stretches(max(start, line.start), min(end, line.end))
        for left, right in stretches:
            corner, opposite = QPointF(left - spread, top), QPointF(right + spread, bottom)
            path.addRect(QRectF(_snapped_point(corner), _snapped_point(opposite)))
    return path.simplified()


def _closed(lefts: Sequence[float], rights: Sequence[float], edges: Sequence[float]) -> QPainterPath:
    """Return the outline of stripes below each other; stripe i is between edges i and i + 1."""
    path = QPainterPath(QPointF(lefts[0], edges[0]))
    stripes = list(zip(lefts, rights, pairwise(edges), strict=True))
    for _, right, (top, bottom) in stripes:
        path.lineTo(right, top)
        path.lineTo(right, bottom)
    for left, _, (top, bottom) in reversed(stripes):
        path.lineTo(left, bottom)
        path.lineTo(left, top)
    path.closeSubpath()
    return path


def _bar(lines: Sequence[Line], offset: int, spread: float) -> QPainterPath:
    path = QPainterPath()
    line = next((line for line in lines if line.start <= offset <= line.end), None)
    if line is not None:
        x = line.x(offset)
        path.addRect(QRectF(x - BAR / 2, line.top - spread, BAR, line.bottom - line.top + 2 * spread))
    return path


def _snapped(pixels: float) -> float:
    """Return the middle of a pixel, at which a thin line is sharp."""
    return round(pixels) + 0.5


def _snapped_point(point: QPointF) -> QPointF:
    return QPointF(_snapped(point.x()), _snapped(point.y()))


def _faded(color: QColor, opacity: float) -> QColor:
    faded = QColor(color)
    faded.setAlphaF(opacity)
    return faded
