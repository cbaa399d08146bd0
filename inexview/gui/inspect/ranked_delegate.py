"""How one ranked document looks: rank, state, title, score, and where in it the text was judged and found."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from inexview.core.text.spans import Spans
from inexview.gui.inspect.figures import NOTHING, short
from inexview.gui.inspect.ranked_model import ROW_ROLE, OtherRanking, RankedDocument
from inexview.gui.inspect.topic_model import difference_text
from inexview.gui.look.panel_parts import MARGIN, derived, paint_focus
from inexview.gui.look.symbols import RelevanceState, paint_judged, paint_run_shape, run_color
from inexview.gui.look.theme import LIGHT, Theme

Index = QModelIndex | QPersistentModelIndex

STATE_SIZE = 10
GAP = 8
STRIP = 12  # height of the judged passages, the run's under them, and the room between
LEAST_MARK = 2  # a passage is never narrower than this on the strip

LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class RankedDelegate(QStyledItemDelegate):
    """Paints one row of the ranked list."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.theme: Theme = LIGHT
        self.run_style = 0
        self.other_style: int | None = None
        """The style of the run that is compared with; None: there is none."""
        self.open_document: str | None = None

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Return the same height for every row."""
        return QSize(160, option.fontMetrics.height() + STRIP + 16)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint one row."""
        row: RankedDocument = index.data(ROW_ROLE)
        rect = QRectF(option.rect)
        painter.save()
        self._paint_ground(painter, rect, option, row)
        small, bold = derived(option.font, factor=0.85), derived(option.font, bold=True)
        ranks = QFontMetricsF(small).horizontalAdvance("0000")
        scores = QFontMetricsF(bold).horizontalAdvance("0.000")
        changes = (
            0.0 if self.other_style is None else QFontMetricsF(small).horizontalAdvance("not found") + GAP
        )
        line = QRectF(
            rect.left() + MARGIN, rect.top() + 6, rect.width() - 2 * MARGIN, option.fontMetrics.height()
        )
        self._paint_rank(painter, QRectF(line.left(), line.top(), ranks, line.height()), small, row)
        state = QRectF(line.left() + ranks + 4, line.center().y() - STATE_SIZE / 2, STATE_SIZE, STATE_SIZE)
        paint_judged(painter, row.state, state, self.theme)
        if row.other is not None:
            self._paint_other(painter, line, small, row, row.other)
        line.setRight(line.right() - changes)
        body = QRectF(
            state.right() + GAP, line.top(), line.right() - scores - GAP - state.right() - GAP, line.height()
        )
        self._paint_title(painter, body, option.font, small, row)
        painter.setFont(bold)
        painter.setPen(self.theme.color("text" if row.score else "muted"))
        painter.drawText(
            QRectF(line.right() - scores, line.top(), scores, line.height()), RIGHT, _score(row.score)
        )
        self._paint_strip(painter, QRectF(body.left(), line.bottom() + 4, body.width(), STRIP), row)
        painter.restore()

    def _paint_other(
        self, painter: QPainter, line: QRectF, small: QFont, row: RankedDocument, other: OtherRanking
    ) -> None:
        """Paint what the other run made of it: the difference, and under it the rank it had there."""
        if self.other_style is None:
            return
        painter.setFont(small)
        if row.gained is not None:
            painter.setPen(self.theme.color("miss" if row.gained < 0 else "text" if row.gained else "muted"))
            painter.drawText(line, RIGHT, difference_text(row.gained) if row.gained else "0")
        painter.setPen(self.theme.color("muted"))
        below = QRectF(line.left(), line.bottom() + 1, line.width(), STRIP + 2)
        said = "not found" if other.rank is None else f"{other.rank}"
        painter.drawText(below, RIGHT, said)
        if other.rank is not None:
            left = below.right() - painter.fontMetrics().horizontalAdvance(said) - 12
            shape = QRectF(left, below.center().y() - 4, 8, 8)
            paint_run_shape(painter, self.other_style, shape, run_color(self.theme, self.other_style))

    def _paint_ground(
        self, painter: QPainter, rect: QRectF, option: QStyleOptionViewItem, row: RankedDocument
    ) -> None:
        """Paint what says which row is open, which one the mouse is on, and which one the keyboard is on."""
        is_open = row.document == self.open_document
        if is_open:
            painter.fillRect(rect, self.theme.color("selected"))
        elif option.state & QStyle.StateFlag.State_MouseOver:
            hover = self.theme.color("track")
            hover.setAlphaF(0.6)
            painter.fillRect(rect, hover)
        painter.fillRect(QRectF(rect.left(), rect.bottom() - 1, rect.width(), 1), self.theme.color("line"))
        if is_open:
            painter.fillRect(QRectF(rect.left(), rect.top(), 3, rect.height()), self.theme.color("accent"))
        view = self.parent()
        current = bool(option.state & QStyle.StateFlag.State_HasFocus)
        if current and isinstance(view, QWidget) and view.hasFocus():
            paint_focus(painter, rect.adjusted(0, 0, 0, -1), self.theme)

    def _paint_rank(self, painter: QPainter, rect: QRectF, font: QFont, row: RankedDocument) -> None:
        painter.setFont(font)
        painter.setPen(self.theme.color("muted"))
        painter.drawText(rect, LEFT, NOTHING if row.rank is None else str(row.rank))

    def _paint_title(
        self, painter: QPainter, rect: QRectF, font: QFont, small: QFont, row: RankedDocument
    ) -> None:
        """Paint the title and, in words, what the symbol alone would not tell to everybody."""
        suffix = ""
        if row.rank is None:
            suffix = " · not retrieved"
        elif row.state is not RelevanceState.RELEVANT:
            suffix = f" · {row.state.value}"
        said = QFontMetricsF(small).horizontalAdvance(suffix)
        metrics = QFontMetricsF(font)
        title = metrics.elidedText(
            row.title or row.document, Qt.TextElideMode.ElideRight, max(rect.width() - said, 0)
        )
        painter.setFont(font)
        painter.setPen(self.theme.color("text"))
        painter.drawText(rect, LEFT, title)
        painter.setFont(small)
        painter.setPen(self.theme.color("muted"))
        painter.drawText(rect.adjusted(metrics.horizontalAdvance(title), 0, 0, 0), LEFT, suffix)

    def _paint_strip(self, painter: QPainter, rect: QRectF, row: RankedDocument) -> None:
        """Paint the document as a line: judged passages on it, the run's under it."""
        track = QRectF(rect.left(), rect.top(), rect.width(), 5)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self.theme.color("track"))
        painter.drawRoundedRect(track, 2.5, 2.5)
        length = row.length or _reach(row.judged, row.retrieved)
        _paint_spans(painter, track, row.judged, length, self.theme.color("mark_edge"))
        lane = QRectF(rect.left(), track.bottom() + 2, rect.width(), 3)
        _paint_spans(painter, lane, row.retrieved, length, run_color(self.theme, self.run_style))


def _score(score: float | None) -> str:
    return "0" if score == 0 else short(score)


def _reach(*spans: Spans) -> int:
    return max((int(each.ends[-1]) for each in spans if each), default=1)


@lru_cache(maxsize=4096)
def _pixels(spans: Spans, length: int, width: int) -> tuple[tuple[int, int], ...]:
    """Return the pixels that spans of ``[0, length)`` cover; those that fall on the same ones are joined."""
    scale = width / max(length, 1)
    starts = np.minimum((spans.starts * scale).astype(np.int64), width - LEAST_MARK)
    ends = np.minimum(np.ceil(spans.ends * scale).astype(np.int64), width)
    return tuple(Spans.from_arrays(starts, np.maximum(ends, starts + LEAST_MARK)))


def _paint_spans(painter: QPainter, rect: QRectF, spans: Spans, length: int, color: QColor) -> None:
    painter.setBrush(color)
    for start, end in _pixels(spans, length, max(int(rect.width()), LEAST_MARK)):
        painter.drawRoundedRect(QRectF(rect.left() + start, rect.top(), end - start, rect.height()), 1.5, 1.5)
