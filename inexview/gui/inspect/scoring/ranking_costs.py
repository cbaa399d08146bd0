"""What the documents of a ranking do to the topic's measure, computed off the window's thread."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QObject, Signal

from inexview.core.errors import InexviewError
from inexview.core.evaluation.evaluate import PreparedRun, prepare
from inexview.core.evaluation.scores import RankSteps, ScoringSettings
from inexview.core.evaluation.scratch_run import ranking_of
from inexview.core.evaluation.variants import (
    ROUNDING,
    TopicWithout,
    effects_of_faults,
    leave_out_of,
    missed_documents,
)
from inexview.core.judgements.qrels import Qrels
from inexview.core.judgements.runs import Run, Task
from inexview.core.judgements.subsets import Subset
from inexview.core.measures.in_context import DocumentRanks
from inexview.core.measures.ranked import RankedDocuments
from inexview.core.text.spans import Floats
from inexview.gui.inspect.scoring.ranked_rows import RankingCosts
from inexview.gui.inspect.scoring.run_board import RunBoard
from inexview.gui.services.tasks import BackgroundTask, Tasks

KEPT = 64  # rankings of which the costs are remembered
NONE = RankingCosts()


class Key(NamedTuple):
    """What costs depend on; run and qrels by their ``id()``, since only the same objects are the same."""

    run: int
    topic: str
    qrels: int
    task: Task
    settings: str
    measure: str


class CostsUnderWay(NamedTuple):
    """Costs that are being computed, and who waits for them."""

    task: BackgroundTask
    waiting: list[Callable[[Run, RankingCosts], None]]


class CostsOfRanking(QObject):
    """Computes the costs of rankings, and remembers those that were asked for lately."""

    known = Signal(object)  # RankingCosts of the ranking that is listed

    def __init__(self, board: RunBoard, tasks: Tasks, parent: QObject) -> None:
        super().__init__(parent)
        self._board = board
        self._tasks = tasks
        self._under_way: dict[Key, CostsUnderWay] = {}
        self._listed: Key | None = None
        self._kept: OrderedDict[Key, tuple[RankingCosts, Run, Qrels]] = OrderedDict()

    def ask(self, run: Run, topic: str) -> bool:
        """List the costs of a run's ranking of a topic as the board scores now; tell if they are known."""
        self._listed = key = self._key(run, topic)
        kept = None if key is None else self._kept.get(key)
        if kept is not None:
            self.known.emit(kept[0])
        else:
            self.want(run, topic)
        return kept is not None

    def known_of(self, run: Run, topic: str) -> RankingCosts | None:
        """Return the costs of a ranking, None where they are not known yet."""
        key = self._key(run, topic)
        kept = None if key is None else self._kept.get(key)
        return None if kept is None else kept[0]

    def want(self, run: Run, topic: str, learned: Callable[[Run, RankingCosts], None] | None = None) -> None:
        """Compute the costs of a ranking that are not known, and then tell them; the list's own it hears."""
        key, qrels, board = self._key(run, topic), self._board.qrels, self._board
        if key is None or qrels is None or key in self._kept:
            return
        if key in self._under_way:
            waiting = self._under_way[key].waiting
            waiting += [] if learned is None or learned in waiting else [learned]
            return
        settings = board.settings_for(key.task, board.figures.deciding)
        for other in [other for other in self._under_way if other != self._listed]:
            self._under_way.pop(other).task.cancel()

        def done(costs: RankingCosts) -> None:
            waiting = self._under_way.pop(key).waiting
            self._kept[key] = costs, run, qrels  # these stay, and so their ids stay theirs
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)
            if key == self._key(run, topic):
                for tell in waiting:
                    tell(run, costs)
            if key == self._listed:  # another may be listed by now, whose costs were known already
                self.known.emit(costs)

        task = self._tasks.run(lambda: ranking_costs(qrels, run, settings, topic), done, when_settled=True)
        self._under_way[key] = CostsUnderWay(task, [] if learned is None else [learned])

    def _key(self, run: Run, topic: str) -> Key | None:
        """Return what costs depend on; None where there are no figures now."""
        board = self._board
        qrels, task, measure = board.qrels, board.task, board.figures.deciding
        if qrels is None or task is None or not measure or board.stale or topic not in qrels.topics:
            return None
        return Key(id(run), topic, id(qrels), task, repr(board.choice.settings(task)), measure)


def ranking_costs(qrels: Qrels, run: Run, settings: ScoringSettings, topic: str) -> RankingCosts:
    """Return what each document does to the one measure of the settings; nothing of a topic not scored."""
    judged, ranking = Subset(topics=frozenset((topic,))).of_qrels(qrels), ranking_of(run, topic)
    try:
        prepared = prepare(judged, ranking, settings)
        if topic not in prepared.joined.topics or not len(prepared.joined):
            return NONE
        without = leave_out_of(prepared, topic)
        missed = effects_of_faults(judged, ranking, settings, missed_documents(judged, ranking))
    except InexviewError:
        return NONE
    name, so_far = precision_so_far(prepared, without)
    return RankingCosts(
        prepared.names[0],
        float(without.values[0]),
        name,
        dict(zip(without.documents, so_far.tolist(), strict=True)),
        dict(zip(without.documents, _changes(without.without_document, without.values), strict=True)),
        {fault.document: gain for fault, gain in missed.gains(prepared.names[0]).items()},
        {
            row + 1: change
            for row, change in zip(
                without.source.tolist(), _changes(without.without_result, without.values), strict=True
            )
        },
    )


def _changes(without: Floats, values: Floats) -> list[float]:
    """Return how the one measure changes without each part; what is only rounding is 0."""
    changes = without[0] - values[0]
    found: list[float] = np.where(np.abs(changes) < ROUNDING, 0.0, changes).tolist()
    return found


def precision_so_far(prepared: PreparedRun, without: TopicWithout) -> tuple[str, Floats]:
    """Return precision down to each of d documents of one topic, shape (d,), and what it is called.

    It is that of the curve over ranks, where the task ranks results at a document's last one.
    """
    joined = prepared.joined
    precision = RankSteps.of(joined, prepared.parameters, prepared.view).precision
    if issubclass(prepared.view, DocumentRanks | RankedDocuments):
        return "gP" if issubclass(prepared.view, DocumentRanks) else "P", precision
    last = np.zeros(len(without.documents), np.int64)
    np.maximum.at(last, without.document, np.arange(len(joined)))
    return "P", precision[last]
