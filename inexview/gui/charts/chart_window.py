"""Charts of the open runs in a window of their own: choose one, read it off, go to its topic, save it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QComboBox,
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QMainWindow,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from inexview.core.errors import InexviewError
from inexview.gui.charts.chart import (
    Chart,
    ChartedRun,
    ChartSeries,
    Form,
    difference_by_topic,
    precision_over_recall,
    runs_by_two_measures,
    values_by_topic,
)
from inexview.gui.charts.chart_files import SIZE, picture, save_chart
from inexview.gui.charts.chart_painter import ChartPainter
from inexview.gui.look.theme import Theme
from inexview.gui.services.messages import sentence

FILTER = "Picture (*.png);;Drawing (*.svg);;Values (*.csv);;LaTeX table (*.tex)"
POINT_AT = "Point at a value to read it off; a click opens its topic."


class ChartView(QWidget):
    """The chart; what is pointed at is told, what is clicked is wanted."""

    told = Signal(object)  # str
    wanted = Signal(object)  # str, the name of a topic or a run

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.theme = theme
        self.chart: Chart | None = None
        self.setMouseTracking(True)
        self.setMinimumSize(420, 280)

    def sizeHint(self) -> QSize:
        """Ask for the size that is saved."""
        return SIZE

    def show_chart(self, chart: Chart) -> None:
        """Show another chart."""
        self.chart = chart
        self.setAccessibleName(f"{chart.title}. {chart.said}")
        self.update()

    def _painter(self) -> ChartPainter | None:
        return (
            None
            if self.chart is None
            else ChartPainter(self.chart, QRectF(self.rect()), self.theme, self.font())
        )

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the chart."""
        laid = self._painter()
        if laid is not None:
            painter = QPainter(self)
            laid.paint(painter)
            painter.end()

    def _pointed(self, event: QMouseEvent) -> tuple[ChartSeries, int] | None:
        laid = self._painter()
        return None if laid is None else laid.nearest(event.position())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Tell of the value under the mouse."""
        found = self._pointed(event)
        self.told.emit(POINT_AT if found is None else self.read_off(*found))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Ask for the topic or the run of the value under the mouse."""
        found = self._pointed(event)
        if found is not None and found[0].names and event.button() == Qt.MouseButton.LeftButton:
            self.wanted.emit(found[0].names[found[1]])

    def read_off(self, series: ChartSeries, at: int) -> str:
        """Say one value."""
        chart, x, y = self.chart, float(series.x[at]), float(series.y[at])
        if chart is None:
            return ""
        if series.names:
            across = f"{chart.x.title} {x:.4f}, " if chart.x.ticks else ""
            whose = "" if chart.form is Form.BARS or series.names[at] == series.name else f"{series.name}, "
            return f"{whose}{series.names[at]}: {across}{chart.y.title} {y:.4f}"
        return f"{series.name}: {chart.y.title} {y:.4f} at {chart.x.title} {x:.2f}"


class ChartWindow(QMainWindow):
    """Charts of the runs that ``charted`` gives, asked for again whenever one is chosen.

    ``charted`` returns the runs, best first, the measure that decides, and the styles of the foreground run
    and the baseline.
    """

    topic_wanted = Signal(object)  # str

    def __init__(
        self,
        charted: Callable[[], tuple[Sequence[ChartedRun], str, tuple[int, ...]]],
        theme: Theme,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Charts")
        self._charted = charted
        self.kinds = QComboBox()
        self.kinds.addItems(["Precision over recall", "Every topic", "Differences", "Two measures"])
        self.measure = QComboBox()
        self.other = QComboBox()
        named = ((self.kinds, "Chart"), (self.measure, "Measure"), (self.other, "Other measure"))
        for chooser, name in named:
            chooser.setAccessibleName(name)
        self.view = ChartView(theme)
        self.readout = QLabel(POINT_AT)
        self.readout.setProperty("role", "muted")
        self.save = QPushButton("Save…")
        self.copy = QPushButton("Copy")
        head = QHBoxLayout()
        for chooser in (self.kinds, self.measure, self.other):
            head.addWidget(chooser)
            chooser.currentIndexChanged.connect(self.refresh)
        head.addStretch(1)
        head.addWidget(self.copy)
        head.addWidget(self.save)
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(16, 14, 16, 12)
        column.addLayout(head)
        column.addWidget(self.view, 1)
        column.addWidget(self.readout)
        self.setCentralWidget(body)
        self.view.told.connect(self.readout.setText)
        self.view.wanted.connect(self.topic_wanted)
        self.save.clicked.connect(self._ask)
        self.copy.clicked.connect(self._copy)
        self._offer_measures()
        self.refresh()

    def set_theme(self, theme: Theme) -> None:
        """Use other colours."""
        self.view.theme = theme
        self.view.update()

    def _offer_measures(self) -> None:
        runs, deciding, _ = self._charted()
        names = list(dict.fromkeys(name for run in runs for name in run.scores.names))
        for chooser in (self.measure, self.other):
            chooser.blockSignals(True)
            chooser.addItems(names)
            chooser.blockSignals(False)
        if deciding in names:
            self.measure.setCurrentText(deciding)
        self.other.setCurrentIndex(next((at for at, name in enumerate(names) if name != deciding), 0))

    def refresh(self) -> None:
        """Make the chosen chart again."""
        runs, _, pair = self._charted()
        kind, measure = self.kinds.currentIndex(), self.measure.currentText()
        self.measure.setVisible(kind > 0)
        self.other.setVisible(kind == 3)
        if kind == 0 or not measure:
            self.view.show_chart(precision_over_recall(runs, pair))
        elif kind == 1:
            self.view.show_chart(values_by_topic(runs, measure, pair))
        elif kind == 2:
            self._show_difference(runs, measure, pair)
        else:
            self.view.show_chart(runs_by_two_measures(runs, self.other.currentText(), measure, pair))

    def _show_difference(self, runs: Sequence[ChartedRun], measure: str, pair: tuple[int, ...]) -> None:
        of = {run.style: run for run in runs if measure in run.scores.names}
        chosen = [of[style] for style in pair if style in of] + [run for run in runs if run.style not in pair]
        if len(chosen) > 1:
            self.view.show_chart(difference_by_topic(chosen[0], chosen[1], measure))
        else:
            self.readout.setText("A difference needs two runs.")

    def _ask(self) -> None:
        chart = self.view.chart
        if chart is None:
            return
        name, _ = QFileDialog.getSaveFileName(self, "Save chart", f"{chart.title}.png", FILTER)
        if name:
            self.save_as(Path(name))

    def save_as(self, path: Path) -> None:
        """Write the chart to a file, and say so."""
        if self.view.chart is None:
            return
        try:
            save_chart(self.view.chart, path, self.view.theme, self.font())
        except (InexviewError, OSError) as error:
            self.readout.setText(sentence(error))
        else:
            self.readout.setText(f"{path.name} is written.")

    def _copy(self) -> None:
        if self.view.chart is not None:
            QGuiApplication.clipboard().setImage(picture(self.view.chart, self.view.theme, self.font()))
            self.readout.setText("The chart is copied.")
