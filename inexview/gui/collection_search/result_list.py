"""What a search of the collection found: a title, how the document is judged, and a stretch of its text."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRect, QSize, Qt
from PySide6.QtGui import QPainter, QTextCharFormat, QTextLayout, QTextOption
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from inexview.core.word_index.full_text_search import FoundDocument
from inexview.gui.article.lines import OffsetMap
from inexview.gui.look.lists import Index, RowRole
from inexview.gui.look.theme import LIGHT, Theme
from inexview.gui.look.widgets import CUT, RIGHT, derived, write

HEIGHT, LEFT, MOST_LINES = 78, 16, 2


@dataclass(frozen=True, slots=True)
class ResultRow:
    """What is shown of one document that was found; ``stands`` says how it is judged, or where it is not."""

    found: FoundDocument
    title: str
    stands: str

    def __str__(self) -> str:
        """Say it in one line, for who hears the list."""
        return f"{self.title} · {self.found.id} · {self.stands}: {self.found.snippet.text}"


class ResultDelegate(QStyledItemDelegate):
    """Paints a :class:`ResultRow`; what was sought stands out in colour and weight."""

    theme: Theme = LIGHT

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(200, HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row: ResultRow = index.data(RowRole)
        theme, rect = self.theme, option.rect
        painter.save()
        painter.setLayoutDirection(Qt.LayoutDirection.LayoutDirectionAuto)  # titles in their own direction
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, theme.color("selected"))
            painter.fillRect(QRect(rect.left(), rect.top(), 3, rect.height()), theme.color("accent"))
        line = QRect(rect.left() + LEFT, rect.top() + 8, rect.width() - 2 * LEFT, 20)
        note = f"{row.stands} · {len(row.found.spans):,}×"
        write(painter, line, note, derived(option.font, factor=0.92), theme.color("muted"), RIGHT)
        line.setRight(line.right() - painter.fontMetrics().horizontalAdvance(note) - 14)
        write(painter, line, row.title, derived(option.font, bold=True), theme.color("text"), shorten=CUT)
        self._snippet(painter, option, row, rect.adjusted(LEFT, 30, -LEFT, -4))
        painter.restore()

    def _snippet(self, painter: QPainter, option: QStyleOptionViewItem, row: ResultRow, room: QRect) -> None:
        text, spans = row.found.snippet
        layout = QTextLayout(text, derived(option.font))
        written = QTextOption(Qt.AlignmentFlag.AlignLeft)
        written.setTextDirection(Qt.LayoutDirection.LayoutDirectionAuto)
        layout.setTextOption(written)
        places = OffsetMap(text, (0,))
        layout.setFormats([self._sought(*map(places.to_position, span)) for span in spans])
        layout.beginLayout()
        y = 0.0
        for _ in range(MOST_LINES):
            line = layout.createLine()
            if not line.isValid():
                break
            line.setLineWidth(room.width())
            line.setPosition(QPointF(0, y))
            y += line.height() + 2
        layout.endLayout()
        painter.setPen(self.theme.color("muted"))
        layout.draw(painter, room.topLeft())

    def _sought(self, start: int, end: int) -> QTextLayout.FormatRange:
        sought = QTextLayout.FormatRange()
        sought.start, sought.length = start, end - start
        look = QTextCharFormat()
        look.setForeground(self.theme.color("text"))
        look.setFontWeight(600)
        sought.format = look
        return sought
