"""A second assessor's judgements beside one's own: read, joined, and scored by."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from inexview.core.evaluation.evaluate import score_run
from inexview.core.evaluation.orderings import JUDGED_BY, judged_by, means_by_judgements
from inexview.core.evaluation.scores import ScoringSettings
from inexview.core.judgements.qrels import Qrels
from inexview.core.judgements.runs import Run
from inexview.core.progress import Progress
from inexview.core.project.exchange.layers import read_others_judgements
from inexview.core.text.spans import Floats
from inexview.gui.inspect.scoring.run_board import RunBoard
from inexview.gui.services.file_choice import JUDGEMENTS
from inexview.gui.services.session import Session
from inexview.gui.services.tasks import Tasks


@dataclass(frozen=True, slots=True, eq=False)
class JudgedRuns:
    """The means of runs by each of JUDGED_BY, of their numbers, over the topics that both judged."""

    means: dict[int, Floats] = field(default_factory=dict)
    topics: int = 0


class SecondJudgements(QObject):
    """Knows the second judgements, and makes the views be scored by them."""

    read = Signal()  # there are second judgements now

    def __init__(self, session: Session, board: RunBoard, tasks: Tasks, window: QWidget) -> None:
        super().__init__(window)
        self._session = session
        self._board = board
        self._tasks = tasks
        self._window = window
        self._first: Qrels | None = None
        self.qrels: Qrels | None = None

    def ask(self) -> None:
        name, _ = QFileDialog.getOpenFileName(
            self._window.window(), "Score runs by a second layer", "", JUDGEMENTS
        )
        if name:
            self.open(Path(name))

    def open(self, path: Path) -> None:
        """Read the second judgements; they change nothing in the project."""
        collection = self._session.project.collection

        def read(progress: Progress) -> Qrels:
            judged = read_others_judgements(path, collection, progress)
            return judged if isinstance(judged, Qrels) else judged.qrels()

        self._tasks.run_long(f"Reading {path.name}", read, self._take)

    def _take(self, qrels: Qrels) -> None:
        self.qrels = qrels
        self.read.emit()

    @property
    def first(self) -> Qrels | None:
        """The first judgements: those that the views are scored by unless one chose others."""
        if not self._board.judged_by:
            self._first = self._board.qrels
        return self._first

    def score_by(self, name: str) -> None:
        """Score all views by one of JUDGED_BY; by A as ever."""
        first, second = self.first, self.qrels
        if name == JUDGED_BY[0]:
            self._board.score_by(self._board.given, "")
        elif first is not None and second is not None:
            self._board.score_by(judged_by(first, second)[name], name)


def judged_runs(
    first: Qrels,
    second: Qrels,
    runs: Sequence[tuple[Run, int]],
    settings: ScoringSettings,
    progress: Progress,
) -> JudgedRuns:
    """Return the means of runs, with their numbers, by the measure that is wanted and each of JUDGED_BY."""
    sets = judged_by(first, second)
    means: dict[int, Floats] = {}
    for done, (run, number) in enumerate(runs):
        progress("runs", done, len(runs))
        scores = [[score_run(qrels, run, settings)] for qrels in sets.values()]
        (means[number],) = means_by_judgements(scores, scores[0][0].mean_names[0])
    return JudgedRuns(means, len(sets[JUDGED_BY[0]].topics))
