"""What the documents of a ranking do to the topic's measure, reckoned off the window's thread."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import replace

import numpy as np
from PySide6.QtCore import QObject, Signal

from inexview.core.errors import InexviewError
from inexview.core.evaluation.evaluate import Laid, ScoringSettings, lay
from inexview.core.evaluation.leave_one_out import TopicWithout, leave_out_of
from inexview.core.evaluation.mended import missed_documents
from inexview.core.evaluation.what_if import ranking_of
from inexview.core.judgements.qrels import Qrels
from inexview.core.judgements.runs import Run, Task
from inexview.core.judgements.subsets import Subset
from inexview.core.measures.in_context import DocumentRanks
from inexview.core.measures.measure import parse
from inexview.core.text.offset_arrays import Floats
from inexview.gui.inspect.ranked_rows import RankingCosts
from inexview.gui.inspect.run_board import RunBoard
from inexview.gui.services.tasks import BackgroundTask, Tasks

KEPT = 64  # rankings of which the costs are remembered
NONE = RankingCosts()


class CostsOfRanking(QObject):
    """Reckons the costs of the ranking that is listed, and remembers those of others that were."""

    known = Signal(object)  # RankingCosts of the ranking asked for last

    def __init__(self, board: RunBoard, tasks: Tasks, parent: QObject) -> None:
        super().__init__(parent)
        self._board = board
        self._tasks = tasks
        self._task: BackgroundTask | None = None
        self._asked: tuple[object, ...] = ()
        self._kept: OrderedDict[tuple[object, ...], tuple[tuple[object, ...], RankingCosts]] = OrderedDict()

    def ask(self, run: Run, topic: str) -> None:
        """Reckon the costs of a run's ranking of a topic, as the board scores now."""
        board = self._board
        qrels, task, measure = board.qrels, board.task, board.figures.deciding
        if self._task is not None:
            self._task.cancel()
            self._task = None
        if qrels is None or task is None or not measure or board.stale or topic not in qrels.topics:
            self._asked = ()
            return
        settings = board.choice.settings(task)
        made_of = (run, qrels)  # kept alive, so that an id stays theirs
        key = (id(run), topic, id(qrels), settings.preset, repr(settings), measure)
        if key in self._kept:
            self._kept.move_to_end(key)
            self._asked = key
            self.known.emit(self._kept[key][1])
            return
        self._asked = key

        def done(costs: RankingCosts) -> None:
            self._task = None
            self._kept[key] = made_of, costs
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)
            if key == self._asked:
                self.known.emit(costs)

        self._task = self._tasks.run(lambda: ranking_costs(qrels, run, settings, topic, measure), done)


def ranking_costs(
    qrels: Qrels, run: Run, settings: ScoringSettings, topic: str, measure: str
) -> RankingCosts:
    """Return what each document does to a measure of a topic; nothing where the topic is not scored."""
    judged, ranking = Subset(topics=frozenset((topic,))).of_qrels(qrels), ranking_of(run, topic)
    only = replace(settings, measures=(parse(measure),))
    try:
        laid = lay(judged, ranking, only)
        if topic not in laid.joined.topics or not len(laid.joined):
            return NONE
        without, missed = leave_out_of(laid, topic), missed_documents(judged, ranking, only)
    except InexviewError:
        return NONE
    name, so_far = precision_so_far(laid, without)
    return RankingCosts(
        laid.names[0],
        float(without.values[0]),
        name,
        dict(zip(without.documents, so_far.tolist(), strict=True)),
        dict(zip(without.documents, (without.without_document[0] - without.values[0]).tolist(), strict=True)),
        missed.gains(laid.names[0]),
    )


def precision_so_far(laid: Laid, without: TopicWithout) -> tuple[str, Floats]:
    """Return precision down to each of d documents of one topic, shape (d,), and what it is called.

    It is gP where the task ranks documents by S(d), the share of relevant ones where it only ranks documents,
    else the share of relevant characters down to a document's last result.
    """
    joined = laid.joined
    if any(record.view is DocumentRanks for record, _ in laid.wanted):
        return "gP", DocumentRanks(joined, laid.parameters).precision
    if joined.task is Task.DOCUMENTS:
        relevant = joined.relevant[joined.firsts]
        return "P", np.cumsum(relevant) / np.arange(1, len(relevant) + 1)
    last = np.zeros(len(without.documents), np.int64)
    np.maximum.at(last, without.document, np.arange(len(joined)))
    size, hits = np.cumsum(joined.size), np.cumsum(joined.rsize)
    precision: Floats = hits[last] / np.maximum(size[last], 1)
    return "P", precision
