"""The list of what was found: rank, title, score, and how the passage begins."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QPainter, QPalette, QTextOption
from PySide6.QtWidgets import QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from inexview.gui.look.lists import Index, ListModel, RowRole
from inexview.gui.look.widgets import CUT, MARGIN, RIGHT, derived, write

LINES = 2  # of a passage


@dataclass(frozen=True, slots=True)
class FoundPassage:
    """A passage ``[start, end)`` that was found, with the beginning of its text."""

    rank: int
    document: str
    title: str
    score: float
    start: int
    end: int
    text: str

    def __str__(self) -> str:
        """Say it in one line, for who hears the list."""
        return f"{self.rank}. {self.title}: {self.text}"


class FoundDelegate(QStyledItemDelegate):
    """Paints one passage: its rank, its document and its score, and two lines of its text."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(240, (1 + LINES) * option.fontMetrics.lineSpacing() + 22)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row: FoundPassage = index.data(RowRole)
        rect, palette = QRectF(option.rect), option.palette
        painter.save()
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(rect, palette.color(QPalette.ColorRole.Highlight))
            painter.fillRect(QRectF(rect.left(), rect.top(), 3, rect.height()), palette.accent())
        elif option.state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(rect, palette.color(QPalette.ColorRole.AlternateBase))
        painter.fillRect(QRectF(rect.left(), rect.bottom() - 1, rect.width(), 1), palette.mid())
        height = option.fontMetrics.lineSpacing()
        line = QRectF(rect.left() + MARGIN, rect.top() + 9, rect.width() - 2 * MARGIN, height)
        self._paint_head(painter, line, option, row)
        small = derived(option.font, factor=0.92)
        text = line.translated(0, height + 3)
        text.setHeight(LINES * QFontMetricsF(small).lineSpacing() + 2)
        painter.setFont(small)
        ink = palette.color(QPalette.ColorRole.Text)
        ink.setAlphaF(0.8)
        painter.setPen(ink)
        how = QTextOption(Qt.AlignmentFlag.AlignLeft)
        how.setWrapMode(QTextOption.WrapMode.WordWrap)
        painter.setClipRect(text)
        painter.drawText(text.adjusted(_ranks(option), 0, 0, 0), row.text, how)
        painter.restore()

    def _paint_head(
        self, painter: QPainter, line: QRectF, option: QStyleOptionViewItem, row: FoundPassage
    ) -> None:
        bold, small = derived(option.font, bold=True), derived(option.font, factor=0.85)
        score = f"{row.score:.3f}".replace("-", "−")
        width = QFontMetricsF(small).horizontalAdvance(score)
        quiet = option.palette.color(QPalette.ColorRole.PlaceholderText)
        write(painter, line, str(row.rank), small, quiet)
        write(painter, line, score, small, quiet, RIGHT)
        body = line.adjusted(_ranks(option), 0, -width - MARGIN, 0)
        write(painter, body, row.title, bold, option.palette.color(QPalette.ColorRole.Text), shorten=CUT)


def _ranks(option: QStyleOptionViewItem) -> float:
    """Return how much room ranks take."""
    return QFontMetricsF(option.font).horizontalAdvance("000") + 6


class FoundList(QListView):
    """The passages found; Enter or a double click opens one."""

    opened = Signal(object)  # FoundPassage

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.found = ListModel[FoundPassage](self)
        self.setModel(self.found)
        self.setItemDelegate(FoundDelegate(self))
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setAccessibleName("What was found")
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.activated.connect(lambda index: self.opened.emit(index.data(RowRole)))
