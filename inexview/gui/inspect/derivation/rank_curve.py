"""Precision over the ranks of a derivation, with a stem where a row adds to the figure."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QFont,
    QFontMetricsF,
    QHelpEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip

from inexview.core.text.spans import Floats
from inexview.gui.charts.chart import Axis
from inexview.gui.charts.ticks import ticks
from inexview.gui.inspect.derivation.derivation_model import DerivationModel
from inexview.gui.look.painted_chart import PaintedChart
from inexview.gui.look.panel_parts import RIGHT, derived
from inexview.gui.look.symbols import run_color

PRECISIONS = ("gP[r]", "P@r")
"""The columns that are drawn over the ranks."""
LINES = 6  # of text is the curve high
FEW = 20  # ranks that lie equally far apart; more do so by their logarithm
DOT, CURRENT = 2.5, 4.5  # pixels of radius
NAMED = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000)


class RankCurve(PaintedChart):
    """The curve of the rows that a model shows; nothing where they have no precision at their ranks."""

    chosen = Signal(int)  # row

    def __init__(self, model: DerivationModel) -> None:
        super().__init__()
        self._model = model
        self._ranks: Floats = np.zeros(0)
        self._values: Floats = np.zeros(0)
        self._adds: tuple[int, ...] = ()  # the rows that add to the figure
        self._column = ""
        self._style = 0
        self._current: int | None = None
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.hide()

    def follow(self, style: int) -> None:
        """Draw the rows of the model, in the colour of a run."""
        model = self._model
        self._column = next((name for name in PRECISIONS if name in model.columns), "")
        rows = model.rows if self._column else ()
        self._style, self._current = style, None
        self._ranks = np.array([row.rank for row in rows], float)
        at = model.columns.index(self._column) if rows else 0
        self._values = np.array([row.figures[at] for row in rows], float)
        self._adds = tuple(at for at, row in enumerate(rows) if row.adds)
        self.setAccessibleName(f"{self._column} over the ranks")
        self.setVisible(len(rows) > 1 and bool(np.all(np.diff(self._ranks) > 0)))
        self.update()

    def set_current(self, row: int | None) -> None:
        """Show which row is of the open document."""
        self._current = row if len(self._ranks) else None
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(240, LINES * self.fontMetrics().height())

    # -- geometry ------------------------------------------------------------------------------------

    def _small(self) -> QFont:
        return derived(self.font(), factor=0.85)

    def _plot(self) -> QRectF:
        metrics = QFontMetricsF(self._small())
        left = metrics.horizontalAdvance("0.00") + 8
        return QRectF(self.rect()).adjusted(left, CURRENT + 2, -CURRENT - 4, -metrics.height() - 4)

    def _axes(self) -> tuple[Axis, Axis]:
        last = float(self._ranks[-1])
        ranks = Axis("rank", 1.0, last, logarithmic=last > FEW)
        return ranks, Axis(self._column, 0.0, float(self._values.max()) or 1.0)

    def place(self, row: int) -> QPointF:
        """Return where the value of a row is."""
        return self._places(self._ranks[row : row + 1], self._values[row : row + 1])[0]

    def _places(self, ranks: Floats, values: Floats) -> list[QPointF]:
        plot, (x, y) = self._plot(), self._axes()
        across = plot.left() + x.share(ranks) * plot.width()
        up = plot.bottom() - y.share(values) * plot.height()
        return list(map(QPointF, across.tolist(), up.tolist()))

    def row_at(self, across: float) -> int | None:
        """Return the row that is nearest across, of those that add one where there are any."""
        rows = self._adds or range(len(self._ranks))
        if not len(self._ranks):
            return None
        wanted = np.array(rows)
        places = self._places(self._ranks[wanted], self._values[wanted])
        return int(wanted[min(range(len(places)), key=lambda at: abs(places[at].x() - across))])

    # -- painting ------------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        if not len(self._ranks):
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self._small())
        self._paint_axes(painter)
        points, color = self._places(self._ranks, self._values), run_color(self.theme, self._style)
        painter.setPen(QPen(color, 1))
        painter.drawPolyline(QPolygonF(points))
        bottom = self._plot().bottom()
        crowded = len(self._adds) * 2 * DOT > self._plot().width()
        for row in self._adds:
            painter.drawLine(points[row], QPointF(points[row].x(), bottom))
        painter.setBrush(color)
        for row in () if crowded else self._adds:
            painter.drawEllipse(points[row], DOT, DOT)
        if self._current is not None:
            point, text = points[self._current], self.theme.color("text")
            painter.setPen(QPen(text, 2))
            painter.drawLine(point, QPointF(point.x(), bottom))
            painter.setBrush(text)
            painter.drawEllipse(point, CURRENT - 1, CURRENT - 1)

    def _paint_axes(self, painter: QPainter) -> None:
        plot, (x, y) = self._plot(), self._axes()
        height = painter.fontMetrics().height()
        for value in ticks(y.high, about=3):
            up = plot.bottom() - float(y.share(np.array([value]))[0]) * plot.height()
            painter.setPen(QPen(self.theme.color("line"), 1))
            painter.drawLine(QPointF(plot.left(), up), QPointF(plot.right(), up))
            painter.setPen(self.theme.color("muted"))
            painter.drawText(QRectF(0, up - height / 2, plot.left() - 6, height), RIGHT, f"{value:g}")
        named = [rank for rank in NAMED if rank <= x.high]
        across = plot.left() + x.share(np.array(named, float)) * plot.width()
        word = QFontMetricsF(painter.font()).horizontalAdvance("rank") + 12
        for rank, middle in zip(named, across.tolist(), strict=True):
            if middle < plot.right() - word:
                place = QRectF(middle - 30, plot.bottom() + 3, 60, height)
                painter.drawText(place, Qt.AlignmentFlag.AlignHCenter, str(rank))
        painter.drawText(QRectF(0, plot.bottom() + 3, self.width() - 2, height), RIGHT, "rank")

    # -- the mouse -----------------------------------------------------------------------------------

    def event(self, event: QEvent) -> bool:
        """Tell the rank and the value under the mouse, and what was found there."""
        if event.type() is QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            row = self.row_at(event.pos().x())
            QToolTip.showText(event.globalPos(), "" if row is None else self.told(row), self)
            return True
        return super().event(event)

    def told(self, row: int) -> str:
        """Return what is said of a row."""
        told = self._model.rows[row]
        title = self._model.data(self._model.index(row, 1))
        return f"rank {told.rank}: {title}\n{self._column} {self._values[row]:.4f}"

    def mousePressEvent(self, event: QMouseEvent) -> None:
        row = self.row_at(event.position().x())
        if row is not None and event.button() is Qt.MouseButton.LeftButton:
            self.chosen.emit(row)
