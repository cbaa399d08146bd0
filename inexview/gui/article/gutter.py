"""The margin left of the text: flags of entry points, lanes of runs, the element at hand in a bracket."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
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

from inexview.core.wording import counted
from inexview.gui.article.element_strip import crumbs
from inexview.gui.article.margin_signs import (
    HEAD,
    Pointed,
    lane_at,
    lanes_width,
    paint_first_lane,
    paint_ground,
    paint_lanes,
)
from inexview.gui.article.outlines import Outlined
from inexview.gui.article.overlays import Overlay
from inexview.gui.article.pen import DRAG
from inexview.gui.article.styles import Styles
from inexview.gui.article.text_area import TextArea
from inexview.gui.article.text_document import Line, line_of
from inexview.gui.look.theme import key_width, paint_key, run_color
from inexview.gui.look.widgets import CUT, RIGHT, write

FLAG_PIXELS = 11.0
FLAG_ROOM = 14.0  # between lanes and text
KEY_PIXELS = 10.0
BRACKET_ARM = 4.0


@dataclass(frozen=True, slots=True)
class NamedElement:
    """The characters ``[start, end)`` of an element, and what it is called."""

    start: int
    end: int
    name: str


class Gutter(QWidget):
    """Lies in the text area's left margin and follows its lines; the entry point's flag can be dragged."""

    pointed = Signal(object)  # Pointed at a lane, None: no longer at any

    def __init__(self, text_area: TextArea, styles: Styles) -> None:
        super().__init__(text_area)
        self.setObjectName("article-gutter")
        self.setAccessibleName("Margin: entry points and runs")
        self._text_area = text_area
        self._styles = styles
        self._overlay = Overlay()
        self._ghost: int | None = None
        self._grasped: QPointF | None = None  # where the flag was pressed
        self._element: NamedElement | None = None  # the one at hand
        self.proposal_key = ""  # that takes the proposed entry point
        self.setMouseTracking(True)
        text_area.pen_state.changed.connect(lambda _: self.update())
        text_area.pen.ghosted.connect(self._show_ghost)
        text_area.viewport_moved.connect(self._follow)
        text_area.outlines.changed.connect(self._show_element)

    def set_styles(self, styles: Styles) -> None:
        self._styles = styles
        self._follow()

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
            painter.setClipRect(QRectF(0, HEAD, self.width(), self.height()))  # a flag passes below the signs
        elif self._element is not None and contest is None:
            self._paint_bracket(painter, lines, self._element)
        self._paint_flags(painter, lines)

    # -- the element at hand -------------------------------------------------------------------------

    def _show_element(self, outlined: Outlined | None) -> None:
        """Put a bracket beside an element, but for one that is outlined itself."""
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
            font, color = self._styles.interface_font(FLAG_PIXELS), self._styles.theme.color("muted")
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
            label = "" if bare else "BEP"  # beside lanes it would belong to one of them
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
        # The flag is at the text, its label left of it, where there are lanes beyond them.
        right = self.width() - FLAG_ROOM - lanes_width(self._overlay) - 4 if lanes else x - 5
        triangle = QPolygonF(
            [QPointF(x, middle - half), QPointF(x + 1.7 * half, middle), QPointF(x, middle + half)]
        )
        if not lanes and self._overlay.contest is None:  # a bracket leaves it room
            painter.fillRect(triangle.boundingRect().adjusted(-3, -3, 3, 3), self._styles.theme.color("page"))
        painter.setPen(
            QPen(color, 1.3, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin)
        )
        painter.setBrush(Qt.BrushStyle.NoBrush if hollow else color)
        painter.drawPolygon(triangle)
        if label and label == self.proposal_key:
            self._paint_key(painter, right, middle, label)
        elif wide <= right - 2:  # else there are so many lanes that it would lie on them
            painter.setPen(color)
            painter.setFont(font)
            painter.drawText(QPointF(right - wide, middle + metrics.capHeight() / 2), label)

    def _paint_key(self, painter: QPainter, right: float, middle: float, key: str) -> None:
        """Draw the sign of the key that takes the proposed entry point."""
        font = self._styles.interface_font(KEY_PIXELS)
        wide = key_width(font, key)
        paint_key(painter, QPointF(right - wide, middle), key, font, self._styles.theme)

    def _distance(self) -> str:
        distance = self._overlay.distance
        if distance is None:
            return ""
        return "0" if distance == 0 else f"{'−' if distance < 0 else '+'}{abs(distance):,}"

    # -- the mouse -----------------------------------------------------------------------------------

    def event(self, event: QEvent) -> bool:
        """Say in words what a flag or lane means."""
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
        """Take the flag of the entry point; while one is chosen, choose the sentence beside it."""
        pen = self._text_area.pen
        if pen.choosing:
            pen.press(self._for_text(event))
        elif event.button() is Qt.MouseButton.LeftButton and self._on_flag(event.position()):
            self._grasped = event.position()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Carry the flag; otherwise show whether there is one to carry."""
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
        lane = lane_at(at.x(), self.width() - FLAG_ROOM, self._overlay)
        line = next((line for line in self._text_area.lines() if line.top <= at.y() <= line.bottom), None)
        self.pointed.emit(None if lane is None or line is None else Pointed(line.start, line.end, lane))
        self._show_cursor(event.position())

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

    def _show_cursor(self, at: QPointF) -> None:
        pen = self._text_area.pen
        if pen.choosing:
            self.setCursor(Qt.CursorShape.PointingHandCursor)
        elif pen.carrying or self._grasped is not None:
            self.setCursor(Qt.CursorShape.ClosedHandCursor)
        elif self._on_flag(at):
            self.setCursor(Qt.CursorShape.OpenHandCursor)
        else:
            self.setCursor(Qt.CursorShape.ArrowCursor)

    @property
    def proposed(self) -> int | None:
        """Where an entry point is proposed, which only a key takes: at the first mark, if there is none."""
        overlay = self._overlay
        if (
            overlay.pen_on_run
            or not self.proposal_key
            or overlay.contest is not None  # no one is nudged
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
