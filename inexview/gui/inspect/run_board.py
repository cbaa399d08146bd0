"""The runs that are open, with their figures and curves over all that is finished."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, QTimer, Signal

from inexview.core.judgements.qrels import Judgement
from inexview.core.judgements.runs import Run
from inexview.core.measures.parameters import Parameters
from inexview.core.wording import counted
from inexview.gui.charts.curve_chart import Curve, CurveChart
from inexview.gui.inspect.run_figures import RunFigures, finished_judgements, run_figures
from inexview.gui.inspect.run_list import RunChosen, RunList, RunRemoved, RunRow
from inexview.gui.look.theme import Theme
from inexview.gui.services.messages import sentence
from inexview.gui.services.session import Session
from inexview.gui.services.tasks import BackgroundTask, Tasks

AFTER = 300  # milliseconds without another change


class RunBoard(QObject):
    """Keeps run list and chart true; scores the runs off the window's thread."""

    figured = Signal()

    def __init__(self, session: Session, tasks: Tasks, parameters: Parameters, parent: QObject) -> None:
        super().__init__(parent)
        self.list = RunList()
        self.chart = CurveChart()
        self.figures = RunFigures()
        self._tasks = tasks
        self._parameters = parameters
        self._session = session
        self._active = False
        self._styles: dict[str, int] = {}
        self._figuring: BackgroundTask | None = None
        self._again = False
        self._judgements: Sequence[Judgement] | None = None  # None: to be read
        self._changes = 0  # how often they may have become others
        self._soon = QTimer(self, singleShot=True, interval=AFTER)
        self._soon.timeout.connect(self._figure)
        self.list.chosen.connect(self._choose)
        self.list.removed.connect(self._remove)
        session.runs_changed.connect(self._show_runs)
        session.run_selected.connect(self._show_run)
        session.preparing.changed.connect(self.judged)

    def set_theme(self, theme: Theme) -> None:
        """Use the colours of a theme."""
        self.list.set_theme(theme)
        self.chart.set_theme(theme)

    def set_active(self, active: bool) -> None:
        """Score only while one looks."""
        self._active = active
        self.judged()

    def set_parameters(self, parameters: Parameters) -> None:
        """Score with other parameters."""
        self._parameters = parameters
        self._soon.start()

    def judged(self) -> None:
        """Take note that a judgement may have changed."""
        self._changes += 1
        self._judgements = None
        self._soon.start()

    def style(self, run: Run) -> int:
        """Return which colour and shape are a run's; it keeps them until the window closes."""
        return self._styles.setdefault(_key(run), len(self._styles))

    # -- showing -------------------------------------------------------------------------------------

    def _show_runs(self, runs: tuple[Run, ...]) -> None:
        self.figures = RunFigures()
        self._list_runs()
        self._soon.start()

    def _show_run(self, run: Run | None) -> None:
        self.list.set_current(None if run is None else _key(run))

    def _figure(self) -> None:
        """Score the runs; where the judgements may be others they are read anew, from the project's file."""
        session = self._session
        if not self._active or not session.runs:
            return
        if self._figuring is not None:  # one after the other: the last one tells how it is
            self._again = True
            return
        known = self._judgements
        if known is None and not (session.project.has_pool or session.preparing.ready):
            return  # nobody knows yet which documents there are
        path, collection = session.project.path, session.project.collection
        runs, parameters, state = session.runs, self._parameters, self._changes

        def figure() -> tuple[Sequence[Judgement], RunFigures]:
            judgements = finished_judgements(path, collection) if known is None else known
            return judgements, run_figures(judgements, runs, parameters)

        self._figuring = self._tasks.run(
            figure, lambda found: self._take(state, *found), self._fail, urgent=False
        )

    def _take(self, state: int, judgements: Sequence[Judgement], figures: RunFigures) -> None:
        self._judgements = judgements if state == self._changes else None
        self._end()
        self._show_figures(figures)

    def _fail(self, error: Exception) -> None:
        """Show no figures, and say why."""
        self._end()
        self._show_figures(RunFigures(nothing=sentence(error)))

    def _end(self) -> None:
        self._figuring = None
        if self._again:
            self._again = False
            self._soon.start()

    def _show_figures(self, figures: RunFigures) -> None:
        self.figures = figures
        self._list_runs()
        self._draw_curves()
        self.figured.emit()

    def _list_runs(self) -> None:
        session, figures = self._session, self.figures
        task = "" if figures.task is None else f" · {figures.task} · {counted(figures.topics, 'topic')}"
        self.list.set_heading(f"Runs{task}".upper())
        rows = [
            RunRow(
                _key(run),
                run.id,
                run.task,
                self.style(run),
                figures.of(run),
                str(run.path or ""),
                figures.problems.get(id(run)),
            )
            for run in session.runs
        ]
        self.list.set_runs(rows, figures.columns)
        self._show_run(session.run)

    def _draw_curves(self) -> None:
        session = self._session
        scored = [
            (run, self.figures.scores[id(run)]) for run in session.runs if id(run) in self.figures.scores
        ]
        curves = [
            Curve(run.id, self.style(run), scores.levels, scores.curve.mean(axis=0))
            for run, scores in scored
            if scores.levels is not None and scores.curve is not None and scores.topics
        ]
        current = None if session.run is None else self.style(session.run)
        self.chart.set_curves(curves, current=current, nothing=self.figures.nothing)

    # -- what is asked for ---------------------------------------------------------------------------

    def _choose(self, chosen: RunChosen) -> None:
        self._session.select_run(self._by_key(chosen.key))

    def _remove(self, removed: RunRemoved) -> None:
        run = self._by_key(removed.key)
        if run is not None:
            self._session.close_run(run)

    def _by_key(self, key: str) -> Run | None:
        runs = self._session.runs
        return next((run for run in runs if _key(run) == key), None)


def _key(run: Run) -> str:
    return str(run.path or run.id)
