"""A chart on the screen: what is pointed at is told and marked, a click goes there, arrow keys go along."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QMenu

from inexview.gui.charts.chart import Chart, ChartSeries, Form
from inexview.gui.charts.chart_files import SIZE
from inexview.gui.charts.chart_painter import ChartPainter, written
from inexview.gui.look.painted_chart import PaintedChart
from inexview.gui.look.panel_parts import paint_focus
from inexview.gui.look.theme import Theme

POINT_AT = "Point at a value to read it off, or use the arrow keys; a click or Enter goes there, Y says why."
ChartedValue = tuple[ChartSeries, int] | None


@dataclass(frozen=True, slots=True)
class ChartReason:
    """A figure of a chart that can say why it is what it is."""

    text: str
    ask: Callable[[], object]


class ChartView(PaintedChart):
    """The chart."""

    told = Signal(object)  # str
    wanted = Signal(object, object)  # the name of a topic, a document or a run; the place in it, or None

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.theme = theme
        self.chart: Chart | None = None
        self.nothing = ""
        """Why nothing is drawn; empty where something is."""
        self.reasons: Callable[[ChartedValue], Sequence[ChartReason]] = lambda _pointed: ()
        """Of a value; or of what is said of all of them."""
        self.name_of: Callable[[str], str] = lambda id: id
        """What people are told of a topic or document, by its id."""
        self._pointed: ChartedValue = None
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumSize(420, 280)

    def sizeHint(self) -> QSize:
        return SIZE

    def show_chart(self, chart: Chart | None, nothing: str = "") -> None:
        """Show another chart, or none, and why nothing is drawn."""
        self.chart, self.nothing = chart, nothing
        self._pointed = None
        self.setAccessibleName(nothing if chart is None else f"{chart.title}. {chart.said}")
        self.update()

    def painter_of(self) -> ChartPainter | None:
        if self.chart is None:
            return None
        return ChartPainter(self.chart, QRectF(self.rect()), self.theme, self.font())

    def paintEvent(self, event: QPaintEvent) -> None:
        laid, painter = self.painter_of(), QPainter(self)
        if laid is not None:
            laid.paint(painter)
            if self._pointed is not None:
                laid.paint_pointed(painter, *self._pointed)
        if self.nothing:
            painter.setPen(self.theme.color("muted"))
            middle = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
            painter.drawText(self.rect().adjusted(40, 0, -40, 0), middle, self.nothing)
        if self.hasFocus():
            paint_focus(painter, QRectF(self.rect()), self.theme)
        painter.end()

    def _point(self, found: ChartedValue) -> None:
        if found != self._pointed:
            self._pointed = found
            self.update()
        told = "" if self.nothing else POINT_AT
        said = told if found is None else self.read_off(*found)
        self.setAccessibleDescription(said)
        self.told.emit(said)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        laid = self.painter_of()
        self._point(None if laid is None else laid.nearest(event.position()))

    def leaveEvent(self, event: QEvent) -> None:
        self._point(None)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Ask for the topic, the document or the run of the value under the mouse."""
        laid = self.painter_of()
        if laid is not None and event.button() == Qt.MouseButton.LeftButton:
            self._point(laid.nearest(event.position()))
            if self._pointed is None and event.position().y() < laid.plot.top():
                self._say_why()
            self._go()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Offer to say why a value, and what is said of all of them, is what it is."""
        laid = self.painter_of()
        pointed = None if laid is None else laid.nearest(QPointF(event.pos()))
        there = [] if pointed is None else [*self.reasons(pointed)]
        there += self.reasons(None)
        if not there:
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for reason in there:
            menu.addAction(reason.text).triggered.connect(lambda _on=False, reason=reason: reason.ask())
        menu.popup(event.globalPos())

    def _say_why(self) -> None:
        """Say why what is pointed at is what it is, else what is said of all values."""
        there = self.reasons(self._pointed)
        if there:
            there[0].ask()

    def event(self, event: QEvent) -> bool:
        """Keep Y from the window behind, where it asks for another figure."""
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.ShortcutOverride:
            event.setAccepted(event.key() == Qt.Key.Key_Y)
            return event.isAccepted()
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go along a line with left and right, to another one with up and down, and there with Enter."""
        steps = {Qt.Key.Key_Left: (0, -1), Qt.Key.Key_Right: (0, 1), Qt.Key.Key_Up: (-1, 0),
                 Qt.Key.Key_Down: (1, 0)}  # fmt: skip
        if event.key() in steps and self.chart is not None:
            self._step(*steps[Qt.Key(event.key())])
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._go()
        elif event.key() == Qt.Key.Key_Y:
            self._say_why()
        else:
            super().keyPressEvent(event)

    def _step(self, lines: int, values: int) -> None:
        assert self.chart is not None
        listed = [one for one in self.chart.series if not one.faint and len(one.x)]
        if not listed:
            return
        if self._pointed is None:
            self._point((listed[0], 0))
            return
        series, at = self._pointed
        series = listed[(listed.index(series) + lines) % len(listed)]
        self._point((series, min(max(at + values, 0), len(series.x) - 1)))

    def _go(self) -> None:
        if self._pointed is not None:
            series, at = self._pointed
            if series.names and series.names[at]:
                self.wanted.emit(series.names[at], series.places[at] if series.places else None)

    def read_off(self, series: ChartSeries, at: int) -> str:
        chart, x, y = self.chart, float(series.x[at]), float(series.y[at])
        if chart is None:
            return ""
        named = self.name_of(series.names[at]) if series.names and not chart.x.labels else ""
        if series.notes:
            return f"{series.name}: {named}, {series.notes[at]}"
        figure = written(y) if chart.y.logarithmic else f"{y:.4f}".replace("-", "−")
        up = f"{chart.y.title} {figure}"
        if series.names and chart.form is not Form.LINES:
            across = f"{chart.x.title} {x:.4f}, " if chart.x.ticks else ""
            whose = "" if chart.form is Form.BARS or series.names[at] == series.name else f"{series.name}, "
            return f"{whose}{named}: {across}{up}"
        if chart.x.labels:
            return f"{series.name}: {up} by {series.names[at]}"
        place = f"{x:.0f}" if x >= 1 and x == int(x) else f"{x:.2f}"
        return f"{series.name}: {up} at {chart.x.title} {place}{named and f', {named}'}"
