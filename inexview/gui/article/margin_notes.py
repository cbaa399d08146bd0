"""The margin right of the text: a sign where a passage has a note, and how the note begins."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QHelpEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QToolTip, QWidget

from inexview.core.text.text_quotes import Span
from inexview.gui.article.lines import line_of
from inexview.gui.article.styles import Styles
from inexview.gui.article.text_area import TextArea
from inexview.gui.look.tinted_icons import tinted

SIGN, LEFT, GAP = 14, 6, 5  # pixels
LEGIBLE = 40  # pixels without which no words stand beside the sign
LETTERS = 11.0


class MarginNotes(QWidget):
    """Lies in the text area's right margin and follows its lines; a click on a sign goes to its passage."""

    chosen = Signal(object)  # Span

    def __init__(self, text_area: TextArea, styles: Styles) -> None:
        super().__init__(text_area)
        self.setObjectName("article-notes")
        self.setAccessibleName("Margin: notes")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)  # until there is a note
        self.setMouseTracking(True)
        self._text_area = text_area
        self._styles = styles
        self._notes: Mapping[Span, str] = {}
        text_area.viewport_moved.connect(self._follow)

    def set_styles(self, styles: Styles) -> None:
        """Take on a theme and a size."""
        self._styles = styles
        self._follow()

    def set_notes(self, notes: Mapping[Span, str]) -> None:
        """Show the notes of these passages."""
        self._notes = notes
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents, not notes)
        self.update()

    def signs(self) -> list[tuple[QRectF, Span]]:
        """Return where the visible notes stand, and the passages that they are about."""
        lines = self._text_area.lines()
        placed = []
        for span in self._notes:
            line = line_of(lines, span[0]) if lines else None
            if line is not None:
                top = (line.top + line.bottom - SIGN) / 2
                placed.append((QRectF(LEFT, top, self.width() - LEFT, SIGN), span))
        return placed

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the signs of the visible lines."""
        if not self._notes:
            return
        painter = QPainter(self)
        theme, font = self._styles.theme, self._styles.interface_font(LETTERS)
        metrics = QFontMetricsF(font)
        painter.setFont(font)
        painter.setPen(theme.color("muted"))
        for place, span in self.signs():
            painter.drawImage(place.topLeft(), tinted("note", theme.muted, SIGN))
            room = place.width() - SIGN - 2 * GAP
            if room >= LEGIBLE:
                words = " ".join(self._notes[span].split())
                shown = metrics.elidedText(words, Qt.TextElideMode.ElideRight, room)
                baseline = place.center().y() + metrics.capHeight() / 2
                painter.drawText(QPointF(place.left() + SIGN + GAP, baseline), shown)

    def event(self, event: QEvent) -> bool:
        """Tell a whole note while the mouse rests on its sign."""
        if event.type() is QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            span = self._at(QPointF(event.pos()))
            QToolTip.showText(event.globalPos(), "" if span is None else self._notes[span], self)
            return True
        return super().event(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Show what can be clicked."""
        there = self._at(event.position()) is not None
        self.setCursor(Qt.CursorShape.PointingHandCursor if there else Qt.CursorShape.ArrowCursor)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Go to the passage of a sign; elsewhere the margin does nothing."""
        span = self._at(event.position())
        if span is not None and event.button() is Qt.MouseButton.LeftButton:
            self.chosen.emit(span)
        else:
            event.ignore()

    def _at(self, point: QPointF) -> Span | None:
        return next((span for place, span in self.signs() if place.contains(point)), None)

    def _follow(self, _: object = None) -> None:
        viewport = self._text_area.viewport().geometry()
        right = self._text_area.width() - self._text_area.verticalScrollBar().sizeHint().width()
        left = viewport.right() + 1
        self.setGeometry(left, viewport.top(), max(right - left, 0), viewport.height())
        self.update()
