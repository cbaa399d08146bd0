"""Charts of the open runs in a window of their own: choose one, read it off, go to its place, save it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QGuiApplication, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QMenu, QPushButton, QWidget

from inexview.core.errors import InexviewError
from inexview.core.evaluation.charts import (
    CHOICES,
    NEEDS_TWO,
    Asked,
    Chart,
    ChartChoice,
    Charted,
    ChartSeries,
    Form,
    offered,
)
from inexview.gui.charts.chart_painter import ChartPainter, written
from inexview.gui.charts.files import CHART_FILTER, COLUMN, SIZE, TEXT_WIDTH, chart_picture, save_chart
from inexview.gui.look.widgets import ElidedLabel, PaintedChart, SideWindow, in_column, paint_focus, still
from inexview.gui.services.messages import sentence
from inexview.gui.services.settings import choose_new_file, file_name

# A chart on the screen: what is pointed at is told and marked, a click goes there, arrow keys go along.

POINT_AT = "Point at a value to read it off, or use the arrow keys; a click or Enter goes there, Y says why."
ChartedValue = tuple[ChartSeries, int] | None


@dataclass(frozen=True, slots=True)
class ChartReason:
    """A figure of a chart that can say why it is what it is."""

    text: str
    ask: Callable[[], object]


Reasons = Callable[[ChartedValue], Sequence[ChartReason]]
"""Of a value; or, of None, of what the chart says of all its values."""


class ChartView(PaintedChart):
    """The chart; ``name_of`` returns what a topic or document is called, by its id."""

    told = Signal(object)  # str
    wanted = Signal(object, object)  # the name of a topic, a document or a run; the place in it, or None

    def __init__(self, reasons: Reasons, name_of: Callable[[str], str]) -> None:
        super().__init__()
        self.chart: Chart | None = None
        self.nothing = ""
        """Why nothing is drawn; empty where something is."""
        self.reasons, self.name_of = reasons, name_of
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
        self.setAccessibleName(nothing if chart is None else f"{chart.title}. {chart.caption}")
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


EVERY_TOPIC = "All topics"
COMPUTING = "Computing…"
NOTHING = "Nothing to draw: no run has this curve."


class ChartWindow(SideWindow):
    """Charts of what ``charted`` gives for what is asked, asked again whenever something else is chosen."""

    topic_wanted = Signal(object)  # the name of a topic, or of a run or judgements
    document_wanted = Signal(object, object, object)  # topic, document, the place in it or None

    def __init__(
        self,
        charted: Callable[[Asked], Charted],
        parent: QWidget | None,
        entry_control: QWidget | None = None,
        reasons: Reasons = lambda _pointed: (),
        name_of: Callable[[str], str] = str,
    ) -> None:
        """``entry_control`` changes how entry points score, and is shown below these."""
        super().__init__(parent)
        self._entry_control = entry_control
        self.setWindowTitle("Charts")
        self._charted = charted
        self.kinds, self.measure, self.other, self.topic = (still(QComboBox()) for _ in range(4))
        self.kinds.addItems([choice.title for choice in CHOICES])
        self.view = ChartView(reasons, name_of)
        self.readout = ElidedLabel(POINT_AT, role="muted")
        self.width_chosen = still(QComboBox())
        self.width_chosen.setEditable(True)
        self.width_chosen.addItems([f"{wide:g} mm" for wide in (COLUMN, TEXT_WIDTH)])
        self.width_chosen.setToolTip("Width of a saved figure in millimetres: one column, both, or another")
        self.width_chosen.setAccessibleName("Width of a saved figure")
        self.save = QPushButton("Save…")
        self.copy = QPushButton("Copy")
        self._lay_out()
        self.view.told.connect(self.readout.set_text)
        self.view.wanted.connect(self._want)
        self.save.clicked.connect(self._ask)
        self.copy.clicked.connect(self._copy)
        self._offer(charted(Asked()))
        self.refresh()

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        named = ((self.kinds, "Chart"), (self.measure, "Measure"), (self.other, "Other measure"),
                 (self.topic, "Topic"))  # fmt: skip
        for chooser, name in named:
            chooser.setAccessibleName(name)
            head.addWidget(chooser)
            chooser.currentIndexChanged.connect(self.refresh)
        head.addStretch(1)
        head.addWidget(self.width_chosen)
        head.addWidget(self.copy)
        head.addWidget(self.save)
        body = QWidget()
        column = in_column(head, (self.view, 1), self.readout, on=body, margins=(16, 14, 16, 12))
        if self._entry_control is not None:
            column.addWidget(self._entry_control)
        self.setCentralWidget(body)

    @property
    def choice(self) -> ChartChoice:
        return next(choice for choice in CHOICES if choice.title == self.kinds.currentText())

    def show_kind(self, title: str) -> None:
        """Choose a chart by its name."""
        self.kinds.setCurrentText(title)

    def _offer(self, charted: Charted) -> None:
        """Offer the measures and the topics that there are; what was chosen stays where it is still there."""
        names = list(dict.fromkeys(name for run in charted.runs for name in run.scores.names))
        other = next((name for name in names if name != charted.measure), "")
        for chooser, usual in ((self.measure, charted.measure), (self.other, other)):
            _fill(chooser, names, usual)
        topics = list(dict.fromkeys(topic for run in charted.runs for topic in run.scores.topics))
        every = [EVERY_TOPIC] if self.choice.of_all else []
        if every and self.topic.findText(EVERY_TOPIC) < 0:
            _fill(self.topic, [], "")  # the topic was chosen because the chart before needed one
        _fill(self.topic, [*every, *topics], EVERY_TOPIC if every else charted.topic)

    def asked(self) -> Asked:
        choice, topic = self.choice, self.topic.currentText()
        return Asked(
            measure=self.measure.currentText(),
            other=self.other.currentText(),
            topic=topic if choice.of_topics and topic != EVERY_TOPIC else "",
            curve=choice.curve,
            stability=choice.stability,
            entries=choice.entries,
            judged=choice.judged,
        )

    def refresh(self) -> None:
        there = self._charted(Asked())
        _fill(self.kinds, [one.title for one in offered(there)], CHOICES[0].title)
        choice = self.choice
        self.measure.setVisible(choice.measures > 0)
        self.other.setVisible(choice.measures > 1)
        self.topic.setVisible(choice.of_topics)
        if self._entry_control is not None:
            self._entry_control.setVisible(choice.entries)
        self._offer(there)
        charted = self._charted(self.asked())
        chart = None if charted.waiting or charted.problem else choice.make(charted, self.asked())
        nothing = "" if chart is None or chart.series else NOTHING
        if chart is None:
            nothing = charted.problem or (COMPUTING if charted.waiting else NEEDS_TWO)
        self.view.show_chart(chart, nothing)
        for button in (self.save, self.copy):
            button.setEnabled(chart is not None)
        self.readout.set_text("" if nothing else POINT_AT)

    def _want(self, name: str, place: int | None) -> None:
        topic = "" if self.view.chart is None else self.view.chart.topic
        if topic:
            self.document_wanted.emit(topic, name, place)
        else:
            self.topic_wanted.emit(name)

    def _ask(self) -> None:
        chart = self.view.chart
        if chart is None:
            return
        path = choose_new_file(self, "Save chart", Path(f"{file_name(chart.title)}.pdf"), CHART_FILTER)
        if path is not None:
            self.save_as(path)

    def save_as(self, path: Path) -> None:
        """Write the chart to a file, and say so."""
        if self.view.chart is None:
            return
        try:
            save_chart(self.view.chart, path, self.font(), width=self.figure_width)
        except (InexviewError, OSError) as error:
            self.readout.set_text(sentence(error))
        else:
            self.readout.set_text(f"{path.name} is written.")

    @property
    def figure_width(self) -> float:
        """How many millimetres wide a figure is saved; what is no number is one column."""
        found = re.match(r"\s*(\d+(?:[.,]\d+)?)", self.width_chosen.currentText())
        return COLUMN if found is None else float(found[1].replace(",", "."))

    def _copy(self) -> None:
        if self.view.chart is not None:
            shown = chart_picture(self.view.chart, self.font(), self.figure_width)
            QGuiApplication.clipboard().setImage(shown)
            self.readout.set_text("The chart is copied.")


def _fill(chooser: QComboBox, names: list[str], usual: str) -> None:
    """Offer names where they are others than before."""
    if [chooser.itemText(at) for at in range(chooser.count())] == names:
        return
    before = chooser.currentText()
    chooser.blockSignals(True)
    chooser.clear()
    chooser.addItems(names)
    chooser.setCurrentText(before if before in names else usual if usual in names else (names or [""])[0])
    chooser.blockSignals(False)
