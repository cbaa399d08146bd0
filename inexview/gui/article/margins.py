"""The margins of the text: numbers of places, grades, notes, lanes of assessors, and the gutter."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QHelpEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
)
from PySide6.QtWidgets import QToolTip, QWidget

from inexview.core.text.search import Span
from inexview.core.wording import counted
from inexview.gui.article.bars import crumbs
from inexview.gui.article.lanes import (
    HEAD,
    HEAT_GAP,
    HEAT_WIDTH,
    Pointed,
    chunk_at,
    lane_at,
    lane_step,
    line_bars,
    paint_lanes,
)
from inexview.gui.article.overlays import (
    HEAT,
    Contest,
    ContestedPlace,
    Outlined,
    Overlay,
    Stroke,
    Tool,
)
from inexview.gui.article.pen import DRAG
from inexview.gui.article.styles import Styles
from inexview.gui.article.text_area import TextArea
from inexview.gui.article.text_document import Line, line_of
from inexview.gui.article.text_layers import band_of
from inexview.gui.look.theme import (
    LAYER_LOOKS,
    RelevanceState,
    key_width,
    paint_judged,
    paint_key,
    paint_nugget,
    paint_number,
    paint_waiting,
    run_color,
    tinted,
)
from inexview.gui.look.widgets import CUT, LEFT, RIGHT, write

SIGN, SIGN_LEFT, GAP, DISC = 14, 6, 5, 10  # pixels
WIDEST = 34  # pixels of a tick of a sentence with both judgements
LEGIBLE_BELOW = 84  # minimum height in pixels below a sign for its words
LONGEST = 200  # characters of a note that are measured
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u9fff\uf900-\ufaff]")
LETTERS = 11.0
NUMBER = 10.0  # letter size of a place's number in pixels
RING, RING_LETTERS = 19, 11.0  # pixels of the ring of a nugget, and of its letters


@dataclass(frozen=True, slots=True)
class Tick:
    """A sentence that also occurs in other documents of the topic, and its judgement there."""

    span: Span
    same: bool
    """Whether it is identical there; else nearly so."""
    states: tuple[RelevanceState, ...]
    told: str


@dataclass(frozen=True, slots=True)
class NumberedPlace:
    """A place that is numbered in a list next to the text, with its tooltip."""

    number: int
    span: Span
    told: str
    current: bool = False
    """Whether it was selected last."""


@dataclass(frozen=True, slots=True)
class NuggetSign:
    """The start of words that state a nugget, or (without a ``key``) of a mark without a nugget."""

    span: Span
    told: str
    key: str = ""
    """The digits that file under the nugget."""
    nugget: int = 0
    """The key of the nugget in the project."""
    vital: bool = False
    current: bool = False
    """Whether the nugget is selected."""
    layer: int | None = None
    """The index of the assessor's layer, if it is another assessor's."""


@dataclass(frozen=True, slots=True)
class MarginSign:
    """A visible sign: its place, its subject and its words; grades and notes have no subject."""

    place: QRectF
    span: Span
    words: str
    about: Tick | NumberedPlace | NuggetSign | None = None
    graded: bool = False
    """Whether it is a grade; without a subject, it is otherwise a note."""


class Margin(QWidget):
    """Base of what is painted next to the lines of a text area."""

    def __init__(self, text_area: TextArea) -> None:
        super().__init__(text_area)
        self.setMouseTracking(True)
        self._text_area = text_area

    @property
    def _styles(self) -> Styles:
        return self._text_area.styles


class MarginSigns(Margin):
    """Signs and lanes of other assessors in the right margin, next to the lines of the text.

    The words of a tick are visible only if the caret is in its sentence or the mouse on its sign.
    """

    note_chosen = Signal(object)  # Span: the passage of a note
    tick_chosen = Signal(object)  # Tick
    number_chosen = Signal(object)  # NumberedPlace
    nugget_chosen = Signal(object)  # NuggetSign
    nugget_pointed = Signal(object)  # NuggetSign | None: under the mouse
    unroomed = Signal(str)  # the words of the open tick if the margin has no space for them, else ""

    def __init__(self, text_area: TextArea) -> None:
        super().__init__(text_area)
        self.setObjectName("article-signs")
        self.setAccessibleName("Margin: numbers of places, notes, and sentences judged elsewhere")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)  # until there is a sign
        self._notes: Mapping[Span, str] = {}
        self._grades: Mapping[Span, str] = {}
        self._numbers: Mapping[str, int] = {}
        self._numbered: Sequence[NumberedPlace] = ()
        self._nuggets: Sequence[NuggetSign] = ()
        self._pointed: NuggetSign | None = None
        self._listed: Sequence[Tick] = ()
        self._contest: Contest | None = None  # assessors, whose lanes replace ticks
        self._stroke: Stroke | None = None  # the stroke in progress
        self._open: Tick | None = None  # the tick whose words are shown
        self._tip = ""  # its words, if they are shown elsewhere
        text_area.viewport_moved.connect(self._follow)
        text_area.pen.previewed.connect(self.show_preview)
        text_area.ends.changed.connect(lambda _: self.update())
        text_area.cursorPositionChanged.connect(lambda: self._open_tick(self.tick_at_caret()))

    def set_notes(self, notes: Mapping[Span, str]) -> None:
        if notes != self._notes:
            self._notes = notes
            self._show()

    def set_grades(self, grades: Mapping[Span, str], numbers: Mapping[str, int]) -> None:
        """Show the grades of passages, or if space is short their ``numbers`` in the scale."""
        if (grades, numbers) != (self._grades, self._numbers):
            self._grades, self._numbers = grades, numbers
            self._show()

    def set_numbers(self, places: Sequence[NumberedPlace]) -> None:
        if places != self._numbered:
            self._numbered = places
            self._show()

    def set_nuggets(self, signs: Sequence[NuggetSign]) -> None:
        """Show the starts of words that state nuggets, and the marks without a nugget."""
        if signs != self._nuggets:
            self._nuggets = signs
            self._show()

    def set_ticks(self, ticks: Sequence[Tick]) -> None:
        self._listed = ticks
        self._open_tick(self.tick_at_caret())
        self._show()

    def set_contest(self, contest: Contest | None) -> None:
        """Show the lanes of all assessors but the first instead of ticks; None shows ticks."""
        if contest is not None or self._contest is not None:
            self._contest = contest
            self.set_ticks(self._listed)

    @property
    def _ticks(self) -> Sequence[Tick]:
        return self._listed if self._contest is None else ()

    @property
    def _any(self) -> bool:
        return bool(self._numbered or self._nuggets or self._grades or self._notes or self._ticks)

    def show_preview(self, stroke: Stroke | None) -> None:
        """Show how many characters a stroke would add or erase, at its end."""
        self._stroke = stroke
        self.update()

    def tick_at_caret(self) -> Tick | None:
        caret = self._text_area.caret() if self._ticks else 0
        return next((tick for tick in self._ticks if tick.span[0] <= caret < tick.span[1]), None)

    def _show(self) -> None:
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents, not self._any)
        self.update()

    def _open_tick(self, tick: Tick | None) -> None:
        if tick != self._open:
            self._open = tick
            self.setAccessibleDescription("" if tick is None else tick.told)
            self._tell_unroomed()
            self.update()

    def _tell_unroomed(self) -> None:
        roomy = self.width() - SIGN_LEFT >= LEGIBLE_BELOW
        told = "" if roomy or self._open is None else self._open.told
        if told != self._tip:
            self._tip = told
            self.unroomed.emit(told)

    def signs(self) -> list[MarginSign]:
        """Return the visible signs from top to bottom; signs of one line are below or next to each other."""
        lines = self._text_area.lines()
        nowhere = QRectF()
        listed = [
            *(MarginSign(nowhere, one.span, one.told, one) for one in self._numbered),
            *(MarginSign(nowhere, one.span, one.told, one) for one in self._nuggets),
            *(MarginSign(nowhere, span, grade, graded=True) for span, grade in self._grades.items()),
            *(MarginSign(nowhere, span, note) for span, note in self._notes.items()),
            *(MarginSign(nowhere, tick.span, tick.told, tick) for tick in self._ticks),
        ]
        placed: list[MarginSign] = []
        others = () if self._contest is None else self._contest.entries[1:]
        entered = [line_of(lines, offset) for offset in others if offset is not None and lines]
        edge = min(SIGN_LEFT, max(self.width() - WIDEST, 0))
        if self._contest is not None:  # next to the lanes
            lanes = TEXT_TO_OTHERS[len(self._contest.layers) - 2] + WIDE + 2
            edge = max(min(round(lanes), self.width() - RING), 0)
        free, beside = -float(SIGN), float(edge)
        for sign in sorted(listed, key=lambda one: one.span[0]):
            line = line_of(lines, sign.span[0]) if lines else None
            if line is None:
                continue
            size = RING if isinstance(sign.about, NuggetSign) else SIGN
            small = isinstance(sign.about, NumberedPlace) or (
                isinstance(sign.about, NuggetSign) and bool(sign.about.key)
            )
            top = (line.top + line.bottom - size) / 2
            top += line.bottom - line.top if line in entered else 0  # below the entry point and its letter
            if small and placed and placed[-1].place.top() == top and beside + size <= self.width():
                place = QRectF(beside, top, size, size)
            else:
                top = max(top, free)
                place = QRectF(edge, top, size if small else self.width() - edge, size)
            free, beside = top + size + 2, place.right() + 1 + size // 7 if small else math.inf
            placed.append(replace(sign, place=place))
        return placed

    # -- painting ------------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        offer = self._text_area.ends.offer
        if not (self._any or self._stroke or offer or self._contest):
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._contest is not None and (lines := self._text_area.lines()):
            paint_other_lanes(painter, self._styles, lines, self._contest, self.width())
        painter.setFont(self._styles.interface_font(LETTERS))
        if stroke := self._stroke or offer:
            self._paint_size(painter, stroke)
        opened: MarginSign | None = None
        theme = self._styles.theme
        for sign in self.signs():
            if isinstance(sign.about, NumberedPlace):
                font = self._styles.interface_font(NUMBER, bold=True)
                font.setPixelSize(round(NUMBER))  # fixed like its ring, also for text at 200 %
                paint_number(painter, sign.place, sign.about.number, font, theme, current=sign.about.current)
            elif isinstance(sign.about, NuggetSign):
                self._paint_nugget(painter, sign, sign.about)
            elif isinstance(sign.about, Tick):
                self._paint_tick(painter, sign, sign.about)
                opened = sign if sign.about == self._open else opened
            elif sign.graded:
                self._paint_grade(painter, sign)
            else:
                self._paint_note(painter, sign)
        if opened is not None:
            self._paint_words(painter, opened)

    def _paint_size(self, painter: QPainter, stroke: Stroke) -> None:
        """Paint the change by a stroke on the line of its end, or above a sign there."""
        line = line_of(self._text_area.lines(), stroke.end - 1)
        change = abs(stroke.change_of(self._text_area.pen_state.marks))
        if line is None:
            return
        erases = stroke.tool is Tool.ERASE
        told = f"{'erases' if erases else 'adds'} {change:,}"
        theme, metrics, held = (
            self._styles.theme,
            QFontMetricsF(painter.font()),
            self._text_area.ends.held,
        )
        # the key that accepts it
        key = "" if held is None or self._stroke is not None else "→" if held.at_end else "←"
        font = self._styles.interface_font(NUMBER)
        room, beside = self.width() - SIGN_LEFT, key_width(font, key) + GAP if key else 0.0
        if metrics.horizontalAdvance(told) + beside > room:
            told = f"{'−' if erases else '+'}{change:,}"
        middle = (line.top + line.bottom) / 2 - (
            SIGN if any(abs(sign.place.top() - line.top) < SIGN for sign in self.signs()) else 0
        )
        left = float(SIGN_LEFT)
        if key and metrics.horizontalAdvance(told) + beside <= room:
            paint_key(painter, QPointF(left, middle), key, font, theme)
            left += beside
        painter.setPen(theme.color("erase_edge" if erases else "accent"))
        painter.drawText(QPointF(left, middle + metrics.capHeight() / 2), told)

    def _paint_grade(self, painter: QPainter, sign: MarginSign) -> None:
        theme, place = self._styles.theme, sign.place
        shown, metrics = self.words_of(sign), QFontMetricsF(painter.font())
        frame = QRectF(place.left(), place.top() - 1, metrics.horizontalAdvance(shown) + 2 * GAP, SIGN + 2)
        painter.setPen(theme.color("mark_edge"))
        painter.drawRoundedRect(frame, 4, 4)
        painter.setPen(theme.color("text"))
        painter.drawText(frame, Qt.AlignmentFlag.AlignCenter, shown)

    def _paint_nugget(self, painter: QPainter, sign: MarginSign, about: NuggetSign) -> None:
        """Paint a ring with the key of a nugget, or the sign of a mark without one."""
        theme, place = self._styles.theme, sign.place
        font = self._styles.interface_font(RING_LETTERS, bold=about.vital)
        font.setPixelSize(round(RING_LETTERS))  # fixed like its ring, also for text at 200 %
        ring = QRectF(place.left(), place.top(), RING, RING)
        if about.key:
            looks = {"vital": about.vital, "current": about.current}
            paint_nugget(painter, ring, about.key, font, theme, **looks, layer=about.layer)
            return
        paint_waiting(painter, ring, font, theme)
        room = place.adjusted(RING + GAP, 0, 0, 0)
        painter.setPen(theme.color("accent"))
        painter.setFont(font)
        fits = QFontMetricsF(font).horizontalAdvance(about.told) <= room.width()
        painter.drawText(room, int(LEFT), about.told if fits else about.told.partition(" ")[0])

    def _paint_note(self, painter: QPainter, sign: MarginSign) -> None:
        theme, place = self._styles.theme, sign.place
        painter.drawImage(place.topLeft(), tinted("note", theme.muted, SIGN))
        below = QFontMetricsF(painter.font()).capHeight() / 2
        painter.setPen(theme.color("muted"))
        painter.drawText(QPointF(place.left() + SIGN + GAP, place.center().y() + below), self.words_of(sign))

    def words_of(self, sign: MarginSign) -> str:
        """Return the part of a grade or note that fits; the tooltip has all of it."""
        metrics = QFontMetricsF(self._styles.interface_font(LETTERS))
        if not sign.graded:
            return whole_words(sign.words, metrics, sign.place.width() - SIGN - 2 * GAP)
        whole = metrics.horizontalAdvance(sign.words) <= sign.place.width() - 3 * GAP
        return sign.words if whole else str(self._numbers.get(sign.words, sign.words[:1]))

    def _paint_tick(self, painter: QPainter, sign: MarginSign, tick: Tick) -> None:
        theme, place = self._styles.theme, sign.place
        painter.save()
        painter.setFont(self._styles.interface_font(LETTERS + 2, bold=True))
        metrics = QFontMetricsF(painter.font())
        painter.setPen(theme.color("mark_edge"))
        painter.drawText(
            QPointF(place.left(), place.center().y() + metrics.capHeight() / 2), "=" if tick.same else "≈"
        )
        at = place.left() + metrics.horizontalAdvance("=") + 2
        for state in tick.states:
            paint_judged(painter, state, QRectF(at, place.center().y() - DISC / 2, DISC, DISC), theme)
            at += DISC + 2
        painter.restore()

    def _paint_words(self, painter: QPainter, sign: MarginSign) -> None:
        """Paint the judgement of the sentence below a tick's sign if it fits."""
        place = sign.place
        if place.width() < LEGIBLE_BELOW:
            return
        metrics = QFontMetricsF(painter.font())
        room = QRectF(place.left(), place.bottom() + 2, place.width() - GAP, 4 * metrics.lineSpacing())
        flags = int(Qt.TextFlag.TextWordWrap)
        wanted = metrics.boundingRect(room, flags, sign.words).intersected(room)
        painter.fillRect(wanted.adjusted(-2, -1, 2, 1), self._styles.theme.color("page"))
        painter.setPen(self._styles.theme.color("muted"))
        painter.drawText(room, flags, sign.words)

    # -- the mouse -----------------------------------------------------------------------------------

    def event(self, event: QEvent) -> bool:
        """Show the full words of a sign in a tooltip."""
        if event.type() is QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            sign = self._at(QPointF(event.pos()))
            QToolTip.showText(event.globalPos(), "" if sign is None else sign.words, self)
            return True
        if event.type() is QEvent.Type.Leave:
            self._point_at(None)
            self._open_tick(self.tick_at_caret())
        return super().event(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        sign = self._at(event.position())
        self.setCursor(Qt.CursorShape.ArrowCursor if sign is None else Qt.CursorShape.PointingHandCursor)
        about = None if sign is None else sign.about
        self._point_at(about)
        self._open_tick(about if isinstance(about, Tick) else self.tick_at_caret())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Follow a sign; clicks elsewhere in the margin do nothing."""
        sign = self._at(event.position())
        if sign is None or event.button() is not Qt.MouseButton.LeftButton:
            event.ignore()
        elif isinstance(sign.about, NumberedPlace):
            self.number_chosen.emit(sign.about)
        elif isinstance(sign.about, NuggetSign):
            self.nugget_chosen.emit(sign.about)
        elif isinstance(sign.about, Tick):
            self.tick_chosen.emit(sign.about)
        else:  # a grade leads to its passage
            self.note_chosen.emit(sign.span)

    def _point_at(self, about: object) -> None:
        pointed = about if isinstance(about, NuggetSign) and about.key else None
        if pointed != self._pointed:
            self._pointed = pointed
            self.nugget_pointed.emit(pointed)

    def _at(self, point: QPointF) -> MarginSign | None:
        return next((sign for sign in self.signs() if sign.place.contains(point)), None)

    def _follow(self, _: object = None) -> None:
        self.setGeometry(right_margin(self._text_area))
        self._tell_unroomed()
        self.update()


def whole_words(text: str, metrics: QFontMetricsF, room: float) -> str:
    """Return the whole words of a text that fit, with dots for the rest; "" if none fits.

    In scripts without spaces, return as many characters as fit.
    """
    words = text[:LONGEST].split()
    for count in range(len(words), 0, -1):
        shown = " ".join(words[:count]) + ("…" if count < len(words) else "")
        if metrics.horizontalAdvance(shown) <= room:
            return shown
    if words and _UNSPACED.match(words[0]) and room >= 3 * metrics.height():
        return metrics.elidedText(words[0], CUT, room)
    return ""


def right_margin(text_area: TextArea) -> QRect:
    """Return the area between the text and the scroll bar (even if hidden), in pixels."""
    viewport = text_area.viewport().geometry()
    left = min(viewport.right() + 1, viewport.left() + text_area.lineWrapColumnOrWidth())
    right = text_area.width() - text_area.verticalScrollBar().sizeHint().width()
    return QRect(left, viewport.top(), max(right - left, 0), viewport.height())


WIDE = 6.0  # width of a lane in pixels
TEXT_TO_A = 21.0  # between the text and the left side of a lane
TEXT_TO_OTHERS = (8.0, 16.5)  # between the text and the left sides of the lanes of B and C
NUMBER_RIGHT = 74.0  # between the text and the right end of a place's number
FADED = 0.42  # opacity of lanes if everything is settled
ROOM_FOR_NAME = 26  # pixels of right margin, from the lanes on
NAME_PIXELS, NUMBER_PIXELS = 11.0, 12.0


def paint_first_lane(
    painter: QPainter, styles: Styles, lines: Sequence[Line], contest: Contest, width: float
) -> None:
    """Paint the left margin: numbers of places, the lane of A, and A's entry point."""
    x = width - TEXT_TO_A
    paint_lane(painter, styles, lines, contest, 0, x)
    begin_in: dict[int, list[ContestedPlace]] = {}  # several places may start in one line
    for place in contest.places:
        line = line_of(lines, place.span[0])
        if line is not None:
            begin_in.setdefault(lines.index(line), []).append(place)
    for at, places in begin_in.items():
        _paint_numbers(painter, styles, lines[at], places, contest.current, width)
    entry = contest.entries[0] if contest.entries else None
    line = None if entry is None else line_of(lines, entry)
    if line is not None:
        paint_entry(painter, styles, line, x - 6, "A", leftward=False)


def _paint_numbers(
    painter: QPainter,
    styles: Styles,
    line: Line,
    places: Sequence[ContestedPlace],
    chosen: Span | None,
    width: float,
) -> None:
    """Paint the numbers of the places that start in a line; settled ones with their ruling."""
    theme = styles.theme
    number = ", ".join(str(place.number) for place in places)  # not "16" for 1 and 6
    taken = places[0].taken if all(place.taken for place in places) else ""
    current = any(place.span == chosen for place in places)
    font = styles.interface_font(NUMBER_PIXELS, bold=True)
    wide = QFontMetricsF(font).horizontalAdvance(number)
    right = max(width - NUMBER_RIGHT, wide + 2)  # several numbers need more width
    painter.setFont(font)
    painter.setPen(theme.color("accent" if current and not taken else "muted"))
    painter.drawText(QPointF(right - wide, line.baseline), number)
    if taken:
        tick = QPointF(right + 9, line.baseline - 4)
        painter.setPen(QPen(theme.color("finished"), 1.6))
        painter.drawPolyline([tick + QPointF(-4, 0), tick + QPointF(-1, 3), tick + QPointF(4, -3.5)])
        small = styles.interface_font(NAME_PIXELS)
        shown = QFontMetricsF(small).elidedText(taken, CUT, NUMBER_RIGHT - 32)
        painter.setFont(small)
        painter.setPen(theme.color("muted"))
        painter.drawText(QPointF(right - wide, line.baseline + 15), shown)


def paint_other_lanes(
    painter: QPainter, styles: Styles, lines: Sequence[Line], contest: Contest, width: int
) -> None:
    """Paint the right margin: the lanes of B and C, and their entry points."""
    paint_ground(painter, styles, lines, contest, width)
    others = range(1, len(contest.layers))
    for layer in others:
        paint_lane(painter, styles, lines, contest, layer, TEXT_TO_OTHERS[layer - 1])
    x = TEXT_TO_OTHERS[len(others) - 1] + WIDE + (6 if len(others) == 1 else 3)
    for offset in {entry for entry in contest.entries[1:] if entry is not None}:
        line = line_of(lines, offset)
        whose = (LAYER_LOOKS[layer].letter for layer in others if contest.entries[layer] == offset)
        if line is not None:
            below = width < x + ROOM_FOR_NAME
            paint_entry(painter, styles, line, x, " ".join(whose), leftward=True, below=below)


def paint_ground(
    painter: QPainter, styles: Styles, lines: Sequence[Line], contest: Contest, width: int
) -> None:
    """Continue the band of the current place in a margin."""
    band = None if contest.current is None else band_of(lines, contest.current)
    if band is not None:
        painter.fillRect(QRect(0, band[0], width, band[1] - band[0]), styles.theme.color("selected"))


def paint_lane(
    painter: QPainter,
    styles: Styles,
    lines: Sequence[Line],
    contest: Contest,
    layer: int,
    x: float,
) -> None:
    """Paint the marks of one assessor, faded if everything is settled."""
    look, marks = LAYER_LOOKS[layer], contest.layers[layer]
    color = styles.theme.color(look.token)
    starts, ends = [line.start for line in lines], [line.end for line in lines]
    for spans, alpha in ((marks - contest.open, FADED), (marks & contest.open, 1.0)):
        shown = QColor(color)
        shown.setAlphaF(alpha)
        look.lay(painter, shown)
        for top, bottom in line_bars(lines, spans, starts, ends):
            painter.drawRoundedRect(QRectF(x + 0.5, top + 0.5, WIDE - 1, bottom - top - 1), 2.5, 2.5)


def paint_entry(
    painter: QPainter,
    styles: Styles,
    line: Line,
    x: float,
    name: str,
    *,
    leftward: bool,
    below: bool = False,
) -> None:
    """Paint a hollow flag at the text, with its owner next to it or ``below`` it."""
    font = styles.interface_font(NAME_PIXELS, bold=True)
    metrics = QFontMetricsF(font)
    color = styles.theme.color("bep")
    half = metrics.capHeight() * 0.62
    middle = (line.top + line.bottom) / 2
    side = 1.0 if leftward else -1.0
    tip = QPointF(x, middle)
    corners = [
        tip,
        QPointF(x + side * 1.7 * half, middle - half),
        QPointF(x + side * 1.7 * half, middle + half),
    ]
    painter.setPen(QPen(color, 1.2))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawPolygon(QPolygonF(corners))
    painter.setPen(color)
    painter.setFont(font)
    far = x + side * (1.7 * half + 5)
    left = far if leftward else far - metrics.horizontalAdvance(name)
    if below:
        painter.drawText(QPointF(x, middle + half + metrics.capHeight() + 2), name)
    else:
        painter.drawText(QPointF(left, middle + metrics.capHeight() / 2), name)


FLAG_PIXELS = 11.0
FLAG_ROOM = 14.0  # between lanes and text
KEY_PIXELS = 10.0
BRACKET_ARM = 4.0


@dataclass(frozen=True, slots=True)
class NamedElement:
    """The characters ``[start, end)`` of an element, and its name."""

    start: int
    end: int
    name: str


class Gutter(Margin):
    """The left margin next to the lines of the text; the flag of the entry point can be dragged."""

    pointed = Signal(object)  # Pointed: over a lane; None: over none
    chunk_chosen = Signal(int, int)  # index of the lane, and rank

    def __init__(self, text_area: TextArea) -> None:
        super().__init__(text_area)
        self.setObjectName("article-gutter")
        self.setAccessibleName("Margin: entry points and runs")
        self._overlay = Overlay()
        self._ghost: int | None = None
        self._grasped: QPointF | None = None  # the point at which the flag was pressed
        self._element: NamedElement | None = None  # the current element
        self.proposal_key = ""  # the key that accepts the proposed entry point
        text_area.pen_state.changed.connect(lambda _: self.update())
        text_area.pen.ghosted.connect(self._show_ghost)
        text_area.viewport_moved.connect(self._follow)
        text_area.outlines.changed.connect(self._show_element)

    def set_overlay(self, overlay: Overlay) -> None:
        before, proposed = self._overlay, self.proposed
        self._overlay = overlay
        marks_shown = overlay.lanes or overlay.contest is not None or proposed != self.proposed
        if marks_shown or not overlay.differs_by_marks(before):
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(event.rect(), self._styles.theme.color("page"))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        lines = self._text_area.lines()
        if not lines:
            return
        if (contest := self._overlay.contest) is not None:
            paint_ground(painter, self._styles, lines, contest, self.width())
            paint_first_lane(painter, self._styles, lines, contest, self.width())
        if self._overlay.lanes:
            paint_lanes(painter, lines, self._overlay, self._styles.theme, self.width() - FLAG_ROOM)
            # a flag scrolls under the signs
            painter.setClipRect(QRectF(0, HEAD, self.width(), self.height()))
        elif self._element is not None and contest is None:
            self._paint_bracket(painter, lines, self._element)
        self._paint_flags(painter, lines)

    # -- the current element -------------------------------------------------------------------------

    def _show_element(self, outlined: Outlined | None) -> None:
        """Show a bracket next to an element, unless it is outlined itself."""
        named = None
        if outlined is not None and outlined.size and not self._text_area.outlines.drawn:
            element = outlined.element
            named = NamedElement(element.start, element.end, crumbs(element.path).rpartition(" › ")[2])
        if named != self._element:
            self._element = named
            self.update()

    def _paint_bracket(self, painter: QPainter, lines: Sequence[Line], element: NamedElement) -> None:
        inside = [line for line in lines if line.start < element.end and element.start < line.end]
        if not inside or (element.start < lines[0].start and lines[-1].end < element.end):
            return
        x, first, last = self.width() - 4.5, inside[0], inside[-1]
        begins, ends = first.start <= element.start, element.end <= last.end
        top, bottom = round(first.top) + 0.5, round(last.bottom) + 0.5
        corners = [QPointF(x, top), QPointF(x, bottom)]
        if begins:
            corners.insert(0, QPointF(x + BRACKET_ARM, top))
        if ends:
            corners.append(QPointF(x + BRACKET_ARM, bottom))
        painter.setPen(QPen(self._styles.theme.color("rest"), 1))
        painter.drawPolyline(QPolygonF(corners))
        flagged = (self._overlay.bep, self._overlay.entry, self._ghost, self.proposed)
        if begins and not any(at is not None and first.start <= at < first.end for at in flagged):
            room = QRectF(0, first.top, x - 6, first.bottom - first.top)
            font, color = (
                self._styles.interface_font(FLAG_PIXELS),
                self._styles.theme.color("muted"),
            )
            write(painter, room, element.name, font, color, RIGHT, CUT)

    # -- flags ---------------------------------------------------------------------------------------

    def _paint_flags(self, painter: QPainter, lines: Sequence[Line]) -> None:
        overlay, theme = self._overlay, self._styles.theme
        bep_line = None if overlay.bep is None else line_of(lines, overlay.bep)
        entry_line = None if overlay.entry is None else line_of(lines, overlay.entry)
        ghost = self.proposed if self._ghost is None else self._ghost
        ghost_line = None if ghost is None else line_of(lines, ghost)
        shared = bep_line is not None and bep_line is entry_line
        shift = 6.5 * self._styles.size / 17 if shared else 0.0
        if bep_line is not None:
            bare = bool(overlay.lanes) or overlay.contest is not None
            label = "" if bare else "BEP"  # next to lanes it would seem to label one of them
            self._flag(painter, bep_line, -shift, theme.color("bep"), label, hollow=False)
        if entry_line is not None:
            color = run_color(theme, overlay.style)
            self._flag(painter, entry_line, shift, color, self._distance(), hollow=True)
        own_line = entry_line if overlay.pen_on_run else bep_line
        if ghost_line is not None and ghost_line is not own_line:
            color, label = theme.color("bep"), self.proposal_key
            if overlay.pen_on_run:
                color, label = run_color(theme, overlay.style), ""
            elif self._ghost is not None or overlay.lanes:
                label = "BEP?"
            color.setAlphaF(0.65)
            self._flag(painter, ghost_line, 0.0, color, label, hollow=True)

    def _flag(
        self, painter: QPainter, line: Line, shift: float, color: QColor, label: str, *, hollow: bool
    ) -> None:
        font = self._styles.interface_font(FLAG_PIXELS, bold=True)
        metrics = QFontMetricsF(font)
        half = metrics.capHeight() * 0.62
        middle = (line.top + line.bottom) / 2 + shift
        wide = metrics.horizontalAdvance(label)
        lanes = len(self._overlay.lanes)
        x = self.width() - 2.0 - 2 * half
        # The flag is at the text, its label to the left of it or of the lanes.
        heat = HEAT_WIDTH + HEAT_GAP if self._overlay.heat is not None else 0.0
        run = lane_step(self._overlay) * len(self._overlay.lanes) + heat
        right = self.width() - FLAG_ROOM - run - 4 if lanes else x - 5
        triangle = QPolygonF(
            [QPointF(x, middle - half), QPointF(x + 1.7 * half, middle), QPointF(x, middle + half)]
        )
        if not lanes and self._overlay.contest is None:  # space is left by the bracket
            painter.fillRect(triangle.boundingRect().adjusted(-3, -3, 3, 3), self._styles.theme.color("page"))
        painter.setPen(
            QPen(color, 1.3, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin)
        )
        painter.setBrush(Qt.BrushStyle.NoBrush if hollow else color)
        painter.drawPolygon(triangle)
        if label and label == self.proposal_key:
            small = self._styles.interface_font(KEY_PIXELS)
            place = QPointF(right - key_width(small, label), middle)
            paint_key(painter, place, label, small, self._styles.theme)
        elif wide <= right - 2:  # otherwise it would overlap the many lanes
            painter.setPen(color)
            painter.setFont(font)
            painter.drawText(QPointF(right - wide, middle + metrics.capHeight() / 2), label)

    def _distance(self) -> str:
        distance = self._overlay.distance
        if distance is None:
            return ""
        return "0" if distance == 0 else f"{'−' if distance < 0 else '+'}{abs(distance):,}"

    # -- the mouse -----------------------------------------------------------------------------------

    def event(self, event: QEvent) -> bool:
        """Show the meaning of a flag or lane in a tooltip."""
        if event.type() is QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), self.explanation(), self)
            return True
        return super().event(event)

    def explanation(self) -> str:
        overlay = self._overlay
        said = []
        if overlay.bep is not None:
            said.append(f"▶ best entry point at {overlay.bep:,}")
        elif self.proposed is not None:
            said.append(f"▷ {self.proposal_key} sets the best entry point here, at the first mark")
        if overlay.entry is not None:
            entry = f"▷ entry point of the run at {overlay.entry:,}"
            if overlay.distance is not None:
                side = "before" if overlay.distance < 0 else "after"
                entry += f", {counted(abs(overlay.distance), 'character')} {side} the best one"
            said.append(entry)
        return "\n".join(said)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Grasp the flag of the entry point; while choosing one, choose the sentence next to the mouse."""
        pen = self._text_area.pen
        if pen.choosing:
            pen.press(self._for_text(event))
        elif event.button() is Qt.MouseButton.LeftButton and self._on_flag(event.position()):
            self._grasped = event.position()
        elif event.button() is Qt.MouseButton.LeftButton:
            lane, rank = self._lane_at(event.position())
            if lane is not None and rank is not None:
                self.chunk_chosen.emit(lane, rank)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        pen = self._text_area.pen
        if not event.buttons():
            self._grasped = None
        if self._grasped is not None:
            if (event.position() - self._grasped).manhattanLength() >= DRAG:
                self._grasped = None
                pen.carry_entry_point(self._for_text(event).position())
        elif pen.choosing or pen.carrying:
            pen.move(self._for_text(event))
        at = event.position()
        lane, rank = self._lane_at(at)
        line = next((line for line in self._text_area.lines() if line.top <= at.y() <= line.bottom), None)
        nowhere = lane is None or (line is None and rank is None)
        start, end = (0, 0) if line is None else (line.start, line.end)
        self.pointed.emit(None if nowhere else Pointed(start, end, lane, rank))
        self._show_cursor(at, chunk=rank is not None)

    def _lane_at(self, at: QPointF) -> tuple[int | None, int | None]:
        """Return the lane at a point, and the rank of the chunk there."""
        right = self.width() - FLAG_ROOM
        lane = lane_at(at.x(), right, self._overlay)
        if lane is None or lane == HEAT:
            return lane, None
        return lane, chunk_at(self._text_area.lines(), self._overlay, lane, right, at)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.pointed.emit(None)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._grasped = None
        if self._text_area.pen.carrying:
            self._text_area.pen.release(self._for_text(event))
        self._show_cursor(event.position())

    @property
    def _own(self) -> int | None:
        """The entry point whose flag can be moved: in what-if that of the run."""
        return self._overlay.entry if self._overlay.pen_on_run else self._overlay.bep

    def _on_flag(self, at: QPointF) -> bool:
        own, live = self._own, self._text_area.pen_state.live
        line = None if own is None or not live else line_of(self._text_area.lines(), own)
        return line is not None and line.top - 2 <= at.y() <= line.bottom + 2

    def _show_cursor(self, at: QPointF, *, chunk: bool = False) -> None:
        pen = self._text_area.pen
        if pen.choosing or chunk:
            self.setCursor(Qt.CursorShape.PointingHandCursor)
        elif pen.carrying or self._grasped is not None:
            self.setCursor(Qt.CursorShape.ClosedHandCursor)
        elif self._on_flag(at):
            self.setCursor(Qt.CursorShape.OpenHandCursor)
        else:
            self.setCursor(Qt.CursorShape.ArrowCursor)

    @property
    def proposed(self) -> int | None:
        """The proposed entry point, set only by a key: the start of the first mark, if none is set."""
        overlay = self._overlay
        if (
            overlay.pen_on_run
            or not self.proposal_key
            or overlay.contest is not None  # in Adjudicate nothing is proposed
            or overlay.bep is not None
            or not overlay.marks
            or not self._text_area.pen_state.live
        ):
            return None
        return int(overlay.marks.starts[0])

    def _for_text(self, event: QMouseEvent) -> QMouseEvent:
        in_area = self.mapTo(self._text_area, event.position())
        return QMouseEvent(
            event.type(),
            self._text_area.viewport().mapFrom(self._text_area, in_area),
            event.globalPosition(),
            event.button(),
            event.buttons(),
            event.modifiers(),
        )

    def _show_ghost(self, offset: int | None) -> None:
        self._ghost = offset
        self.update()

    def _follow(self, _: object = None) -> None:
        viewport = self._text_area.viewport().geometry()
        self.setGeometry(0, viewport.top(), viewport.left(), viewport.height())
        self.update()
