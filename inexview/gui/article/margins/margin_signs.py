"""The margin right of the text: numbers of places, grades, notes, sentences that were judged elsewhere."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QHelpEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QToolTip, QWidget

from inexview.core.text.text_quotes import Span
from inexview.gui.article.column.text_area import TextArea
from inexview.gui.article.overlays import Stroke, Tool
from inexview.gui.article.typesetting.lines import line_of
from inexview.gui.article.typesetting.styles import Styles
from inexview.gui.look.panel_parts import CUT
from inexview.gui.look.symbols import RelevanceState, key_width, paint_judged, paint_key, paint_number
from inexview.gui.look.tinted_icons import tinted

SIGN, LEFT, GAP, DISC = 14, 6, 5, 10  # pixels
WIDEST = 34  # pixels of a tick about sentences that were judged both ways
LEGIBLE_BELOW = 84  # pixels without which no words are below a sign
LONGEST = 200  # characters of a note that are tried
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u9fff\uf900-\ufaff]")
LETTERS = 11.0
NUMBER = 10.0  # pixels of the letters of a place's number


@dataclass(frozen=True, slots=True)
class Tick:
    """A sentence that is in other documents of the topic too, and how it is judged there."""

    span: Span
    same: bool
    """Whether it is the same; else nearly so."""
    states: tuple[RelevanceState, ...]
    told: str


@dataclass(frozen=True, slots=True)
class NumberedPlace:
    """A place that a list beside the text numbers too, and what is told of it."""

    number: int
    span: Span
    told: str
    current: bool = False
    """Whether it was chosen last."""


@dataclass(frozen=True, slots=True)
class MarginSign:
    """A sign that is seen: where it is, what it is about, and its words; a grade or a note has no more."""

    place: QRectF
    span: Span
    words: str
    about: Tick | NumberedPlace | None = None
    graded: bool = False
    """Whether it is a grade; else, about nothing more, it is a note."""


class MarginSigns(QWidget):
    """Lies in the text area's right margin and follows its lines.

    The words of a tick are there only while the caret is in its sentence or the mouse on its sign.
    """

    note_chosen = Signal(object)  # Span: the passage of a note
    tick_chosen = Signal(object)  # Tick
    number_chosen = Signal(object)  # NumberedPlace
    unroomed = Signal(str)  # the words of the open tick, where the margin has no room for them; else ""

    def __init__(self, text_area: TextArea, styles: Styles) -> None:
        super().__init__(text_area)
        self.setObjectName("article-signs")
        self.setAccessibleName("Margin: numbers of places, notes, and sentences judged elsewhere")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)  # until there is a sign
        self.setMouseTracking(True)
        self._text_area = text_area
        self._styles = styles
        self._notes: Mapping[Span, str] = {}
        self._grades: Mapping[Span, str] = {}
        self._numbers: Mapping[str, int] = {}
        self._numbered: Sequence[NumberedPlace] = ()
        self._listed: Sequence[Tick] = ()
        self._contested = False  # lanes of assessors are there
        self._stroke: Stroke | None = None  # that is drawn now
        self._open: Tick | None = None  # whose words are shown
        self._told = ""  # of it elsewhere
        text_area.viewport_moved.connect(self._follow)
        text_area.pen.previewed.connect(self.show_preview)
        text_area.ends.changed.connect(lambda _: self.update())
        text_area.cursorPositionChanged.connect(lambda: self._open_tick(self.tick_at_caret()))

    def set_styles(self, styles: Styles) -> None:
        self._styles = styles
        self._follow()

    def set_notes(self, notes: Mapping[Span, str]) -> None:
        if notes != self._notes:
            self._notes = notes
            self._show()

    def set_grades(self, grades: Mapping[Span, str], numbers: Mapping[str, int]) -> None:
        """Show the grades of passages, or where there is no room their ``numbers`` in the scale."""
        if (grades, numbers) != (self._grades, self._numbers):
            self._grades, self._numbers = grades, numbers
            self._show()

    def set_numbers(self, places: Sequence[NumberedPlace]) -> None:
        """Show these numbers, each where its place begins."""
        if places != self._numbered:
            self._numbered = places
            self._show()

    def set_ticks(self, ticks: Sequence[Tick]) -> None:
        """Show these ticks, in the order of the text."""
        self._listed = ticks
        self._open_tick(self.tick_at_caret())
        self._show()

    def set_contested(self, contested: bool) -> None:
        """Leave the room of ticks to the lanes of assessors, or take it back."""
        if contested is not self._contested:
            self._contested = contested
            self.set_ticks(self._listed)

    @property
    def _ticks(self) -> Sequence[Tick]:
        return () if self._contested else self._listed

    @property
    def _any(self) -> bool:
        return bool(self._numbered or self._grades or self._notes or self._ticks)

    def show_preview(self, stroke: Stroke | None) -> None:
        """Say how many characters a stroke would add or erase, where it ends."""
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
        roomy = self.width() - LEFT >= LEGIBLE_BELOW
        told = "" if roomy or self._open is None else self._open.told
        if told != self._told:
            self._told = told
            self.unroomed.emit(told)

    def signs(self) -> list[MarginSign]:
        """Return what is seen, from top to bottom; below where a line has one, a number beside it."""
        lines = self._text_area.lines()
        nowhere = QRectF()
        listed = [
            *(MarginSign(nowhere, one.span, one.told, one) for one in self._numbered),
            *(MarginSign(nowhere, span, grade, graded=True) for span, grade in self._grades.items()),
            *(MarginSign(nowhere, span, note) for span, note in self._notes.items()),
            *(MarginSign(nowhere, tick.span, tick.told, tick) for tick in self._ticks),
        ]
        placed: list[MarginSign] = []
        edge = min(LEFT, max(self.width() - WIDEST, 0))
        free, beside = -float(SIGN), float(edge)
        for sign in sorted(listed, key=lambda one: one.span[0]):
            line = line_of(lines, sign.span[0]) if lines else None
            if line is None:
                continue
            top, small = (line.top + line.bottom - SIGN) / 2, isinstance(sign.about, NumberedPlace)
            if small and placed and placed[-1].place.top() == top and beside + SIGN <= self.width():
                place = QRectF(beside, top, SIGN, SIGN)
            else:
                top = max(top, free)
                place = QRectF(edge, top, SIGN if small else self.width() - edge, SIGN)
            free, beside = top + SIGN + 2, place.right() + 1 if small else math.inf
            placed.append(replace(sign, place=place))
        return placed

    # -- painting ------------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        offer = self._text_area.ends.offer
        if not (self._any or self._stroke or offer):
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self._styles.interface_font(LETTERS))
        if stroke := self._stroke or offer:
            self._paint_size(painter, stroke)
        opened: MarginSign | None = None
        theme = self._styles.theme
        for sign in self.signs():
            if isinstance(sign.about, NumberedPlace):
                font = self._styles.interface_font(NUMBER, bold=True)
                font.setPixelSize(round(NUMBER))  # as its ring, which text at 200 % does not make larger
                paint_number(painter, sign.place, sign.about.number, font, theme, current=sign.about.current)
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
        """Write what a stroke would change, on the line where it ends, or above a sign there."""
        line = line_of(self._text_area.lines(), stroke.end - 1)
        change = abs(stroke.change_of(self._text_area.hand.marks))
        if line is None:
            return
        erases = stroke.tool is Tool.ERASE
        told = f"{'erases' if erases else 'adds'} {change:,}"
        theme, metrics, held = self._styles.theme, QFontMetricsF(painter.font()), self._text_area.ends.held
        key = "" if held is None or self._stroke is not None else "→" if held.at_end else "←"  # takes it
        font = self._styles.interface_font(NUMBER)
        room, beside = self.width() - LEFT, key_width(font, key) + GAP if key else 0.0
        if metrics.horizontalAdvance(told) + beside > room:
            told = f"{'−' if erases else '+'}{change:,}"
        middle = (line.top + line.bottom) / 2 - (SIGN if self._sign_near(line.top) else 0)
        left = float(LEFT)
        if key and metrics.horizontalAdvance(told) + beside <= room:
            paint_key(painter, QPointF(left, middle), key, font, theme)
            left += beside
        painter.setPen(theme.color("erase_edge" if erases else "accent"))
        painter.drawText(QPointF(left, middle + metrics.capHeight() / 2), told)

    def _sign_near(self, top: float) -> bool:
        return any(abs(sign.place.top() - top) < SIGN for sign in self.signs())

    def _paint_grade(self, painter: QPainter, sign: MarginSign) -> None:
        theme, place = self._styles.theme, sign.place
        shown, metrics = self.told(sign), QFontMetricsF(painter.font())
        frame = QRectF(place.left(), place.top() - 1, metrics.horizontalAdvance(shown) + 2 * GAP, SIGN + 2)
        painter.setPen(theme.color("mark_edge"))
        painter.drawRoundedRect(frame, 4, 4)
        painter.setPen(theme.color("text"))
        painter.drawText(frame, Qt.AlignmentFlag.AlignCenter, shown)

    def _paint_note(self, painter: QPainter, sign: MarginSign) -> None:
        theme, place = self._styles.theme, sign.place
        painter.drawImage(place.topLeft(), tinted("note", theme.muted, SIGN))
        below = QFontMetricsF(painter.font()).capHeight() / 2
        painter.setPen(theme.color("muted"))
        painter.drawText(QPointF(place.left() + SIGN + GAP, place.center().y() + below), self.told(sign))

    def told(self, sign: MarginSign) -> str:
        """Return what there is room for of a grade or a note; the tooltip has all of it."""
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
        """Write below a tick's sign how the sentence is judged, if there is room for it."""
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
        """Tell all the words of a sign while the mouse rests on it."""
        if event.type() is QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            sign = self._at(QPointF(event.pos()))
            QToolTip.showText(event.globalPos(), "" if sign is None else sign.words, self)
            return True
        if event.type() is QEvent.Type.Leave:
            self._open_tick(self.tick_at_caret())
        return super().event(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Show what can be clicked, and the words of the tick there."""
        sign = self._at(event.position())
        self.setCursor(Qt.CursorShape.ArrowCursor if sign is None else Qt.CursorShape.PointingHandCursor)
        about = None if sign is None else sign.about
        self._open_tick(about if isinstance(about, Tick) else self.tick_at_caret())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Go where a sign leads; elsewhere the margin does nothing."""
        sign = self._at(event.position())
        if sign is None or event.button() is not Qt.MouseButton.LeftButton:
            event.ignore()
        elif isinstance(sign.about, NumberedPlace):
            self.number_chosen.emit(sign.about)
        elif isinstance(sign.about, Tick):
            self.tick_chosen.emit(sign.about)
        else:  # a grade leads to its passage, too
            self.note_chosen.emit(sign.span)

    def _at(self, point: QPointF) -> MarginSign | None:
        return next((sign for sign in self.signs() if sign.place.contains(point)), None)

    def _follow(self, _: object = None) -> None:
        self.setGeometry(right_margin(self._text_area))
        self._tell_unroomed()
        self.update()


def whole_words(text: str, metrics: QFontMetricsF, room: float) -> str:
    """Return as many words of a text as there is room for, and dots for the others; nothing for none.

    A script without spaces has no words that one sees: of it as many characters are returned.
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
    """Return the place between the text and the scroll bar, there or not, in pixels of the text area."""
    viewport = text_area.viewport().geometry()
    left = min(viewport.right() + 1, viewport.left() + text_area.lineWrapColumnOrWidth())
    right = text_area.width() - text_area.verticalScrollBar().sizeHint().width()
    return QRect(left, viewport.top(), max(right - left, 0), viewport.height())
