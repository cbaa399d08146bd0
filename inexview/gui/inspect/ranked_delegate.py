"""How one ranked document looks: rank, state, title, score, and where in it the text was judged and found."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from PySide6.QtCore import QObject, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from inexview.core.text.spans import Spans
from inexview.gui.inspect.figures import NOTHING, count, short
from inexview.gui.inspect.ranked_columns import RANK_WIDTH, ColumnPlaces, RankedColumn, places
from inexview.gui.inspect.ranked_model import ROW_ROLE
from inexview.gui.inspect.ranked_rows import RankedDocument, RankedKey, RankingCosts
from inexview.gui.inspect.topic_model import SMALL, change_text, difference_text
from inexview.gui.look.model_index import Index
from inexview.gui.look.panel_parts import MARGIN, derived, paint_focus
from inexview.gui.look.symbols import RelevanceState, paint_judged, paint_run_shape, run_color
from inexview.gui.look.theme import LIGHT, Theme

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
        self.wanted: frozenset[RankedColumn] = frozenset(RankedColumn)
        """The columns to show as far as there is room."""
        self.costs = RankingCosts()
        self._placed: tuple[tuple[object, ...], ColumnPlaces] | None = None

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(160, option.fontMetrics.height() + STRIP + 16)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row: RankedDocument = index.data(ROW_ROLE)
        rect = QRectF(option.rect)
        painter.save()
        self._paint_ground(painter, rect, option, row)
        placed = self.places(rect, option.font)
        line = QRectF(rect.left() + MARGIN, rect.top() + 6, 0, option.fontMetrics.height())
        small = derived(option.font, factor=0.85)
        self._paint_rank(painter, QRectF(line.left(), line.top(), RANK_WIDTH, line.height()), small, row)
        state = QRectF(line.left() + RANK_WIDTH, line.center().y() - STATE_SIZE / 2, STATE_SIZE, STATE_SIZE)
        paint_judged(painter, row.state, state, self.theme)
        left = state.right() + GAP
        body = QRectF(left, line.top(), placed.title_right - left - GAP, line.height())
        self._paint_title(painter, body, option.font, small, row)
        self._paint_strip(painter, QRectF(left, line.bottom() + 4, body.width(), STRIP), row)
        for column, start, end in placed.columns:
            cell = QRectF(start, line.top(), end - start, line.height())
            below = QRectF(start, line.bottom() + 1, end - start, STRIP + 2)
            self._paint_figures(painter, option.font, column, cell, below, row)
        painter.restore()

    def places(self, rect: QRectF, font: QFont) -> ColumnPlaces:
        compared = self.other_style is not None
        made_of = font.key(), rect.left(), rect.right(), self.wanted, compared
        if self._placed is None or self._placed[0] != made_of:
            found = places(
                rect.left() + MARGIN + RANK_WIDTH + STATE_SIZE + GAP,
                rect.right() - MARGIN,
                self.wanted,
                QFontMetricsF(derived(font, factor=0.92)).horizontalAdvance,
                compared=compared,
            )
            self._placed = made_of, found
        return self._placed[1]

    def key_at(self, rect: QRectF, font: QFont, point: QPointF) -> RankedKey | None:
        """Return which figure of the row in ``rect`` is at a point."""
        if 0 <= point.x() - rect.left() - MARGIN < RANK_WIDTH:
            return RankedKey.RANK
        for column, left, right in self.places(rect, font).columns:
            if left <= point.x() < right:
                first = column.below is None or point.y() < rect.center().y()
                return column.above if first else column.below
        return None

    def figure(self, key: RankedKey, row: RankedDocument) -> str:
        match key:
            case RankedKey.RANK:
                return NOTHING if row.rank is None else str(row.rank)
            case RankedKey.SCORE:
                return _score(row.score)
            case RankedKey.SO_FAR:
                return short(self.costs.so_far.get(row.document))
            case RankedKey.GAIN:
                return "" if row.gained is None else difference_text(row.gained) if row.gained else "0"
            case RankedKey.THERE:
                if row.other is None:
                    return ""
                return "not found" if row.other.rank is None else str(row.other.rank)
            case RankedKey.CHANGE:
                change = self.costs.change(row.document)
                return NOTHING if change is None else change_text(change)
            case RankedKey.SIZE:
                return count(row.retrieved.size)
            case _:
                unknown = row.state in (RelevanceState.UNJUDGED, RelevanceState.ABSENT)
                return NOTHING if unknown else count((row.judged & row.retrieved).size)

    def _paint_figures(
        self,
        painter: QPainter,
        font: QFont,
        column: RankedColumn,
        cell: QRectF,
        below: QRectF,
        row: RankedDocument,
    ) -> None:
        bold = column is RankedColumn.SCORE
        painter.setFont(derived(font, bold=True) if bold else derived(font, factor=0.92))
        painter.setPen(self.theme.color(self._token(column, row)))
        painter.drawText(cell, RIGHT, self.figure(column.above, row))
        painter.setFont(derived(font, factor=0.85))
        painter.setPen(self.theme.color("muted"))
        if column.below is not None:
            said = self.figure(column.below, row)
            painter.drawText(below, RIGHT, said)
            if column.below is RankedKey.THERE and row.other is not None and row.other.rank is not None:
                self._paint_other_shape(painter, below, said)
        elif row.rank is None and row.document in self.costs.found:
            painter.drawText(below, RIGHT, "if found")

    def _token(self, column: RankedColumn, row: RankedDocument) -> str:
        """Return the colour of a column's first figure: a loss stands out, nothing is quiet."""
        if column is RankedColumn.GAIN:
            return "miss" if (row.gained or 0) < 0 else "text" if row.gained else "muted"
        if column is RankedColumn.CHANGE:
            change = self.costs.change(row.document)
            return "muted" if abs(change or 0) < SMALL else "miss" if (change or 0) > 0 else "text"
        if column is RankedColumn.SCORE:
            return "text" if row.score else "muted"
        return "text"

    def _paint_other_shape(self, painter: QPainter, below: QRectF, said: str) -> None:
        if self.other_style is not None:
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
        painter.drawText(rect, LEFT, self.figure(RankedKey.RANK, row))

    def _paint_title(
        self, painter: QPainter, rect: QRectF, font: QFont, small: QFont, row: RankedDocument
    ) -> None:
        """Paint the title and, in words, what the symbol alone would not tell to everybody."""
        suffix = ""
        if row.rank is None:
            suffix = " · missed"
        elif row.state is not RelevanceState.RELEVANT:
            suffix = f" · {row.state.value}"
        said, metrics = QFontMetricsF(small).horizontalAdvance(suffix), QFontMetricsF(font)
        if metrics.horizontalAdvance(row.title or row.document) + said > rect.width():
            suffix, said = "", 0.0  # the sign and the tooltip tell it too
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
