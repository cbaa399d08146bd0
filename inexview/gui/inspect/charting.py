"""Opens the window of charts with the runs as the table has them: looks, measure, foreground and baseline."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from inexview.gui.charts.chart import ChartedRun
from inexview.gui.charts.chart_window import ChartWindow
from inexview.gui.charts.curve_chart import Curve
from inexview.gui.inspect.run_board import RunBoard
from inexview.gui.look.theme import LIGHT, Theme
from inexview.gui.services.session import Session


class Charting(QObject):
    """One window of charts; what changes in the table changes there, and a topic clicked there opens."""

    def __init__(self, session: Session, board: RunBoard, beside: QWidget) -> None:
        super().__init__(beside)
        self._beside = beside
        self._session = session
        self._board = board
        self._theme: Theme = LIGHT
        self.window: ChartWindow | None = None
        board.figured.connect(self._refresh)

    def set_theme(self, theme: Theme) -> None:
        """Use other colours."""
        self._theme = theme
        if self.window is not None:
            self.window.set_theme(theme)

    def open(self) -> ChartWindow:
        """Show the charts in front."""
        if self.window is None:
            self.window = ChartWindow(self.charted, self._theme, self._beside.window())
            self.window.topic_wanted.connect(self._go)
            self.window.destroyed.connect(self._forget)
        self.window.show()
        self.window.raise_()
        self.window.activateWindow()
        return self.window

    def charted(self) -> tuple[Sequence[ChartedRun], str, tuple[int, ...]]:
        """Return the runs that have figures, best first, the measure that decides, and the pair in colour."""
        board = self._board
        scored = board.scored()
        runs = [
            ChartedRun(run.id, board.style(run), scores)
            for run in scored
            if (scores := board.scores(run)) is not None
        ]
        pair = [run for run in (board.current, board.baseline) if run is not None and run in scored]
        deciding = board.figures.deciding
        names = next((run.scores for run in runs), None)
        if names is not None and deciding in names.mean_names:
            deciding = names.names[names.mean_names.index(deciding)]
        return runs, deciding, tuple(dict.fromkeys(board.style(run) for run in pair)) if len(runs) > 2 else ()

    def _refresh(self) -> None:
        if self.window is not None:
            self.window.refresh()

    def _go(self, topic: str) -> None:
        if topic in {one.id for one in self._session.project.topics}:
            self._session.open_topic(topic)

    def _forget(self) -> None:
        self.window = None


def curves_of(board: RunBoard) -> tuple[list[Curve], int | None]:
    """Return the curves of the runs that have one, and the style number of the one in the foreground."""
    scored = [(run, board.figures.scores[id(run)]) for run in board.scored()]
    curves = [
        Curve(run.id, board.style(run), scores.levels, scores.mean_curve)
        for run, scores in scored
        if scores.levels is not None
    ]
    return curves, None if board.current is None else board.style(board.current)
