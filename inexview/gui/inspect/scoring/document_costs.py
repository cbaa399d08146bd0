"""What the faults of a run in the open document cost the topic, computed off the window's thread."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QObject, Signal

from inexview.core.errors import InexviewError
from inexview.core.evaluation.explain import Cost
from inexview.core.evaluation.scores import ScoringSettings
from inexview.core.evaluation.scratch_run import ranking_of
from inexview.core.evaluation.variants import RankingFault, effects_of_faults
from inexview.core.judgements.qrels import Qrels
from inexview.core.judgements.runs import Run
from inexview.gui.inspect.scoring.run_board import RunBoard
from inexview.gui.services.session import Session
from inexview.gui.services.tasks import BackgroundTask, Tasks

Gains = Mapping[Cost, float]
"""What the topic's measure would gain were each of these faults mended."""


class DocumentCosts(QObject):
    """Knows the gains of the document that is shown; none where it is not scored as it is shown."""

    known = Signal()

    def __init__(self, session: Session, board: RunBoard, tasks: Tasks, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._board = board
        self._tasks = tasks
        self._task: BackgroundTask | None = None
        self._asked: tuple[object, ...] = ()
        self._held: tuple[Run, Qrels] | None = None  # so that no others get their ids
        self.gains: Gains = {}
        self.measure = ""

    def ask(self, run: Run, costs: Sequence[Cost]) -> None:
        """Find out what the faults of a run cost, dearest first; what was known of others is forgotten."""
        board, session = self._board, self._session
        qrels, task, document, topic = board.qrels, board.task, session.document, session.topic
        decides = board.figures.deciding
        value = board.figures.of_topic(run, topic.id) if costs and topic is not None else None
        if qrels is None or task is None or document is None or topic is None or value is None:
            self._forget(())
            return
        name, own = document.id, topic.id
        settings = board.settings_for(task, decides)
        asked = id(run), id(qrels), own, name, repr(settings), value, tuple(costs)
        if asked == self._asked:
            return
        self._forget(asked)
        judged = qrels.judgement(own, name)
        if board.stale or judged is None or judged.passages != session.state.marks:
            self._asked = ()  # it is not scored as it is shown
            return
        self._held, self.measure = (run, qrels), board.figures.topic_name
        self._task = self._tasks.run(
            lambda: gains_of(qrels, run, settings, own, name, costs, value), self._take, when_settled=True
        )

    def _forget(self, asked: tuple[object, ...]) -> None:
        self._asked, self.gains, self.measure = asked, {}, ""
        if self._task is not None:
            self._task.cancel()
            self._task = None

    def _take(self, gains: Gains) -> None:
        self._task, self.gains = None, gains
        self.known.emit()


def gains_of(
    qrels: Qrels,
    run: Run,
    settings: ScoringSettings,
    topic: str,
    document: str,
    costs: Sequence[Cost],
    before: float,
) -> Gains:
    """Return what the one measure of the settings gains in a topic were each fault mended."""
    try:
        faults = [RankingFault(document, cost.fault, cost.start, cost.end) for cost in costs]
        effects = effects_of_faults(qrels, ranking_of(run, topic), settings, faults)
    except InexviewError:
        return {}
    return {cost: value - before for cost, value in zip(costs, effects.right[0].tolist(), strict=True)}
