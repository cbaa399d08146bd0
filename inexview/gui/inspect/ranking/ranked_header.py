"""The names over the ranked list's figures, two lines of them; a click on a name sorts by it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QHelpEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from inexview.gui.inspect.ranking.ranked_columns import KEY_TIPS
from inexview.gui.inspect.ranking.ranked_delegate import RankedDelegate
from inexview.gui.inspect.scoring.ranked_rows import RankedKey
from inexview.gui.look.theme import paint_run_shape, run_color
from inexview.gui.look.widgets import LEFT, MARGIN, RIGHT, derived

SIGN = 8


class RankedHeader(QWidget):
    """Paints the names where the delegate has the figures, and says which one was clicked."""

    clicked = Signal(object)  # RankedKey

    def __init__(self, delegate: RankedDelegate, row_width: Callable[[], int]) -> None:
        super().__init__()
        self._delegate = delegate
        self._row_width = row_width
        self.key = RankedKey.RANK
        self.descending = False
        self._named: tuple[object, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Columns of the ranked documents")
        self.setMouseTracking(True)

    def sizeHint(self) -> QSize:
        return QSize(160, 2 * self._line() + 4)

    def _line(self) -> int:
        return int(QFontMetricsF(derived(self.font(), factor=0.85)).height()) + 1

    def show_order(self, key: RankedKey, *, descending: bool) -> None:
        self.key, self.descending = key, descending
        order = "falling" if descending else "rising"
        self.setAccessibleDescription(f"sorted by {self.name_of(key)}, {order}")
        self.update()

    def renew(self) -> None:
        """Paint it again where it names something else, or runs by other shapes; topics are alike."""
        delegate = self._delegate
        named = self.name_of(RankedKey.SO_FAR), delegate.run_style, delegate.other_style, delegate.last_rank
        if named != self._named:
            self._named = named
            self.update()

    def name_of(self, key: RankedKey) -> str:
        return self._delegate.costs.so_far_name if key is RankedKey.SO_FAR else key.value

    def cells(self) -> dict[RankedKey, QRectF]:
        line, foot = self._line(), 2.0
        look = self._delegate.look(QRectF(0, 0, self._row_width(), self.height()), self.font())
        placed, ranks = look.places, look.rank_width
        title, high = MARGIN + ranks, line if placed.under else 2 * line
        cells = {
            RankedKey.RANK: QRectF(MARGIN, foot, ranks - 2, high),
            RankedKey.TITLE: QRectF(title, foot, placed.heading_right - title, high),
        }
        for column, left, right in placed.columns:
            if placed.under:
                cells[column.above] = QRectF(left, foot + line, right - left, line)
                continue
            both = 2 * line if column.below is None else line
            cells[column.above] = QRectF(left, foot, right - left, both)
            if column.below is not None:
                cells[column.below] = QRectF(left, foot + line, right - left, line)
        return cells

    def key_at(self, point: QPointF) -> RankedKey | None:
        return next((key for key, cell in self.cells().items() if cell.contains(point)), None)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        key = self.key_at(event.position())
        if key is not None and event.button() is Qt.MouseButton.LeftButton:
            self.clicked.emit(key)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        there = self.key_at(event.position()) is not None
        self.setCursor(Qt.CursorShape.PointingHandCursor if there else Qt.CursorShape.ArrowCursor)

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            key = self.key_at(event.pos().toPointF())
            QToolTip.showText(event.globalPos(), "" if key is None else KEY_TIPS[key], self)
            return True
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        theme = self._delegate.theme
        painter.fillRect(QRectF(0, self.height() - 1, self.width(), 1), theme.color("line"))
        for key, cell in self.cells().items():
            sorts = key is self.key
            painter.setFont(derived(self.font(), factor=0.85, bold=sorts))
            painter.setPen(theme.color("accent" if sorts else "muted"))
            arrow = ("▾" if self.descending else "▴") if sorts else ""
            if key is RankedKey.GAIN:
                self._paint_pair(painter, cell, arrow)
            else:
                painter.drawText(
                    cell,
                    LEFT if key in (RankedKey.RANK, RankedKey.TITLE) else RIGHT,
                    f"{self.name_of(key)}{arrow}",
                )

    def _paint_pair(self, painter: QPainter, cell: QRectF, arrow: str) -> None:
        """Paint one run less the other by their shapes."""
        theme, styles = self._delegate.theme, (self._delegate.other_style, self._delegate.run_style)
        metrics = painter.fontMetrics()
        painter.drawText(cell, RIGHT, arrow)
        right = cell.right() - metrics.horizontalAdvance(arrow)
        for at, style in enumerate(styles):
            if style is not None:
                shape = QRectF(right - SIGN, cell.center().y() - SIGN / 2, SIGN, SIGN)
                hollow = at > 0 and self._delegate.last_rank is not None
                paint_run_shape(painter, style, shape, run_color(theme, style), hollow=hollow)
                right = shape.left()
            if not at:
                painter.drawText(
                    QRectF(cell.left(), cell.top(), right - cell.left() - 2, cell.height()), RIGHT, "−"
                )
                right -= metrics.horizontalAdvance("−") + 4
