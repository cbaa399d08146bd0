"""How one ranked document looks: rank, state, title, score, and where in it the text was judged and found."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from PySide6.QtCore import QObject, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QFontMetricsF, QPainter, QPainterPath, QRegion
from PySide6.QtWidgets import QAbstractItemView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from inexview.core.report import NOTHING, difference_text
from inexview.core.text.spans import Spans
from inexview.gui.inspect.figures.figures import SMALL, change_text, count, short
from inexview.gui.inspect.ranking.ranked_columns import (
    NOT_FOUND,
    RANK_WIDTH,
    ColumnPlaces,
    RankedColumn,
    places,
)
from inexview.gui.inspect.ranking.ranked_model import ROW_ROLE
from inexview.gui.inspect.scoring.ranked_rows import RankedDocument, RankedKey, RankingCosts
from inexview.gui.look.lists import Index
from inexview.gui.look.theme import LIGHT, RelevanceState, Theme, paint_judged, paint_run_shapes, run_color
from inexview.gui.look.widgets import LEFT, MARGIN, RIGHT, derived, paint_focus

STATE_SIZE = 10
GAP = 8
STRIP = 12  # height of the judged passages, the run's under them, and the room between
TITLES = 4_000  # shortened ones that are kept
SCORED = (RankedColumn.SCORE, RankedColumn.GAIN)  # the columns of what parameters change
LEAST_MARK = 2  # a passage is never narrower than this on the strip

PlacedRow = tuple[QRectF, RankedDocument]
"""Where a document, or a part of it, is painted."""


@dataclass(frozen=True, slots=True)
class RowLook:
    """What rows of one width have in common: where the columns are, fonts, and titles as there is room."""

    places: ColumnPlaces
    title: QFont
    figure: QFont
    bold: QFont
    small: QFont
    rank_width: float
    shortened: dict[tuple[str, str], tuple[str, str, float]] = field(default_factory=dict)
    """Of a title and what follows it what is shown of both, and where the latter begins."""

    def of(self, column: RankedColumn) -> QFont:
        return self.bold if column is RankedColumn.SCORE else self.figure

    def shorten(self, title: str, suffix: str, room: float) -> tuple[str, str, float]:
        """Shorten a title; without room for all of it its suffix goes, which sign and tooltip tell too."""
        known = self.shortened.get((title, suffix))
        if known is None:
            metrics, said = QFontMetricsF(self.title), QFontMetricsF(self.small).horizontalAdvance(suffix)
            begins = metrics.horizontalAdvance(title)
            shown, follows = title, suffix
            if begins + said > room:
                shown, follows = metrics.elidedText(title, Qt.TextElideMode.ElideRight, max(room, 0)), ""
            if len(self.shortened) >= TITLES:
                self.shortened.clear()
            known = self.shortened[title, suffix] = shown, follows, begins
        return known


class RankedDelegate(QStyledItemDelegate):
    """Paints the rows of the ranked list; the view that it is of has it finish them together."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.theme: Theme = LIGHT
        self.run_style = 0
        self.other_style: int | None = None
        """The style of the run that is compared with; None: there is none."""
        self.open_document: str | None = None
        self.wanted: frozenset[RankedColumn] = frozenset(RankedColumn)
        """The columns to show as far as there is room."""
        self.last_rank: int | None = None
        """The highest rank where each may show another one before it, as in what-if; else None."""
        self.costs = RankingCosts()
        self.costs_stale = False
        """Whether the costs are those of before, while others are computed."""
        self.region = QRegion()
        """What of the view is to be painted; empty: all of it."""
        self._look: tuple[tuple[object, ...], RowLook] | None = None
        self._noted: list[PlacedRow] = []

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        view, high = self.parent(), option.fontMetrics.height()
        wide = view.viewport().width() if isinstance(view, QAbstractItemView) else 0
        own = self.look(QRectF(0, 0, wide, 1), option.font).places.own_line
        return QSize(160, high + STRIP + 16 + (high if own else 0))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Paint what is under a row; what is on it is painted for all of them by :meth:`paint_noted`."""
        row: RankedDocument = index.data(ROW_ROLE)
        rect = QRectF(option.rect)
        self._paint_ground(painter, rect, option, row)
        self._noted.append((rect, row))

    def paint_noted(self, painter: QPainter, font: QFont) -> None:
        """Paint what is on the rows, one kind after another, so that fonts and pens seldom change."""
        rows, self._noted = self._noted, []
        if not rows:
            return
        whole, high = rows[0][0], QFontMetrics(font).height()
        look = self.look(whole, font)
        above = 6 + (high if look.places.own_line else 0)
        if any(self._is_wanted(_part(rect, rect.left(), look.places.title_right)) for rect, _ in rows):
            self._paint_documents(painter, rows, high, look)
        for column, start, end in look.places.columns:
            cells = [
                (QRectF(start, rect.top() + above, end - start, high), row)
                for rect, row in rows
                if self._is_wanted(_part(rect, start, end))
            ]
            below = [(QRectF(start, cell.bottom() + 1, end - start, STRIP + 2), row) for cell, row in cells]
            if look.places.under:
                self._paint_figures(painter, look.small, column, below)
            else:
                self._paint_figures(painter, look.of(column), column, cells)
                self._paint_below(painter, look, column, below)

    def _is_wanted(self, part: QRectF) -> bool:
        """Tell whether a part of the view is to be painted: what one sees of a moving figure is little."""
        return self.region.isEmpty() or self.region.intersects(part.toAlignedRect())

    def scored_part(self, rect: QRectF, font: QFont) -> QRectF:
        """Return the part of a row in ``rect`` that shows what parameters change."""
        edges = [
            edge for column, *both in self.places(rect, font).columns if column in SCORED for edge in both
        ]
        return QRectF(min(edges), rect.top(), max(edges) - min(edges), rect.height()) if edges else QRectF()

    def _paint_documents(
        self, painter: QPainter, rows: Sequence[PlacedRow], high: int, look: RowLook
    ) -> None:
        """Paint ranks, states, titles and strips."""
        begins = rows[0][0].left() + MARGIN
        painter.setFont(look.small)
        painter.setPen(self.theme.color("muted"))
        for rect, row in rows:
            painter.drawText(QRectF(begins, rect.top() + 6, look.rank_width, high), LEFT, row.place)
        begins += look.rank_width
        for rect, row in rows:
            top = rect.top() + 6 + (high - STATE_SIZE) / 2
            paint_judged(painter, row.state, QRectF(begins, top, STATE_SIZE, STATE_SIZE), self.theme)
        begins += STATE_SIZE + GAP
        width = look.places.title_right - begins - GAP
        self._paint_titles(
            painter, look, [(QRectF(begins, rect.top() + 6, width, high), row) for rect, row in rows]
        )
        width = look.places.strip_right - begins - GAP
        strip = 10 + (high - 3 if look.places.own_line else 0)
        self._paint_strips(
            painter, [(QRectF(begins, rect.top() + high + strip, width, STRIP), row) for rect, row in rows]
        )

    def look(self, rect: QRectF, font: QFont) -> RowLook:
        """Return how rows of this width look."""
        compared = self.other_style is not None
        made_of = QFont(font), rect.left(), rect.right(), self.wanted, compared, self.last_rank
        if self._look is None or self._look[0] != made_of:
            figure, small = derived(font, factor=0.92), derived(font, factor=0.85)
            ranks = self._rank_width(QFontMetricsF(small))
            found = places(
                rect.left() + MARGIN + ranks + STATE_SIZE + GAP,
                rect.right() - MARGIN,
                self.wanted,
                QFontMetricsF(figure).horizontalAdvance,
                compared=compared,
            )
            self._look = made_of, RowLook(found, QFont(font), figure, derived(font, bold=True), small, ranks)
        return self._look[1]

    def _rank_width(self, metrics: QFontMetricsF) -> float:
        if self.last_rank is None:
            return RANK_WIDTH
        return max(RANK_WIDTH, metrics.horizontalAdvance(f"{self.last_rank} → {self.last_rank}") + GAP)

    def places(self, rect: QRectF, font: QFont) -> ColumnPlaces:
        """Return where the columns of a row are."""
        return self.look(rect, font).places

    def key_at(self, rect: QRectF, font: QFont, point: QPointF) -> RankedKey | None:
        """Return which figure of the row in ``rect`` is at a point."""
        if 0 <= point.x() - rect.left() - MARGIN < self.look(rect, font).rank_width:
            return RankedKey.RANK
        placed, upper = self.places(rect, font), point.y() < rect.center().y()
        for column, left, right in placed.columns:
            if left <= point.x() < right and placed.under:
                return None if upper else column.above
            if left <= point.x() < right:
                return column.above if upper or column.below is None else column.below
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
                return NOT_FOUND if row.other.rank is None else str(row.other.rank)
            case RankedKey.CHANGE:
                change = self.costs.change(row.document)
                return NOTHING if change is None else change_text(change)
            case RankedKey.SIZE:
                return count(row.retrieved.size)
            case _:
                unknown = row.state in (RelevanceState.UNJUDGED, RelevanceState.ABSENT)
                return NOTHING if unknown else count((row.judged & row.retrieved).size)

    def _paint_figures(
        self, painter: QPainter, font: QFont, column: RankedColumn, cells: Sequence[PlacedRow]
    ) -> None:
        painter.setFont(font)
        for cell, row in cells:
            painter.setPen(self.theme.color(self._token(column, row)))
            painter.drawText(cell, RIGHT, self.figure(column.above, row))

    def _paint_below(
        self, painter: QPainter, look: RowLook, column: RankedColumn, cells: Sequence[PlacedRow]
    ) -> None:
        painter.setFont(look.small)
        painter.setPen(self.theme.color("muted"))
        for cell, row in cells:
            if column.below is not None:
                painter.drawText(cell, RIGHT, self.figure(column.below, row))
            elif row.rank is None and row.document in self.costs.found:
                painter.drawText(cell, RIGHT, "if found")
        if column.below is RankedKey.THERE and self.other_style is not None:
            self._paint_other_shapes(painter, cells, self.other_style)

    def _token(self, column: RankedColumn, row: RankedDocument) -> str:
        """Return the colour of a column's first figure: a loss stands out, nothing is quiet."""
        if column is RankedColumn.GAIN:
            return "miss" if (row.gained or 0) < 0 else "text" if row.gained else "muted"
        if column is RankedColumn.CHANGE:
            change = self.costs.change(row.document)
            quiet = self.costs_stale or abs(change or 0) < SMALL
            return "muted" if quiet else "miss" if (change or 0) > 0 else "text"
        if column is RankedColumn.SCORE:
            return "text" if row.score and row.state is not RelevanceState.BEGUN else "muted"
        return "text"

    def _paint_other_shapes(self, painter: QPainter, cells: Sequence[PlacedRow], style: int) -> None:
        """Paint the baseline's shape before each of its ranks."""
        metrics, places = painter.fontMetrics(), []
        for cell, row in cells:
            if row.other is not None and row.other.rank is not None:
                said = self.figure(RankedKey.THERE, row)
                left = cell.right() - metrics.horizontalAdvance(said) - 12
                places.append(QRectF(left, cell.center().y() - 4, 8, 8))
        paint_run_shapes(painter, style, places, run_color(self.theme, style))

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
        if option.state & QStyle.StateFlag.State_HasFocus:
            paint_focus(painter, rect.adjusted(0, 0, 0, -1), self.theme)

    def _paint_titles(self, painter: QPainter, look: RowLook, rooms: Sequence[PlacedRow]) -> None:
        """Paint the titles and, in words, what the symbol alone would not tell to everybody."""
        shown = [
            (room, look.shorten(row.title or row.document, _suffix(row), room.width())) for room, row in rooms
        ]
        painter.setFont(look.title)
        painter.setPen(self.theme.color("text"))
        for room, (title, _, _) in shown:
            painter.drawText(room, LEFT, title)
        painter.setFont(look.small)
        painter.setPen(self.theme.color("muted"))
        for room, (_, follows, begins) in shown:
            if follows:
                painter.drawText(room.adjusted(begins, 0, 0, 0), LEFT, follows)

    def _paint_strips(self, painter: QPainter, rooms: Sequence[PlacedRow]) -> None:
        """Paint each document as a line: judged passages on it, the run's under it."""
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        grounds, judged, retrieved = QPainterPath(), QPainterPath(), QPainterPath()  # each painted at once
        for room, row in rooms:
            track = QRectF(room.left(), room.top(), room.width(), 5)
            grounds.addRoundedRect(track, 2.5, 2.5)
            _add_spans(judged, track, row.judged, _length(row))
            lane = QRectF(track.left(), track.bottom() + 2, track.width(), 3)
            _add_spans(retrieved, lane, row.retrieved, _length(row))
        painter.setBrush(self.theme.color("track"))
        painter.drawPath(grounds)
        painter.setBrush(self.theme.color("mark_edge"))
        painter.drawPath(judged)
        painter.setBrush(run_color(self.theme, self.run_style))
        painter.drawPath(retrieved)
        painter.restore()


def _part(rect: QRectF, left: float, right: float) -> QRectF:
    return QRectF(left, rect.top(), right - left, rect.height())


def _suffix(row: RankedDocument) -> str:
    if row.dropped:
        return " · dropped"
    if row.rank is None:
        return " · missed"
    return "" if row.state is RelevanceState.RELEVANT else f" · {row.state.value}"


def _score(score: float | None) -> str:
    return "0" if score == 0 else short(score)


def _length(row: RankedDocument) -> int:
    """Return a document's length; where it is not known, how far its passages reach."""
    reach = (int(spans.ends[-1]) for spans in (row.judged, row.retrieved) if spans)
    return row.length or max(reach, default=1)


@lru_cache(maxsize=4096)
def _pixels(spans: Spans, length: int, width: int) -> tuple[tuple[int, int], ...]:
    """Return the pixels that spans of ``[0, length)`` cover; those that fall on the same ones are joined."""
    scale, found = width / max(length, 1), [(-1, -1)]
    for start, end in spans:
        left = min(int(start * scale), width - LEAST_MARK)
        right = max(min(math.ceil(end * scale), width), left + LEAST_MARK)
        if left <= found[-1][1]:
            left, right = found.pop()[0], max(right, found[-1][1])
        found.append((left, right))
    return tuple(found[1:])


def _add_spans(path: QPainterPath, rect: QRectF, spans: Spans, length: int) -> None:
    for start, end in _pixels(spans, length, max(int(rect.width()), LEAST_MARK)):
        path.addRoundedRect(rect.left() + start, rect.top(), end - start, rect.height(), 1.5, 1.5)
