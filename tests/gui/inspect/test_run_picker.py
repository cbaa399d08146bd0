"""The runs beside a topic: which have cells, and that what is painted is true."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from PySide6.QtCore import QObject, QPoint, Qt, Signal
from PySide6.QtGui import QFontMetricsF

from inexview.core.judgements.runs import Run
from inexview.core.open_runs.scoring import RunFigures
from inexview.gui.inspect.run_picker import RunPicker
from inexview.gui.inspect.run_scoring import FigureClicks, FigureOf
from inexview.gui.look.theme import DARK
from inexview.gui.look.widgets import MARGIN, derived
from tests.gui.driving import wear


class Board(QObject):
    """A hundred runs without figures, the last two of which are compared."""

    figured = Signal()

    def __init__(self):
        super().__init__()
        self.runs = tuple(Run.from_results([], id=f"run{at}") for at in range(100))
        self.baseline, self.current = self.runs[-2:]
        self.figures, self.stale = RunFigures(), False

    def name(self, run):
        return run.id

    def style(self, run):
        return self.runs.index(run)

    def shown(self, run):
        return self.figures

    def is_stale(self, run):
        return self.stale


def test_of_many_runs_the_pair_and_those_with_keys_keep_their_cells(qtbot):
    board = Board()
    picker = RunPicker(board)
    qtbot.addWidget(picker)
    for width in (230, 372):
        picker.resize(width, picker.sizeHint().height())
        picker.show()
        assert picker.sizeHint().height() < 180, "the ranked list keeps its room"
        assert {board.current, board.baseline} <= set(picker.celled)
        assert picker.celled[: len(picker.celled) - 2] == board.runs[: len(picker.celled) - 2]
        assert picker.cell(len(picker.celled)).right() <= width
        with qtbot.waitSignal(picker.chosen) as told:
            qtbot.mouseClick(picker, Qt.MouseButton.LeftButton, pos=picker.cell(0).center().toPoint())
        assert told.args == [board.runs[0]]
        board.current, board.baseline = board.runs[-1], board.runs[-2]
        assert not picker.grab().isNull()
        clicks = FigureClicks(picker)
        picker.offer_figures(clicks)
        with qtbot.waitSignal(clicks.asked) as asked:
            qtbot.mouseClick(picker, Qt.MouseButton.LeftButton, pos=QPoint(30, picker.height() - 8))
        assert asked.args[0].of is FigureOf.LEAD, "the line below the cells tells the difference"


class SixRuns(Board):
    """Figures that differ from run to run and from topic to topic."""

    def __init__(self):
        super().__init__()
        self.runs = self.runs[:6]
        self.current, self.baseline = self.runs[:2]
        self.figures = SimpleNamespace(topic_name="AgP", of_topic=self.value)
        self.added = 0.0

    def value(self, run, topic):
        return (1 + self.runs.index(run)) * len(topic) / 100 + self.added

    def now(self, **changed):
        """Have something changed, and tell so."""
        for name, value in changed.items():
            setattr(self, name, value)
        self.figured.emit()


PICKER_CHANGES = {
    "another run": lambda board, picker: board.now(current=board.runs[3]),
    "another baseline": lambda board, picker: board.now(baseline=board.runs[5]),
    "both exchanged": lambda board, picker: board.now(current=board.baseline, baseline=board.current),
    "other figures": lambda board, picker: board.now(added=0.001),
    "stale figures": lambda board, picker: board.now(stale=True),
    "a run closed": lambda board, picker: board.now(runs=board.runs[:-1]),
    "another topic": lambda board, picker: picker.show_topic("ab"),
    "a scratch copy": lambda board, picker: picker.show_scratch((0.5,)),
    "another theme": lambda board, picker: wear(DARK),
}


@pytest.mark.parametrize("change", PICKER_CHANGES.values(), ids=PICKER_CHANGES)
def test_the_runs_of_a_topic_are_painted_again_wherever_they_look_otherwise(qtbot, change):
    board = SixRuns()
    picker = RunPicker(board)
    qtbot.addWidget(picker)
    picker.show_topic("a")
    picker.resize(320, picker.sizeHint().height())
    picker.show()

    def on_screen():
        return picker.screen().grabWindow(picker.winId()).toImage()

    def is_true():
        shown = on_screen()
        return not shown.isNull() and shown == picker.grab().toImage().convertToFormat(shown.format())

    qtbot.waitUntil(is_true)
    before = on_screen()
    change(board, picker)
    qtbot.waitUntil(is_true)
    assert on_screen() != before


def test_long_names_of_the_pair_are_whole_in_two_lines(qtbot):
    board = Board()
    long = ("UWaterloo-RiC-BM25F-title-only", "LIA-relevance-feedback-ten-terms")
    board.runs = tuple(Run.from_results([], id=name) for name in long)
    board.current, board.baseline = board.runs
    picker = RunPicker(board)
    qtbot.addWidget(picker)
    picker.resize(800, 200)
    one_line = picker.sizeHint().height()
    picker.resize(340, 200)
    assert picker.sizeHint().height() > one_line
    font = QFontMetricsF(derived(picker.font(), factor=0.95, bold=True))
    room = picker.width() - 2 * MARGIN - font.horizontalAdvance(picker.lead)
    assert max(map(font.horizontalAdvance, long)) < room - 60, "each has room in a line of its own"
    assert not picker.grab().isNull()
    board.runs = tuple(Run.from_results([], id=name) for name in "ab")
    board.current, board.baseline = board.runs
    assert picker.sizeHint().height() == one_line
