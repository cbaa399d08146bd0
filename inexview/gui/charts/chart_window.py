"""Charts of the open runs in a window of their own: choose one, read it off, go to its place, save it."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QPushButton,
    QWidget,
)

from inexview.core.errors import InexviewError
from inexview.gui.charts.chart_choices import CHOICES, NEEDS_TWO, Asked, ChartChoice, Charted, offered
from inexview.gui.charts.chart_files import COLUMN, FILTER, TEXT_WIDTH, chart_picture, save_chart
from inexview.gui.charts.chart_view import POINT_AT, ChartView
from inexview.gui.look.layouts import in_column
from inexview.gui.look.side_window import SideWindow
from inexview.gui.look.still_fields import still
from inexview.gui.look.theme import Theme
from inexview.gui.look.widgets import ElidedLabel
from inexview.gui.services.file_choice import choose_new_file, file_name
from inexview.gui.services.messages import sentence

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
        theme: Theme,
        parent: QWidget | None,
        entry_control: QWidget | None = None,
    ) -> None:
        """``entry_control`` changes how entry points score, and is shown below these."""
        super().__init__(parent)
        self._entry_control = entry_control
        self.setWindowTitle("Charts")
        self._charted = charted
        self.kinds, self.measure, self.other, self.topic = (still(QComboBox()) for _ in range(4))
        self.kinds.addItems([choice.title for choice in CHOICES])
        self.view = ChartView(theme)
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

    def set_theme(self, theme: Theme) -> None:
        self.view.theme = theme
        self.view.update()

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
        path = choose_new_file(self, "Save chart", Path(f"{file_name(chart.title)}.pdf"), FILTER)
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
